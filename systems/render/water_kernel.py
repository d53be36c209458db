"""Water: waves, light and foam at half resolution, the bed and the shoreline at full resolution.

Half-res planes (one pixel of padding): caustic gain, how much of the bed's light is kept, the light added by the
surface (sky, glints, foam; three planes), and the refraction offset in pixels (two planes).
"""

from __future__ import annotations

import math

import numpy as np
from numba import prange
from numpy import float32 as f32

from ...engine.kernel import kernel
from .light import DEPTH_STEPS_PER_UNIT, GLINT, SKY, SUN, TO_SUN, WATER_BODY, WATER_SKY
from .primitive_fields import TILE_H, TILE_W
from .shade_kernel import CAUST, KEEP, SURF_B, SURF_G, SURF_R

OFFSET_X, OFFSET_Y = 5, 6
WATER_PLANES = 7
SQUARE = f32(1.5 / (255.0 * 255.0))  # from a background byte squared to linear light, range as in raster_kernel

# The wave vector (float64): place of the picture and of the wave grid, and the time.
PICTURE_X, PICTURE_Y, WORLD_SCALE, WAVE_X, WAVE_Y, WAVE_CELL, TIME = range(7)
WAVE_FIELDS = 7
UNIT_DEPTH = f32(1.0 / DEPTH_STEPS_PER_UNIT)
WAVE_GAIN = f32(7.0)  # slope of the simulated surface, exaggerated to be seen from above [look study 4]
SLOPE_LIMIT = f32(0.55)  # n / (1 + 0.55 |n|): no white slabs [look study 4]
REFRACTION = f32(0.44)  # px of bed offset per slope, unit of depth and px per unit [look study 4]
DEEPEST_REFRACTION = f32(1.6)  # units [look study 4]
RIPPLE_GAIN = f32(0.105)
BED_SHADOW = f32(0.6)  # darkest creature shadow on the bed: water scatters light into it
SURFACE_PLANES = 5 + WATER_PLANES  # of a thread's scratch: five planes for submerged parts, one row of each half-res plane


@kernel()
def mix_rows(water, j, first, count, b, mixed):
    """Update mixed (planes, count) with two neighbouring rows of the half-res planes."""
    a = f32(1.0) - b
    for plane in range(WATER_PLANES):
        low, high, out = water[plane, j, first : first + count], water[plane, j + 1, first : first + count], mixed[plane]
        for i in range(count):
            out[i] = low[i] * a + high[i] * b


