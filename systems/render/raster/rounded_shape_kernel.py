"""Draw shapes with two half axes: back plates, rings, ellipsoids, boxes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.kernel_types import int32
from ..creatures.primitive_fields import (
    ALPHA,
    CB,
    CG,
    CR,
    EB,
    EG,
    ER,
    GLOSS,
    H1,
    P0,
    P1,
    P2,
    R0,
    R1,
    RIM,
    X0,
    X1,
    Y0,
    Y1,
    Z0,
    Z1,
)
from ..creatures.primitive_fields import BOX as BOX_KIND
from ..creatures.primitive_fields import PLATE as PLATE_KIND
from ..creatures.primitive_fields import RING as RING_KIND
from .shade_kernel import COLUMNS, blend, clamp01, lamp_of, lit, pixel_range, speckle, vector_range

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Four, Vector
    from .shade_kernel import Lamp

GROOVE = f32(0.40)  # of the half width: the two paramedian grooves
RING_BULGE = f32(1.0746)  # 0.75 ** -0.25: how far the middle of a ring reaches beyond its half axis
NARROWEST = f32(0.1)  # of the width: pixels far beyond a tapered end have a width too, or their colour would be no number
PER_GROOVE = f32(1.0 / 0.055)  # one over the width of a groove
GRAINS = np.random.default_rng(3).uniform(-1.0, 1.0, 64 * 64).astype(np.float32)  # mottling, read instead of computed


@kernel(refcount=False)
def plate_grain(u: float, v: float, seed: int) -> float:
    """Return the mottling of a back plate: streaks along the body and fine grains, both fixed to the plate."""
    a, b = int32((v + f32(2.0)) * f32(13.0)), int32((u + f32(2.0)) * f32(2.2)) + int32(seed * 5)
    c, d = int32((u + f32(2.0)) * f32(8.0)) + int32(seed * 11), int32((v + f32(2.0)) * f32(9.0))
    streak = GRAINS[int32(((a & int32(63)) << int32(6)) | (b & int32(63)))]
    grain = GRAINS[int32(((c & int32(63)) << int32(6)) | (d & int32(63)))]
    return f32(0.07) * streak + f32(0.05) * grain


@kernel(refcount=False)
def plate_surface(u: float, v: float, grain: float, tilt_f: float, tilt_l: float,
                  flank: float) -> tuple[float, float, float, float, float]:  # fmt: skip
    """Return edge value, forward and sideways slope, brightness and flank mix of a back plate at (u, v) in -1..1."""
    uu, vv = u * u, v * v
    edge = math.sqrt(math.sqrt(uu * uu + vv * vv))
    along = f32(0.10) * u + f32(0.45) * uu * uu * u - tilt_f
    across = (f32(0.55) + f32(0.5) * vv) * v - tilt_l
    side = abs(v)
    groove = clamp01(f32(1.0) - abs(side - GROOVE) * PER_GROOVE)
    shade = f32(1.0) - f32(0.45) * groove + grain
    shade *= f32(1.0) - f32(0.62) * clamp01((-u - f32(0.74)) * f32(5.0))  # dark rear margin
    shade *= f32(1.0) - f32(0.55) * clamp01((u - f32(0.66)) * f32(3.2))  # below the plate ahead
    return edge, along, across, shade, flank * clamp01((side - f32(0.70)) * f32(4.0))


@kernel(refcount=False)
def ring_surface(u: float, v: float) -> tuple[float, float, float, float, float]:
    """Return edge value, slopes, brightness and warm mix of one millipede ring: a full cylinder."""
    uu = u * u
    edge = max(abs(v), math.sqrt(math.sqrt(uu * uu * (f32(0.75) + f32(0.25) * v * v))))
    w = math.sqrt(max(f32(1.0) - v * v, f32(0.02)))
    shade = f32(0.66) - f32(0.80) * u
    shade = min(max(shade, f32(0.16)), f32(1.30))
    shade *= f32(1.0) - f32(0.70) * clamp01((-u - f32(0.80)) * f32(6.0))
    return edge, f32(0.55) * (u + f32(0.45)), v / w, shade, clamp01(-u * f32(1.6)) * f32(0.8)


@kernel(refcount=False)
def box_surface(u: float, v: float, bevel: float) -> tuple[float, float, float, float, float]:
    """Return edge value, slopes, brightness and trim mix of a bevelled metal plate."""
    a, b = abs(u), abs(v)
    edge = max(a, b)
    along = clamp01((a - (f32(1.0) - bevel)) / bevel) * (f32(1.0) if u > f32(0.0) else f32(-1.0))
    across = clamp01((b - (f32(1.0) - bevel)) / bevel) * (f32(1.0) if v > f32(0.0) else f32(-1.0))
    seam = clamp01(f32(1.0) - abs(b - f32(0.45)) / f32(0.05))
    return edge, along * f32(0.9), across * f32(0.9), f32(1.0) - f32(0.35) * seam, f32(0.0)


@kernel(refcount=False)
def ellipsoid_surface(u: float, v: float, rough: float, flat: float) -> tuple[float, float, float, float, float]:
    """Return edge value, slopes, brightness and mix of an ellipsoid; `flat` < 1 flattens its top."""
    rr = u * u + v * v
    edge = math.sqrt(rr)
    w = math.sqrt(max(f32(1.0) - rr, f32(0.03)))
    shade = f32(1.0)
    if rough > f32(0.0):
        shade += rough * speckle(int((u + f32(2.0)) * f32(17.0)), int((v + f32(2.0)) * f32(17.0)), 5)
    return edge, flat * u / w, flat * v / w, shade, f32(0.0)


@kernel(refcount=False)
def limit_span(value: float, slope: float, limit: float, low: float, high: float) -> tuple[float, float]:
    """Return the part of columns low..high where |value + slope * column| stays within limit."""
    if abs(slope) < f32(1e-5):
        return low, high
    a, b = (-limit - value) / slope, (limit - value) / slope
    return max(low, min(a, b)), min(high, max(a, b))


@kernel(refcount=False)
def surface_of(kind: int, u: float, v: float, p: Array) -> tuple[float, float, float, float, float]:
    """Return edge value, slopes, brightness and warm mix of any shape p at (u, v)."""
    p0, p1 = p[P0], p[P1]
    if kind == PLATE_KIND:
        return plate_surface(u, v / (f32(1.0) - p0 * u), plate_grain(u, v, int(p[Z1])), p1, p[P2], p[H1])
    if kind == RING_KIND:
        return ring_surface(u, v / (f32(1.0) - p0 * u))
    if kind == BOX_KIND:
        return box_surface(u, v, p0)
    return ellipsoid_surface(u, v, p0, p1)


@kernel(refcount=False, inline=True)
def plate_row(p: Array, lamp: Lamp, line: tuple[float, float, float, float, float], axes: Four, shortest: float,
              row_r: Array, row_g: Array, row_b: Array) -> None:  # fmt: skip
    """Update one row of a tile with a dry back plate."""
    u0, v0, du, dv, start = line
    p0, p1, p2, flank, gloss, rim, alpha = p[P0], p[P1], p[P2], p[H1], p[GLOSS], p[RIM], p[ALPHA]
    colour, er, eg, eb, seed = (p[CR], p[CG], p[CB]), p[ER], p[EG], p[EB], int(p[Z1])
    for i in range(row_r.size):
        qx = COLUMNS[i] + start
        u, v = u0 + qx * du, v0 + qx * dv
        w = v / max(f32(1.0) - p0 * u, NARROWEST)
        edge, along, across, shade, warm = plate_surface(u, w, plate_grain(u, v, seed), p1, p2, flank)
        red, green, blue = shape_colour(lamp, axes, along, across, shade, warm, colour, gloss, rim)
        cover = min(max((f32(1.0) - edge) * shortest + f32(0.5), f32(0.0)), f32(1.0)) * alpha
        row_r[i] += (red + er - row_r[i]) * cover
        row_g[i] += (green + eg - row_g[i]) * cover
        row_b[i] += (blue + eb - row_b[i]) * cover


@kernel(refcount=False, inline=True)
def ring_row(p: Array, lamp: Lamp, line: tuple[float, float, float, float, float], axes: Four, shortest: float, row_r: Array,
             row_g: Array, row_b: Array) -> None:  # fmt: skip
    """Update one row of a tile with a dry ring."""
    u0, v0, du, dv, start = line
    p0, gloss, rim, alpha = p[P0], p[GLOSS], p[RIM], p[ALPHA]
    colour, er, eg, eb = (p[CR], p[CG], p[CB]), p[ER], p[EG], p[EB]
    for i in range(row_r.size):
        qx = COLUMNS[i] + start
        u, v = u0 + qx * du, v0 + qx * dv
        edge, along, across, shade, warm = ring_surface(u, v / max(f32(1.0) - p0 * u, NARROWEST))
        red, green, blue = shape_colour(lamp, axes, along, across, shade, warm, colour, gloss, rim)
        cover = min(max((f32(1.0) - edge) * shortest + f32(0.5), f32(0.0)), f32(1.0)) * alpha
        row_r[i] += (red + er - row_r[i]) * cover
        row_g[i] += (green + eg - row_g[i]) * cover
        row_b[i] += (blue + eb - row_b[i]) * cover


@kernel(refcount=False, inline=True)
def ellipsoid_row(p: Array, lamp: Lamp, line: tuple[float, float, float, float, float], axes: Four, shortest: float,
                  row_r: Array, row_g: Array, row_b: Array) -> None:  # fmt: skip
    """Update one row of a tile with a dry ellipsoid."""
    u0, v0, du, dv, start = line
    rough, flat, gloss, rim, alpha = p[P0], p[P1], p[GLOSS], p[RIM], p[ALPHA]
    colour, er, eg, eb = (p[CR], p[CG], p[CB]), p[ER], p[EG], p[EB]
    for i in range(row_r.size):
        qx = COLUMNS[i] + start
        edge, along, across, shade, warm = ellipsoid_surface(u0 + qx * du, v0 + qx * dv, rough, flat)
        red, green, blue = shape_colour(lamp, axes, along, across, shade, warm, colour, gloss, rim)
        cover = min(max((f32(1.0) - edge) * shortest + f32(0.5), f32(0.0)), f32(1.0)) * alpha
        row_r[i] += (red + er - row_r[i]) * cover
        row_g[i] += (green + eg - row_g[i]) * cover
        row_b[i] += (blue + eb - row_b[i]) * cover


@kernel(refcount=False, inline=True)
def box_row(p: Array, lamp: Lamp, line: tuple[float, float, float, float, float], axes: Four, shortest: float, row_r: Array,
            row_g: Array, row_b: Array) -> None:  # fmt: skip
    """Update one row of a tile with a dry box."""
    u0, v0, du, dv, start = line
    bevel, gloss, rim, alpha = p[P0], p[GLOSS], p[RIM], p[ALPHA]
    colour, er, eg, eb = (p[CR], p[CG], p[CB]), p[ER], p[EG], p[EB]
    for i in range(row_r.size):
        qx = COLUMNS[i] + start
        edge, along, across, shade, warm = box_surface(u0 + qx * du, v0 + qx * dv, bevel)
        red, green, blue = shape_colour(lamp, axes, along, across, shade, warm, colour, gloss, rim)
        cover = min(max((f32(1.0) - edge) * shortest + f32(0.5), f32(0.0)), f32(1.0)) * alpha
        row_r[i] += (red + er - row_r[i]) * cover
        row_g[i] += (green + eg - row_g[i]) * cover
        row_b[i] += (blue + eb - row_b[i]) * cover


@kernel(refcount=False)
def shape_colour(lamp: Lamp, axes: Four, along: float, across: float, shade: float, warm: float, colour: Vector,
                 gloss: float, rim: float) -> Vector:  # fmt: skip
    """Return the lit colour of a surface point with slopes along the two axes."""
    gx, gy, hx, hy = axes
    cr, cg, cb = colour
    nx, ny = gx * along + hx * across, gy * along + hy * across
    norm = f32(1.0) / math.sqrt(nx * nx + ny * ny + f32(1.0))
    ar = cr * shade * (f32(1.0) + f32(1.1) * warm)
    ag = cg * shade * (f32(1.0) + f32(0.9) * warm)
    ab = cb * shade * (f32(1.0) + f32(0.25) * warm)
    return lit(lamp, nx * norm, ny * norm, norm, ar, ag, ab, gloss * min(shade + f32(0.15), f32(1.0)), rim)


@kernel(refcount=False)
def wet_row(p: Array, kind: int, light: Array, depth_table: Array, line: tuple[float, float, float, float, float],
            axes: Four, shortest: float, tile: Array, surface: Array, y: int, x_first: int,
            x_last: int) -> None:  # fmt: skip
    """Update one row of a tile with a shape that may be below the water."""
    u0, v0, du, dv, start = line
    lamp, colour, gloss, rim = lamp_of(light), (p[CR], p[CG], p[CB]), p[GLOSS], p[RIM]
    for x in range(x_first, x_last):
        qx = COLUMNS[x - x_first] + start
        u, v = u0 + qx * du, v0 + qx * dv
        edge, along, across, shade, warm = surface_of(kind, u, v, p)
        cover = min((f32(1.0) - edge) * shortest + f32(0.5), f32(1.0)) * p[ALPHA]
        if cover > f32(0.0):
            r, g, b = shape_colour(lamp, axes, along, across, shade, warm, colour, gloss, rim)
            height = p[Z0] - f32(0.2) * shortest * min(edge * edge, f32(1.0))
            blend(tile, surface, light, depth_table, y, x, (r + p[ER], g + p[EG], b + p[EB]), cover, height)


@kernel(refcount=False)
def draw_shape(prims: Array, k: int, light: Array, depth_table: Array, tile: Array, surface: Array, left: int,
               top: int) -> None:  # fmt: skip
    """Update the tile with plate, ring, ellipsoid or box k."""
    p = prims[k]
    kind = int(p[0])
    cx, cy, fx, fy, lx, ly = p[X0], p[Y0], p[X1], p[Y1], p[R0], p[R1]
    determinant = fx * ly - fy * lx
    if not (abs(determinant) > f32(1e-3)):
        return
    inverse = f32(1.0) / determinant
    long, wide = math.sqrt(fx * fx + fy * fy), math.sqrt(lx * lx + ly * ly)
    shortest, axes, lamp = min(long, wide), (fx / long, fy / long, lx / wide, ly / wide), lamp_of(light)
    outside = f32(1.0) + f32(0.5) / shortest
    limit_u = outside * RING_BULGE if kind == RING_KIND else outside
    limit_v = outside * (f32(1.0) + p[P0] * limit_u) if kind == PLATE_KIND or kind == RING_KIND else outside
    reach_x, reach_y = abs(fx) * limit_u + abs(lx) * limit_v, abs(fy) * limit_u + abs(ly) * limit_v
    y_first, y_last = pixel_range(cy - reach_y, cy + reach_y, top, tile.shape[1])
    du, dv = ly * inverse, -fy * inverse
    dry = p[Z0] >= f32(0.2) * shortest
    for y in range(y_first, y_last):
        qy = f32(y + top) + f32(0.5) - cy
        u0, v0 = -qy * lx * inverse, qy * fx * inverse
        low, high = limit_span(u0, du, limit_u, -reach_x, reach_x)
        low, high = limit_span(v0, dv, limit_v, low, high)
        x_first, x_last = pixel_range(cx + low, cx + high, left, tile.shape[2])
        if x_first >= x_last:
            continue
        if dry:
            x_first, x_last = vector_range(x_first, x_last, tile.shape[2])
        line = (u0, v0, du, dv, f32(x_first + left) + f32(0.5) - cx)  # place in the shape, per pixel, and the first one
        if not dry:
            wet_row(p, kind, light, depth_table, line, axes, shortest, tile, surface, y, x_first, x_last)
            continue
        row_r, row_g, row_b = tile[0, y, x_first:x_last], tile[1, y, x_first:x_last], tile[2, y, x_first:x_last]
        if kind == PLATE_KIND:
            plate_row(p, lamp, line, axes, shortest, row_r, row_g, row_b)
        elif kind == RING_KIND:
            ring_row(p, lamp, line, axes, shortest, row_r, row_g, row_b)
        elif kind == BOX_KIND:
            box_row(p, lamp, line, axes, shortest, row_r, row_g, row_b)
        else:
            ellipsoid_row(p, lamp, line, axes, shortest, row_r, row_g, row_b)
