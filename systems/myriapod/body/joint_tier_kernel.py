"""The bush tier: six-degree-of-freedom joints and an implicit step at about 120 Hz, for creatures far away.

The tissue's mid-plane mass rides with the two frames (a quarter of the block on each, at the block centre). Segments
that are led by the Targeter move as they are told and cut the body into runs of free segments; the linear system of a
run is a symmetric band, solved in one sweep with the led neighbours as known velocities. What lies between two led
segments decides nothing and is not computed, so a body that stands on most of its legs costs little. The gyroscopic
torque is left out. Mid-plane nodes are not kept up; whoever changes a body to the full tier puts them between the faces.
"""

from __future__ import annotations

import numba
import numpy as np

from ....engine.kernel import kernel
from .banded_solver_kernel import (
    add_impulse,
    add_joint_matrix,
    add_lump,
    clear_band,
    load_inertia,
    load_momentum,
    meet_led,
    solve_band,
)
from .faces_kernel import place_end
from .follow_tier_kernel import advance_pose
from .inversion_guard_kernel import OUT_OF_RANGE, joint_in_range
from .rigid_segments_kernel import clear_and_weigh, ground_contact, load_segment, store_segment
from .rotation_kernel import rotation_matrix, turn
from .scratch_layout import (
    BLK_END_A,
    BLK_END_B,
    BLK_HALF,
    BLK_INVERSE_MASS,
    BUSH_STRIDE,
    END_A,
    END_B,
    SEG_Q,
    SEG_R,
    SEG_V,
    SEG_W,
    SEG_X,
    SEGMENT_STRIDE,
)
from .tabulated_joint_kernel import load_joint, step_joint

BUSH_RATE = 120.0  # implicit steps per second [numerics-study 5]


@kernel()
def is_involved(first, count, i, kinematic):
    """Return whether segment `i` is free or the led neighbour of a free one."""
    return (
        kinematic[first + i] == 0
        or (i > 0 and kinematic[first + i - 1] == 0)
        or (i + 1 < count and kinematic[first + i + 1] == 0)
    )


@kernel()
def join_segments(s, w, o, k, row, first, kinematic, band, right, published, fraction, joint, dt, disturbed, blocks):
    """Update band, forces and momenta of segments k and k + 1 by the block between them."""
    real = s.dtype.type
    anchor_a, anchor_b, size, elastic, lengths_before, lengths = blocks
    a, b = k * SEGMENT_STRIDE, (k + 1) * SEGMENT_STRIDE
    load_joint(s, o, row + k, a, b, anchor_a, anchor_b, size, elastic, lengths_before, lengths)
    place_end(w, END_A, s, o + BLK_END_A, a)
    place_end(w, END_B, s, o + BLK_END_B, b)
    lump = real(0.25) / s[o + BLK_INVERSE_MASS]
    if not kinematic[first + k]:
        add_lump(s, w, band, right, k, END_A, real(1.0), s[o + BLK_HALF], lump)
    if not kinematic[first + k + 1]:
        add_lump(s, w, band, right, k + 1, END_B, real(-1.0), s[o + BLK_HALF], lump)
    if not joint_in_range(w, s, o):
        disturbed[row + k] |= OUT_OF_RANGE
    step_joint(w, s, o, a, b, joint, row + k, fraction, published, dt)
    add_joint_matrix(s, w, band, k)


@kernel()
def bush_substep(
    s, w, o, count, row, first, kinematic, published, fraction, joint, inertia, contact, dt, disturbed, blocks
):
    """Update the free segments of a chain and their led neighbours by one implicit step; `blocks` are block columns."""
    real = s.dtype.type
    band = count * SEGMENT_STRIDE
    right = band + count * (BUSH_STRIDE - 6)
    for i in range(count):
        if kinematic[first + i] == 0:
            at = i * SEGMENT_STRIDE
            load_inertia(s, band, i, inertia, first + i)
            clear_and_weigh(s, at)
            ground_contact(s, at, real(contact[0]), real(contact[1]), real(contact[2]), real(contact[3]), dt)
            load_momentum(s, band, right, i)
        elif is_involved(first, count, i, kinematic):
            clear_band(s, band, i)
    for k in range(count - 1):
        if kinematic[first + k] == 0 or kinematic[first + k + 1] == 0:
            join_segments(
                s, w, o, k, row, first, kinematic, band, right, published, fraction, joint, dt, disturbed, blocks
            )
    start = 0
    while start < count:
        if kinematic[first + start]:
            start += 1
            continue
        stop = start
        while stop < count and kinematic[first + stop] == 0:
            add_impulse(s, right, stop, dt)
            stop += 1
        meet_led(s, band, right, start, stop, count)
        solve_band(s, band, right, 6 * start, 6 * stop)
        start = stop
    for i in range(count):
        if is_involved(first, count, i, kinematic):
            advance_segment(s, i, right, kinematic[first + i], dt)


