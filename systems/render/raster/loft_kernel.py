"""Draw lofts: round bodies seen from above, from one elliptic section to the next, wrapped in a skin.

A section (station) has half-width vector W to the left and half-height vector H up; its points are W cos a + H sin a. On the
plan axis to the left they lie at A cos(a - f) with A^2 = Wl^2 + Hl^2 and f = atan2(Hl, Wl). A pixel at the share v of A to
the left therefore shows the angle a = f + acos v of the skin whatever the roll, and no trigonometry is needed to find it.
Which piece between two stations has a pixel is decided by the lines across the body at its stations, in the same way for
both neighbours: there are no seams and nothing is drawn twice.
"""

# mypy: ignore-errors
from __future__ import annotations

import math

import numpy as np
from numpy import float32 as f32

from ....engine.kernel import kernel
from ..creatures.primitive_fields import ALPHA, EB, EG, ER, GLOSS, P0, P1, P2, R0, R1, RIM
from ..creatures.skins import SKIN_LENGTH, SKIN_ROUND
from ..scene.light import DEPTH_PER_BYTE, DEPTH_PER_PIXEL, WATER_BODY
from .shade_kernel import CAUST, FILM_PER_UNIT, KEEP, SURF_B, SURF_G, SURF_R, clamp01, lamp_of, lit, pixel_range

# Fields of a station, in screen axes (x right, y down, z up). ALPHA, SHADOW and the fields of added light stay free.
AT_X, AT_Y, LEFT_X, LEFT_Y, AT_Z, TURN_COS, TURN_SIN, WIDE_X, WIDE_Y, WIDE_Z, HIGH_X, HIGH_Y, HIGH_Z = range(1, 14)
SLOPE_X, SLOPE_Y, SLOPE_Z, ALONG, LEAN = 15, 16, 20, 21, 22
HALO = f32(2.2)  # px around a body in which what lies below it is darkened: tells who swims above whom
HALO_DARK = f32(0.34)
OUTLINE_DARK = f32(0.42)  # of the light that is left at the edge of a body
BYTE = f32(1.0 / 255.0)
SEEN = f32(0.60 / (255.0 * 255.0))  # from a byte of a displayed colour, squared, to albedo, see light.SEEN_TO_ALBEDO
SCALES_LONG, SCALES_ROUND = f32(46.0), f32(7.0)  # scales along a body, and per quarter round it


@kernel(refcount=False, inline=True)
def texel_parts(texel):
    """Return shine, red, green and blue (0..255) of one texel."""
    byte = np.uint32(255)
    return (
        f32(np.int32(texel >> np.uint32(24))),
        f32(np.int32((texel >> np.uint32(16)) & byte)),
        f32(np.int32((texel >> np.uint32(8)) & byte)),
        f32(np.int32(texel & byte)),
    )


@kernel(refcount=False)
def read_skin(skin, level, along, place):
    """Return shine, red, green and blue (0..255) of a skin between four texels; along 0..1, place 0..4."""
    first, long, round_ = 0, SKIN_LENGTH, SKIN_ROUND
    for _ in range(level):
        first += long * round_
        long //= 2
        round_ //= 2
    x = min(max(along * f32(long) - f32(0.5), f32(0.0)), f32(long) - f32(1.001))
    y = place * f32(0.25) * f32(round_) - f32(0.5) + f32(round_)
    i, j = int(x), int(y)
    a, b = x - f32(i), y - f32(j)
    j0, j1, row = j & (round_ - 1), (j + 1) & (round_ - 1), first + i * round_
    s0, r0, g0, b0 = texel_parts(skin[row + j0])
    s1, r1, g1, b1 = texel_parts(skin[row + j1])
    s2, r2, g2, b2 = texel_parts(skin[row + round_ + j0])
    s3, r3, g3, b3 = texel_parts(skin[row + round_ + j1])
    w3, w2, w1 = a * b, a - a * b, b - a * b
    w0 = f32(1.0) - a - b + w3
    return (
        s0 * w0 + s1 * w1 + s2 * w2 + s3 * w3,
        r0 * w0 + r1 * w1 + r2 * w2 + r3 * w3,
        g0 * w0 + g1 * w1 + g2 * w2 + g3 * w3,
        b0 * w0 + b1 * w1 + b2 * w2 + b3 * w3,
    )


@kernel(refcount=False)
def scale_shade(along, place, strength):
    """Return the brightness of scales that overlap like tiles: a dark arc behind every one."""
    x, y = along * SCALES_LONG, place * SCALES_ROUND
    row = math.floor(x)
    y += f32(0.5) * (row - f32(2.0) * math.floor(row * f32(0.5)))
    u, v = x - row, y - math.floor(y) - f32(0.5)
    arc = u - f32(0.35) + f32(2.2) * v * v
    edge = clamp01(f32(1.0) - abs(arc - f32(0.42)) * f32(4.5))
    return f32(1.0) + strength * (f32(0.16) * (f32(0.5) - u) - f32(0.26) * edge)


