"""Draw tapered links: lit cylinders where they are wide, lines of one colour where they are thin."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ..creatures.primitive_fields import ALPHA, CB, CG, CR, EB, EG, ER, GLOSS, R0, R1, RIM, X0, X1, Y0, Y1, Z0, Z1
from .shade_kernel import COLUMNS, blend, lamp_of, lit, pixel_range, vector_range

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from .shade_kernel import Lamp

HAIR = f32(1.8)  # px of reach below which a link has one colour
UNBOUNDED = f32(1.0e6)  # px


class Axis(NamedTuple):
    """The axis of a link from its first end on; all float32."""

    dx: Any
    dy: Any
    inverse: Any  # one over its squared length
    ra: Any  # radii at its ends
    rb: Any
    tx: Any  # unit vector along it
    ty: Any


@kernel(refcount=False)
def strip_slope(dx: float, dy: float, reach: float) -> tuple[float, float]:
    """Return column change per row and half width in columns of the strip of half width reach along direction d."""
    if abs(dy) > f32(1e-4):
        return dx / dy, reach * math.sqrt(dx * dx + dy * dy) / abs(dy)
    return f32(0.0), UNBOUNDED


@kernel(refcount=False)
def capsule_pixel(qx: float, qy: float, axis: Axis, slope: float, cosine: float, lamp: Lamp, colour: Vector, gloss: float,
                  rim: float) -> tuple[float, float, float, float, float, float]:  # fmt: skip
    """Return colour, cover, place along the axis and rise above it at offset q from the first end; free of branches.

    slope is how much the radius grows along the axis, cosine that of its angle.
    """
    dx, dy, inverse, ra, rb, tx, ty = axis
    t = min(max((qx * dx + qy * dy) * inverse, f32(0.0)), f32(1.0))
    ex, ey = qx - t * dx, qy - t * dy
    r = ra + (rb - ra) * t
    distance = math.sqrt(ex * ex + ey * ey)
    cover = min(r - distance + f32(0.5), f32(1.0))
    out = f32(1.0) / max(distance, r)  # beyond the rim the normal lies flat
    sx, sy = ex * out, ey * out
    w = math.sqrt(max(f32(1.0) - sx * sx - sy * sy, f32(0.0)))
    nx, ny = (sx - tx * slope * w) * cosine, (sy - ty * slope * w) * cosine
    red, green, blue = lit(lamp, nx, ny, w * cosine, colour[0], colour[1], colour[2], gloss, rim)
    return red, green, blue, cover, t, r * w


@kernel(refcount=False)
def draw_capsule(prims: Array, k: int, light: Array, depth_table: Array, tile: Array, surface: Array, left: int,
                 top: int) -> None:  # fmt: skip
    """Update the tile with lit capsule k."""
    p = prims[k]
    ax, ay, bx, by, ra, rb = p[X0], p[Y0], p[X1], p[Y1], p[R0], p[R1]
    za, zb, colour, gloss, rim, alpha = p[Z0], p[Z1], (p[CR], p[CG], p[CB]), p[GLOSS], p[RIM], p[ALPHA]
    er, eg, eb = p[ER], p[EG], p[EB]
    dx, dy = bx - ax, by - ay
    dd = max(dx * dx + dy * dy, f32(1e-6))
    inverse, length = f32(1.0) / dd, math.sqrt(dd)
    axis = Axis(dx, dy, inverse, ra, rb, dx / length, dy / length)
    slope = min(max((rb - ra) / length, f32(-0.9)), f32(0.9)) if length > f32(0.5) else f32(0.0)
    cosine = f32(1.0) / math.sqrt(f32(1.0) + slope * slope)
    reach = max(ra, rb) + f32(0.5)
    y_first, y_last = pixel_range(min(ay, by) - reach, max(ay, by) + reach, top, tile.shape[1])
    low, high = min(ax, bx) - reach, max(ax, bx) + reach
    slant, half = strip_slope(dx, dy, reach)
    lamp = lamp_of(light)
    dry = min(za, zb) >= f32(0.0)
    for y in range(y_first, y_last):
        qy = f32(y + top) + f32(0.5) - ay
        middle = ax + qy * slant
        x_first, x_last = pixel_range(max(low, middle - half), min(high, middle + half), left, tile.shape[2])
        if x_first >= x_last:
            continue
        x_first, x_last = vector_range(x_first, x_last, tile.shape[2])
        start = f32(x_first + left) + f32(0.5) - ax
        row_r, row_g, row_b = tile[0, y, x_first:x_last], tile[1, y, x_first:x_last], tile[2, y, x_first:x_last]
        if dry:
            for i in range(row_r.size):
                qx = COLUMNS[i] + start
                red, green, blue, cover, _, _ = capsule_pixel(qx, qy, axis, slope, cosine, lamp, colour, gloss, rim)
                cover = max(cover, f32(0.0)) * alpha
                row_r[i] += (red + er - row_r[i]) * cover
                row_g[i] += (green + eg - row_g[i]) * cover
                row_b[i] += (blue + eb - row_b[i]) * cover
            continue
        for i in range(row_r.size):
            qx = COLUMNS[i] + start
            red, green, blue, cover, t, rise = capsule_pixel(qx, qy, axis, slope, cosine, lamp, colour, gloss, rim)
            if cover > f32(0.0):
                height, seen = za + (zb - za) * t + rise, (red + er, green + eg, blue + eb)
                blend(tile, surface, light, depth_table, y, x_first + i, seen, cover * alpha, height)


@kernel(refcount=False)
def side_profile(lamp: Lamp, tx: float, ty: float, colour: Vector, gloss: float) -> tuple[float, ...]:
    """Return nine coefficients: colour across a cylinder with axis t as a parabola in its sideways coordinate."""
    cr, cg, cb = colour
    far, up = f32(0.72), f32(0.694)
    r0, g0, b0 = lit(lamp, f32(0.0), f32(0.0), f32(1.0), cr, cg, cb, gloss, f32(0.05))
    r1, g1, b1 = lit(lamp, -ty * far, tx * far, up, cr, cg, cb, gloss, f32(0.05))
    r2, g2, b2 = lit(lamp, ty * far, -tx * far, up, cr, cg, cb, gloss, f32(0.05))
    odd, even, half = f32(0.5) / far, f32(1.0) / (far * far), f32(0.5)
    return (
        r0, (r1 - r2) * odd, ((r1 + r2) * half - r0) * even,
        g0, (g1 - g2) * odd, ((g1 + g2) * half - g0) * even,
        b0, (b1 - b2) * odd, ((b1 + b2) * half - b0) * even,
    )  # fmt: skip


@kernel(refcount=False)
def line_pixel(qx: float, qy: float, axis: Axis,
               profile: tuple[float, ...]) -> tuple[float, float, float, float, float, float]:  # fmt: skip
    """Return colour, cover, place along the axis and radius of a thin link at offset q; free of branches."""
    dx, dy, inverse, ra, rb, tx, ty = axis
    r0, r1, r2, g0, g1, g2, b0, b1, b2 = profile
    t = min(max((qx * dx + qy * dy) * inverse, f32(0.0)), f32(1.0))
    ex, ey = qx - t * dx, qy - t * dy
    r = ra + (rb - ra) * t
    cover = min(r + f32(0.5) - math.sqrt(ex * ex + ey * ey), f32(1.0))
    s = min(max((qy * tx - qx * ty) / r, f32(-1.0)), f32(1.0))
    return r0 + s * (r1 + s * r2), g0 + s * (g1 + s * g2), b0 + s * (b1 + s * b2), cover, t, r


@kernel(refcount=False)
def line_profile(lamp: Lamp, tx: float, ty: float, reach: float, colour: Vector, gloss: float) -> tuple[float, ...]:
    """Return the colours across a link: one colour for a hair, a lit parabola otherwise."""
    cr, cg, cb = colour
    if reach < HAIR:
        r, g, b = lit(lamp, f32(0.0), f32(0.0), f32(0.94), cr, cg, cb, gloss * f32(0.5), f32(0.0))
        no = f32(0.0)
        return r, no, no, g, no, no, b, no, no
    return side_profile(lamp, tx, ty, colour, gloss * f32(0.6))


@kernel(refcount=False)
def draw_hair(prims: Array, k: int, light: Array, tile: Array, left: int, top: int) -> None:
    """Update the tile with dry link k of about a pixel: one colour."""
    p = prims[k]
    ax, ay, bx, by = p[X0], p[Y0], p[X1], p[Y1]
    ra, dr, alpha = p[R0] + f32(0.5), p[R1] - p[R0], p[ALPHA]
    dx, dy = bx - ax, by - ay
    inverse, reach = f32(1.0) / max(dx * dx + dy * dy, f32(1e-6)), max(ra, ra + dr)
    lamp, nothing = lamp_of(light), f32(0.0)
    red, green, blue = lit(lamp, nothing, nothing, f32(0.94), p[CR], p[CG], p[CB], p[GLOSS] * f32(0.5), nothing)
    red, green, blue = red + p[ER], green + p[EG], blue + p[EB]
    y_first, y_last = pixel_range(min(ay, by) - reach, max(ay, by) + reach, top, tile.shape[1])
    low, high = min(ax, bx) - reach, max(ax, bx) + reach
    slant, half = strip_slope(dx, dy, reach)
    for y in range(y_first, y_last):
        qy = f32(y + top) + f32(0.5) - ay
        middle, along = ax + qy * slant, qy * dy
        x_first, x_last = pixel_range(max(low, middle - half), min(high, middle + half), left, tile.shape[2])
        if x_first >= x_last:
            continue
        x_first, x_last = vector_range(x_first, x_last, tile.shape[2])
        start = f32(x_first + left) + f32(0.5) - ax
        row_r, row_g, row_b = tile[0, y, x_first:x_last], tile[1, y, x_first:x_last], tile[2, y, x_first:x_last]
        for i in range(row_r.size):
            qx = COLUMNS[i] + start
            t = min(max((qx * dx + along) * inverse, f32(0.0)), f32(1.0))
            ex, ey = qx - t * dx, qy - t * dy
            cover = min(max(ra + dr * t - math.sqrt(ex * ex + ey * ey), f32(0.0)), f32(1.0)) * alpha
            row_r[i] += (red - row_r[i]) * cover
            row_g[i] += (green - row_g[i]) * cover
            row_b[i] += (blue - row_b[i]) * cover


@kernel(refcount=False)
def is_hair(p: Array) -> bool:
    """Return whether link p is dry and so thin that it has one colour."""
    return max(p[R0], p[R1]) + f32(0.5) < HAIR and min(p[Z0], p[Z1]) >= f32(0.0)


@kernel(refcount=False)
def draw_line(prims: Array, k: int, light: Array, depth_table: Array, tile: Array, surface: Array, left: int,
              top: int) -> None:  # fmt: skip
    """Update the tile with thin link k: lit at three places across, a parabola in between."""
    p = prims[k]
    ax, ay, bx, by, ra, rb = p[X0], p[Y0], p[X1], p[Y1], p[R0], p[R1]
    za, zb, alpha, er, eg, eb = p[Z0], p[Z1], p[ALPHA], p[ER], p[EG], p[EB]
    dx, dy = bx - ax, by - ay
    dd = max(dx * dx + dy * dy, f32(1e-6))
    inverse, length = f32(1.0) / dd, math.sqrt(dd)
    axis = Axis(dx, dy, inverse, ra, rb, dx / length, dy / length)
    reach = max(ra, rb) + f32(0.5)
    profile = line_profile(lamp_of(light), axis.tx, axis.ty, reach, (p[CR], p[CG], p[CB]), p[GLOSS])
    y_first, y_last = pixel_range(min(ay, by) - reach, max(ay, by) + reach, top, tile.shape[1])
    low, high = min(ax, bx) - reach, max(ax, bx) + reach
    slant, half = strip_slope(dx, dy, reach)
    dry = min(za, zb) >= f32(0.0)
    for y in range(y_first, y_last):
        qy = f32(y + top) + f32(0.5) - ay
        middle = ax + qy * slant
        x_first, x_last = pixel_range(max(low, middle - half), min(high, middle + half), left, tile.shape[2])
        if x_first >= x_last:
            continue
        x_first, x_last = vector_range(x_first, x_last, tile.shape[2])
        start = f32(x_first + left) + f32(0.5) - ax
        row_r, row_g, row_b = tile[0, y, x_first:x_last], tile[1, y, x_first:x_last], tile[2, y, x_first:x_last]
        if dry:
            for i in range(row_r.size):
                red, green, blue, cover, _, _ = line_pixel(COLUMNS[i] + start, qy, axis, profile)
                cover = max(cover, f32(0.0)) * alpha
                row_r[i] += (red + er - row_r[i]) * cover
                row_g[i] += (green + eg - row_g[i]) * cover
                row_b[i] += (blue + eb - row_b[i]) * cover
            continue
        for i in range(row_r.size):
            red, green, blue, cover, t, r = line_pixel(COLUMNS[i] + start, qy, axis, profile)
            if cover > f32(0.0):
                height, seen = za + (zb - za) * t + r, (red + er, green + eg, blue + eb)
                blend(tile, surface, light, depth_table, y, x_first + i, seen, cover * alpha, height)
