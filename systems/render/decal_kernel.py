"""Draw leaves, glows and footprints."""

from __future__ import annotations

import math

from numpy import float32 as f32

from .borrow import borrower
from .light import EMISSION, TO_SUN
from .primitive_fields import ALPHA, CB, CG, CR, GLOSS, P0, P1, P2, R0, R1, RIM, X0, X1, Y0, Y1, Z0
from .shade_kernel import COLUMNS, blend, clamp01, lamp_of, lit, row_range


@borrower()
def draw_leaf(prims, k, light, depth_table, tile, surface, left, top):
    """Update the tile with leaf k: two blades that meet at a lighter midrib, bent sideways."""
    p = prims[k]
    ax, ay, dx, dy = p[X0], p[Y0], p[X1] - p[X0], p[Y1] - p[Y0]
    length = max(math.sqrt(dx * dx + dy * dy), f32(0.5))
    tx, ty = dx / length, dy / length
    wide, bend, lamp = p[R0], p[R1] * length, lamp_of(light)
    reach = wide + abs(bend) + f32(1.0)
    y_first, y_last = row_range(min(ay, p[Y1]) - reach, max(ay, p[Y1]) + reach, top, tile.shape[1])
    x_first, x_last = row_range(min(ax, p[X1]) - reach, max(ax, p[X1]) + reach, left, tile.shape[2])
    for y in range(y_first, y_last):
        qy = f32(y + top) + f32(0.5) - ay
        for x in range(x_first, x_last):
            qx = f32(x + left) + f32(0.5) - ax
            t = (qx * tx + qy * ty) / length
            if t < f32(0.0) or t > f32(1.0):
                continue
            s = qx * -ty + qy * tx - bend * f32(4.0) * t * (f32(1.0) - t)
            half = wide * math.sqrt(t * (f32(1.0) - t)) * (f32(2.6) - f32(1.2) * t)
            cover = min(half - abs(s) + f32(0.5), f32(1.0))
            if cover <= f32(0.0):
                continue
            side = f32(1.0) if s > f32(0.0) else f32(-1.0)
            n = side * p[P0] * (f32(1.0) - f32(0.6) * abs(s) / max(half, f32(0.5)))
            nx, ny = -ty * n + tx * f32(0.5) * (t - f32(0.4)), tx * n + ty * f32(0.5) * (t - f32(0.4))
            norm = f32(1.0) / math.sqrt(nx * nx + ny * ny + f32(1.0))
            rib = f32(1.0) + p[P1] * clamp01(f32(1.0) - abs(s) / max(f32(0.09) * wide, f32(0.6)))
            shade = rib * (f32(0.55) + f32(0.6) * t)
            red, green, blue = lit(
                lamp, nx * norm, ny * norm, norm, p[CR] * shade, p[CG] * shade, p[CB] * shade, p[GLOSS], p[RIM]
            )  # fmt: skip
            blend(tile, surface, light, depth_table, y, x, red, green, blue, cover * p[ALPHA], p[Z0])


@borrower()
def draw_glow(prims, k, light, tile, left, top):
    """Update the tile with glow k: light multiplied with what lies below, so it does not fog."""
    p = prims[k]
    cx, cy, radius = p[X0], p[Y0], p[X1]
    y_first, y_last = row_range(cy - radius, cy + radius, top, tile.shape[1])
    x_first, x_last = row_range(cx - radius, cx + radius, left, tile.shape[2])
    gain, fog, red, green, blue = p[ALPHA] * light[EMISSION], p[P2], p[CR], p[CG], p[CB]
    inverse = f32(1.0) / (radius * radius)
    for y in range(y_first, y_last):
        qy = f32(y + top) + f32(0.5) - cy
        if x_first >= x_last or qy * qy >= radius * radius:
            continue
        start = f32(x_first + left) + f32(0.5) - cx
        row_r, row_g, row_b = tile[0, y, x_first:x_last], tile[1, y, x_first:x_last], tile[2, y, x_first:x_last]
        for i in range(row_r.size):
            qx = COLUMNS[i] + start
            q = (qx * qx + qy * qy) * inverse
            left_over = max(f32(1.0) - q, f32(0.0))
            g = left_over * left_over / (f32(1.0) + f32(7.0) * q) * gain
            base = f32(0.10) + row_r[i] * f32(0.25) + row_g[i] * f32(0.55) + row_b[i] * f32(0.2)
            spread = g * (base * f32(1.3) + fog)
            row_r[i] += red * spread
            row_g[i] += green * spread
            row_b[i] += blue * spread


@borrower()
def draw_dent(prims, k, light, tile, left, top):
    """Update the tile with footprint k: what lies below gets darker in the pit and brighter on the walls facing the sun."""
    p = prims[k]
    cx, cy, fx, fy, lx, ly = p[X0], p[Y0], p[X1], p[Y1], p[R0], p[R1]
    determinant = fx * ly - fy * lx
    if not (abs(determinant) > f32(1e-3)):
        return
    inverse = f32(1.0) / determinant
    reach_x, reach_y = f32(1.6) * (abs(fx) + abs(lx)), f32(1.6) * (abs(fy) + abs(ly))
    y_first, y_last = row_range(cy - reach_y, cy + reach_y, top, tile.shape[1])
    x_first, x_last = row_range(cx - reach_x, cx + reach_x, left, tile.shape[2])
    flat = math.sqrt(light[TO_SUN] * light[TO_SUN] + light[TO_SUN + 1] * light[TO_SUN + 1])
    sun_x, sun_y = light[TO_SUN] / max(flat, f32(1e-3)), light[TO_SUN + 1] / max(flat, f32(1e-3))
    for y in range(y_first, y_last):
        qy = f32(y + top) + f32(0.5) - cy
        for x in range(x_first, x_last):
            qx = f32(x + left) + f32(0.5) - cx
            u, v = (qx * ly - qy * lx) * inverse, (qy * fx - qx * fy) * inverse
            r = math.sqrt(u * u + v * v)
            if r >= f32(1.5):
                continue
            slope = f32(2.2) * r * (f32(1.0) - r) if r < f32(1.0) else f32(-4.0) * (r - f32(1.0)) * (f32(1.5) - r)
            facing = -slope * (qx * sun_x + qy * sun_y) / max(math.sqrt(qx * qx + qy * qy), f32(0.5))
            gain = f32(1.0) + p[ALPHA] * (f32(0.8) * facing - f32(0.34) * max(f32(1.0) - r, f32(0.0)))
            tile[0, y, x] *= gain
            tile[1, y, x] *= gain
            tile[2, y, x] *= gain