@kernel(refcount=False)
def through_water(colour, nz, caustics, light, depth_table, surface, y, x, height):
    """Return a colour as it is seen through the water above it; height is in px above the surface, below it negative.

    The net of light that falls on the bed is stronger on what is nearer to the surface: times `caustics`, where it faces up.
    """
    r, g, b = colour
    if height >= f32(0.0):
        return r, g, b
    deep, one = -height * light[DEPTH_PER_PIXEL], f32(1.0)
    d = min(int(deep), 255)
    film = min(deep * light[DEPTH_PER_BYTE] * FILM_PER_UNIT, one)
    film *= film
    c = one + film * caustics * max(nz, f32(0.0)) * (surface[CAUST, y, x] - one)
    c = min(max(c, f32(0.6)), f32(2.2))
    k = one + film * (surface[KEEP, y, x] - one)
    t0, t1, t2 = depth_table[0, d], depth_table[1, d], depth_table[2, d]
    r = (r * c * t0 + light[WATER_BODY] * (one - t0)) * k + film * surface[SURF_R, y, x]
    g = (g * c * t1 + light[WATER_BODY + 1] * (one - t1)) * k + film * surface[SURF_G, y, x]
    b = (b * c * t2 + light[WATER_BODY + 2] * (one - t2)) * k + film * surface[SURF_B, y, x]
    return r, g, b


@kernel(refcount=False)
def across_side(station, qx, qy):
    """Return how far (px) a place lies behind the line across the body at a station; the same number for both neighbours."""
    ex, ey = station[LEFT_X], station[LEFT_Y]
    return ((qx - station[AT_X]) * ey - (qy - station[AT_Y]) * ex) / max(math.sqrt(ex * ex + ey * ey), f32(1e-3))


@kernel(refcount=False)
def edge_reach(ax, ay, bx, by, low, high, left, right):
    """Return left and right widened to the part of a line that lies in low..high of y."""
    if max(ay, by) < low or min(ay, by) > high:
        return left, right
    dy = by - ay
    if abs(dy) < f32(1e-4):
        return min(left, ax, bx), max(right, ax, bx)
    per = (bx - ax) / dy
    y0, y1 = min(max(ay, low), high), min(max(by, low), high)
    x0, x1 = ax + (y0 - ay) * per, ax + (y1 - ay) * per
    return min(left, x0, x1), max(right, x0, x1)


@kernel(refcount=False)
def piece_corners(a, b, margin):
    """Return the corners of a piece between two stations, widened by some pixels."""
    long_a = math.sqrt(a[LEFT_X] * a[LEFT_X] + a[LEFT_Y] * a[LEFT_Y])
    long_b = math.sqrt(b[LEFT_X] * b[LEFT_X] + b[LEFT_Y] * b[LEFT_Y])
    wa, wb = f32(1.0) + margin / max(long_a, f32(1e-3)), f32(1.0) + margin / max(long_b, f32(1e-3))
    return (
        a[AT_X] + a[LEFT_X] * wa, a[AT_Y] + a[LEFT_Y] * wa, a[AT_X] - a[LEFT_X] * wa, a[AT_Y] - a[LEFT_Y] * wa,
        b[AT_X] + b[LEFT_X] * wb, b[AT_Y] + b[LEFT_Y] * wb, b[AT_X] - b[LEFT_X] * wb, b[AT_Y] - b[LEFT_Y] * wb,
    )  # fmt: skip


@kernel(refcount=False, inline=True)
def between(a, b, field, t):
    """Return a field of two stations, mixed by t."""
    return a[field] + (b[field] - a[field]) * t


@kernel(refcount=False)
def loft_pixel(p, a, b, t, v, skin, lamp):
    """Return the lit colour of a body at v (-1 right to 1 left) between two stations, and how far it faces up."""
    one = f32(1.0)
    rise = math.sqrt(max(one - v * v, f32(0.0)))
    turn_cos, turn_sin = between(a, b, TURN_COS, t), between(a, b, TURN_SIN, t)
    cosine, sine = turn_cos * v - turn_sin * rise, turn_sin * v + turn_cos * rise
    part = cosine / max(abs(cosine) + abs(sine), f32(1e-6))
    place = one - part if sine >= f32(0.0) else f32(3.0) + part
    along = between(a, b, ALONG, t) + between(a, b, LEAN, t) * rise
    nx = cosine * between(a, b, WIDE_X, t) + sine * between(a, b, HIGH_X, t)
    ny = cosine * between(a, b, WIDE_Y, t) + sine * between(a, b, HIGH_Y, t)
    nz = cosine * between(a, b, WIDE_Z, t) + sine * between(a, b, HIGH_Z, t)
    norm = one / max(math.sqrt(nx * nx + ny * ny + nz * nz), f32(1e-6))
    nx = nx * norm + between(a, b, SLOPE_X, t)
    ny = ny * norm + between(a, b, SLOPE_Y, t)
    nz = nz * norm + between(a, b, SLOPE_Z, t)
    norm = one / max(math.sqrt(nx * nx + ny * ny + nz * nz), f32(1e-6))
    nx, ny, nz = nx * norm, ny * norm, max(nz * norm, f32(0.0))
    shine, red, green, blue = read_skin(skin, int(p[P2]), along, place)
    shade = SEEN
    if p[RIM] > f32(0.0):
        shade *= scale_shade(along, place, p[RIM])
    gloss = p[GLOSS] * (f32(0.25) + f32(2.6) * shine * BYTE)
    red, green, blue = lit(lamp, nx, ny, nz, red * red * shade, green * green * shade, blue * blue * shade, gloss, f32(0.05))
    return red, green, blue, nz


