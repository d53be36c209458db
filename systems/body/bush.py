"""The bush tier: six-degree-of-freedom joints and an implicit step at about 120 Hz, for creatures far away.

The tissue's mid-plane mass rides with the two frames (a quarter of the block on each, at the block centre). The linear
system of a chain is a symmetric band, solved in one sweep; kinematic segments enter as known velocities. Bodies that
are not chains (block k joining segments k and k + 1) fall back to the full tier, and so does a body that touches water:
its drag needs the mid-plane nodes [numerics-study 5]. The gyroscopic torque is left out. The
mid-plane nodes are put halfway between the faces after the tick, so a change to the full tier needs nothing else.
"""

from __future__ import annotations

import numba
import numpy as np

from ...engine.kernel import kernel
from .band import (
    add_impulse,
    add_joint_matrix,
    add_lump,
    advance_segments,
    load_inertia,
    load_momentum,
    prescribe,
    solve_band,
)
from .blocks import load_block, store_block
from .bush_joint import step_joint
from .faces import place_end, place_middle
from .frames import clear_and_weigh, ground_contact, load_segment, store_segment
from .full import step_one_full
from .guard import OUT_OF_RANGE, joint_in_range
from .layout import (
    BAND_WIDTH,
    BLK_END_A,
    BLK_END_B,
    BLK_HALF,
    BLK_INVERSE_MASS,
    BUSH_STRIDE,
    END_A,
    END_B,
    SEG_KINEMATIC,
    SEGMENT_STRIDE,
)
from .water_force import touches_water

BUSH_RATE = 120.0  # implicit steps per second [numerics-study 5]


@kernel()
def is_chain(first, count, row, blocks, segment_a, segment_b):
    """Whether block k of a creature joins its segments k and k + 1, for all segments."""
    if blocks != count - 1:
        return False
    for k in range(blocks):
        if segment_a[row + k] != first + k or segment_b[row + k] != first + k + 1:
            return False
    return True


@kernel()
def is_led(s, i):
    """Return whether segment `i` moves as it is told. A joint between two such segments decides nothing and is skipped."""
    return s[i * SEGMENT_STRIDE + SEG_KINEMATIC] != 0


@kernel()
def bush_substep(s, w, count, row, published, fraction, joint, inertia, first, contact, dt, disturbed, blocks):
    """Update all segments of a chain by one implicit step; `blocks` are the tuples of block columns."""
    real = s.dtype.type
    quarter = real(0.25)
    band = count * SEGMENT_STRIDE
    right = band + 6 * BAND_WIDTH * count
    o = count * (SEGMENT_STRIDE + BUSH_STRIDE)
    for i in range(count):
        load_inertia(s, band, i, inertia, first + i)
        clear_and_weigh(s, i * SEGMENT_STRIDE)
        at = i * SEGMENT_STRIDE
        ground_contact(s, at, real(contact[0]), real(contact[1]), real(contact[2]), real(contact[3]), dt)
    for k in range(count - 1):
        if is_led(s, k) and is_led(s, k + 1):
            continue
        place_joint(s, w, o, k, row, blocks)
        lump = quarter / s[o + BLK_INVERSE_MASS]
        add_lump(s, w, band, k, END_A, real(1.0), s[o + BLK_HALF], lump)
        add_lump(s, w, band, k + 1, END_B, real(-1.0), s[o + BLK_HALF], lump)
    for i in range(count):
        load_momentum(s, band, right, i)
    for k in range(count - 1):
        if is_led(s, k) and is_led(s, k + 1):
            continue
        place_joint(s, w, o, k, row, blocks)
        if not joint_in_range(w, s, o):
            disturbed[row + k] |= OUT_OF_RANGE
        a = k * SEGMENT_STRIDE
        step_joint(w, s, o, a, a + SEGMENT_STRIDE, joint, row + k, fraction, published, dt)
        add_joint_matrix(s, w, band, k)
    for i in range(count):
        add_impulse(s, right, i, dt)
    for i in range(count):
        if is_led(s, i):
            prescribe(s, band, right, 6 * count, i)
    solve_band(s, band, right, 6 * count)
    advance_segments(s, right, count, dt)


