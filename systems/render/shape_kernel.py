"""Draw shapes with two half axes: back plates, rings, ellipsoids, boxes; and leaves and glows."""

from __future__ import annotations

import math

from numpy import float32 as f32

from ...engine.kernel import kernel
from .light import EMISSION, TO_SUN
from .primitive_fields import ALPHA, CB, CG, CR, EB, EG, ER, GLOSS, H1, P0, P1, P2, R0, R1, RIM, X0, X1, Y0, Y1, Z0, Z1
from .primitive_fields import BOX as BOX_KIND
from .primitive_fields import ELLIPSOID as ELLIPSOID_KIND
from .primitive_fields import PLATE as PLATE_KIND
from .primitive_fields import RING as RING_KIND
from .shade_kernel import blend, clamp01, lit, row_range, speckle

GROOVE = f32(0.40)  # of the half width: the two paramedian grooves
GROOVE_WIDTH = f32(0.055)


@kernel()
def plate_surface(u, v, seed, tilt_f, tilt_l, flank):
    """Return edge value, forward and sideways slope, brightness and flank mix of a back plate at (u, v) in -1..1."""
    uu, vv = u * u, v * v
    edge = math.sqrt(math.sqrt(uu * uu + vv * vv))
    along = f32(0.10) * u + f32(0.45) * uu * uu * u - tilt_f
    across = (f32(0.55) + f32(0.5) * vv) * v - tilt_l
    side = abs(v)
    groove = clamp01(f32(1.0) - abs(side - GROOVE) / GROOVE_WIDTH)
    streak = speckle(int((v + f32(2.0)) * f32(13.0)), int((u + f32(2.0)) * f32(2.2)), int(seed))
    grain = speckle(int((v + f32(2.0)) * f32(9.0)), int((u + f32(2.0)) * f32(8.0)), int(seed) + 3)
    shade = f32(1.0) - f32(0.45) * groove + f32(0.07) * streak + f32(0.05) * grain
    shade *= f32(1.0) - f32(0.62) * clamp01((-u - f32(0.74)) * f32(5.0))  # dark rear margin
    shade *= f32(1.0) - f32(0.55) * clamp01((u - f32(0.66)) * f32(3.2))  # below the plate ahead
    return edge, along, across, shade, flank * clamp01((side - f32(0.70)) * f32(4.0))


@kernel()
def ring_surface(u, v):
    """Return edge value, slopes, brightness and warm mix of one millipede ring: a full cylinder."""
    uu = u * u
    edge = max(abs(v), math.sqrt(math.sqrt(uu * uu * (f32(0.75) + f32(0.25) * v * v))))
    w = math.sqrt(max(f32(1.0) - v * v, f32(0.02)))
    shade = f32(0.62) - f32(0.55) * u
    shade = min(max(shade, f32(0.22)), f32(1.15))
    shade *= f32(1.0) - f32(0.55) * clamp01((-u - f32(0.80)) * f32(6.0))
    return edge, -f32(0.30) * u, v / w, shade, clamp01(-u * f32(1.6)) * f32(0.6)


@kernel()
def box_surface(u, v, bevel):
    """Return edge value, slopes, brightness and trim mix of a bevelled metal plate."""
    a, b = abs(u), abs(v)
    edge = max(a, b)
    along = clamp01((a - (f32(1.0) - bevel)) / bevel) * (f32(1.0) if u > f32(0.0) else f32(-1.0))
    across = clamp01((b - (f32(1.0) - bevel)) / bevel) * (f32(1.0) if v > f32(0.0) else f32(-1.0))
    seam = clamp01(f32(1.0) - abs(b - f32(0.45)) / f32(0.05))
    return edge, along * f32(0.9), across * f32(0.9), f32(1.0) - f32(0.35) * seam, f32(0.0)


@kernel()
def ellipsoid_surface(u, v, rough, flat):
    """Return edge value, slopes, brightness and mix of an ellipsoid; `flat` < 1 flattens its top."""
    rr = u * u + v * v
    edge = math.sqrt(rr)
    w = math.sqrt(max(f32(1.0) - rr, f32(0.03)))
    shade = f32(1.0)
    if rough > f32(0.0):
        shade += rough * speckle(int((u + f32(2.0)) * f32(17.0)), int((v + f32(2.0)) * f32(17.0)), 5)
    return edge, flat * u / w, flat * v / w, shade, f32(0.0)


@kernel()
def limit_span(value, slope, limit, low, high):
    """Return the part of columns low..high where |value + slope * column| stays within limit."""
    if abs(slope) < f32(1e-5):
        return low, high
    a, b = (-limit - value) / slope, (limit - value) / slope
    return max(low, min(a, b)), min(high, max(a, b))


