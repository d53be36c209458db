"""Draw fins, translucent and with rays, and eyes: what a swimmer has besides its body."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ..creatures.primitive_fields import (
    ALPHA,
    CB,
    CG,
    CR,
    EB,
    EG,
    ER,
    GLOSS,
    H0,
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
from ..scene.light import BOUNCE, SKY, SUN
from .loft_kernel import edge_reach, through_water
from .shade_kernel import clamp01, pixel_range

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

ROOT_DENSE = f32(0.55)  # how much denser a fin is at its root than at its edge
FIN_LIGHT = f32(0.62)  # of the sun: a thin skin is lit from both sides
PUPIL = (f32(0.006), f32(0.007), f32(0.010))


@kernel(refcount=False, inline=True)
def side_of(ax: float, ay: float, bx: float, by: float, qx: float, qy: float) -> float:
    """Return how far (px) a place lies to one side of a line."""
    dx, dy = bx - ax, by - ay
    return ((qx - ax) * dy - (qy - ay) * dx) / max(math.sqrt(dx * dx + dy * dy), f32(1e-3))


@kernel(refcount=False)
def fin_edge(w: float, shape: float) -> float:
    """Return how long the ray at w (0..1 from the first tip to the other) is: shape > 0 forked, 0 straight, < 0 rounded."""
    bow = f32(4.0) * w * (f32(1.0) - w)
    if shape >= f32(0.0):
        return f32(1.0) - shape * math.sqrt(bow)
    return f32(1.0) + shape * (f32(1.0) - math.sqrt(bow))


@kernel(refcount=False)
def draw_fin(prims: Array, k: int, light: Array, depth_table: Array, tile: Array, surface: Array, left: int,
             top: int) -> None:  # fmt: skip
    """Update the tile with fin k: rays from its root, X0 Y0 to X1 Y1, to its tips P0 P1 and R0 R1."""
    p = prims[k]
    one, half, alpha, shape, rays = f32(1.0), f32(0.5), p[ALPHA], p[P2], p[GLOSS]
    ax, ay, bx, by, cx, cy, dx, dy = p[X0], p[Y0], p[X1], p[Y1], p[P0], p[P1], p[R0], p[R1]
    bow_x, bow_y = p[H0], p[H1]
    mid_x, mid_y = half * (ax + bx), half * (ay + by)
    long_x, long_y = half * (cx + dx) - mid_x, half * (cy + dy) - mid_y
    per = one / max(long_x * long_x + long_y * long_y, f32(1e-3))
    middle_x, middle_y = half * (ax + cx), half * (ay + cy)
    turn = one if side_of(middle_x, middle_y, half * (bx + dx), half * (by + dy), half * (ax + bx), half * (ay + by)) > \
        side_of(middle_x, middle_y, half * (bx + dx), half * (by + dy), half * (cx + dx), half * (cy + dy)) else -one
    sun_r = light[SUN] * FIN_LIGHT + light[SKY] * f32(0.8) + light[BOUNCE]
    sun_g = light[SUN + 1] * FIN_LIGHT + light[SKY + 1] * f32(0.8) + light[BOUNCE + 1]
    sun_b = light[SUN + 2] * FIN_LIGHT + light[SKY + 2] * f32(0.8) + light[BOUNCE + 2]
    wide_x, wide_y, widest = abs(bow_x) + half, abs(bow_y) + one, f32(1e9)
    y_first, y_last = pixel_range(min(ay, by, cy, dy) - wide_y, max(ay, by, cy, dy) + wide_y, top, tile.shape[1])
    for y in range(y_first, y_last):
        qy = f32(y + top) + half
        low, high = edge_reach(ax, ay, cx, cy, qy - wide_y, qy + wide_y, widest, -widest)
        low, high = edge_reach(bx, by, dx, dy, qy - wide_y, qy + wide_y, low, high)
        low, high = edge_reach(ax, ay, bx, by, qy - wide_y, qy + wide_y, low, high)
        low, high = edge_reach(cx, cy, dx, dy, qy - wide_y, qy + wide_y, low, high)
        x_first, x_last = pixel_range(low - wide_x, high + wide_x, left, tile.shape[2])
        row_y = qy
        for x in range(x_first, x_last):
            qx, qy = f32(x + left) + half, row_y
            bent = clamp01(((qx - mid_x) * long_x + (qy - mid_y) * long_y) * per)
            bent *= f32(4.0) * (one - bent)
            qx, qy = qx - bow_x * bent, qy - bow_y * bent
            from_a, from_b = turn * side_of(ax, ay, cx, cy, qx, qy), turn * side_of(bx, by, dx, dy, qx, qy)
            cover = min(from_a + half, half - from_b, one)
            if cover <= f32(0.0):
                continue
            w = clamp01(from_a / max(from_a - from_b, f32(1e-4)))
            root_x, root_y = ax + (bx - ax) * w, ay + (by - ay) * w
            ray_x, ray_y = cx + (dx - cx) * w - root_x, cy + (dy - cy) * w - root_y
            long = math.sqrt(ray_x * ray_x + ray_y * ray_y)
            u = ((qx - root_x) * ray_x + (qy - root_y) * ray_y) / max(long * long, f32(1e-4))
            edge = fin_edge(w, shape)
            cover = min(cover, (edge - u) * long + half, u * long + half)
            if cover <= f32(0.0):
                continue
            out = clamp01(u / max(edge, f32(0.05)))
            beam = w * rays - math.floor(w * rays)
            beam = f32(4.0) * beam * (one - beam)
            shade = f32(0.72) + f32(0.42) * beam * beam + f32(0.10) * out
            dense = (one - out) * ROOT_DENSE + (one - ROOT_DENSE) + f32(0.30) * (one - beam) * out
            rim = clamp01((out - f32(0.86)) * f32(7.0))
            colour = (p[CR] * shade * sun_r + p[ER], p[CG] * shade * sun_g + p[EG], p[CB] * shade * sun_b + p[EB])
            height = p[Z0] + (p[Z1] - p[Z0]) * clamp01(u)
            r, g, b = through_water(colour, one, p[RIM], light, depth_table, surface, y, x, height)
            cover *= min(alpha * (dense + f32(0.25) * rim), one)
            tile[0, y, x] += (r - tile[0, y, x]) * cover
            tile[1, y, x] += (g - tile[1, y, x]) * cover
            tile[2, y, x] += (b - tile[2, y, x]) * cover


@kernel(refcount=False)
def draw_eye(prims: Array, k: int, light: Array, depth_table: Array, tile: Array, surface: Array, left: int,
             top: int) -> None:  # fmt: skip
    """Update the tile with eye k: a bright ring round a black pupil (P0 of the size), and a glint on the sun's side."""
    p = prims[k]
    cx, cy, fx, fy, lx, ly = p[X0], p[Y0], p[X1], p[Y1], p[R0], p[R1]
    determinant = fx * ly - fy * lx
    if not (abs(determinant) > f32(1e-4)):
        return
    one, half, inverse, pupil = f32(1.0), f32(0.5), f32(1.0) / determinant, p[P0]
    size = math.sqrt(abs(determinant))
    reach_x, reach_y = abs(fx) + abs(lx) + one, abs(fy) + abs(ly) + one
    y_first, y_last = pixel_range(cy - reach_y, cy + reach_y, top, tile.shape[1])
    x_first, x_last = pixel_range(cx - reach_x, cx + reach_x, left, tile.shape[2])
    sky = light[SUN + 1] * f32(0.8) + light[SKY + 1]
    for y in range(y_first, y_last):
        for x in range(x_first, x_last):
            qx, qy = f32(x + left) + half - cx, f32(y + top) + half - cy
            u, v = (qx * ly - qy * lx) * inverse, (qy * fx - qx * fy) * inverse
            radius = math.sqrt(u * u + v * v)
            cover = min((one - radius) * size + half, one) * p[ALPHA]
            if cover <= f32(0.0):
                continue
            ring = clamp01((radius - pupil) * size + half)
            dark = one - f32(0.65) * clamp01((radius - f32(0.80)) * f32(5.0))
            light_up = (f32(0.75) - f32(0.25) * (qx + qy) / max(size, one)) * dark * sky * ring
            gx, gy = qx / size + f32(0.28), qy / size + f32(0.30)
            glint = p[P1] * clamp01((f32(0.30) - math.sqrt(gx * gx + gy * gy)) * size + half) * sky
            shut = one - ring
            colour = (
                p[CR] * light_up + PUPIL[0] * shut + glint + p[ER],
                p[CG] * light_up + PUPIL[1] * shut + glint + p[EG],
                p[CB] * light_up + PUPIL[2] * shut + glint + p[EB],
            )
            r, g, b = through_water(colour, f32(0.7), p[P2], light, depth_table, surface, y, x, p[Z0])
            tile[0, y, x] += (r - tile[0, y, x]) * cover
            tile[1, y, x] += (g - tile[1, y, x]) * cover
            tile[2, y, x] += (b - tile[2, y, x]) * cover
