"""The soft shadow of a box: its outline, drawn along the ground away from the sun as far as it is tall."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ..creatures.primitive_fields import H0, H1, R0, R1, SHADOW, X0, X1, Y0, Y1
from ..scene.light import SHADOW_X, SHADOW_Y
from .shade_kernel import COLUMNS, pixel_range, vector_range

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Four

SOFT_EDGE, SOFT_EDGE_PER_PIXEL = f32(0.6), f32(0.10)  # half-res px, width of a shadow's edge [look 6]


@kernel(refcount=False)
def box_reach(p: Array, light: Array) -> Four:
    """Return the middle of the shadow of box p and how far it reaches to each side, in pixels, without its soft edge."""
    half, rise = f32(0.5), f32(0.5) * (p[H0] + p[H1])
    sweep_x, sweep_y = half * (p[H1] - p[H0]) * light[SHADOW_X], half * (p[H1] - p[H0]) * light[SHADOW_Y]
    reach_x, reach_y = abs(p[X1]) + abs(p[R0]) + abs(sweep_x), abs(p[Y1]) + abs(p[R1]) + abs(sweep_y)
    return p[X0] + rise * light[SHADOW_X], p[Y0] + rise * light[SHADOW_Y], reach_x, reach_y


@kernel(refcount=False)
def draw_box_shadow(prims: Array, k: int, light: Array, shadow: Array, left: int, top: int, right: int, bottom: int,
                    step: int) -> None:  # fmt: skip
    """Update every step-th row of the half-res shadow box with the shadow of box k, combined by maximum.

    A rectangle drawn along a line is a hexagon: a point is as far inside it as within the nearest of three strips, two along
    its sides and one along the line.
    """
    p, half, tiny, strength = prims[k], f32(0.5), f32(1e-3), prims[k, SHADOW]
    x, y, reach_x, reach_y = box_reach(p, light)
    x, y = half * x, half * y
    long, wide = math.sqrt(p[X1] * p[X1] + p[Y1] * p[Y1]), math.sqrt(p[R0] * p[R0] + p[R1] * p[R1])
    ux, uy, vx, vy = p[X1] / max(long, tiny), p[Y1] / max(long, tiny), p[R0] / max(wide, tiny), p[R1] / max(wide, tiny)
    long, wide = half * long, half * wide
    dx, dy = f32(0.25) * (p[H1] - p[H0]) * light[SHADOW_X], f32(0.25) * (p[H1] - p[H0]) * light[SHADOW_Y]  # half the line
    far = math.sqrt(dx * dx + dy * dy)
    nx, ny = (-dy / far, dx / far) if far > tiny else (ux, uy)
    in_u, in_v = long + abs(ux * dx + uy * dy), wide + abs(vx * dx + vy * dy)
    in_n = long * abs(nx * ux + ny * uy) + wide * abs(nx * vx + ny * vy)
    if far <= tiny:
        in_n = in_u
    along, low, rise = f32(1.0) / max(far * far, tiny), half * (p[H0] + p[H1]), half * (p[H1] - p[H0])
    soft = SOFT_EDGE + SOFT_EDGE_PER_PIXEL * p[H1]
    y_first, y_last = pixel_range(y - half * reach_y - soft, y + half * reach_y + soft, top, bottom - top)
    x_first, x_last = pixel_range(x - half * reach_x - soft, x + half * reach_x + soft, left, right - left)
    if x_first >= x_last:
        return
    x_first, x_last = vector_range(x_first, x_last, right - left)
    start = f32(left + x_first) + half - x
    for j in range(top + -(-y_first // step) * step, y_last + top, step):
        qy, row = f32(j) + half - y, shadow[j + 1, left + x_first + 1 : left + x_last + 1]
        for i in range(row.size):
            qx = COLUMNS[i] + start
            inside = min(in_u - abs(qx * ux + qy * uy), in_v - abs(qx * vx + qy * vy), in_n - abs(qx * nx + qy * ny))
            part = min(max((qx * dx + qy * dy) * along, f32(-1.0)), f32(1.0))  # from the foot to the top
            edge = f32(1.0) / (SOFT_EDGE + SOFT_EDGE_PER_PIXEL * (low + rise * part))
            row[i] = max(row[i], min(inside * edge + half, f32(1.0)) * strength)
