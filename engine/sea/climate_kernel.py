"""How warm and how bright it is at a point, both from 0 to 1."""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING

from numba import prange

from ..kernel import kernel
from ..kernel_types import int64
from ..water.sample_kernel import sample_water
from .sea_layout import (
    BRIGHTNESS,
    FADING,
    SHADE_DARKNESS,
    SHADE_RADIUS,
    SHADE_X,
    SHADE_Y,
    SURFACE_WARMTH,
    WARMTH_EAST,
    WARMTH_NORTH,
    WARMTH_PER_DEPTH,
)

if TYPE_CHECKING:
    from ..kernel_types import Array
    from .sea_layout import SeaArrays

FULL_SHADE = 0.7  # of the radius of a shade: from there to its edge it fades


@kernel()
def depth_at(sea: SeaArrays, x: float, y: float, z: float) -> float:
    """Return how deep under the surface a point is; 0 above it and on land."""
    surface, depth, _, _ = sample_water(sea.water, x, y)
    return max(surface - z, 0.0) if depth > 0.0 else 0.0


@kernel()
def temperature_at(sea: SeaArrays, x: float, y: float, z: float) -> float:
    """Return how warm it is at a point: linear in depth and across the map. 0 is cold, 1 is warm."""
    numbers = sea.numbers
    warmth = numbers[SURFACE_WARMTH] + numbers[WARMTH_EAST] * x + numbers[WARMTH_NORTH] * y
    return min(max(warmth + numbers[WARMTH_PER_DEPTH] * depth_at(sea, x, y, z), 0.0), 1.0)


@kernel()
def brightness_at(sea: SeaArrays, x: float, y: float, z: float) -> float:
    """Return how bright it is at a point: the light of the surface, less what depth and shades take. 0 is dark."""
    light = sea.numbers[BRIGHTNESS] * exp(-sea.numbers[FADING] * depth_at(sea, x, y, z))
    for k in range(sea.shades.shape[0]):
        dx, dy, radius = x - sea.shades[k, SHADE_X], y - sea.shades[k, SHADE_Y], sea.shades[k, SHADE_RADIUS]
        t = min(max((1.0 - sqrt(dx * dx + dy * dy) / radius) / (1.0 - FULL_SHADE), 0.0), 1.0)
        light *= 1.0 - sea.shades[k, SHADE_DARKNESS] * t * t * (3.0 - 2.0 * t)
    return light


@kernel(parallel=True)
def climate_at_points(sea: SeaArrays, points: Array, climate: Array) -> None:
    """Update temperature and brightness (n, 2) at points (n, 3)."""
    for i in prange(points.shape[0]):
        row = int64(i)
        x, y, z = points[row, 0], points[row, 1], points[row, 2]
        climate[row, 0], climate[row, 1] = temperature_at(sea, x, y, z), brightness_at(sea, x, y, z)
