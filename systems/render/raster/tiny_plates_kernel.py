"""Plates and rings of a few pixels: lit at three places across, margins darkened, nothing else."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ..creatures.primitive_fields import ALPHA, CB, CG, CR, EB, EG, ER, GLOSS, R0, R1, X0, X1, Y0, Y1, Z0
from ..creatures.primitive_fields import RING as RING_KIND
from .capsule_kernel import side_profile
from .rounded_shape_kernel import limit_span
from .shade_kernel import COLUMNS, blend, clamp01, lamp_of, pixel_range, vector_range

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Four

SMALL = f32(12.0)  # px; half diagonal below which a plate is drawn in the small way
SMALL_RING = f32(7.0)  # the same for a ring, which is nothing without its gloss


@kernel(refcount=False)
def small_pixel(u: float, v: float, profile: tuple[float, ...], shortest: float, front: float, rear: float) -> Four:
    """Return colour and cover of a small plate at (u, v) in -1..1; free of branches so that rows run as vectors."""
    one = f32(1.0)
    r0, r1, r2, g0, g1, g2, b0, b1, b2 = profile
    uu, vv = u * u, v * v
    edge = f32(0.5) * (uu * uu + vv * vv) + f32(0.5)  # first order of the fourth root, exact at the rim
    cover = min((one - edge) * f32(0.5) * shortest + f32(0.5), one)
    shade = one - front * clamp01((u - f32(0.45)) * f32(1.9)) - rear * clamp01((-u - f32(0.50)) * f32(2.2))
    s = min(max(v, -one), one)
    red, green, blue = r0 + s * (r1 + s * r2), g0 + s * (g1 + s * g2), b0 + s * (b1 + s * b2)
    return red * shade, green * shade, blue * shade, cover


@kernel(refcount=False)
def draw_small(prims: Array, k: int, light: Array, depth_table: Array, tile: Array, surface: Array, left: int,
               top: int) -> None:  # fmt: skip
    """Update the tile with small plate or ring k."""
    p = prims[k]
    cx, cy, fx, fy, lx, ly = p[X0], p[Y0], p[X1], p[Y1], p[R0], p[R1]
    determinant = fx * ly - fy * lx
    if not (abs(determinant) > f32(1e-3)):
        return
    inverse = f32(1.0) / determinant
    long, wide = math.sqrt(fx * fx + fy * fy), math.sqrt(lx * lx + ly * ly)
    shortest, alpha, height = min(long, wide), p[ALPHA], p[Z0]
    sign = f32(1.0) if determinant > f32(0.0) else f32(-1.0)
    gloss = p[GLOSS] * f32(0.7)
    profile = side_profile(lamp_of(light), fx / long * sign, fy / long * sign, (p[CR], p[CG], p[CB]), gloss)
    er, eg, eb = p[ER], p[EG], p[EB]
    front, rear = (f32(0.75), f32(0.25)) if int(p[0]) == RING_KIND else (f32(0.42), f32(0.55))
    reach_x, reach_y = abs(fx) + abs(lx) + f32(1.0), abs(fy) + abs(ly) + f32(1.0)
    y_first, y_last = pixel_range(cy - reach_y, cy + reach_y, top, tile.shape[1])
    outside = f32(1.0) + f32(0.5) / shortest
    du, dv = ly * inverse, -fy * inverse
    for y in range(y_first, y_last):
        qy = f32(y + top) + f32(0.5) - cy
        u0, v0 = -qy * lx * inverse, qy * fx * inverse
        low, high = limit_span(u0, du, outside, -reach_x, reach_x)
        low, high = limit_span(v0, dv, outside, low, high)
        x_first, x_last = pixel_range(cx + low, cx + high, left, tile.shape[2])
        if x_first >= x_last:
            continue
        if height < f32(0.0):
            for x in range(x_first, x_last):
                qx = f32(x + left) + f32(0.5) - cx
                red, green, blue, cover = small_pixel(u0 + qx * du, v0 + qx * dv, profile, shortest, front, rear)
                if cover > f32(0.0):
                    seen = (red + er, green + eg, blue + eb)
                    blend(tile, surface, light, depth_table, y, x, seen, cover * alpha, height)
            continue
        x_first, x_last = vector_range(x_first, x_last, tile.shape[2])
        start = f32(x_first + left) + f32(0.5) - cx
        row_r, row_g, row_b = tile[0, y, x_first:x_last], tile[1, y, x_first:x_last], tile[2, y, x_first:x_last]
        for i in range(row_r.size):
            qx = COLUMNS[i] + start
            red, green, blue, cover = small_pixel(u0 + qx * du, v0 + qx * dv, profile, shortest, front, rear)
            cover = max(cover, f32(0.0)) * alpha
            row_r[i] += (red + er - row_r[i]) * cover
            row_g[i] += (green + eg - row_g[i]) * cover
            row_b[i] += (blue + eb - row_b[i]) * cover
