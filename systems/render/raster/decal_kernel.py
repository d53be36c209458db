"""Draw leaves, glows and footprints."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ..creatures.primitive_fields import ALPHA, CB, CG, CR, GLOSS, P0, P1, P2, R0, R1, RIM, X0, X1, Y0, Y1, Z0
from ..scene.light import EMISSION, TO_SUN
from .capsule_kernel import strip_slope
from .rounded_shape_kernel import limit_span
from .shade_kernel import COLUMNS, blend, clamp01, lamp_of, lit, pixel_range, vector_range

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Four, Vector
    from .shade_kernel import Lamp


@kernel(refcount=False)
def leaf_pixel(qx: float, qy: float, leaf: tuple[float, ...], lamp: Lamp, colour: Vector, gloss: float, rim: float) -> Four:
    """Return colour and cover of a leaf at offset q from its base; free of branches."""
    one, (tx, ty, inverse, wide, bend, curl, midrib) = f32(1.0), leaf
    t = (qx * tx + qy * ty) * inverse
    arch = t * (one - t)  # negative before the base and beyond the tip
    s = qy * tx - qx * ty - bend * f32(4.0) * arch
    side = abs(s)
    half = wide * math.sqrt(max(arch, f32(0.0))) * (f32(2.6) - f32(1.2) * t)
    cover = min(half - side + f32(0.5), one) if arch >= f32(0.0) else f32(0.0)
    n = curl * (one - f32(0.6) * side / max(half, f32(0.5)))
    n = n if s > f32(0.0) else -n
    along = f32(0.5) * (t - f32(0.4))
    nx, ny = tx * along - ty * n, ty * along + tx * n
    norm = one / math.sqrt(nx * nx + ny * ny + one)
    shade = (one + midrib * clamp01(one - side / max(f32(0.09) * wide, f32(0.6)))) * (f32(0.55) + f32(0.6) * t)
    red, green, blue = lit(
        lamp, nx * norm, ny * norm, norm, colour[0] * shade, colour[1] * shade, colour[2] * shade, gloss, rim
    )
    return red, green, blue, cover


@kernel(refcount=False)
def draw_leaf(prims: Array, k: int, light: Array, depth_table: Array, tile: Array, surface: Array, left: int,
              top: int) -> None:  # fmt: skip
    """Update the tile with leaf k: two blades that meet at a lighter midrib, bent sideways."""
    p = prims[k]
    ax, ay, dx, dy = p[X0], p[Y0], p[X1] - p[X0], p[Y1] - p[Y0]
    length = max(math.sqrt(dx * dx + dy * dy), f32(0.5))
    inverse = f32(1.0) / length
    wide, bend, lamp = p[R0], p[R1] * length, lamp_of(light)
    leaf = (dx * inverse, dy * inverse, inverse, wide, bend, p[P0], p[P1])
    colour, gloss, rim, alpha, height = (p[CR], p[CG], p[CB]), p[GLOSS], p[RIM], p[ALPHA], p[Z0]
    reach = wide + abs(bend) + f32(1.0)
    y_first, y_last = pixel_range(min(ay, p[Y1]) - reach, max(ay, p[Y1]) + reach, top, tile.shape[1])
    low, high = min(ax, p[X1]) - reach, max(ax, p[X1]) + reach
    slant, strip = strip_slope(dx, dy, reach)
    for y in range(y_first, y_last):
        qy = f32(y + top) + f32(0.5) - ay
        middle = ax + qy * slant
        x_first, x_last = pixel_range(max(low, middle - strip), min(high, middle + strip), left, tile.shape[2])
        if x_first >= x_last:
            continue
        if height >= f32(0.0):
            x_first, x_last = vector_range(x_first, x_last, tile.shape[2])
        start = f32(x_first + left) + f32(0.5) - ax
        row_r, row_g, row_b = tile[0, y, x_first:x_last], tile[1, y, x_first:x_last], tile[2, y, x_first:x_last]
        if height >= f32(0.0):
            for i in range(row_r.size):
                red, green, blue, cover = leaf_pixel(COLUMNS[i] + start, qy, leaf, lamp, colour, gloss, rim)
                cover = max(cover, f32(0.0)) * alpha
                row_r[i] += (red - row_r[i]) * cover
                row_g[i] += (green - row_g[i]) * cover
                row_b[i] += (blue - row_b[i]) * cover
            continue
        for i in range(row_r.size):
            red, green, blue, cover = leaf_pixel(COLUMNS[i] + start, qy, leaf, lamp, colour, gloss, rim)
            if cover > f32(0.0):
                blend(tile, surface, light, depth_table, y, x_first + i, (red, green, blue), cover * alpha, height)


@kernel(refcount=False)
def draw_glow(prims: Array, k: int, light: Array, tile: Array, left: int, top: int) -> None:
    """Update the tile with glow k: light multiplied with what lies below, so it does not fog."""
    p = prims[k]
    cx, cy, radius = p[X0], p[Y0], p[X1]
    y_first, y_last = pixel_range(cy - radius, cy + radius, top, tile.shape[1])
    gain, fog, red, green, blue = p[ALPHA] * light[EMISSION], p[P2], p[CR], p[CG], p[CB]
    inverse = f32(1.0) / (radius * radius)
    for y in range(y_first, y_last):
        qy = f32(y + top) + f32(0.5) - cy
        half = math.sqrt(max(radius * radius - qy * qy, f32(0.0)))
        x_first, x_last = pixel_range(cx - half, cx + half, left, tile.shape[2])
        if x_first >= x_last:
            continue
        x_first, x_last = vector_range(x_first, x_last, tile.shape[2])
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


@kernel(refcount=False)
def draw_dent(prims: Array, k: int, light: Array, tile: Array, left: int, top: int) -> None:
    """Update the tile with footprint k: what lies below gets darker in the pit and brighter on the walls facing the sun."""
    p = prims[k]
    cx, cy, fx, fy, lx, ly = p[X0], p[Y0], p[X1], p[Y1], p[R0], p[R1]
    determinant = fx * ly - fy * lx
    if not (abs(determinant) > f32(1e-3)):
        return
    inverse, alpha, one, edge = f32(1.0) / determinant, p[ALPHA], f32(1.0), f32(1.5)
    reach_x, reach_y = edge * (abs(fx) + abs(lx)), edge * (abs(fy) + abs(ly))
    y_first, y_last = pixel_range(cy - reach_y, cy + reach_y, top, tile.shape[1])
    flat = math.sqrt(light[TO_SUN] * light[TO_SUN] + light[TO_SUN + 1] * light[TO_SUN + 1])
    sun_x, sun_y = light[TO_SUN] / max(flat, f32(1e-3)), light[TO_SUN + 1] / max(flat, f32(1e-3))
    du, dv = ly * inverse, -fy * inverse
    for y in range(y_first, y_last):
        qy = f32(y + top) + f32(0.5) - cy
        u0, v0 = -qy * lx * inverse, qy * fx * inverse
        low, high = limit_span(u0, du, edge, -reach_x, reach_x)
        low, high = limit_span(v0, dv, edge, low, high)
        x_first, x_last = pixel_range(cx + low, cx + high, left, tile.shape[2])
        if x_first >= x_last:
            continue
        x_first, x_last = vector_range(x_first, x_last, tile.shape[2])
        start = f32(x_first + left) + f32(0.5) - cx
        row_r, row_g, row_b = tile[0, y, x_first:x_last], tile[1, y, x_first:x_last], tile[2, y, x_first:x_last]
        for i in range(row_r.size):
            qx = COLUMNS[i] + start
            u, v = u0 + qx * du, v0 + qx * dv
            r = math.sqrt(u * u + v * v)
            slope = f32(2.2) * r * (one - r) if r < one else f32(-4.0) * (r - one) * max(edge - r, f32(0.0))
            facing = -slope * (qx * sun_x + qy * sun_y) / max(math.sqrt(qx * qx + qy * qy), f32(0.5))
            gain = one + alpha * (f32(0.8) * facing - f32(0.34) * max(one - r, f32(0.0)))
            row_r[i] *= gain
            row_g[i] *= gain
            row_b[i] *= gain
