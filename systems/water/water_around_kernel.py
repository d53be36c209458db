"""The water around a whole body: how it streams, and how high it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ...engine.water.sample_kernel import sample_water

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...components.segments import SegmentPool
    from ...engine.kernel_types import Vector
    from ...engine.water.pond_layout import WaterArrays

BESIDE = 0.7  # lengths from a body at which it looks for water, if there is none at its own place
NO_WATER = -1.0e6  # units; level and bed where there is none


@kernel(refcount=False)
def mean_stream(c: int, bodies: BodyPool, segments: SegmentPool) -> Vector:
    """Return the velocity of the water around a creature: the mean over its segments."""
    first, count = int64(bodies.first_segment[c]), int64(bodies.segment_count[c])
    u = v = w = 0.0
    for i in range(first, first + count):
        u, v = u + segments.water_velocity[i, 0], v + segments.water_velocity[i, 1]
        w = w + segments.water_velocity[i, 2]
    return u / count, v / count, w / count


@kernel(refcount=False)
def level_around(x: float, y: float, length: float, deep: float, water: WaterArrays) -> tuple[float, float]:
    """Return level and bed of the water at a body of a length, both far below everything where it is dry.

    Cells of a pond that a rock fills are dry: a body beside it is not, so it asks around, too. What is deeper than `deep`
    there is no shore.
    """
    surface, depth, _, _ = sample_water(water, x, y)
    if depth > 0.0:
        return surface, surface - depth
    reach = BESIDE * length
    for side in range(4):
        dx, dy = (reach, 0.0) if side % 2 == 0 else (0.0, reach)
        sign = 1.0 if side < 2 else -1.0
        surface, depth, _, _ = sample_water(water, x + sign * dx, y + sign * dy)
        if depth > deep:
            return surface, surface - depth
    return NO_WATER, NO_WATER
