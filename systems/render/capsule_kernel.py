"""Draw tapered links: lit cylinders where they are wide, lines of one colour where they are thin."""

from __future__ import annotations

import math

from numpy import float32 as f32

from ...engine.kernel import kernel
from .primitive_fields import ALPHA, CB, CG, CR, EB, EG, ER, GLOSS, R0, R1, RIM, X0, X1, Y0, Y1, Z0, Z1
from .shade_kernel import blend, lit, row_range

HAIR = f32(1.8)  # px of reach below which a link has one colour
UNBOUNDED = f32(1.0e6)  # px


@kernel()
def strip_slope(dx, dy, reach):
    """Return column change per row and half width in columns of the strip of half width reach along direction d."""
    if abs(dy) > f32(1e-4):
        return dx / dy, reach * math.sqrt(dx * dx + dy * dy) / abs(dy)
    return f32(0.0), UNBOUNDED


@kernel()
def draw_capsule(prims, k, light, depth_table, tile, surface, left, top):
    """Update the tile with lit capsule k."""
    p = prims[k]
    ax, ay, bx, by, ra, rb = p[X0], p[Y0], p[X1], p[Y1], p[R0], p[R1]
    za, zb, cr, cg, cb, gloss, rim, alpha = p[Z0], p[Z1], p[CR], p[CG], p[CB], p[GLOSS], p[RIM], p[ALPHA]
    er, eg, eb = p[ER], p[EG], p[EB]
    dx, dy = bx - ax, by - ay
    dd = max(dx * dx + dy * dy, f32(1e-6))
    inverse = f32(1.0) / dd
    length = math.sqrt(dd)
    tx, ty = dx / length, dy / length
    slope = (rb - ra) / length if length > f32(0.5) else f32(0.0)
    slope = min(max(slope, f32(-0.9)), f32(0.9))
    cosine = f32(1.0) / math.sqrt(f32(1.0) + slope * slope)
    reach = max(ra, rb) + f32(0.5)
    y_first, y_last = row_range(min(ay, by) - reach, max(ay, by) + reach, top, tile.shape[1])
    low, high = min(ax, bx) - reach, max(ax, bx) + reach
    slant, half = strip_slope(dx, dy, reach)
    for y in range(y_first, y_last):
        qy = f32(y + top) + f32(0.5) - ay
        middle = ax + qy * slant
        x_first, x_last = row_range(max(low, middle - half), min(high, middle + half), left, tile.shape[2])
        for x in range(x_first, x_last):
            qx = f32(x + left) + f32(0.5) - ax
            t = min(max((qx * dx + qy * dy) * inverse, f32(0.0)), f32(1.0))
            ex, ey = qx - t * dx, qy - t * dy
            r = ra + (rb - ra) * t
            ee = ex * ex + ey * ey
            if ee > (r + f32(0.5)) * (r + f32(0.5)):
                continue
            e = math.sqrt(ee)
            cover = min(r - e + f32(0.5), f32(1.0)) * alpha
            sx, sy = ex / r, ey / r
            ss = min(sx * sx + sy * sy, f32(1.0))
            w = math.sqrt(f32(1.0) - ss)
            nx, ny, nz = (sx - tx * slope * w) * cosine, (sy - ty * slope * w) * cosine, w * cosine
            red, green, blue = lit(light, nx, ny, nz, cr, cg, cb, gloss, rim)
            height = za + (zb - za) * t + r * w
            blend(tile, surface, light, depth_table, y, x, red + er, green + eg, blue + eb, cover, height)


@kernel()
def side_profile(light, tx, ty, cr, cg, cb, gloss):
    """Return nine coefficients: colour across a cylinder with axis t as a parabola in its sideways coordinate."""
    far, up = f32(0.72), f32(0.694)
    r0, g0, b0 = lit(light, f32(0.0), f32(0.0), f32(1.0), cr, cg, cb, gloss, f32(0.05))
    r1, g1, b1 = lit(light, -ty * far, tx * far, up, cr, cg, cb, gloss, f32(0.05))
    r2, g2, b2 = lit(light, ty * far, -tx * far, up, cr, cg, cb, gloss, f32(0.05))
    odd, even, half = f32(0.5) / far, f32(1.0) / (far * far), f32(0.5)
    return (
        r0, (r1 - r2) * odd, ((r1 + r2) * half - r0) * even,
        g0, (g1 - g2) * odd, ((g1 + g2) * half - g0) * even,
        b0, (b1 - b2) * odd, ((b1 + b2) * half - b0) * even,
    )  # fmt: skip


@kernel()
def draw_line(prims, k, light, depth_table, tile, surface, left, top):
    """Update the tile with thin link k: lit at three places across, a parabola in between."""
    p = prims[k]
    ax, ay, bx, by, ra, rb = p[X0], p[Y0], p[X1], p[Y1], p[R0], p[R1]
    za, zb, alpha = p[Z0], p[Z1], p[ALPHA]
    dx, dy = bx - ax, by - ay
    dd = max(dx * dx + dy * dy, f32(1e-6))
    inverse, length = f32(1.0) / dd, math.sqrt(dd)
    tx, ty = dx / length, dy / length
    reach = max(ra, rb) + f32(0.5)
    if reach < HAIR:
        r0, g0, b0 = lit(light, f32(0.0), f32(0.0), f32(0.94), p[CR], p[CG], p[CB], p[GLOSS] * f32(0.5), f32(0.0))
        r1 = r2 = g1 = g2 = b1 = b2 = f32(0.0)
    else:
        r0, r1, r2, g0, g1, g2, b0, b1, b2 = side_profile(light, tx, ty, p[CR], p[CG], p[CB], p[GLOSS] * f32(0.6))
    r0, g0, b0 = r0 + p[ER], g0 + p[EG], b0 + p[EB]
    y_first, y_last = row_range(min(ay, by) - reach, max(ay, by) + reach, top, tile.shape[1])
    low, high = min(ax, bx) - reach, max(ax, bx) + reach
    slant, half = strip_slope(dx, dy, reach)
    for y in range(y_first, y_last):
        qy = f32(y + top) + f32(0.5) - ay
        middle = ax + qy * slant
        x_first, x_last = row_range(max(low, middle - half), min(high, middle + half), left, tile.shape[2])
        for x in range(x_first, x_last):
            qx = f32(x + left) + f32(0.5) - ax
            t = min(max((qx * dx + qy * dy) * inverse, f32(0.0)), f32(1.0))
            ex, ey = qx - t * dx, qy - t * dy
            r = ra + (rb - ra) * t
            ee = ex * ex + ey * ey
            if ee < (r + f32(0.5)) * (r + f32(0.5)):
                cover = min(r + f32(0.5) - math.sqrt(ee), f32(1.0)) * alpha
                s = min(max((qy * tx - qx * ty) / r, f32(-1.0)), f32(1.0))
                red, green, blue = r0 + s * (r1 + s * r2), g0 + s * (g1 + s * g2), b0 + s * (b1 + s * b2)
                blend(tile, surface, light, depth_table, y, x, red, green, blue, cover, za + (zb - za) * t + r)
