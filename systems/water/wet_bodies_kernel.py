"""The parts of bodies that water has to give way to: capsules from segment to segment, wherever there is water below."""

from __future__ import annotations

from ...engine.kernel import kernel
from ...engine.water.coupling_kernel import AVX, AVY, AX, BVX, BVY, BX, RADIUS
from ...engine.water.sample_kernel import sample_water


@kernel()
def lay_wet_bodies(rows, first_segment, segment_count, position, half_extents, velocity, water, capsules):
    """Update capsules (the rows of the coupling) from the wet segments of the listed creatures; return their number."""
    wet = 0
    for r in range(rows.size):
        first = first_segment[rows[r]]
        for i in range(first, first + segment_count[rows[r]] - 1):
            if not sample_water(water, position[i, 0], position[i, 1])[1] > 0.0:
                continue
            for axis in range(3):
                capsules[wet, AX + axis], capsules[wet, BX + axis] = position[i, axis], position[i + 1, axis]
            capsules[wet, RADIUS] = half_extents[i, 1]
            capsules[wet, AVX], capsules[wet, AVY] = velocity[i, 0], velocity[i, 1]
            capsules[wet, BVX], capsules[wet, BVY] = velocity[i + 1, 0], velocity[i + 1, 1]
            wet += 1
    return wet
