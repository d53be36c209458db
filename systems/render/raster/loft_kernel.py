"""Draw lofts: round bodies seen from above, from one elliptic section to the next, wrapped in a skin.

A section (station) has half-width vector W to the left and half-height vector H up; its points are W cos a + H sin a. On the
plan axis to the left they lie at A cos(a - f) with A^2 = Wl^2 + Hl^2 and f = atan2(Hl, Wl). A pixel at the share v of A to
the left therefore shows the angle a = f + acos v of the skin whatever the roll, and no trigonometry is needed to find it.
Which piece between two stations has a pixel is decided by the lines across the body at its stations, in the same way for
both neighbours: there are no seams and nothing is drawn twice.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.kernel_types import int32, uint32, uint64
from ..creatures.primitive_fields import ALPHA, EB, EG, ER, GLOSS, P0, P1, P2, R0, R1, RIM, TILE_H, TILE_W, Z1
from ..creatures.skins import FLAT_SKIN, SKIN_LENGTH, SKIN_LEVELS, SKIN_ROUND
from ..scene.light import DEPTH_PER_BYTE, DEPTH_PER_PIXEL, WATER_BODY
from ..water.row_blend_kernel import SURFACE_PLANES
from .shade_kernel import (
    CAUST,
    COLUMNS,
    FILM_PER_UNIT,
    KEEP,
    SURF_B,
    SURF_G,
    SURF_R,
    clamp01,
    lamp_of,
    lit,
    pixel_range,
    vector_range,
)

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Four, Vector
    from .shade_kernel import Lamp

# Fields of a station, in screen axes (x right, y down, z up). ALPHA, SHADOW and the fields of added light stay free.
AT_X, AT_Y, LEFT_X, LEFT_Y, AT_Z, TURN_COS, TURN_SIN, WIDE_X, WIDE_Y, WIDE_Z, HIGH_X, HIGH_Y, HIGH_Z = range(1, 14)
SLOPE_X, SLOPE_Y, SLOPE_Z, ALONG, LEAN = 15, 16, 20, 21, 22
HALO_DARK = f32(0.34)  # how much what lies below a body is darkened around it: tells who swims above whom
SEEN_DEPTH, RED_DEPTH = f32(0.62), f32(0.36)  # of a depth: bodies keep more of their colours than the bed, reds above all
OUTLINE_DARK = f32(0.42)  # of the light that is left at the edge of a body
# Scratch rows of one row of pixels: where it shows the skin, which way that faces, between which stations, how dense.
# Places in them are unsigned: compiled code need not ask whether they count from the end, and runs as vectors.
(PLACE, ALONG_ROW, NORMAL_X, NORMAL_Y, NORMAL_Z, SHARE, COVER, KEPT, EDGE, SHINE, RED, GREEN, BLUE) = (
    uint64(row * TILE_W) for row in range(13)
)
CAUST_AT, KEEP_AT, SURF_R_AT, SURF_G_AT, SURF_B_AT = (
    uint64(plane * TILE_H * TILE_W) for plane in (CAUST, KEEP, SURF_R, SURF_G, SURF_B)
)
GREEN_AT, BLUE_AT = uint64(TILE_H * TILE_W), uint64(2 * TILE_H * TILE_W)
FLAT = f32(FLAT_SKIN)
NARROW = f32(12.0)  # px; of narrower pieces all columns are looked at
FORM = f32(0.58)  # of the light on a flank that stands upright
BYTE = f32(1.0 / 255.0)
SEEN = f32(0.80 / (255.0 * 255.0))  # from a byte of a displayed colour, squared, to albedo; below water all is darker
SCALES_LONG, SCALES_ROUND = f32(46.0), f32(7.0)  # scales along a body, and per quarter round it


@kernel(refcount=False, inline=True)
def texel_parts(texel: int) -> Four:
    """Return shine, red, green and blue (0..255) of one texel."""
    byte = uint32(255)
    return (
        f32(int32(texel >> uint32(24))),
        f32(int32((texel >> uint32(16)) & byte)),
        f32(int32((texel >> uint32(8)) & byte)),
        f32(int32(texel & byte)),
    )


@kernel(refcount=False)
def read_skin(skin: Array, size: tuple[int, int, int], along: float, place: float) -> Four:
    """Return shine, red, green and blue (0..255) of a skin between four texels; along 0..1, place 0..4."""
    first, long, round_ = size
    x = min(max(along * f32(long) - f32(0.5), f32(0.0)), f32(long) - f32(1.001))
    y = place * f32(0.25) * f32(round_) - f32(0.5) + f32(round_)
    i, j = int32(x), int32(y)
    a, b = x - f32(i), y - f32(j)
    last, row = int32(round_ - 1), int32(first + i * round_)
    j0, j1 = int32(row + (j & last)), int32(row + ((j + int32(1)) & last))
    s0, r0, g0, b0 = texel_parts(skin[j0])
    s1, r1, g1, b1 = texel_parts(skin[j1])
    s2, r2, g2, b2 = texel_parts(skin[j0 + round_])
    s3, r3, g3, b3 = texel_parts(skin[j1 + round_])
    w3, w2, w1 = a * b, a - a * b, b - a * b
    w0 = f32(1.0) - a - b + w3
    return (
        s0 * w0 + s1 * w1 + s2 * w2 + s3 * w3,
        r0 * w0 + r1 * w1 + r2 * w2 + r3 * w3,
        g0 * w0 + g1 * w1 + g2 * w2 + g3 * w3,
        b0 * w0 + b1 * w1 + b2 * w2 + b3 * w3,
    )


@kernel(refcount=False)
def skin_size(level: int) -> tuple[int, int, int]:
    """Return where the picture of a level begins in a skin, and how many texels it has along and round the body."""
    first, long, round_ = 0, SKIN_LENGTH, SKIN_ROUND
    for _ in range(min(max(level, 0), SKIN_LEVELS - 1)):
        first += long * round_
        long //= 2
        round_ //= 2
    return int32(first), int32(long), int32(round_)


@kernel(refcount=False)
def scale_shade(along: float, place: float, strength: float) -> float:
    """Return the brightness of scales that overlap like tiles: a dark arc behind every one."""
    x, y = along * SCALES_LONG, place * SCALES_ROUND
    row = math.floor(x)
    y += f32(0.5) * (row - f32(2.0) * math.floor(row * f32(0.5)))
    u, v = x - row, y - math.floor(y) - f32(0.5)
    arc = u - f32(0.35) + f32(2.2) * v * v
    edge = clamp01(f32(1.0) - abs(arc - f32(0.42)) * f32(4.5))
    return f32(1.0) + strength * (f32(0.16) * (f32(0.5) - u) - f32(0.26) * edge)


@kernel(refcount=False)
def through_water(colour: Vector, nz: float, caustics: float, light: Array, depth_table: Array, surface: Array, y: int,
                  x: int, height: float) -> Vector:  # fmt: skip
    """Return a colour as it is seen through the water above it; height is in px above the surface, below it negative.

    The net of light that falls on the bed is stronger on what is nearer to the surface: times `caustics`, where it faces up.
    """
    r, g, b = colour
    if height >= f32(0.0):
        return r, g, b
    deep, one = -height * light[DEPTH_PER_PIXEL], f32(1.0)
    d, d_red = min(int(deep * SEEN_DEPTH), 255), min(int(deep * RED_DEPTH), 255)
    film = min(deep * light[DEPTH_PER_BYTE] * FILM_PER_UNIT, one)
    film *= film
    c = one + film * caustics * max(nz, f32(0.0)) * (surface[CAUST, y, x] - one)
    c = min(max(c, f32(0.6)), f32(2.2))
    k = one + film * (surface[KEEP, y, x] - one)
    t0, t1, t2 = depth_table[0, d_red], depth_table[1, d], depth_table[2, d]
    r = (r * c * t0 + light[WATER_BODY] * (one - t0)) * k + film * surface[SURF_R, y, x]
    g = (g * c * t1 + light[WATER_BODY + 1] * (one - t1)) * k + film * surface[SURF_G, y, x]
    b = (b * c * t2 + light[WATER_BODY + 2] * (one - t2)) * k + film * surface[SURF_B, y, x]
    return r, g, b


@kernel(refcount=False)
def across_line(station: Array) -> Vector:
    """Return the line across the body at a station: the direction back, and where the line lies along it."""
    ex, ey = station[LEFT_X], station[LEFT_Y]
    long = f32(1.0) / max(math.sqrt(ex * ex + ey * ey), f32(1e-3))
    ux, uy = ey * long, -ex * long
    return ux, uy, station[AT_X] * ux + station[AT_Y] * uy


@kernel(refcount=False)
def edge_reach(ax: float, ay: float, bx: float, by: float, low: float, high: float, left: float,
               right: float) -> tuple[float, float]:  # fmt: skip
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
def piece_corners(a: Array, b: Array, margin: float) -> tuple[float, ...]:
    """Return the corners of a piece between two stations, widened by some pixels."""
    long_a = math.sqrt(a[LEFT_X] * a[LEFT_X] + a[LEFT_Y] * a[LEFT_Y])
    long_b = math.sqrt(b[LEFT_X] * b[LEFT_X] + b[LEFT_Y] * b[LEFT_Y])
    wa, wb = f32(1.0) + margin / max(long_a, f32(1e-3)), f32(1.0) + margin / max(long_b, f32(1e-3))
    return (
        a[AT_X] + a[LEFT_X] * wa, a[AT_Y] + a[LEFT_Y] * wa, a[AT_X] - a[LEFT_X] * wa, a[AT_Y] - a[LEFT_Y] * wa,
        b[AT_X] + b[LEFT_X] * wb, b[AT_Y] + b[LEFT_Y] * wb, b[AT_X] - b[LEFT_X] * wb, b[AT_Y] - b[LEFT_Y] * wb,
    )  # fmt: skip


@kernel(refcount=False)
def knots_of(a: Array, b: Array) -> tuple[tuple[float, ...], ...]:
    """Return what a row of pixels reads of two stations: values at the first one, and how much they change to the other."""
    return (
        (a[AT_X], a[AT_Y], a[LEFT_X], a[LEFT_Y], a[TURN_COS], a[TURN_SIN], a[ALONG], a[LEAN]),
        (b[AT_X] - a[AT_X], b[AT_Y] - a[AT_Y], b[LEFT_X] - a[LEFT_X], b[LEFT_Y] - a[LEFT_Y], b[TURN_COS] - a[TURN_COS],
         b[TURN_SIN] - a[TURN_SIN], b[ALONG] - a[ALONG], b[LEAN] - a[LEAN]),
        (a[WIDE_X], a[WIDE_Y], a[WIDE_Z], a[HIGH_X], a[HIGH_Y], a[HIGH_Z], a[SLOPE_X], a[SLOPE_Y], a[SLOPE_Z]),
        (b[WIDE_X] - a[WIDE_X], b[WIDE_Y] - a[WIDE_Y], b[WIDE_Z] - a[WIDE_Z], b[HIGH_X] - a[HIGH_X], b[HIGH_Y] - a[HIGH_Y],
         b[HIGH_Z] - a[HIGH_Z], b[SLOPE_X] - a[SLOPE_X], b[SLOPE_Y] - a[SLOPE_Y], b[SLOPE_Z] - a[SLOPE_Z]),
    )  # fmt: skip


@kernel(refcount=False, inline=True)
def place_row(count: int, start: float, qy: float, lines: tuple[Vector, Vector], ends: tuple[bool, bool],
              knots: tuple[tuple[float, ...], ...], edges: Four, out: Array) -> None:  # fmt: skip
    """Update scratch rows with what a row of pixels shows of a piece: places on the skin, normals, cover; no branches."""
    (ax, ay, at_a), (bx, by, at_b) = lines
    first, last = ends
    at, at_d, turn, turn_d = knots
    x0, y0, ex0, ey0, cos0, sin0, along0, lean0 = at
    xd, yd, exd, eyd, cosd, sind, alongd, leand = at_d
    wx0, wy0, wz0, hx0, hy0, hz0, sx0, sy0, sz0 = turn
    wxd, wyd, wzd, hxd, hyd, hzd, sxd, syd, szd = turn_d
    alpha, halo, dark, outline = edges
    one, half, zero, tiny = f32(1.0), f32(0.5), f32(0.0), f32(1e-12)
    line_a, line_b, per_outline = qy * ay - at_a, qy * by - at_b, one / outline
    for i in range(count):
        qx = COLUMNS[i] + start
        ahead, behind = qx * ax + line_a, qx * bx + line_b
        cap = min(ahead + half, one) if first else (one if ahead >= zero else zero)
        cap *= min(half - behind, one) if last else (one if behind < zero else zero)
        cap = cap if ahead > -half and behind < half else zero
        t = min(max(ahead / max(ahead - behind, f32(1e-4)), zero), one)
        ex, ey = ex0 + exd * t, ey0 + eyd * t
        square = max(ex * ex + ey * ey, f32(1e-6))
        wide = math.sqrt(square)
        v = ((qx - x0 - xd * t) * ex + (qy - y0 - yd * t) * ey) / square
        inside = (one - abs(v)) * wide
        v = min(max(v, -one), one)
        rise = math.sqrt(max(one - v * v, zero))
        turn_cos, turn_sin = cos0 + cosd * t, sin0 + sind * t
        cosine, sine = turn_cos * v - turn_sin * rise, turn_sin * v + turn_cos * rise
        part = cosine / max(abs(cosine) + abs(sine), f32(1e-6))
        out[PLACE + i] = one - part if sine >= zero else f32(3.0) + part
        out[ALONG_ROW + i] = along0 + alongd * t + (lean0 + leand * t) * rise
        nx = cosine * (wx0 + wxd * t) + sine * (hx0 + hxd * t)
        ny = cosine * (wy0 + wyd * t) + sine * (hy0 + hyd * t)
        nz = cosine * (wz0 + wzd * t) + sine * (hz0 + hzd * t)
        norm = one / math.sqrt(nx * nx + ny * ny + nz * nz + tiny)
        nx, ny, nz = nx * norm + sx0 + sxd * t, ny * norm + sy0 + syd * t, nz * norm + sz0 + szd * t
        norm = one / math.sqrt(nx * nx + ny * ny + nz * nz + tiny)
        out[NORMAL_X + i], out[NORMAL_Y + i], out[NORMAL_Z + i] = nx * norm, ny * norm, max(nz * norm, zero)
        out[SHARE + i] = t
        out[COVER + i] = max(min(inside + half, one), zero) * cap * alpha
        rim = max(halo + min(inside, zero), zero) * cap * dark
        out[KEPT + i] = one - rim if inside < half else one
        out[EDGE + i] = OUTLINE_DARK + (one - OUTLINE_DARK) * min(max(inside * per_outline, zero), one)


@kernel(refcount=False, inline=True)
def skin_row(count: int, skin: Array, size: tuple[int, int, int], scales: float, back_alone: bool, out: Array) -> None:
    """Update scratch rows with shine and albedo of the pixels that a piece covers; a flat skin lies on the back alone."""
    for i in range(count):
        if out[COVER + i] > f32(0.0):
            along, place = out[ALONG_ROW + i], out[PLACE + i]
            if back_alone:
                place = f32(2.0) * min(place, f32(4.0) - place)
            shine, red, green, blue = read_skin(skin, size, along, place)
            shade = SEEN * out[EDGE + i]
            if scales > f32(0.0):
                shade *= scale_shade(along, place, scales)
            out[SHINE + i] = shine * BYTE
            out[RED + i], out[GREEN + i], out[BLUE + i] = red * red * shade, green * green * shade, blue * blue * shade


@kernel(refcount=False, inline=True)
def lay_pixels(count: int, lamp: Lamp, skin: tuple[float, float, float, float, float], clear: tuple[Four, Four, Vector],
               surface: Array, tile: Array, at: int, out: Array) -> None:  # fmt: skip
    """Update a row of the tile, which begins at place `at` of its planes, with what scratch rows say of a piece."""
    gloss, caustics, er, eg, eb = skin
    (t0, t1, t2, film), (d0, d1, d2, film_d), (body_r, body_g, body_b) = clear
    one, zero = f32(1.0), f32(0.0)
    for i in range(count):
        t, nz, cover, kept = out[SHARE + i], out[NORMAL_Z + i], out[COVER + i], out[KEPT + i]
        shine = gloss * (f32(0.5) + f32(2.8) * out[SHINE + i]) * out[EDGE + i]
        form = FORM + (one - FORM) * nz  # water scatters less light to the sides than air
        red, green, blue = out[RED + i] * form, out[GREEN + i] * form, out[BLUE + i] * form
        red, green, blue = lit(lamp, out[NORMAL_X + i], out[NORMAL_Y + i], nz, red, green, blue, shine, f32(0.03))
        veil = film + film_d * t
        veil *= veil
        net = one + veil * caustics * nz * (surface[CAUST_AT + at + i] - one)
        net = min(max(net, f32(0.6)), f32(2.2))
        keep = one + veil * (surface[KEEP_AT + at + i] - one)
        through_r, through_g, through_b = t0 + d0 * t, t1 + d1 * t, t2 + d2 * t
        red = ((red + er) * net * through_r + body_r * (one - through_r)) * keep
        red += veil * surface[SURF_R_AT + at + i]
        green = ((green + eg) * net * through_g + body_g * (one - through_g)) * keep
        green += veil * surface[SURF_G_AT + at + i]
        blue = ((blue + eb) * net * through_b + body_b * (one - through_b)) * keep
        blue += veil * surface[SURF_B_AT + at + i]
        before_r, before_g = tile[at + i] * kept, tile[GREEN_AT + at + i] * kept
        before_b = tile[BLUE_AT + at + i] * kept
        tile[at + i] = before_r + (red - before_r) * cover if cover > zero else before_r
        tile[GREEN_AT + at + i] = before_g + (green - before_g) * cover if cover > zero else before_g
        tile[BLUE_AT + at + i] = before_b + (blue - before_b) * cover if cover > zero else before_b


@kernel(refcount=False)
def clearness(station: Array, light: Array, depth_table: Array) -> Four:
    """Return how much red, green and blue light passes the water above a station, and how much of the surface is seen."""
    deep = max(-station[AT_Z], f32(0.0)) * light[DEPTH_PER_PIXEL]
    d, d_red = min(int(deep * SEEN_DEPTH), 255), min(int(deep * RED_DEPTH), 255)
    film = min(deep * light[DEPTH_PER_BYTE] * FILM_PER_UNIT, f32(1.0))
    return depth_table[0, d_red], depth_table[1, d], depth_table[2, d], film


@kernel(refcount=False)
def draw_piece(p: Array, a: Array, b: Array, ends: tuple[bool, bool], skin: Array, size: tuple[int, int, int], light: Array,
               depth_table: Array, tile: Array, surface: Array, left: int, top: int) -> None:  # fmt: skip
    """Update the tile with the piece of a loft between two stations; ends says whether it is the first, the last piece."""
    half, halo, back_alone = f32(0.5), p[Z1], p[P2] >= FLAT
    x0, y0, x1, y1, x2, y2, x3, y3 = piece_corners(a, b, halo + half)
    y_first, y_last = pixel_range(min(y0, y1, y2, y3) - half, max(y0, y1, y2, y3) + half, top, tile.shape[1])
    leftmost, rightmost, widest = min(x0, x1, x2, x3), max(x0, x1, x2, x3), f32(1e9)
    if y_first >= y_last or rightmost < f32(left) or leftmost > f32(left + TILE_W):
        return
    narrow, lamp = rightmost - leftmost < NARROW, lamp_of(light)
    lines, knots = (across_line(a), across_line(b)), knots_of(a, b)
    (r0, g0, b0, f0), (r1, g1, b1, f1) = clearness(a, light, depth_table), clearness(b, light, depth_table)
    body = (light[WATER_BODY], light[WATER_BODY + 1], light[WATER_BODY + 2])
    clear = ((r0, g0, b0, f0), (r1 - r0, g1 - g0, b1 - b0, f1 - f0), body)
    edges = (p[ALPHA], halo, HALO_DARK * p[ALPHA] * g0 / max(halo, f32(0.1)), max(p[P1], f32(0.6)))
    look, scales = (p[GLOSS], p[P0], p[ER], p[EG], p[EB]), p[RIM]
    out, flat, seen = surface[SURFACE_PLANES].reshape(-1), tile.reshape(-1), surface.reshape(-1)
    for y in range(y_first, y_last):
        qy = f32(y + top) + half
        low, high = leftmost, rightmost
        if not narrow:
            low, high = edge_reach(x0, y0, x1, y1, qy - half, qy + half, widest, -widest)
            low, high = edge_reach(x2, y2, x3, y3, qy - half, qy + half, low, high)
            low, high = edge_reach(x0, y0, x2, y2, qy - half, qy + half, low, high)
            low, high = edge_reach(x1, y1, x3, y3, qy - half, qy + half, low, high)
        x_first, x_last = pixel_range(low - half, high + half, left, TILE_W)
        if x_first >= x_last:
            continue
        x_first, x_last = vector_range(x_first, x_last, TILE_W)
        count = uint64(x_last - x_first)
        place_row(count, f32(x_first + left) + half, qy, lines, ends, knots, edges, out)
        skin_row(count, skin, size, scales, back_alone, out)
        lay_pixels(count, lamp, look, clear, seen, flat, uint64(y * TILE_W + x_first), out)


@kernel(refcount=False)
def draw_loft(prims: Array, k: int, skins: Array, light: Array, depth_table: Array, tile: Array, surface: Array, left: int,
              top: int) -> None:  # fmt: skip
    """Update the tile with loft k, whose stations are the rows after it, from the tail to the nose."""
    p = prims[k]
    count, skin = int(p[R0]), skins[min(max(int(p[R1]), 0), skins.shape[0] - 1)]
    size = skin_size(int(p[P2] - FLAT if p[P2] >= FLAT else p[P2]))
    for j in range(count - 1):
        i = count - 2 - j
        ends = (i == 0, i == count - 2)
        draw_piece(p, prims[k + 1 + i], prims[k + 2 + i], ends, skin, size, light, depth_table, tile, surface, left, top)