@kernel()
def draw_shape(prims, k, light, depth_table, tile, surface, left, top):
    """Update the tile with plate, ring, ellipsoid or box k."""
    p = prims[k]
    kind = int(p[0])
    cx, cy, fx, fy, lx, ly = p[X0], p[Y0], p[X1], p[Y1], p[R0], p[R1]
    determinant = fx * ly - fy * lx
    if not (abs(determinant) > f32(1e-3)):
        return
    inverse = f32(1.0) / determinant
    long, wide = math.sqrt(fx * fx + fy * fy), math.sqrt(lx * lx + ly * ly)
    shortest = min(long, wide)
    gx, gy, hx, hy = fx / long, fy / long, lx / wide, ly / wide
    reach_x, reach_y = abs(fx) + abs(lx) + f32(1.0), abs(fy) + abs(ly) + f32(1.0)
    y_first, y_last = row_range(cy - reach_y, cy + reach_y, top, tile.shape[1])
    outside = f32(1.0) + f32(0.5) / shortest
    for y in range(y_first, y_last):
        qy = f32(y + top) + f32(0.5) - cy
        low, high = limit_span(-qy * lx * inverse, ly * inverse, outside, -reach_x, reach_x)
        low, high = limit_span(qy * fx * inverse, -fy * inverse, outside * f32(1.1), low, high)
        x_first, x_last = row_range(cx + low - f32(0.5), cx + high - f32(0.5), left, tile.shape[2])
        for x in range(x_first, x_last):
            qx = f32(x + left) + f32(0.5) - cx
            u, v = (qx * ly - qy * lx) * inverse, (qy * fx - qx * fy) * inverse
            v /= f32(1.0) - p[P0] * u if kind != BOX_KIND and kind != ELLIPSOID_KIND else f32(1.0)
            if kind == PLATE_KIND:
                edge, along, across, shade, warm = plate_surface(u, v, p[Z1], p[P1], p[P2], p[H1])
            elif kind == RING_KIND:
                edge, along, across, shade, warm = ring_surface(u, v)
            elif kind == BOX_KIND:
                edge, along, across, shade, warm = box_surface(u, v, p[P0])
            else:
                edge, along, across, shade, warm = ellipsoid_surface(u, v, p[P0], p[P1])
            cover = min((f32(1.0) - edge) * shortest + f32(0.5), f32(1.0))
            if cover <= f32(0.0):
                continue
            nx, ny = gx * along + hx * across, gy * along + hy * across
            norm = f32(1.0) / math.sqrt(nx * nx + ny * ny + f32(1.0))
            ar = p[CR] * shade * (f32(1.0) + f32(1.1) * warm)
            ag = p[CG] * shade * (f32(1.0) + f32(0.9) * warm)
            ab = p[CB] * shade * (f32(1.0) + f32(0.25) * warm)
            shine = p[GLOSS] * min(shade + f32(0.15), f32(1.0))
            red, green, blue = lit(light, nx * norm, ny * norm, norm, ar, ag, ab, shine, p[RIM])
            height = p[Z0] + shortest * f32(0.35) * (norm - f32(0.6))
            blend(
                tile, surface, light, depth_table, y, x, red + p[ER], green + p[EG], blue + p[EB], cover * p[ALPHA], height
            )  # fmt: skip


@kernel()
def draw_leaf(prims, k, light, depth_table, tile, surface, left, top):
    """Update the tile with leaf k: two blades that meet at a lighter midrib, bent sideways."""
    p = prims[k]
    ax, ay, dx, dy = p[X0], p[Y0], p[X1] - p[X0], p[Y1] - p[Y0]
    length = max(math.sqrt(dx * dx + dy * dy), f32(0.5))
    tx, ty = dx / length, dy / length
    wide, bend = p[R0], p[R1] * length
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
                light, nx * norm, ny * norm, norm, p[CR] * shade, p[CG] * shade, p[CB] * shade, p[GLOSS], p[RIM]
            )  # fmt: skip
            blend(tile, surface, light, depth_table, y, x, red, green, blue, cover * p[ALPHA], p[Z0])


@kernel()
def draw_glow(prims, k, light, tile, left, top):
    """Update the tile with glow k: light multiplied with what lies below, so it does not fog."""
    p = prims[k]
    cx, cy, radius = p[X0], p[Y0], p[X1]
    y_first, y_last = row_range(cy - radius, cy + radius, top, tile.shape[1])
    x_first, x_last = row_range(cx - radius, cx + radius, left, tile.shape[2])
    gain = p[ALPHA] * light[EMISSION]
    inverse = f32(1.0) / (radius * radius)
    for y in range(y_first, y_last):
        qy = f32(y + top) + f32(0.5) - cy
        for x in range(x_first, x_last):
            qx = f32(x + left) + f32(0.5) - cx
            q = (qx * qx + qy * qy) * inverse
            if q >= f32(1.0):
                continue
            g = (f32(1.0) - q) * (f32(1.0) - q) / (f32(1.0) + f32(7.0) * q) * gain
            base = f32(0.10) + tile[0, y, x] * f32(0.25) + tile[1, y, x] * f32(0.55) + tile[2, y, x] * f32(0.2)
            spread = g * (base * f32(1.3) + p[P2])
            tile[0, y, x] += p[CR] * spread
            tile[1, y, x] += p[CG] * spread
            tile[2, y, x] += p[CB] * spread


@kernel()
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
            gain = f32(1.0) + p[ALPHA] * (f32(0.9) * facing - f32(0.42) * max(f32(1.0) - r, f32(0.0)))
            tile[0, y, x] *= gain
            tile[1, y, x] *= gain
            tile[2, y, x] *= gain