@kernel()
def water_row(background, shadow, water, depth_table, light, y, left, width, tile_y, tile, surface):
    """Update one tile row: where it is wet, the refracted bed seen through the surface."""
    j, one = (y + 1) // 2, f32(1.0)
    mixed = surface[5 : 5 + WATER_PLANES, 0]
    mix_rows(water, j, left // 2, width // 2 + 2, f32(0.25) if y % 2 == 1 else f32(0.75), mixed)
    body_r, body_g, body_b = light[WATER_BODY], light[WATER_BODY + 1], light[WATER_BODY + 2]
    rows, columns = background.shape
    for x in range(width):
        own = background[y, left + x]
        d = np.int64(own >> np.uint32(24))
        if d == 0:
            surface[CAUST, tile_y, x] = surface[KEEP, tile_y, x] = one
            surface[SURF_R, tile_y, x] = surface[SURF_G, tile_y, x] = surface[SURF_B, tile_y, x] = f32(0.0)
            continue
        i = (x + 1) // 2
        u = f32(0.25) if x % 2 == 1 else f32(0.75)
        w = one - u
        shift_x = mixed[OFFSET_X, i] * w + mixed[OFFSET_X, i + 1] * u
        shift_y = mixed[OFFSET_Y, i] * w + mixed[OFFSET_Y, i + 1] * u
        bed_x = min(max(left + x + int(shift_x + f32(64.5)) - 64, 0), columns - 1)
        bed_y = min(max(y + int(shift_y + f32(64.5)) - 64, 0), rows - 1)
        v = background[bed_y, bed_x]
        if v < np.uint32(0x01000000):
            v = own
        r = f32(np.int32((v >> np.uint32(16)) & np.uint32(255)))
        g = f32(np.int32((v >> np.uint32(8)) & np.uint32(255)))
        c = f32(np.int32(v & np.uint32(255)))
        edge = min(f32(d) * f32(0.2), one)  # the thinnest film fades in: a smooth shoreline
        caust = one + (mixed[CAUST, i] * w + mixed[CAUST, i + 1] * u - one) * edge
        keep = one - (one - mixed[KEEP, i] * w - mixed[KEEP, i + 1] * u) * edge
        sr = (mixed[SURF_R, i] * w + mixed[SURF_R, i + 1] * u) * edge
        sg = (mixed[SURF_G, i] * w + mixed[SURF_G, i + 1] * u) * edge
        sb = (mixed[SURF_B, i] * w + mixed[SURF_B, i + 1] * u) * edge
        shade = caust * (one - BED_SHADOW * shadow[j, left // 2 + i]) * SQUARE
        t0, t1, t2 = depth_table[d, 0], depth_table[d, 1], depth_table[d, 2]
        tile[0, tile_y, x] = (r * r * shade * t0 + body_r * (one - t0)) * keep + sr
        tile[1, tile_y, x] = (g * g * shade * t1 + body_g * (one - t1)) * keep + sg
        tile[2, tile_y, x] = (c * c * shade * t2 + body_b * (one - t2)) * keep + sb
        surface[CAUST, tile_y, x], surface[KEEP, tile_y, x] = caust, keep
        surface[SURF_R, tile_y, x], surface[SURF_G, tile_y, x], surface[SURF_B, tile_y, x] = sr, sg, sb


@kernel()
def texture2_at(texture, u, v):
    """Return both channels of a tileable 256 x 256 x 2 texture interpolated at texel coordinates (u, v)."""
    floor_u, floor_v = math.floor(u), math.floor(v)
    a, b = f32(u - floor_u), f32(v - floor_v)
    i, j = int(floor_u) & 255, int(floor_v) & 255
    i1, j1 = (i + 1) & 255, (j + 1) & 255
    w00, w01, w10, w11 = (f32(1.0) - a) * (f32(1.0) - b), a * (f32(1.0) - b), (f32(1.0) - a) * b, a * b
    x = texture[j, i, 0] * w00 + texture[j, i1, 0] * w01 + texture[j1, i, 0] * w10 + texture[j1, i1, 0] * w11
    y = texture[j, i, 1] * w00 + texture[j, i1, 1] * w01 + texture[j1, i, 1] * w10 + texture[j1, i1, 1] * w11
    return x, y


@kernel()
def texture_at(texture, u, v):
    """Return a tileable 256 x 256 texture interpolated at texel coordinates (u, v)."""
    floor_u, floor_v = math.floor(u), math.floor(v)
    a, b = f32(u - floor_u), f32(v - floor_v)
    i, j = int(floor_u) & 255, int(floor_v) & 255
    i1, j1 = (i + 1) & 255, (j + 1) & 255
    low = texture[j, i] + (texture[j, i1] - texture[j, i]) * a
    high = texture[j1, i] + (texture[j1, i1] - texture[j1, i]) * a
    return low + (high - low) * b


@kernel()
def wave_slopes(height, cell, slopes):
    """Update slopes (3, rows, columns) with the gradient and the scaled Laplacian of the wave grid; NaN counts as flat."""
    rows, columns = height.shape
    inverse = 0.5 / cell
    for j in range(rows):
        j0, j1 = max(j - 1, 0), min(j + 1, rows - 1)
        for i in range(columns):
            i0, i1 = max(i - 1, 0), min(i + 1, columns - 1)
            x, y = (height[j, i1] - height[j, i0]) * inverse, (height[j1, i] - height[j0, i]) * inverse
            bend = (height[j, i1] + height[j, i0] + height[j1, i] + height[j0, i] - 4.0 * height[j, i]) / cell
            if not (abs(x) < 1e3 and abs(y) < 1e3 and abs(bend) < 1e3):
                x = y = bend = 0.0
            slopes[0, j, i], slopes[1, j, i], slopes[2, j, i] = f32(x), f32(y), f32(bend)


@kernel()
def grid_at(slopes, plane, j, i, a, b):
    """Return one wave plane between four grid points."""
    low = slopes[plane, j, i] + (slopes[plane, j, i + 1] - slopes[plane, j, i]) * a
    high = slopes[plane, j + 1, i] + (slopes[plane, j + 1, i + 1] - slopes[plane, j + 1, i]) * a
    return low + (high - low) * b


@kernel()
def waves_at(slopes, wave, x, y):
    """Return slope x, slope y (screen axes) and bend of the simulated surface at a world point; 0 off the grid."""
    u, v = (x - wave[WAVE_X]) / wave[WAVE_CELL], (y - wave[WAVE_Y]) / wave[WAVE_CELL]
    if not (u >= 0.0 and v >= 0.0 and u < slopes.shape[2] - 1 and v < slopes.shape[1] - 1):
        return f32(0.0), f32(0.0), f32(0.0)
    i, j = int(u), int(v)
    a, b = f32(u - i), f32(v - j)
    return grid_at(slopes, 0, j, i, a, b), -grid_at(slopes, 1, j, i, a, b), grid_at(slopes, 2, j, i, a, b)


@kernel()
def water_pixel(water, j, i, d, fade, time, scale, nx, ny, bend, c1, c2, light):
    """Update all planes of half-res pixel (j, i) from depth, slope, surface bend and two caustic samples."""
    one = f32(1.0)
    nn = nx * nx + ny * ny
    limit = one / (one + SLOPE_LIMIT * math.sqrt(nn))
    nx, ny = nx * limit, ny * limit
    nn = nx * nx + ny * ny
    shift = REFRACTION * min(d, DEEPEST_REFRACTION) * scale
    water[OFFSET_X, j, i], water[OFFSET_Y, j, i] = -nx * shift, -ny * shift
    deep = fade[0]
    net = (f32(0.8) * c1 + f32(0.5) * c2 - f32(0.10)) * fade[1] - f32(2.2) * bend * deep
    water[CAUST, j, i] = min(max(one + net, f32(0.55)), f32(3.0))
    toward = nx * light[TO_SUN] + ny * light[TO_SUN + 1]
    glint = max(toward - f32(0.30), f32(0.0)) * f32(2.0)
    glint = min(glint * glint, f32(1.2)) * light[GLINT]
    phase = f32(9.0) * d - f32(1.6 * time) + f32(2.4) * c2
    turn = phase * f32(1.0 / math.pi)
    turn -= f32(math.floor(turn))
    swash = f32(4.0) * turn * (f32(1.0) - turn)  # a parabola for the sine: narrow crests either way
    swash *= swash
    swash = swash * swash * swash
    broken = min(max(f32(0.75) + f32(0.55) * c1 + f32(0.35) * c2, f32(0.25)), f32(1.3))
    foam = (fade[2] + swash * fade[3]) * broken
    foam += min(max(abs(bend) - f32(0.22), f32(0.0)) * f32(1.3), f32(0.55)) * broken
    foam = min(foam, f32(0.92))
    sky = (f32(0.03) + f32(0.30) * nn + f32(0.10) * toward) * (one - foam)
    sky = min(max(sky, f32(0.0)), f32(0.6))
    water[KEEP, j, i] = (one - sky) * (one - foam)
    for c in range(3):
        white = f32(0.80) * (light[SUN + c] * f32(0.70) + light[SKY + c])
        water[SURF_R + c, j, i] = light[WATER_SKY + c] * sky + light[SUN + c] * glint * (one - foam) + white * foam


@kernel()
def water_tile(t, tiles_x, background, slopes, wave, ripple, caustic, fades, light, water):
    """Update the half-res planes of one tile."""
    rows, columns = water.shape[1] - 2, water.shape[2] - 2
    left, top = (t % tiles_x) * (TILE_W // 2), (t // tiles_x) * (TILE_H // 2)
    scale, time = wave[WORLD_SCALE], wave[TIME]
    last_y, last_x = background.shape[0] - 1, background.shape[1] - 1
    for j in range(top - 1, min(top + TILE_H // 2, rows) + 1):
        y = -(wave[PICTURE_Y] + 2.0 * j + 1.0) / scale
        for i in range(left - 1, min(left + TILE_W // 2, columns) + 1):
            inside = top <= j < top + TILE_H // 2 and left <= i < left + TILE_W // 2
            edge = j < 0 or i < 0 or j >= rows or i >= columns
            if not inside and not edge:
                continue
            py, px = min(max(2 * j, 0), last_y), min(max(2 * i, 0), last_x)
            near = max(
                background[py, px] >> np.uint32(24),
                background[min(py + 1, last_y), min(px + 1, last_x)] >> np.uint32(24),
            )  # fmt: skip
            d = f32(np.int32(near)) * UNIT_DEPTH
            x = (wave[PICTURE_X] + 2.0 * i + 1.0) / scale
            sx, sy, bend = waves_at(slopes, wave, x, y)
            u, v = 7.0 * x + 9.0 * time, -7.0 * y + 5.0 * time
            p, q = 13.0 * y - 8.0 * time, 13.0 * x + 11.0 * time
            ax, ay = texture2_at(ripple, u, v)
            bx, by = texture2_at(ripple, p, q)
            nx, ny = WAVE_GAIN * sx + RIPPLE_GAIN * (ax + f32(0.7) * by), WAVE_GAIN * sy + RIPPLE_GAIN * (ay + f32(0.7) * bx)
            c1 = texture_at(caustic, 9.0 * x + 6.0 * time, -9.0 * y + 3.0 * time)
            c2 = texture_at(caustic, 6.5 * y - 5.0 * time, 6.5 * x + 4.0 * time)
            water_pixel(water, j + 1, i + 1, d, fades[np.int64(near)], time, f32(scale), nx, ny, bend, c1, c2, light)


@kernel(parallel=True)
def find_wet_tiles(background, tiles_x, wet):
    """Update wet with whether a tile, widened by two pixels, has any water."""
    rows, columns = background.shape
    for tile in prange(wet.size):
        t = np.int64(tile)
        left, top = (t % tiles_x) * TILE_W, (t // tiles_x) * TILE_H
        found = np.uint32(0)
        for y in range(max(top - 2, 0), min(top + TILE_H + 2, rows)):
            for packed in background[y, max(left - 2, 0) : min(left + TILE_W + 2, columns)]:
                found |= packed
        wet[t] = found >= np.uint32(0x01000000)
