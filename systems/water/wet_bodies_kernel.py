"""What bodies and water know of each other: the capsules that water has to give way to, what they lost to it, and how fast
the water around them goes."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from numba import prange

from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ...engine.water.coupling_rows_kernel import AVX, AVY, AX, BVX, BVY, BX, FELT, GIVEN_X, GIVEN_Y, RADIUS
from ...engine.water.sample_kernel import sample_water
from ..legs.segment_frame_kernel import segment_frame
from ..spatial_index.body_capsules_kernel import capsule_count, capsule_of

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...components.segments import SegmentPool
    from ...engine.kernel_types import Array
    from ...engine.water.pond_layout import WaterArrays

BESIDE = 3.0  # half widths from the middle of a segment to where the water around it is looked up
CLEAR_CELLS = 2.0  # beside its flank: what a body gives to the water reaches one cell, and looking it up another one


@kernel()
def give_momentum(capsule: Array, i: int, behind: int, first: int, last: int, segments: SegmentPool) -> None:
    """Update what a capsule from segment `i` to the one behind gives to the water: all that end segments lost, half of
    what others did.

    With a led segment at either end its body is held from outside and not by the water alone.
    """
    felt, impulse = segments.felt_water, segments.water_impulse
    share, share_behind = 1.0 if i == first else 0.5, 1.0 if behind == last else 0.5
    if behind == i:
        share, share_behind = 1.0, 0.0
    capsule[FELT] = 1.0 if felt[i] != 0 and felt[behind] != 0 else 0.0
    capsule[GIVEN_X] = -(share * impulse[i, 0] + share_behind * impulse[behind, 0])
    capsule[GIVEN_Y] = -(share * impulse[i, 1] + share_behind * impulse[behind, 1])


@kernel()
def lay_wet_bodies(rows: Array, bodies: BodyPool, segments: SegmentPool, water: WaterArrays, capsules: Array) -> int:
    """Update capsules (the rows of the coupling) from the wet segments of the listed creatures; return their number."""
    position, velocity = segments.position, segments.velocity
    wet = 0
    for r in range(rows.size):
        first, linked = bodies.first_segment[rows[r]], bodies.linked[rows[r]]
        unfelt_widths, unfelt_heights = bodies.unfelt_widths[rows[r]], bodies.unfelt_heights[rows[r]]
        for i in range(first, first + capsule_count(rows[r], bodies)):
            surface, depth, _, _ = sample_water(water, position[i, 0], position[i, 1])
            if not depth > 0.0:
                continue
            radius, start, end = capsule_of(i, linked, segments)
            above = surface - max(start[2], end[2])
            if above > min(unfelt_widths * radius, unfelt_heights * segments.half_extents[i, 2]):
                continue
            behind = i + 1 if linked != 0 else i
            for axis in range(3):
                capsules[wet, AX + axis], capsules[wet, BX + axis] = start[axis], end[axis]
            capsules[wet, RADIUS] = radius
            capsules[wet, AVX], capsules[wet, AVY] = velocity[i, 0], velocity[i, 1]
            capsules[wet, BVX], capsules[wet, BVY] = velocity[behind, 0], velocity[behind, 1]
            give_momentum(capsules[wet], i, behind, first, first + bodies.segment_count[rows[r]] - 1, segments)
            wet += 1
    return wet


@kernel()
def forget_exchange(rows: Array, bodies: BodyPool, segments: SegmentPool) -> None:
    """Update what the segments of the listed creatures and the water did to each other to nothing: it has had its effect."""
    felt, impulse = segments.felt_water, segments.water_impulse
    for r in range(rows.size):
        first = bodies.first_segment[rows[r]]
        for i in range(first, first + bodies.segment_count[rows[r]]):
            felt[i], impulse[i, 0], impulse[i, 1] = 0, 0.0, 0.0


@kernel()
def water_around(i: int, segments: SegmentPool, water: WaterArrays, cell: float) -> tuple[float, float]:
    """Return the velocity of the water around segment `i`: the mean of both sides, or what is at it where a side is dry.

    A body takes the water in its own columns along, which would hide from it that it moves at all; so it looks beyond them.
    """
    frame = segment_frame(segments.position, segments.orientation, i)
    reach = max(BESIDE * segments.half_extents[i, 1], segments.half_extents[i, 1] + CLEAR_CELLS * cell)
    across = hypot(frame.lx, frame.ly)
    left_x, left_y = (reach * frame.lx / across, reach * frame.ly / across) if across > 0.0 else (0.0, 0.0)
    _, left, u, v = sample_water(water, frame.x + left_x, frame.y + left_y)
    _, right, right_u, right_v = sample_water(water, frame.x - left_x, frame.y - left_y)
    if left > 0.0 and right > 0.0:
        return 0.5 * (u + right_u), 0.5 * (v + right_v)
    _, _, u, v = sample_water(water, frame.x, frame.y)
    return u, v


@kernel(parallel=True)
def feel_currents(rows: Array, bodies: BodyPool, segments: SegmentPool, water: WaterArrays, cell: float) -> None:
    """Update the velocity of the water around all segments of the listed creatures; 0 where it is dry.

    cell: the largest of all ponds.
    """
    water_velocity = segments.water_velocity
    for r in prange(rows.size):
        c = int64(rows[r])
        first = int64(bodies.first_segment[c])
        for i in range(first, first + bodies.segment_count[c]):
            u, v = water_around(i, segments, water, cell)
            water_velocity[i, 0], water_velocity[i, 1] = u, v
