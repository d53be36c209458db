"""The terrain picture, what all parts of it share: elevation, material noises and shares at a point.

Pixels (i right, j down) of a region with its corner at (left, top) lie at world x = (left + i + 0.5) / scale,
y = -(top + j + 0.5) / scale. The corner is a tuple of two floats, `land` a `Land`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from .picture_noise_kernel import fractal, noise2, smooth

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Four, Vector
    from .land import Land

FARTHEST_CELL = 1.0e9  # cells; beyond it a coordinate has no fraction worth mirroring
EDGE_FADE = 5.0  # units beyond the edge of the map over which the land falls into the dark
LATTICE = 4  # px between samples of the slowly varying fields


@kernel()
def cubic(a: float, b: float, c: float, d: float, t: float) -> float:
    """Return the Catmull-Rom curve through b and c."""
    return b + 0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)))


@kernel()
def mirrored(u: float, last: float) -> float:
    """Return a grid coordinate reflected at 0 and at last as often as needed: land goes on beyond the edge."""
    if not last > 0.0 or not abs(u) < FARTHEST_CELL:
        return 0.0
    u = abs(u) % (2.0 * last)
    return min(u, 2.0 * last - u)


@kernel()
def beyond(land: Land, x: float, y: float) -> float:
    """Return 0 on the map and up to 1 some units beyond its edge."""
    rows, columns = land.elevation.shape
    if columns < 2 or rows < 2:
        return f32(0.0)
    east, north = land.origin_x + (columns - 1) * land.cell, land.origin_y + (rows - 1) * land.cell
    out = max(max(land.origin_x - x, x - east), max(land.origin_y - y, y - north))
    return smooth(f32(0.0), f32(EDGE_FADE), f32(out))


@kernel()
def four_around(u: float, samples: int) -> tuple[int, int, int, int, float]:
    """Return the four samples around a grid coordinate, mirrored at the edges, and the way from the second one."""
    u = mirrored(u, samples - 1.0)
    i = int(u)
    return max(i - 1, 0), i, min(i + 1, samples - 1), min(i + 2, samples - 1), u - i


@kernel()
def patch(elevation: Array, columns: tuple[int, int, int, int, float], rows: tuple[int, int, int, int, float]) -> float:
    """Return the bicubic elevation at a place given by its `four_around` in x and in y."""
    i0, i1, i2, i3, a = columns
    j0, j1, j2, j3, b = rows
    e0 = cubic(elevation[j0, i0], elevation[j0, i1], elevation[j0, i2], elevation[j0, i3], a)
    e1 = cubic(elevation[j1, i0], elevation[j1, i1], elevation[j1, i2], elevation[j1, i3], a)
    e2 = cubic(elevation[j2, i0], elevation[j2, i1], elevation[j2, i2], elevation[j2, i3], a)
    e3 = cubic(elevation[j3, i0], elevation[j3, i1], elevation[j3, i2], elevation[j3, i3], a)
    return cubic(e0, e1, e2, e3, b)


@kernel()
def smooth_sample(land: Land, samples: Array, x: float, y: float) -> float:
    """Return elevation or clearance at (x, y), bicubic so that hill shading shows no grid; mirrored beyond the edges."""
    rows, columns = samples.shape
    u, v = (x - land.origin_x) / land.cell, (y - land.origin_y) / land.cell
    return patch(samples, four_around(u, columns), four_around(v, rows))


@kernel()
def material_noise(land: Land, x: float, y: float) -> Four:
    """Return the slowly varying noises behind the materials: zone, mid-scale patches, rock, warp."""
    seed = int(land.seed)
    low = fractal(x * 0.055, y * 0.055, 2, seed)
    mid = fractal(x * 0.27, y * 0.27, 3, seed + 101)
    rock = noise2(x * 0.045 + 71.0, y * 0.045, seed + 202) + f32(0.25) * mid
    return f32(0.75) * low + f32(0.34) * mid, mid, rock, noise2(x * 0.5, y * 0.5, seed + 5)


@kernel()
def shares(land: Land, level: float, height: float, zone: float, mid: float, rock_noise: float) -> Vector:
    """Return the shares of sand, grass and rock (soil is the rest) at a height, given the nearest level and the noises."""
    m = height - f32(land.base) + zone
    rock = smooth(f32(0.42), f32(0.60), rock_noise)
    sand = (f32(1.0) - smooth(f32(1.02), f32(1.38), m)) * (f32(1.0) - rock)
    grass = smooth(f32(1.55), f32(2.05), m + f32(0.30) * mid) * (f32(1.0) - rock)
    if not math.isnan(level):
        above = smooth(f32(0.15), f32(0.7), height - f32(level))
        grass *= above
        rock *= above
        sand += (f32(1.0) - above) * f32(0.75) * (f32(1.0) - sand)
    return sand, grass, rock
