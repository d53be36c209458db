"""The bodies of all creatures as solids: a capsule from each segment to the next, with plan boxes for the hash."""

from __future__ import annotations

from math import inf

from numba import prange

from ...engine.kernel import kernel
from .solids import SolidField, SolidKind


@kernel()
def lay_creature_capsules(creature, first, count, place, position, half_extents, capsules, boxes):
    """Update the capsules and plan boxes of one creature, starting at row `place` of both."""
    for i in range(count - 1):
        a, k = first + i, place + i
        radius = half_extents[a, 1]
        capsules[k, SolidField.KIND] = SolidKind.CAPSULE.value
        capsules[k, SolidField.RADIUS] = radius
        capsules[k, SolidField.COS] = 1.0
        capsules[k, SolidField.SIN] = 0.0
        capsules[k, SolidField.OWNER] = creature
        for axis in range(3):
            capsules[k, SolidField.X + axis] = position[a, axis]
            capsules[k, SolidField.EXTENT_X + axis] = position[a + 1, axis] - position[a, axis]
        for axis in range(2):
            boxes[k, axis] = min(position[a, axis], position[a + 1, axis]) - radius
            boxes[k, 2 + axis] = max(position[a, axis], position[a + 1, axis]) + radius


@kernel()
def box_around(boxes, first, end, box):
    """Update a box to the one around boxes [first, end); around none it is empty."""
    for axis in range(2):
        box[axis], box[2 + axis] = inf, -inf
        for k in range(first, end):
            box[axis], box[2 + axis] = min(box[axis], boxes[k, axis]), max(box[2 + axis], boxes[k, 2 + axis])


@kernel(parallel=True)
def lay_capsules(rows, places, first_segment, segment_count, position, half_extents, capsules, boxes, outer):
    """Update body capsules, their plan boxes and the box around each of the listed creatures."""
    for r in prange(rows.shape[0]):
        creature = rows[r]
        lay_creature_capsules(
            creature, first_segment[creature], segment_count[creature], places[r], position, half_extents, capsules, boxes
        )
        box_around(boxes, places[r], places[r + 1], outer[r])
