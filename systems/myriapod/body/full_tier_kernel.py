"""The full tier: explicit finite elements in substeps, the reference for every other tier."""

from __future__ import annotations

import numba
import numpy as np

from ....engine.kernel import kernel
from .blocks_kernel import load_block, load_motion_matrix, step_block, store_block
from .faces_kernel import place_end, place_middle
from .inversion_guard_kernel import STAYED_INVERTED
from .rigid_segments_kernel import clear_and_weigh, ground_contact, integrate_segments, load_segment, store_segment
from .scratch_layout import (
    BLK_END_A,
    BLK_END_B,
    BLK_INVERTED,
    BLOCK_STRIDE,
    END_A,
    END_B,
    SEG_KINEMATIC,
    SEGMENT_STRIDE,
    WATER_POWER,
)
from .tissue_forces_kernel import polar_floor
from .water_force_kernel import load_water, touches_water, water_on_box


@kernel()
def moves_freely(s, a, b):
    """Return whether the dynamics move an end of a block. Between two led segments the pose is the Targeter's: however it
    bends the tissue, nobody feels it, and nothing is disturbed that could be."""
    return s[a + SEG_KINEMATIC] == 0 or s[b + SEG_KINEMATIC] == 0


@kernel()
def substep(
    s, w, segments, blocks, first, row, segment_a, segment_b, morphing, free, wet, fraction, contact, dt, disturbed
):  # fmt: skip
    """Update all segments and blocks of one creature's scratch by one substep, and its `disturbed` rows."""
    real = s.dtype.type
    floor = polar_floor(s)
    for i in range(segments):
        o = i * SEGMENT_STRIDE
        if s[o + SEG_KINEMATIC] == 0:
            clear_and_weigh(s, o)
            ground_contact(s, o, real(contact[0]), real(contact[1]), real(contact[2]), real(contact[3]), dt)
            if wet:
                water_on_box(s, w, o, dt)
    for k in range(blocks):
        o = segments * SEGMENT_STRIDE + k * BLOCK_STRIDE
        a = (segment_a[row + k] - first) * SEGMENT_STRIDE
        b = (segment_b[row + k] - first) * SEGMENT_STRIDE
        flags = step_block(w, s, o, a, b, morphing, free, wet, fraction, dt, floor)
        if moves_freely(s, a, b):
            disturbed[row + k] |= flags
    integrate_segments(s, segments, dt)


@kernel()
def untangle(s, w, o, a, b):
    """Update the mid-plane of a block to the average of its faces."""
    place_end(w, END_A, s, o + BLK_END_A, a)
    place_end(w, END_B, s, o + BLK_END_B, b)
    place_middle(w, s, o)


@kernel()
def step_one_full(
    creature, first_segment, segment_count, first_block, block_count, substeps, rotation_free, damping_inverse,
    position, orientation, velocity, angular_velocity, half_extents, mass, center_of_mass, inertia, inverse_inertia,
    kinematic, gravity, ground_point, ground_normal, push, segment_a, segment_b, anchor_a, anchor_b, size, elastic,
    joint, lengths_before, lengths, node_position, node_velocity, disturbed, water_level,
    water_velocity, water_power, contact, dt, scratch,
):  # fmt: skip
    """Update all state of one creature over one tick."""
    first, count = first_segment[creature], segment_count[creature]
    row, blocks, steps = first_block[creature], block_count[creature], substeps[creature]
    if count == 0:
        return
    real = scratch.dtype.type
    work = count * SEGMENT_STRIDE
    s = scratch
    w = scratch[work + blocks * BLOCK_STRIDE :]
    origin = (position[first, 0], position[first, 1], position[first, 2])
    for i in range(count):
        load_segment(
            s, i * SEGMENT_STRIDE, first + i, origin, position, orientation, velocity, angular_velocity, half_extents,
            mass, center_of_mass, inertia, inverse_inertia, kinematic, gravity, ground_point, ground_normal, push,
        )  # fmt: skip
    morphing = False
    for k in range(blocks):
        a = (segment_a[row + k] - first) * SEGMENT_STRIDE
        b = (segment_b[row + k] - first) * SEGMENT_STRIDE
        disturbed[row + k] = 0
        morphed = load_block(
            s, w, work + k * BLOCK_STRIDE, row + k, a, b, origin, anchor_a, anchor_b, size, elastic, lengths_before,
            lengths, node_position, node_velocity,
        )  # fmt: skip
        morphing = morphing or morphed
    free = rotation_free[creature] != 0
    wet = touches_water(first, count, position, half_extents, water_level)
    if wet:
        load_water(s, w, first, count, blocks, row, segment_a, segment_b, origin[2], water_level, water_velocity)
    step = dt / steps
    if blocks > 0:
        load_motion_matrix(w, damping_inverse[creature], step * elastic[row, 3] / elastic[row, 2], free)
    for n in range(steps):
        fraction = real((n + 1.0) / steps)
        substep(
            s, w, count, blocks, first, row, segment_a, segment_b, morphing, free, wet, fraction, contact, real(step),
            disturbed,
        )  # fmt: skip
    water_power[creature] = w[WATER_POWER] / steps if wet else 0.0
    for k in range(blocks):
        o = work + k * BLOCK_STRIDE
        if s[o + BLK_INVERTED] == real(steps):
            a = (segment_a[row + k] - first) * SEGMENT_STRIDE
            b = (segment_b[row + k] - first) * SEGMENT_STRIDE
            untangle(s, w, o, a, b)
            if moves_freely(s, a, b):
                disturbed[row + k] |= STAYED_INVERTED
        store_block(s, o, row + k, origin, node_position, node_velocity)
    for i in range(count):
        store_segment(s, i * SEGMENT_STRIDE, first + i, origin, position, orientation, velocity, angular_velocity)


@kernel(parallel=True)
def step_full(
    rows, first_segment, segment_count, first_block, block_count, substeps, rotation_free, damping_inverse,
    position, orientation, velocity, angular_velocity, half_extents, mass, center_of_mass, inertia, inverse_inertia,
    kinematic, gravity, ground_point, ground_normal, push, segment_a, segment_b, anchor_a, anchor_b, size, elastic,
    joint, lengths_before, lengths, node_position, node_velocity, disturbed, water_level,
    water_velocity, water_power, contact, dt, scratch,
):  # fmt: skip
    """Update the state of the creatures in `rows` over one tick of length dt by finite elements.

    The columns come in the order of :class:`BodyColumns`. contact: ground stiffness (1/s^2) and damping (1/s) per
    corner and unit mass, friction coefficient, slip speed (units/s). scratch: one row per entry of `rows`, of
    `scratch_width` columns; its dtype is the precision of the substeps.
    """
    for index in numba.prange(rows.shape[0]):
        k = np.int64(index)
        step_one_full(
            rows[k], first_segment, segment_count, first_block, block_count, substeps, rotation_free,
            damping_inverse, position, orientation, velocity, angular_velocity, half_extents, mass, center_of_mass,
            inertia, inverse_inertia, kinematic, gravity, ground_point, ground_normal, push, segment_a, segment_b,
            anchor_a, anchor_b, size, elastic, joint, lengths_before, lengths, node_position, node_velocity, disturbed,
            water_level, water_velocity, water_power, contact, dt, scratch[k],
        )  # fmt: skip
