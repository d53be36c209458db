"""The parts of bodies that water has to give way to: their capsules, wherever there is water below."""

# mypy: ignore-errors
from __future__ import annotations

from ...engine.kernel import kernel
from ...engine.water.coupling_kernel import AVX, AVY, AX, BVX, BVY, BX, RADIUS
from ...engine.water.sample_kernel import sample_water
from ..spatial_index.body_capsules_kernel import capsule_count, capsule_of


@kernel()
def lay_wet_bodies(rows, bodies, segments, water, capsules):
    """Update capsules (the rows of the coupling) from the wet segments of the listed creatures; return their number."""
    position, velocity = segments.position, segments.velocity
    wet = 0
    for r in range(rows.size):
        first, linked = bodies.first_segment[rows[r]], bodies.linked[rows[r]]
        for i in range(first, first + capsule_count(rows[r], bodies)):
            if not sample_water(water, position[i, 0], position[i, 1])[1] > 0.0:
                continue
            radius, start, end = capsule_of(i, linked, segments)
            behind = i + 1 if linked != 0 else i
            for axis in range(3):
                capsules[wet, AX + axis], capsules[wet, BX + axis] = start[axis], end[axis]
            capsules[wet, RADIUS] = radius
            capsules[wet, AVX], capsules[wet, AVY] = velocity[i, 0], velocity[i, 1]
            capsules[wet, BVX], capsules[wet, BVY] = velocity[behind, 0], velocity[behind, 1]
            wet += 1
    return wet