@kernel()
def place_joint(s, w, o, k, row, blocks):
    """Update the one scratch block `o` and its world faces to block `k` of the chain."""
    origin, anchor_a, anchor_b, size, elastic, lengths_before, lengths, node_position, node_velocity = blocks
    a, b = k * SEGMENT_STRIDE, (k + 1) * SEGMENT_STRIDE
    load_block(
        s, w, o, row + k, a, b, origin, anchor_a, anchor_b, size, elastic, lengths_before, lengths, node_position,
        node_velocity,
    )  # fmt: skip
    place_end(w, END_A, s, o + BLK_END_A, a)
    place_end(w, END_B, s, o + BLK_END_B, b)


@kernel()
def step_one_bush(
    creature, first_segment, segment_count, first_block, block_count, rotation_free, position, orientation, velocity,
    angular_velocity, half_extents, mass, center_of_mass, inertia, inverse_inertia, kinematic, gravity, ground_point,
    ground_normal, push, anchor_a, anchor_b, size, elastic, joint, lengths_before, lengths, node_position,
    node_velocity, disturbed, contact, dt, s,
):  # fmt: skip
    """Update all state of one chain over one tick."""
    real = s.dtype.type
    first, count, row = first_segment[creature], segment_count[creature], first_block[creature]
    origin = (position[first, 0], position[first, 1], position[first, 2])
    for i in range(count):
        load_segment(
            s, i * SEGMENT_STRIDE, first + i, origin, position, orientation, velocity, angular_velocity, half_extents,
            mass, center_of_mass, inertia, inverse_inertia, kinematic, gravity, ground_point, ground_normal, push,
        )  # fmt: skip
    o = count * (SEGMENT_STRIDE + BUSH_STRIDE)
    w = s[o:]
    blocks = (origin, anchor_a, anchor_b, size, elastic, lengths_before, lengths, node_position, node_velocity)
    disturbed[row : row + count - 1] = 0
    steps = max(1, int(np.ceil(dt * BUSH_RATE - 1e-9)))
    published = rotation_free[creature] == 0
    for n in range(steps):
        fraction = real((n + 1.0) / steps)
        bush_substep(
            s, w, count, row, published, fraction, joint, inertia, first, contact, real(dt / steps), disturbed, blocks
        )
    for k in range(count - 1):
        place_joint(s, w, o, k, row, blocks)
        place_middle(w, s, o)
        store_block(s, o, row + k, origin, node_position, node_velocity)
    for i in range(count):
        store_segment(s, i * SEGMENT_STRIDE, first + i, origin, position, orientation, velocity, angular_velocity)


@kernel(parallel=True)
def step_bush(
    rows, first_segment, segment_count, first_block, block_count, substeps, rotation_free, damping_inverse,
    position, orientation, velocity, angular_velocity, half_extents, mass, center_of_mass, inertia, inverse_inertia,
    kinematic, gravity, ground_point, ground_normal, push, segment_a, segment_b, anchor_a, anchor_b, size, elastic,
    joint, lengths_before, lengths, node_position, node_velocity, disturbed, water_level, water_velocity, water_power,
    contact, dt, scratch,
):  # fmt: skip
    """Update the state of the creatures in `rows` over one tick by implicit joints; arguments as `step_full`."""
    for index in numba.prange(rows.shape[0]):
        k = np.int64(index)
        c = rows[k]
        if segment_count[c] == 0:
            continue
        first, count = first_segment[c], segment_count[c]
        chain = is_chain(first, count, first_block[c], block_count[c], segment_a, segment_b)
        if chain and not touches_water(first, count, position, half_extents, water_level):
            water_power[c] = 0.0
            step_one_bush(
                c, first_segment, segment_count, first_block, block_count, rotation_free, position, orientation,
                velocity, angular_velocity, half_extents, mass, center_of_mass, inertia, inverse_inertia, kinematic,
                gravity, ground_point, ground_normal, push, anchor_a, anchor_b, size, elastic, joint, lengths_before,
                lengths, node_position, node_velocity, disturbed, contact, dt, scratch[k],
            )  # fmt: skip
        else:
            step_one_full(
                c, first_segment, segment_count, first_block, block_count, substeps, rotation_free, damping_inverse,
                position, orientation, velocity, angular_velocity, half_extents, mass, center_of_mass, inertia,
                inverse_inertia, kinematic, gravity, ground_point, ground_normal, push, segment_a, segment_b,
                anchor_a, anchor_b, size, elastic, joint, lengths_before, lengths, node_position, node_velocity,
                disturbed, water_level, water_velocity, water_power, contact, dt, scratch[k],
            )  # fmt: skip
