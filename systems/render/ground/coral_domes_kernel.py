"""Corals that are one body: brain, polyps, table, tubes; boulders and pillars of rock."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.growths import BLUE, GREEN, HEADING, HEIGHT, RADIUS, RED, SEED, X, Y
from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from .bed_rows_kernel import ALGAE, GREY, MAUVE
from .coral_stamp_kernel import box_of, darker, mixed, paler, stamp
from .picture_noise_kernel import fractal, noise2, random01, smooth

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from .land import Land

MAZE = 2.3  # waves of the maze of a brain coral per radius
POLYPS = 5.2  # per radius
TIERS = 4  # of a table coral
MOST_TUBES = 9
WIDEST = 1.3  # of the radius: as far as an uneven outline reaches


@kernel(refcount=False)
def colour_of(growth: Array) -> Vector:
    """Return the linear colour of a growth."""
    return f32(growth[RED]), f32(growth[GREEN]), f32(growth[BLUE])


@kernel(refcount=False)
def local_place(growth: Array, region: tuple[Land, tuple[float, float], Array, Array], i: int,
                j: int) -> tuple[float, float]:  # fmt: skip
    """Return where a pixel lies in a growth, in radii, turned with it."""
    land, (left, top), _, _ = region
    x, y = (left + i + 0.5) / land.scale - growth[X], -(top + j + 0.5) / land.scale - growth[Y]
    c, s = math.cos(growth[HEADING]), math.sin(growth[HEADING])
    return (x * c + y * s) / growth[RADIUS], (y * c - x * s) / growth[RADIUS]


@kernel(refcount=False)
def outline(u: float, v: float, uneven: float, seed: int) -> float:
    """Return the distance from the middle of a growth, 1 at its uneven outline."""
    far = math.sqrt(u * u + v * v)
    if far < 1e-6:
        return 0.0
    wave = noise2(1.5 * u / far + 7.0, 1.5 * v / far, seed) + f32(0.4) * noise2(3.7 * u / far, 3.7 * v / far + 3.0, seed + 1)
    return far / (0.93 + uneven * wave)


@kernel(refcount=False)
def brain_pixel(u: float, v: float, seed: int, colour: Vector) -> tuple[float, Vector]:
    """Return relief (radii) and colour of a brain coral: ridges that wind like a maze."""
    warp = f32(0.35) * noise2(1.9 * u + 3.0, 1.9 * v, seed + 2)
    n = noise2(MAZE * u + warp, MAZE * v - warp, seed + 3)
    n += f32(0.45) * noise2(2.1 * MAZE * u, 2.1 * MAZE * v + 5.0, seed + 4)
    ridge = smooth(f32(0.18), f32(0.78), abs(math.sin(f32(3.14159 * 2.7) * n)))
    low, high = darker(colour, f32(0.30)), paler(colour, f32(0.16))
    return f32(0.055) * ridge, mixed(low, high, ridge)


@kernel(refcount=False)
def polyp_pixel(u: float, v: float, seed: int, colour: Vector) -> tuple[float, Vector]:
    """Return relief (radii) and colour of a coral full of round polyps."""
    x, y = POLYPS * u + 50.0, POLYPS * v + 50.0
    ix, iy, nearest = int(x), int(y), 9.0
    for dj in range(-1, 2):
        for di in range(-1, 2):
            px = ix + di + 0.5 + 0.55 * (random01(ix + di, iy + dj, seed + 5) - 0.5)
            py = iy + dj + 0.5 + 0.55 * (random01(ix + di, iy + dj, seed + 6) - 0.5)
            nearest = min(nearest, (px - x) ** 2 + (py - y) ** 2)
    near = f32(math.sqrt(nearest))
    knob, mouth = f32(1.0) - smooth(f32(0.16), f32(0.44), near), f32(1.0) - smooth(f32(0.05), f32(0.15), near)
    tone = f32(0.52) + f32(0.16) * noise2(2.2 * u, 2.2 * v, seed + 7)
    shade = mixed(darker(colour, tone), paler(colour, f32(0.34)), knob)
    return f32(0.05) * knob - f32(0.02) * mouth, mixed(shade, darker(colour, f32(0.9)), f32(0.5) * mouth)


@kernel(refcount=False)
def table_pixel(u: float, v: float, d: float, seed: int, colour: Vector) -> tuple[float, float, Vector]:
    """Return height (0..1), relief and colour of a table coral: wavy plates above one another, ribbed, with pale rims."""
    angle = math.atan2(v, u)
    far = max(math.sqrt(u * u + v * v), 1e-6)
    wave = 0.085 * noise2(2.6 * u / far + 9.0, 2.6 * v / far, seed + 8) + 0.05 * noise2(1.6 * u, 1.6 * v, seed + 9)
    t = min(max((d + wave * (0.4 + d)) * TIERS, 0.0), TIERS - 0.001)
    tier = math.floor(t)
    inside = f32(t - tier)
    ribs = f32(0.5) + f32(0.5) * math.sin(f32(angle * (26.0 + 9.0 * tier) + 2.0 * wave))
    rim = smooth(f32(0.80), f32(0.95), inside)
    tall = f32(1.0 - 0.24 * tier) - f32(0.07) * (f32(1.0) - inside)
    tone = f32(0.42) + f32(0.30) * inside + f32(0.16) * ribs * inside
    return tall, f32(0.018) * ribs, mixed(darker(colour, tone), paler(colour, f32(0.42)), f32(0.75) * rim)


@kernel(refcount=False)
def rock_pixel(u: float, v: float, radius: float, seed: int) -> tuple[float, Vector]:
    """Return relief (radii) and colour of a boulder with crusts."""
    x, y = u * radius, v * radius
    lump = fractal(x * 0.6 + 3.0, y * 0.6, 3, seed)
    fine = fractal(x * 2.6, y * 2.6 + 7.0, 2, seed + 3)
    crust = noise2(x * 0.5 + 11.0, y * 0.5, seed + 5)
    shade = mixed(GREY, MAUVE, smooth(f32(-0.1), f32(0.4), crust + f32(0.3) * fine))
    shade = mixed(shade, ALGAE, smooth(f32(0.0), f32(0.45), lump + f32(0.3) * fine))
    return f32(0.20) * lump + f32(0.05) * fine, darker(shade, f32(1.15) + f32(0.25) * fine)


@kernel(refcount=False)
def put_dome(region: tuple[Land, tuple[float, float], Array, Array], growth: Array, base: float, form: int) -> None:
    """Update a region with a coral of one body; form 0 is brain, 1 polyps, 2 a table, 3 a rock."""
    land, _, height, albedo = region
    radius, tall, seed, colour = growth[RADIUS], growth[HEIGHT], int(growth[SEED]) & 0xFFFFF, colour_of(growth)
    i0, i1, j0, j1, _, _ = box_of(region, growth[X], growth[Y], WIDEST * radius)
    uneven = 0.16 if form < 3 else 0.22
    for j in range(j0, j1):
        for i in range(i0, i1):
            u, v = local_place(growth, region, i, j)
            if u * u + v * v > WIDEST * WIDEST:
                continue
            d = outline(u, v, uneven, seed)
            cover = f32(min(max((1.0 - d) * radius * land.scale + 0.5, 0.0), 1.0))
            if cover <= f32(0.0):
                continue
            if form == 2:
                share, relief, shade = table_pixel(u, v, min(d, 1.0), seed, colour)
            else:
                dome = f32(math.sqrt(max(1.0 - d * d, 0.0)))
                if form == 0:
                    relief, shade = brain_pixel(u, v, seed, colour)
                    share = dome
                elif form == 1:
                    relief, shade = polyp_pixel(u, v, seed, colour)
                    share = dome
                else:
                    relief, shade = rock_pixel(u, v, radius, seed)
                    share = math.sqrt(math.sqrt(max(dome, f32(0.0))))
                shade = darker(shade, f32(0.55) + f32(0.45) * dome)
            stamp(height, albedo, j, i, f32(base) + f32(tall) * share + f32(radius) * relief, cover, shade)


@kernel(refcount=False)
def put_tubes(region: tuple[Land, tuple[float, float], Array, Array], growth: Array, base: float) -> None:
    """Update a region with a bunch of open tubes."""
    land, (left, top), height, albedo = region
    radius, tall, seed, colour = growth[RADIUS], growth[HEIGHT], int(growth[SEED]) & 0xFFFFF, colour_of(growth)
    count = 5 + int(4.99 * random01(seed, 0, 11))
    for k in range(min(count, MOST_TUBES)):
        far = 0.62 * radius * math.sqrt((k + 0.3) / count)
        turn = growth[HEADING] + 2.4 * k + 0.5 * random01(seed, k, 12)
        x, y = growth[X] + far * math.cos(turn), growth[Y] + far * math.sin(turn)
        wide = radius * (0.20 + 0.14 * random01(seed, k, 13))
        rise = tall * (0.62 + 0.38 * random01(seed, k, 14))
        i0, i1, j0, j1, _, _ = box_of(region, x, y, wide)
        for j in range(j0, j1):
            for i in range(i0, i1):
                px, py = (left + i + 0.5) / land.scale - x, -(top + j + 0.5) / land.scale - y
                ring = f32(0.06) * noise2(3.0 * px / wide + k, 3.0 * py / wide, seed + 15)
                d = f32(math.sqrt(px * px + py * py) / wide) * (f32(1.0) + ring)
                cover = min(max((f32(1.0) - d) * f32(wide * land.scale) + f32(0.5), f32(0.0)), f32(1.0))
                hole = f32(1.0) - smooth(f32(0.40), f32(0.62), d)
                lip = smooth(f32(0.55), f32(0.70), d) * (f32(1.0) - smooth(f32(0.80), f32(1.0), d))
                shade = mixed(darker(colour, f32(0.62)), paler(colour, f32(0.35)), lip)
                shade = mixed(shade, darker(colour, f32(0.10)), hole)
                slope = f32(0.35) * smooth(f32(0.75), f32(1.0), d)
                peak = f32(base) + f32(rise) * (f32(1.0) - slope) - f32(0.9 * wide) * hole
                if hole > f32(0.0) and peak < height[j, i]:
                    peak = height[j, i] + f32(1e-4)  # a hole looks down to what is there, and stays dark
                stamp(height, albedo, j, i, peak, cover, shade)
