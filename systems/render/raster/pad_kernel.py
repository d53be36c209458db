"""Draw lily pads: round floating leaves with a notch, veins from the middle to the rim, and a dark edge."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ..creatures.primitive_fields import ALPHA, CB, CG, CR, GLOSS, P0, P1, R0, R1, RIM, X0, X1, Y0, Y1
from .shade_kernel import COLUMNS, clamp01, lamp_of, lit, pixel_range, vector_range

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Four, Vector
    from .shade_kernel import Lamp

NOTCH_COS, NOTCH_SIN = f32(0.970), f32(0.242)  # of half the angle of the notch
VEIN_WIDTH = f32(0.75)  # px


@kernel(refcount=False)
def pad_pixel(u: float, v: float, size: float, veins: float, bend: float, lamp: Lamp, colour: Vector, gloss: float,
              rim: float) -> Four:  # fmt: skip
    """Return colour and cover of a pad at (u, v), 1 at its rim; size is its radius in px. Free of branches."""
    one, half = f32(1.0), f32(0.5)
    r = math.sqrt(u * u + v * v)
    side = abs(v - bend * u * u)
    cover = min((one - r) * size + half, (side * NOTCH_COS - u * NOTCH_SIN + f32(0.035)) * size + half, one)
    part = u / max(abs(u) + abs(v), f32(1e-4))
    place = one - part if v >= f32(0.0) else f32(3.0) + part  # round the pad, 0..4, without arc functions
    turn = place * f32(0.25) * veins
    off = abs(turn - np.floor(turn + half))  # 0 on a vein, 0.5 between two
    wide = f32(6.2832) / veins * r * size  # px from one vein to the next
    vein = clamp01(VEIN_WIDTH + half - off * wide) * (one - f32(0.75) * r)
    fork = clamp01(half - abs(off - f32(0.30)) * wide) * clamp01((r - f32(0.55)) * f32(4.0)) * f32(0.5)
    edge = clamp01((r - f32(0.93)) * f32(14.0))
    middle = clamp01((f32(0.10) - r) * size * half)
    tone = (f32(0.80) + f32(0.34) * r - f32(0.16) * off) * (one - f32(0.42) * edge)
    tone += f32(0.55) * max(vein, fork) + f32(0.6) * middle
    cup = f32(0.10) + f32(0.55) * edge  # the rim stands up a little
    nx, ny = -cup * u, cup * v
    norm = one / math.sqrt(one + nx * nx + ny * ny)
    red, green, blue = lit(
        lamp, nx * norm, ny * norm, norm, colour[0] * tone + f32(0.05) * edge, colour[1] * tone, colour[2] * tone, gloss, rim
    )
    return red, green, blue, cover


@kernel(refcount=False)
def draw_pad(prims: Array, k: int, light: Array, tile: Array, left: int, top: int) -> None:
    """Update the tile with pad k, which lies on the water."""
    p = prims[k]
    cx, cy, fx, fy, lx, ly = p[X0], p[Y0], p[X1], p[Y1], p[R0], p[R1]
    determinant = fx * ly - fy * lx
    if not (abs(determinant) > f32(1e-3)):
        return
    inverse, size, half, lamp = f32(1.0) / determinant, math.sqrt(abs(determinant)), f32(0.5), lamp_of(light)
    colour, alpha, gloss, rim, veins, bend = (p[CR], p[CG], p[CB]), p[ALPHA], p[GLOSS], p[RIM], p[P0], p[P1]
    reach = size + f32(1.0)
    y_first, y_last = pixel_range(cy - reach, cy + reach, top, tile.shape[1])
    for y in range(y_first, y_last):
        qy = f32(y + top) + half - cy
        wide = math.sqrt(max(reach * reach - qy * qy, f32(0.0)))
        x_first, x_last = pixel_range(cx - wide, cx + wide, left, tile.shape[2])
        if x_first >= x_last:
            continue
        x_first, x_last = vector_range(x_first, x_last, tile.shape[2])
        start = f32(x_first + left) + half - cx
        row_r, row_g, row_b = tile[0, y, x_first:x_last], tile[1, y, x_first:x_last], tile[2, y, x_first:x_last]
        for i in range(row_r.size):
            qx = COLUMNS[i] + start
            u, v = (qx * ly - qy * lx) * inverse, (qy * fx - qx * fy) * inverse
            red, green, blue, cover = pad_pixel(u, v, size, veins, bend, lamp, colour, gloss, rim)
            cover = max(cover, f32(0.0)) * alpha
            row_r[i] += (red - row_r[i]) * cover
            row_g[i] += (green - row_g[i]) * cover
            row_b[i] += (blue - row_b[i]) * cover
