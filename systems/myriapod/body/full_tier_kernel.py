"""The full tier: explicit finite elements in substeps, the reference for every other tier."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from numba import prange

from ....components.myriapod.tissue import Elastic
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from .blocks_kernel import load_block, load_motion_matrix, step_block, store_block
from .body_rows_kernel import block_ends, body_rows
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
from .water_force_kernel import load_water, store_water, touches_water, water_on_box

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.myriapod.chain import ChainPool
    from ....components.myriapod.chain_segments import ChainSegmentPool
    from ....components.myriapod.tissue import TissuePool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array, Vector

# Contact of a body in water is so much stiffer than on land. There its weight presses it to the ground; a swimmer is pressed
# to a wall by its muscles, and its corners sank in by 0.17 units at the ground's stiffness.
WET_HARDNESS = 4.0
# Largest stiffness times dt^2 per corner and unit mass: eight corners and their levers make w^2 = 8 * 4 k, and w dt = 1 is
# half the limit of the explicit step.
HARDEST_CONTACT = 1.0 / 32.0
STIFFNESS, DAMPING, SLIP_SPEED = range(3)  # places in a contact, see `step_full`


@kernel()
def contact_of(contact: Array, wet: bool, dt: float) -> tuple[float, float]:
    """Return stiffness and damping of the contact in steps of dt: harder in water, as far as the steps can follow it."""
    usual, damping = contact[STIFFNESS], contact[DAMPING]
    stiffness = usual
    if wet:
        stiffness = max(usual, min(WET_HARDNESS * usual, HARDEST_CONTACT / (dt * dt)))
    return stiffness, damping * sqrt(stiffness / usual) if stiffness > usual else damping


@kernel()
def moves_freely(s: Array, a: int, b: int) -> bool:
    """Return whether the dynamics move an end of a block.

    Between two led segments the pose is the Targeter's: however it bends the tissue, no force comes of it, and there is
    nothing to report as disturbed.
    """
    return s[a + SEG_KINEMATIC] == 0 or s[b + SEG_KINEMATIC] == 0


@kernel()
def substep(c: int, bodies: BodyPool, chains: ChainPool, blocks: TissuePool, contact: Array, morphing: bool, wet: bool,
            fraction: float, dt: float, s: Array, w: Array) -> None:  # fmt: skip
    """Advance the scratch of creature `c` by one substep that ends at this fraction of the tick; note disturbed blocks."""
    real = s.dtype.type
    floor = polar_floor(s)
    first, count, row, block_count = body_rows(c, bodies, chains)
    rotation_free, disturbed = chains.rotation_free[c] != 0, blocks.disturbed
    friction = real(chains.friction[c])
    stiffness, damping = contact_of(contact, wet, dt)
    for i in range(count):
        o = i * SEGMENT_STRIDE
        if s[o + SEG_KINEMATIC] == 0:
            clear_and_weigh(s, o)
            ground_contact(s, o, real(stiffness), real(damping), friction, real(contact[SLIP_SPEED]), dt)
            if wet:
                water_on_box(s, w, o, dt)
    for k in range(block_count):
        o = count * SEGMENT_STRIDE + k * BLOCK_STRIDE
        a, b = block_ends(row + k, first, blocks)
        flags = step_block(w, s, o, a, b, morphing, rotation_free, wet, fraction, dt, floor)
        if moves_freely(s, a, b):
            disturbed[row + k] |= flags
    integrate_segments(s, count, dt)


@kernel()
def untangle(s: Array, w: Array, o: int, a: int, b: int) -> None:
    """Put the mid-plane of a block halfway between its faces."""
    place_end(w, END_A, s, o + BLK_END_A, a)
    place_end(w, END_B, s, o + BLK_END_B, b)
    place_middle(w, s, o)


@kernel()
def load_body(c: int, bodies: BodyPool, chains: ChainPool, segments: SegmentPool, chained: ChainSegmentPool,
              blocks: TissuePool, origin: Vector, s: Array) -> bool:  # fmt: skip
    """Copy the segments and blocks of creature `c` into scratch; return whether a muscle changes the shape of a block."""
    first, count, row, block_count = body_rows(c, bodies, chains)
    for i in range(count):
        load_segment(first + i, segments, chained, origin, s, i * SEGMENT_STRIDE)
    morphing = False
    for k in range(block_count):
        a, b = block_ends(row + k, first, blocks)
        blocks.disturbed[row + k] = 0
        morphed = load_block(row + k, blocks, origin, a, b, s, count * SEGMENT_STRIDE + k * BLOCK_STRIDE)
        morphing = morphing or morphed
    return morphing


@kernel()
def store_body(c: int, bodies: BodyPool, chains: ChainPool, segments: SegmentPool, blocks: TissuePool, origin: Vector,
               s: Array, w: Array) -> None:  # fmt: skip
    """Copy the scratch of creature `c` back to its rows; blocks that stayed inside out for the whole tick are untangled."""
    first, count, row, block_count = body_rows(c, bodies, chains)
    always = s.dtype.type(chains.substeps[c])
    for k in range(block_count):
        o = count * SEGMENT_STRIDE + k * BLOCK_STRIDE
        if s[o + BLK_INVERTED] == always:
            a, b = block_ends(row + k, first, blocks)
            untangle(s, w, o, a, b)
            if moves_freely(s, a, b):
                blocks.disturbed[row + k] |= STAYED_INVERTED
        store_block(row + k, blocks, origin, s, o)
    for i in range(count):
        store_segment(first + i, segments, origin, s, i * SEGMENT_STRIDE)


@kernel()
def step_one_full(c: int, bodies: BodyPool, chains: ChainPool, segments: SegmentPool, chained: ChainSegmentPool,
                  blocks: TissuePool, contact: Array, dt: float, s: Array) -> None:  # fmt: skip
    """Advance the body of creature `c` by one tick; `s` is its scratch row."""
    first, count, row, block_count = body_rows(c, bodies, chains)
    if count == 0:
        return
    real = s.dtype.type
    steps, position, elastic = chains.substeps[c], segments.position, blocks.elastic
    w = s[count * SEGMENT_STRIDE + block_count * BLOCK_STRIDE :]
    origin = (position[first, 0], position[first, 1], position[first, 2])
    morphing = load_body(c, bodies, chains, segments, chained, blocks, origin, s)
    wet = touches_water(first, count, segments)
    if wet:
        load_water(c, bodies, chains, segments, blocks, origin[2], s, w)
    step = dt / steps
    if block_count > 0:
        tau = step * elastic[row, Elastic.GAMMA] / elastic[row, Elastic.DENSITY]
        load_motion_matrix(w, chains.damping_inverse[c], tau, chains.rotation_free[c] != 0)
    for n in range(steps):
        fraction = real((n + 1.0) / steps)
        substep(c, bodies, chains, blocks, contact, morphing, wet, fraction, real(step), s, w)
    chains.water_power[c] = w[WATER_POWER] / steps if wet else 0.0
    if wet:
        store_water(c, bodies, segments, s)
    store_body(c, bodies, chains, segments, blocks, origin, s, w)


@kernel(parallel=True)
def step_full(rows: Array, bodies: BodyPool, chains: ChainPool, segments: SegmentPool, chained: ChainSegmentPool,
              blocks: TissuePool, contact: Array, dt: float, scratch: Array) -> None:  # fmt: skip
    """Advance the bodies of the creatures in `rows` by one tick of length dt with finite elements.

    contact: ground stiffness (1/s^2) and damping (1/s) per corner and unit mass, slip speed (units/s).
    scratch: one row per entry of `rows`, of `scratch_width` columns; its dtype is the precision of the substeps.
    """
    for r in prange(rows.shape[0]):
        step_one_full(int64(rows[r]), bodies, chains, segments, chained, blocks, contact, dt, scratch[r])
