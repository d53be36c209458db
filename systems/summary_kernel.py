"""What games ask first: where a creature is, how fast, where it looks and how far it reaches. Every family calls it for
its own rows when its bodies have moved."""

from __future__ import annotations

from math import atan2, sqrt
from typing import TYPE_CHECKING

from numba import prange

from ..engine.kernel import kernel
from ..engine.kernel_types import int64
from .legs.segment_frame_kernel import segment_frame

if TYPE_CHECKING:
    from ..components.body import BodyPool
    from ..components.segments import SegmentPool
    from ..engine.creature import CreaturePool
    from ..engine.kernel_types import Array


@kernel()
def summarise_body(c: int, bodies: BodyPool, segments: SegmentPool, creatures: CreaturePool) -> None:
    """Update position, velocity, heading and reach of one creature from its segments."""
    first, count = int64(bodies.first_segment[c]), int64(bodies.segment_count[c])
    if count == 0:
        return
    position, velocity, half_extents = segments.position, segments.velocity, segments.half_extents
    frame = segment_frame(position, segments.orientation, first)
    creatures.heading[c] = atan2(frame.fy, frame.fx)
    for axis in range(3):
        creatures.position[c, axis] = position[first, axis]
        creatures.velocity[c, axis] = velocity[first, axis]
    farthest = 0.0
    for i in range(first, first + count):
        dx, dy = position[i, 0] - position[first, 0], position[i, 1] - position[first, 1]
        farthest = max(farthest, sqrt(dx * dx + dy * dy) + half_extents[i, 0] + half_extents[i, 1])
    creatures.reach[c] = farthest


@kernel(parallel=True)
def summarise_bodies(rows: Array, bodies: BodyPool, segments: SegmentPool, creatures: CreaturePool) -> None:
    """Update position, velocity, heading and reach of the listed creatures from their segments."""
    for r in prange(rows.shape[0]):
        summarise_body(int64(rows[r]), bodies, segments, creatures)


@kernel()
def clear_pushes(rows: Array, bodies: BodyPool, segments: SegmentPool) -> None:
    """Update the pushes on the segments of the listed creatures to none: they have had their effect."""
    push = segments.push
    for r in range(rows.shape[0]):
        first = bodies.first_segment[rows[r]]
        for i in range(first, first + bodies.segment_count[rows[r]]):
            for k in range(6):
                push[i, k] = 0.0
