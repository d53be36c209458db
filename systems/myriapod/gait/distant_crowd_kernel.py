"""The rule of `crowd_kernel` for creatures out of sight: the same backs, felt less often.

What a back raises is remembered until the next turn, and a body is lifted toward it in every tick, in which it also gives
way to what presses against it: bodies that are no chains. Rocks do not shove flanks here: heads keep clear of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import prange

from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ...legs.segment_frame_kernel import segment_frame
from .backs_kernel import CELL_MARGIN, feel_backs, is_afloat
from .crowd import Crowd
from .crowd_kernel import (
    LET_DOWN_SPEED,
    LIFT_SPEED,
    bare_height,
    drape,
    end_of_branch,
    find_older,
    hand_on_shoves,
    hold_down,
    is_alone,
    lift_body,
    longest_reach,
    shove_from_others,
)

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.myriapod.chain_segments import ChainSegmentPool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array
    from ....engine.spatial_hash import SpatialHash

FEEL_TICKS = 24
"""Ticks between two turns: 0.4 s, in which an animal goes about the length of the ramp that begins before bodies touch."""


@kernel()
def feel_backs_of(c: int, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool, crowd: Crowd) -> None:
    """Find how much the backs below one creature raise its segments."""
    position, half_pitch, raised = segments.position, chained.half_pitch, chained.raised
    first = int64(bodies.first_segment[c])
    end = first + bodies.segment_count[c]
    reach = longest_reach(first, end, segments.half_extents, half_pitch)
    for row in range(first, end):
        raised[row] = 0.0
    if is_alone(c, first, end, segments, crowd, reach):
        return
    older = find_older(c, first, end, position, crowd, reach + CELL_MARGIN * crowd.capsule_hash.cell_size)
    for row in range(first, end):
        if not is_afloat(row, segments, chained):
            frame = segment_frame(position, segments.orientation, row)
            height = bare_height(row, chained, frame)
            raised[row] = feel_backs(c, row, bodies, segments, chained, crowd, frame, older, height)
    while first < end:
        last = end_of_branch(first, end, chained)
        drape(first, last, half_pitch, raised)
        first = last


@kernel(parallel=True)
def feel_distant_backs(rows: Array, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool, order: Array,
                       places: Array, capsules: Array, capsule_hash: SpatialHash, herd: Array,
                       herd_hash: SpatialHash) -> None:  # fmt: skip
    """Find how much backs raise the segments of the listed creatures; order to herd_hash: the fields of a `Crowd`."""
    for r in prange(rows.shape[0]):
        crowd = Crowd(order, places, capsules, capsule_hash, herd, herd_hash)
        feel_backs_of(int64(rows[r]), bodies, segments, chained, crowd)


@kernel()
def give_way(first: int, end: int, segments: SegmentPool, chained: ChainSegmentPool) -> None:
    """Find the velocities with which segments give way to what presses against them."""
    press, shove, pressed = segments.press, chained.shove, False
    for row in range(first, end):
        shove[row, 0] = shove[row, 1] = shove[row, 2] = 0.0
        if press[row, 0] != 0.0 or press[row, 1] != 0.0 or press[row, 2] != 0.0:
            frame = segment_frame(segments.position, segments.orientation, row)
            shove_from_others(row, (frame.fx, frame.fy, frame.fz), segments, chained)
            pressed = True
    if pressed:
        hand_on_shoves(first, end, chained)


@kernel(parallel=True)
def lift_distant_bodies(rows: Array, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool, dt: float) -> None:
    """Lift the listed creatures toward what their backs have been raised to, or let them down; let them give way."""
    for r in prange(rows.shape[0]):
        first = int64(bodies.first_segment[rows[r]])
        end = first + bodies.segment_count[rows[r]]
        while first < end:
            last = end_of_branch(first, end, chained)
            give_way(first, last, segments, chained)
            landing = hold_down(first, last, segments, chained)
            lift_body(first, last, segments, chained, LET_DOWN_SPEED if landing else LIFT_SPEED, dt)
            first = last