@kernel(refcount=False)
def draw_piece(p, a, b, ends, skin, light, depth_table, tile, surface, left, top):
    """Update the tile with the piece of a loft between two stations; ends says whether it is the first, the last piece."""
    first, last = ends
    one, half, outline, alpha = f32(1.0), f32(0.5), max(p[P1], f32(0.6)), p[ALPHA]
    x0, y0, x1, y1, x2, y2, x3, y3 = piece_corners(a, b, HALO + half)
    y_first, y_last = pixel_range(min(y0, y1, y2, y3) - half, max(y0, y1, y2, y3) + half, top, tile.shape[1])
    lamp, widest = lamp_of(light), f32(1e9)
    for y in range(y_first, y_last):
        qy = f32(y + top) + half
        low, high = edge_reach(x0, y0, x1, y1, qy - half, qy + half, widest, -widest)
        low, high = edge_reach(x2, y2, x3, y3, qy - half, qy + half, low, high)
        low, high = edge_reach(x0, y0, x2, y2, qy - half, qy + half, low, high)
        low, high = edge_reach(x1, y1, x3, y3, qy - half, qy + half, low, high)
        x_first, x_last = pixel_range(low - half, high + half, left, tile.shape[2])
        for x in range(x_first, x_last):
            qx = f32(x + left) + half
            ahead, behind = across_side(a, qx, qy), across_side(b, qx, qy)
            cap = one
            if first and ahead < half:
                cap = min(cap, ahead + half)
            elif ahead < f32(0.0):
                continue
            if last and behind > -half:
                cap = min(cap, half - behind)
            elif behind >= f32(0.0):
                continue
            if cap <= f32(0.0):
                continue
            t = clamp01(ahead / max(ahead - behind, f32(1e-4)))
            ex, ey = between(a, b, LEFT_X, t), between(a, b, LEFT_Y, t)
            wide = math.sqrt(ex * ex + ey * ey)
            v = ((qx - between(a, b, AT_X, t)) * ex + (qy - between(a, b, AT_Y, t)) * ey) / max(wide * wide, f32(1e-6))
            inside = (one - abs(v)) * wide
            if inside < -HALO:
                continue
            if inside < half:  # a soft dark rim on what lies below
                dark = one - HALO_DARK * alpha * cap * (HALO + min(inside, f32(0.0))) / HALO
                tile[0, y, x] *= dark
                tile[1, y, x] *= dark
                tile[2, y, x] *= dark
            cover = min(inside + half, one) * cap * alpha
            if cover <= f32(0.0):
                continue
            r, g, bl, nz = loft_pixel(p, a, b, t, min(max(v, -one), one), skin, lamp)
            edge = OUTLINE_DARK + (one - OUTLINE_DARK) * clamp01(inside / outline)
            colour = (r * edge + p[ER], g * edge + p[EG], bl * edge + p[EB])
            height = between(a, b, AT_Z, t)
            r, g, bl = through_water(colour, nz, p[P0], light, depth_table, surface, y, x, height)
            tile[0, y, x] += (r - tile[0, y, x]) * cover
            tile[1, y, x] += (g - tile[1, y, x]) * cover
            tile[2, y, x] += (bl - tile[2, y, x]) * cover


@kernel(refcount=False)
def draw_loft(prims, k, skins, light, depth_table, tile, surface, left, top):
    """Update the tile with loft k, whose stations are the rows after it, from the tail to the nose."""
    p = prims[k]
    count, skin = int(p[R0]), skins[min(max(int(p[R1]), 0), skins.shape[0] - 1)]
    for j in range(count - 1):
        i = count - 2 - j
        ends = (i == 0, i == count - 2)
        draw_piece(p, prims[k + 1 + i], prims[k + 2 + i], ends, skin, light, depth_table, tile, surface, left, top)
