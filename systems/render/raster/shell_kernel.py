"""Draw shells: glossy domes with a dark outline, two stacked highlights and light that the ground throws back.

Parts of insects and what they carry. P0 narrows one end (positive: the rear), P1 is how high the dome is, P2 how square its
outline. Markings H1 are a kind and two numbers, see `markings_code`; sheen Z1 is a colour and its strength, see
`sheen_code`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

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
from .rounded_shape_kernel import limit_span
from .shade_kernel import COLUMNS, blend, clamp01, lamp_of, lit, pixel_range, vector_range
from .shell_marks_kernel import BANDS, PLAIN, code_of, marked_at, plates_shade

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Four, Vector
    from .shade_kernel import Lamp

SHEEN_STEPS = 31.0

NARROWEST = f32(0.15)  # of the width, where a tapered shell ends
OUTLINE = f32(0.07)  # of the half width that is dark at the edge
OUTLINE_FROM, OUTLINE_FULL = f32(1.6), f32(5.0)  # px of half width over which the outline comes in


@kernel(refcount=False)
def sheen_code(red: float, green: float, blue: float, strength: float) -> float:
    """Return a sheen as one number: a linear colour and how strong it is, each in 32 steps; colours by their root."""
    r = int(SHEEN_STEPS * math.sqrt(min(max(red, 0.0), 1.0)))
    g = int(SHEEN_STEPS * math.sqrt(min(max(green, 0.0), 1.0)))
    b = int(SHEEN_STEPS * math.sqrt(min(max(blue, 0.0), 1.0)))
    return f32(r + 32 * (g + 32 * (b + 32 * int(SHEEN_STEPS * min(max(strength, 0.0), 1.0)))))


@kernel(refcount=False)
def sheen_of(code: float) -> Four:
    """Return linear red, green and blue and the strength of a sheen."""
    whole, part = int32(code), f32(1.0 / SHEEN_STEPS)
    r, g = f32(whole & int32(31)) * part, f32((whole >> int32(5)) & int32(31)) * part
    b, strength = f32((whole >> int32(10)) & int32(31)) * part, f32(whole >> int32(15)) * part
    return r * r, g * g, b * b, strength


@kernel(refcount=False)
def dome_at(u: float, v: float, taper: float, dome: float, square: float) -> Four:
    """Return edge value, place across in half widths there, and slopes along and across of a dome at (u, v)."""
    one = f32(1.0)
    w = v / max(one - f32(0.5) * (abs(taper) - taper * u), NARROWEST)
    uu, ww = u * u, w * w
    plump = math.sqrt(uu + ww)
    edge = plump + (math.sqrt(math.sqrt(uu * uu + ww * ww)) - plump) * square
    rise = dome / math.sqrt(max(one - edge * edge, f32(0.05)))
    return edge, w, u * rise, w * rise


@kernel(refcount=False)
def shell_light(lamp: Lamp, axes: Four, slopes: tuple[float, float], shade: float, colour: Vector, sheen: Four, gloss: float,
                rim: float, edge: float, ink: tuple[float, float]) -> Vector:  # fmt: skip
    """Return the colour of a place on a shell: lit, shimmering in the shade, thrown back from the ground, outlined."""
    gx, gy, hx, hy = axes
    along, across = slopes
    sr, sg, sb, strength = sheen
    line, dark = ink
    one = f32(1.0)
    nx, ny = gx * along + hx * across, gy * along + hy * across
    nz = one / math.sqrt(nx * nx + ny * ny + one)
    nx, ny = nx * nz, ny * nz
    away = -(nx * lamp.to_x + ny * lamp.to_y)
    turn = strength * clamp01(f32(0.15) + f32(1.3) * away + f32(0.4) * (one - nz))
    ar = (colour[0] + (sr - colour[0]) * turn) * shade
    ag = (colour[1] + (sg - colour[1]) * turn) * shade
    ab = (colour[2] + (sb - colour[2]) * turn) * shade
    r, g, b = lit(lamp, nx, ny, nz, ar, ag, ab, f32(0.7) * gloss * shade, f32(0.25) * rim)
    h = max(nx * lamp.half_x + ny * lamp.half_y + nz * lamp.half_z, f32(0.0))
    h *= h
    h *= h
    h *= h
    wide = h * h
    wide *= wide
    h = wide * wide
    h *= h
    shine = gloss * (f32(0.05) * wide + f32(0.50) * h)
    back = rim * clamp01((edge - f32(0.62)) * f32(3.0)) * clamp01(f32(1.8) * away)
    keep = one - dark * clamp01((edge - line) * f32(1.0) / (one - line))
    r = (r + lamp.sun_r * shine + (f32(1.7) * ar + f32(0.05)) * lamp.rim_r * back) * keep
    g = (g + lamp.sun_g * shine + (f32(1.7) * ag + f32(0.04)) * lamp.rim_g * back) * keep
    b = (b + lamp.sun_b * shine + (f32(1.7) * ab + f32(0.04)) * lamp.rim_b * back) * keep
    return r, g, b


@kernel(refcount=False, inline=True)
def plain_row(p: Array, lamp: Lamp, line: tuple[float, float, float, float, float], axes: Four, shortest: float,
              ink: tuple[float, float], code: tuple[int, float, float, float, float], row_r: Array, row_g: Array,
              row_b: Array) -> None:  # fmt: skip
    """Update one row of a tile with a dry shell that is plain or has bands; free of branches."""
    u0, v0, du, dv, start = line
    taper, dome, square, gloss, rim, alpha = p[P0], p[P1], p[P2], p[GLOSS], p[RIM], p[ALPHA]
    colour, sheen, er, eg, eb = (p[CR], p[CG], p[CB]), sheen_of(p[Z1]), p[ER], p[EG], p[EB]
    _, lines, _, _, seen = code
    for i in range(row_r.size):
        qx = COLUMNS[i] + start
        u, v = u0 + qx * du, v0 + qx * dv
        edge, w, along, across = dome_at(u, v, taper, dome, square)
        shade = plates_shade(u, w, lines, seen)
        red, green, blue = shell_light(lamp, axes, (along, across), shade, colour, sheen, gloss, rim, edge, ink)
        cover = min(max((f32(1.0) - edge) * shortest + f32(0.5), f32(0.0)), f32(1.0)) * alpha
        row_r[i] += (red + er - row_r[i]) * cover
        row_g[i] += (green + eg - row_g[i]) * cover
        row_b[i] += (blue + eb - row_b[i]) * cover


@kernel(refcount=False)
def marked_row(p: Array, light: Array, depth_table: Array, line: tuple[float, float, float, float, float], axes: Four,
               shortest: float, ink: tuple[float, float], code: tuple[int, float, float, float, float], tile: Array,
               surface: Array, y: int, span: tuple[int, int]) -> None:  # fmt: skip
    """Update one row of a tile with a shell that has markings, or that may be below the water."""
    u0, v0, du, dv, start = line
    lamp, colour, sheen = lamp_of(light), (p[CR], p[CG], p[CB]), sheen_of(p[Z1])
    kind, lines, deep, stretch, seen = code
    high, (x_first, x_last) = p[Z0] >= f32(0.2) * shortest, span
    for x in range(x_first, x_last):
        qx = COLUMNS[x - x_first] + start
        u, v = u0 + qx * du, v0 + qx * dv
        edge, w, along, across = dome_at(u, v, p[P0], p[P1], p[P2])
        cover = min((f32(1.0) - edge) * shortest + f32(0.5), f32(1.0)) * p[ALPHA]
        if cover <= f32(0.0):
            continue
        shade, along, across, gap = marked_at(kind, u, w, (along, across), lines, deep, stretch, seen)
        shade *= f32(1.0) - f32(0.82) * gap
        r, g, b = shell_light(lamp, axes, (along, across), shade, colour, sheen, p[GLOSS], p[RIM], edge, ink)
        r, g, b = r + p[ER], g + p[EG], b + p[EB]
        if high:
            tile[0, y, x] += (r - tile[0, y, x]) * cover
            tile[1, y, x] += (g - tile[1, y, x]) * cover
            tile[2, y, x] += (b - tile[2, y, x]) * cover
        else:
            height = p[Z0] - f32(0.2) * shortest * min(edge * edge, f32(1.0))
            blend(tile, surface, light, depth_table, y, x, (r, g, b), cover, height)


@kernel(refcount=False)
def draw_shell(prims: Array, k: int, light: Array, depth_table: Array, tile: Array, surface: Array, left: int,
               top: int) -> None:  # fmt: skip
    """Update the tile with shell k."""
    p = prims[k]
    cx, cy, fx, fy, lx, ly = p[X0], p[Y0], p[X1], p[Y1], p[R0], p[R1]
    determinant = fx * ly - fy * lx
    if not (abs(determinant) > f32(1e-3)):
        return
    one, inverse = f32(1.0), f32(1.0) / determinant
    long, wide = math.sqrt(fx * fx + fy * fy), math.sqrt(lx * lx + ly * ly)
    shortest, axes, lamp = min(long, wide), (fx / long, fy / long, lx / wide, ly / wide), lamp_of(light)
    limit, code = one + f32(0.5) / shortest, code_of(p, long, wide)
    inked = clamp01((shortest - OUTLINE_FROM) / (OUTLINE_FULL - OUTLINE_FROM))
    ink = (one - min(max(OUTLINE * shortest, one) / shortest, f32(0.5)), f32(0.80) * inked)
    reach_x, reach_y = (abs(fx) + abs(lx)) * limit, (abs(fy) + abs(ly)) * limit
    y_first, y_last = pixel_range(cy - reach_y, cy + reach_y, top, tile.shape[1])
    du, dv = ly * inverse, -fy * inverse
    plain = p[Z0] >= f32(0.2) * shortest and (code[0] == PLAIN or code[0] == BANDS)
    for y in range(y_first, y_last):
        qy = f32(y + top) + f32(0.5) - cy
        u0, v0 = -qy * lx * inverse, qy * fx * inverse
        low, high = limit_span(u0, du, limit, -reach_x, reach_x)
        low, high = limit_span(v0, dv, limit, low, high)
        x_first, x_last = pixel_range(cx + low, cx + high, left, tile.shape[2])
        if x_first >= x_last:
            continue
        if plain:
            x_first, x_last = vector_range(x_first, x_last, tile.shape[2])
        line = (u0, v0, du, dv, f32(x_first + left) + f32(0.5) - cx)
        if plain:
            row_r, row_g, row_b = tile[0, y, x_first:x_last], tile[1, y, x_first:x_last], tile[2, y, x_first:x_last]
            plain_row(p, lamp, line, axes, shortest, ink, code, row_r, row_g, row_b)
        else:
            marked_row(p, light, depth_table, line, axes, shortest, ink, code, tile, surface, y, (x_first, x_last))