@kernel()
def advance_segment(s, i, right, led, dt):
    """Update velocity and pose of one segment from the solution, or its pose alone when it is led."""
    o = i * SEGMENT_STRIDE
    for d in range(3):
        if not led:
            s[o + SEG_V + d] = s[right + 6 * i + d]
            s[o + SEG_W + d] = s[right + 6 * i + 3 + d]
        s[o + SEG_X + d] += dt * s[o + SEG_V + d]
    turn(s, o + SEG_Q, dt * s[o + SEG_W], dt * s[o + SEG_W + 1], dt * s[o + SEG_W + 2])
    rotation_matrix(s, o + SEG_Q, s, o + SEG_R)


@kernel()
def step_one_bush(
    creature, first_segment, segment_count, first_block, rotation_free, position, orientation, velocity,
    angular_velocity, half_extents, mass, center_of_mass, inertia, inverse_inertia, kinematic, gravity, ground_point,
    ground_normal, push, anchor_a, anchor_b, size, elastic, joint, lengths_before, lengths, disturbed, contact, dt, s,
):  # fmt: skip
    """Update the segments of one chain over one tick."""
    real = s.dtype.type
    first, count, row = first_segment[creature], segment_count[creature], first_block[creature]
    origin = (position[first, 0], position[first, 1], position[first, 2])
    o = count * (SEGMENT_STRIDE + BUSH_STRIDE)
    involved = 0
    for i in range(count):
        if is_involved(first, count, i, kinematic):
            involved += 1
            load_segment(
                s, i * SEGMENT_STRIDE, first + i, origin, position, orientation, velocity, angular_velocity, half_extents,
                mass, center_of_mass, inertia, inverse_inertia, kinematic, gravity, ground_point, ground_normal, push,
            )  # fmt: skip
        else:
            advance_pose(first + i, position, orientation, velocity, angular_velocity, dt)
    disturbed[row : row + count - 1] = 0
    if involved == 0:
        return
    blocks = (anchor_a, anchor_b, size, elastic, lengths_before, lengths)
    steps = max(1, int(np.ceil(dt * BUSH_RATE - 1e-9)))
    published = rotation_free[creature] == 0
    for n in range(steps):
        bush_substep(
            s, s[o:], o, count, row, first, kinematic, published, real((n + 1.0) / steps), joint, inertia, contact,
            real(dt / steps), disturbed, blocks,
        )  # fmt: skip
    for i in range(count):
        if is_involved(first, count, i, kinematic):
            store_segment(s, i * SEGMENT_STRIDE, first + i, origin, position, orientation, velocity, angular_velocity)


@kernel(parallel=True)
def step_bush(
    rows, first_segment, segment_count, first_block, block_count, substeps, rotation_free, damping_inverse,
    position, orientation, velocity, angular_velocity, half_extents, mass, center_of_mass, inertia, inverse_inertia,
    kinematic, gravity, ground_point, ground_normal, push, segment_a, segment_b, anchor_a, anchor_b, size, elastic,
    joint, lengths_before, lengths, node_position, node_velocity, disturbed, water_level, water_velocity, water_power,
    contact, dt, scratch,
):  # fmt: skip
    """Update the segments of the chains in `rows` over one tick by implicit joints; arguments as `step_full`."""
    for index in numba.prange(rows.shape[0]):
        k = np.int64(index)
        c = rows[k]
        water_power[c] = 0.0
        if segment_count[c] > 0:
            step_one_bush(
                c, first_segment, segment_count, first_block, rotation_free, position, orientation, velocity,
                angular_velocity, half_extents, mass, center_of_mass, inertia, inverse_inertia, kinematic, gravity,
                ground_point, ground_normal, push, anchor_a, anchor_b, size, elastic, joint, lengths_before, lengths,
                disturbed, contact, dt, scratch[k],
            )  # fmt: skip
