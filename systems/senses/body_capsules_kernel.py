"""The bodies of all creatures as solids: a capsule from each segment to the next, with plan boxes for the hash."""

from __future__ import annotations

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


@kernel(parallel=True)
def lay_capsules(rows, places, first_segment, segment_count, position, half_extents, capsules, boxes):
    """Update body capsules and their plan boxes from the segment positions of the listed creatures."""
    for r in prange(rows.shape[0]):
        creature = rows[r]
        lay_creature_capsules(
            creature, first_segment[creature], segment_count[creature], places[r], position, half_extents, capsules, boxes
        )
