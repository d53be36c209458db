"""Entrances of nests: a dark hole in a ring of dug-out earth, strewn with pellets."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.growths import HEIGHT, RADIUS, SEED, X, Y
from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from .coral_stamp_kernel import box_of, darker, mixed, stamp
from .picture_noise_kernel import fractal, noise2, random01, smooth

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .land import Land

EARTH = (f32(0.245), f32(0.138), f32(0.066))
DRY = (f32(0.440), f32(0.285), f32(0.150))
HOLE = (f32(0.006), f32(0.004), f32(0.003))
WALL = 0.27  # of the radius of the mound: the hole ends here
CREST = 0.50  # where the ring is highest
SPACING = 0.125  # units between places for pellets
SMALLEST, LARGEST = 0.045, 0.105  # units
STRAY = 1.30  # radii as far as single pellets roll
TINIEST = 0.55  # px of a pellet; smaller ones are left out


@kernel(refcount=False)
def put_earth(region: tuple[Land, tuple[float, float], Array, Array], nest: Array, base: float) -> None:
    """Update a region with ring and hole."""
    land, (left, top), height, albedo = region
    radius, tall, seed = nest[RADIUS], nest[HEIGHT], int(nest[SEED]) & 0xFFFFF
    i0, i1, j0, j1, _, _ = box_of(region, nest[X], nest[Y], STRAY * radius)
    for j in range(j0, j1):
        y = -(top + j + 0.5) / land.scale - nest[Y]
        for i in range(i0, i1):
            x = (left + i + 0.5) / land.scale - nest[X]
            far = math.sqrt(x * x + y * y) / radius
            if far > STRAY:
                continue
            uneven = f32(0.13) * fractal(x * 1.1 + 5.0, y * 1.1, 3, seed)
            d = f32(far) * (f32(1.0) + uneven)
            cover = f32(1.0) - smooth(f32(0.70), f32(1.12), d)
            if cover <= f32(0.0):
                continue
            up, down = smooth(f32(WALL), f32(CREST), d), f32(1.0) - smooth(f32(CREST), f32(1.05), d)
            lump = noise2(x * 5.0, y * 5.0 + 3.0, seed + 1)
            rise = f32(tall) * up * down * (f32(1.0) + f32(0.25) * lump)
            shade = darker(mixed(EARTH, DRY, f32(0.40) + f32(0.35) * lump), f32(0.85) + f32(0.25) * up)
            inside = f32(1.0) - smooth(f32(0.8 * WALL), f32(1.15 * WALL), d)
            shade = mixed(shade, HOLE, inside)
            for c in range(3):
                albedo[c, j, i] += (shade[c] - albedo[c, j, i]) * cover
            height[j, i] += rise * cover + (f32(base - 1.1 * radius * WALL) - height[j, i]) * f32(0.85) * inside


@kernel(refcount=False)
def put_nest_pellet(region: tuple[Land, tuple[float, float], Array, Array], x: float, y: float, radius: float,
                    tone: float) -> None:  # fmt: skip
    """Update a region with one ball of earth."""
    land, _, height, albedo = region
    i0, i1, j0, j1, ci, cj = box_of(region, x, y, radius)
    if i0 >= i1 or j0 >= j1:
        return
    foot = height[min(max(int(cj), j0), j1 - 1), min(max(int(ci), i0), i1 - 1)]
    per = 1.0 / (radius * land.scale)
    for j in range(j0, j1):
        for i in range(i0, i1):
            u, v = (i - ci) * per, (j - cj) * per
            d = math.sqrt(u * u + v * v)
            cover = f32(min(max((1.0 - d) / per + 0.5, 0.0), 1.0))
            dome = math.sqrt(max(1.0 - d * d, 0.0))
            shade = darker(mixed(EARTH, DRY, tone), f32(0.55) + f32(0.65) * f32(dome))
            stamp(height, albedo, j, i, foot + f32(radius * (0.35 + 1.1 * dome)), cover, shade)


@kernel(refcount=False)
def put_nest(region: tuple[Land, tuple[float, float], Array, Array], nest: Array, base: float) -> None:
    """Update a region with one entrance."""
    land, (left, top), height, _ = region
    put_earth(region, nest, base)
    if LARGEST * land.scale < TINIEST:
        return
    radius, seed = nest[RADIUS], int(nest[SEED]) & 0xFFFFF
    reach = int(STRAY * radius / SPACING) + 1
    west, north = left / land.scale - LARGEST, -top / land.scale + LARGEST
    east, south = (left + height.shape[1]) / land.scale + LARGEST, -(top + height.shape[0]) / land.scale - LARGEST
    for j in range(-reach, reach + 1):
        for i in range(-reach, reach + 1):
            x = nest[X] + (i + random01(i, j, seed + 2)) * SPACING
            y = nest[Y] + (j + random01(i, j, seed + 3)) * SPACING
            if x < west or x > east or y < south or y > north:
                continue
            d = math.sqrt((x - nest[X]) ** 2 + (y - nest[Y]) ** 2) / radius
            if d < 1.08 * WALL or d > STRAY:
                continue
            chance = f32(0.80) * (f32(1.0) - smooth(f32(0.72), f32(1.0), f32(d))) + f32(0.035)
            if random01(i, j, seed + 4) > chance:
                continue
            size = random01(i, j, seed + 5)
            put_nest_pellet(region, x, y, SMALLEST + (LARGEST - SMALLEST) * size * size, f32(random01(i, j, seed + 6)))
