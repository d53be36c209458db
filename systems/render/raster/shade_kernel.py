"""Light on one pixel: the functions every drawn shape shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.records import record
from ..scene.light import (
    BOUNCE,
    DEPTH_PER_BYTE,
    DEPTH_PER_PIXEL,
    HALFWAY,
    RIM,
    SKY,
    SUN,
    TO_SUN,
    WATER_BODY,
)

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector

COLUMNS = np.arange(256, dtype=np.float32)  # column numbers as floats: cheaper than converting them
VECTOR = 8  # float32 numbers that run as one vector on common processors
FILM_PER_UNIT = f32(1.25)  # one over the depth from which on waves, sky and foam are seen on what lies below them
CAUST, KEEP, SURF_R, SURF_G, SURF_B = range(5)  # water planes of a tile, see water_kernel


@record
class Lamp(NamedTuple):
    """The light of a scene as plain numbers, which a row loop keeps in registers.

    The direction to the sun, the colours of sun, sky, light from below (up) and rim, and the direction halfway to the eye.
    """

    to_x: float
    to_y: float
    to_z: float
    sun_r: float
    sun_g: float
    sun_b: float
    sky_r: float
    sky_g: float
    sky_b: float
    up_r: float
    up_g: float
    up_b: float
    rim_r: float
    rim_g: float
    rim_b: float
    half_x: float
    half_y: float
    half_z: float


@kernel(refcount=False)
def lamp_of(light: Array) -> Lamp:
    """Return the lamp of a row of light."""
    return Lamp(
        light[TO_SUN], light[TO_SUN + 1], light[TO_SUN + 2], light[SUN], light[SUN + 1], light[SUN + 2],
        light[SKY], light[SKY + 1], light[SKY + 2], light[BOUNCE], light[BOUNCE + 1], light[BOUNCE + 2],
        light[RIM], light[RIM + 1], light[RIM + 2], light[HALFWAY], light[HALFWAY + 1], light[HALFWAY + 2],
    )  # fmt: skip


@kernel(refcount=False)
def lit(lamp: Lamp, nx: float, ny: float, nz: float, ar: float, ag: float, ab: float, gloss: float, rim: float) -> Vector:
    """Return the colour of a surface with unit normal n and albedo a: wrapped sun, sky, two lobes of shine, rim."""
    sun = max((nx * lamp.to_x + ny * lamp.to_y + nz * lamp.to_z + f32(0.2)) * f32(0.8333333), f32(0.0))
    ao = f32(0.55) + f32(0.45) * nz
    ao *= ao
    down = (f32(1.0) - nz) * f32(0.6)
    h = max(nx * lamp.half_x + ny * lamp.half_y + nz * lamp.half_z, f32(0.0))
    h2 = h * h
    h4 = h2 * h2
    h8 = h4 * h4
    h16 = h8 * h8
    h32 = h16 * h16
    shine = gloss * (f32(0.10) * h16 + f32(0.30) * h32 * h32)
    edge = f32(1.0) - nz
    edge = rim * edge * edge
    r = ar * (lamp.sun_r * sun + lamp.sky_r * ao + lamp.up_r * down) + lamp.sun_r * shine + lamp.rim_r * edge
    g = ag * (lamp.sun_g * sun + lamp.sky_g * ao + lamp.up_g * down) + lamp.sun_g * shine + lamp.rim_g * edge
    b = ab * (lamp.sun_b * sun + lamp.sky_b * ao + lamp.up_b * down) + lamp.sun_b * shine + lamp.rim_b * edge
    return r, g, b


@kernel(refcount=False)
def blend(tile: Array, surface: Array, light: Array, depth_table: Array, y: int, x: int, colour: Vector, cover: float,
          height: float) -> None:  # fmt: skip
    """Update one tile pixel: lay a colour over it, seen through the water when height (px) is below the surface.

    What the surface adds fades in with the depth: a body that comes up has no hard water line, and its own wake does not
    paint it white.
    """
    r, g, b = colour
    if height < f32(0.0):
        deep, one = -height * light[DEPTH_PER_PIXEL], f32(1.0)
        d = min(int(deep), 255)
        film = min(deep * light[DEPTH_PER_BYTE] * FILM_PER_UNIT, one)
        film *= film
        c = one + film * f32(0.5) * (surface[CAUST, y, x] - one)
        k = one + film * (surface[KEEP, y, x] - one)
        t0, t1, t2 = depth_table[0, d], depth_table[1, d], depth_table[2, d]
        r = (r * c * t0 + light[WATER_BODY] * (one - t0)) * k + film * surface[SURF_R, y, x]
        g = (g * c * t1 + light[WATER_BODY + 1] * (one - t1)) * k + film * surface[SURF_G, y, x]
        b = (b * c * t2 + light[WATER_BODY + 2] * (one - t2)) * k + film * surface[SURF_B, y, x]
    tile[0, y, x] += (r - tile[0, y, x]) * cover
    tile[1, y, x] += (g - tile[1, y, x]) * cover
    tile[2, y, x] += (b - tile[2, y, x]) * cover


@kernel(refcount=False, inline=True)
def copy_row(source: Array, target: Array) -> None:
    """Update target (its whole length) from the beginning of source."""
    for x in range(target.size):
        target[x] = source[x]


@kernel(refcount=False)
def clamp01(value: float) -> float:
    """Return value limited to 0..1."""
    return min(max(value, f32(0.0)), f32(1.0))


@kernel(refcount=False)
def pixel_range(low: float, high: float, start: int, size: int) -> tuple[int, int]:
    """Return the half-open range of tile rows (or columns) whose middles lie in low..high; cutting is cheaper than floor."""
    first = int(max(low - f32(start) + f32(0.5), f32(0.0)))
    last = int(min(high - f32(start) + f32(0.5), f32(size)))
    return first, last


@kernel(refcount=False)
def vector_range(first: int, last: int, size: int) -> tuple[int, int]:
    """Return a range of columns widened to whole vectors: what is left over would run pixel by pixel, which takes longer.

    The added pixels must have no cover. In a tile narrower than the widened range it stays as it was.
    """
    width = (last - first + VECTOR - 1) & -VECTOR
    if width > size:
        return first, last
    first = min(first, size - width)
    return first, first + width


@kernel(refcount=False)
def speckle(ix: int, iy: int, seed: int) -> float:
    """Return a hash of two integers in -1..1: mottling that stays with the body."""
    h = (ix * 374761393 + iy * 668265263 + seed * 69069) & 0x7FFFFFFF
    h = ((h ^ (h >> 13)) * 1274126177) & 0x7FFFFFFF
    return f32((h >> 8) & 1023) * f32(0.001953125) - f32(1.0)
