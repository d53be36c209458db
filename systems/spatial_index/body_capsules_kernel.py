"""The bodies of all creatures as capsules: what hit tests, touch, climbing and wakes know of them.

A chain has a capsule from each segment to the next; in a branching body each segment is a capsule along its own x axis.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from numba import prange

from ...engine.kernel import kernel
from ...engine.spatial_hash import Edge
from ..legs.segment_frame_kernel import segment_frame
from .solids import SolidField, SolidKind

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...components.segments import SegmentPool
    from ...engine.kernel_types import Array, Vector

WIDEST = 1000.0
"""Units; a capsule that is wider has been torn apart, and nobody meets it."""
NOWHERE = 1e12
"""Units; where the plan boxes of such capsules are."""


@kernel()
def capsule_count(c: int, bodies: BodyPool) -> int:
    """Return how many capsules a creature's body has."""
    count = bodies.segment_count[c]
    return max(count - 1, 0) if bodies.linked[c] != 0 else count


@kernel()
def capsule_of(i: int, linked: int, segments: SegmentPool) -> tuple[float, Vector, Vector]:
    """Return the radius and the two ends of the capsule that begins at segment i."""
    position, half = segments.position, segments.half_extents
    radius = half[i, 1]
    x, y, z = position[i, 0], position[i, 1], position[i, 2]
    if linked != 0:
        return radius, (x, y, z), (position[i + 1, 0], position[i + 1, 1], position[i + 1, 2])
    reach = max(half[i, 0] - radius, 0.0)
    frame = segment_frame(position, segments.orientation, i)
    ax, ay, az = reach * frame.fx, reach * frame.fy, reach * frame.fz
    return radius, (x + ax, y + ay, z + az), (x - ax, y - ay, z - az)


@kernel()
def lay_creature_capsules(c: int, place: int, bodies: BodyPool, segments: SegmentPool, capsules: Array,
                          boxes: Array) -> None:  # fmt: skip
    """Update the capsules and plan boxes of one creature, starting at row `place` of both."""
    first, linked = bodies.first_segment[c], bodies.linked[c]
    for k in range(capsule_count(c, bodies)):
        radius, start, end = capsule_of(first + k, linked, segments)
        row, box = capsules[place + k], boxes[place + k]
        row[SolidField.KIND] = SolidKind.CAPSULE.value
        row[SolidField.RADIUS] = radius
        row[SolidField.COS], row[SolidField.SIN] = 1.0, 0.0
        row[SolidField.OWNER] = c
        for axis in range(3):
            row[SolidField.X + axis] = start[axis]
            row[SolidField.EXTENT_X + axis] = end[axis] - start[axis]
        for axis in range(2):
            box[axis], box[Edge.EAST + axis] = min(start[axis], end[axis]) - radius, max(start[axis], end[axis]) + radius
        wide, deep = box[Edge.EAST] - box[Edge.WEST], box[Edge.NORTH] - box[Edge.SOUTH]
        if not (wide < WIDEST and deep < WIDEST):  # also true where something is not a number
            for axis in range(4):
                box[axis] = NOWHERE


@kernel()
def box_around(boxes: Array, first: int, end: int, box: Array) -> None:
    """Update a box to the one around boxes [first, end); around none it is empty."""
    for axis in range(2):
        least, greatest = Edge.WEST + axis, Edge.EAST + axis
        box[least], box[greatest] = inf, -inf
        for k in range(first, end):
            if boxes[k, Edge.WEST] == NOWHERE:
                continue
            box[least], box[greatest] = min(box[least], boxes[k, least]), max(box[greatest], boxes[k, greatest])


@kernel(parallel=True)
def lay_capsules(rows: Array, places: Array, bodies: BodyPool, segments: SegmentPool, capsules: Array, boxes: Array,
                 outer: Array) -> None:  # fmt: skip
    """Update body capsules, their plan boxes and the box around each of the listed creatures."""
    for r in prange(rows.shape[0]):
        lay_creature_capsules(rows[r], places[r], bodies, segments, capsules, boxes)
        box_around(boxes, places[r], places[r + 1], outer[r])


@kernel()
def lay_outline(c: int, bodies: BodyPool, segments: SegmentPool, starts: Array, ends: Array, radii: Array) -> None:
    """Update the ends and radii of one creature's capsules; a chain is as wide everywhere as at its widest."""
    first, linked, widest = bodies.first_segment[c], bodies.linked[c], 0.0
    for i in range(first, first + bodies.segment_count[c]):
        widest = max(widest, segments.half_extents[i, 1])
    for k in range(radii.shape[0]):
        radius, start, end = capsule_of(first + k, linked, segments)
        radii[k] = widest if linked != 0 else radius
        for axis in range(3):
            starts[k, axis], ends[k, axis] = start[axis], end[axis]
