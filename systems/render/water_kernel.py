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
from .light import DEPTH_STEPS_PER_UNIT, GLINT, SKY, SUN, TO_SUN, WATER_SKY
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
FINE, FINER = 7.5, 10.5  # texels per unit of the two samples of the water texture


@kernel()
def texture_at(texture, k, u, v):
    """Return slope x, slope y and caustic light of tileable texture k (256, 256, 4) at texel coordinates (u, v)."""
    floor_u, floor_v = math.floor(u), math.floor(v)
    a, b = u - f32(floor_u), v - f32(floor_v)
    i, j = int(floor_u) & 255, int(floor_v) & 255
    i1, j1 = (i + 1) & 255, (j + 1) & 255
    one = f32(1.0)
    w00, w01, w10, w11 = (one - a) * (one - b), a * (one - b), (one - a) * b, a * b
    return (
        texture[k, j, i, 0] * w00 + texture[k, j, i1, 0] * w01 + texture[k, j1, i, 0] * w10 + texture[k, j1, i1, 0] * w11,
        texture[k, j, i, 1] * w00 + texture[k, j, i1, 1] * w01 + texture[k, j1, i, 1] * w10 + texture[k, j1, i1, 1] * w11,
        texture[k, j, i, 2] * w00 + texture[k, j, i1, 2] * w01 + texture[k, j1, i, 2] * w10 + texture[k, j1, i1, 2] * w11,
    )


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
def water_pixel(water, j, i, d, fades, near, swash_phase, scale, nx, ny, bend, c1, c2, light):
    """Update all planes of half-res pixel (j, i) from depth, slope, surface bend and two caustic samples."""
    one = f32(1.0)
    nn = nx * nx + ny * ny
    limit = one / (one + SLOPE_LIMIT * math.sqrt(nn))
    nx, ny = nx * limit, ny * limit
    nn = nx * nx + ny * ny
    shift = REFRACTION * min(d, DEEPEST_REFRACTION) * scale
    water[OFFSET_X, j, i], water[OFFSET_Y, j, i] = -nx * shift, -ny * shift
    deep = fades[near, 0]
    net = (f32(0.8) * c1 + f32(0.5) * c2 - f32(0.10)) * fades[near, 1] - f32(2.2) * bend * deep
    water[CAUST, j, i] = min(max(one + net, f32(0.55)), f32(3.0))
    toward = nx * light[TO_SUN] + ny * light[TO_SUN + 1]
    glint = max(toward - f32(0.30), f32(0.0)) * f32(2.0)
    glint = min(glint * glint, f32(1.2)) * light[GLINT]
    phase = f32(9.0) * d - swash_phase + f32(2.4) * c2
    turn = phase * f32(1.0 / math.pi)
    turn -= f32(math.floor(turn))
    swash = f32(4.0) * turn * (f32(1.0) - turn)  # a parabola for the sine: narrow crests either way
    swash *= swash
    swash = swash * swash * swash
    broken = min(max(f32(0.75) + f32(0.55) * c1 + f32(0.35) * c2, f32(0.25)), f32(1.3))
    foam = (fades[near, 2] + swash * fades[near, 3]) * broken
    foam += min(max(abs(bend) - f32(0.22), f32(0.0)) * f32(1.3), f32(0.55)) * broken
    foam = min(foam, f32(0.92))
    sky = (f32(0.03) + f32(0.30) * nn + f32(0.10) * toward) * (one - foam)
    sky = min(max(sky, f32(0.0)), f32(0.6))
    water[KEEP, j, i] = (one - sky) * (one - foam)
    for c in range(3):
        white = f32(0.80) * (light[SUN + c] * f32(0.70) + light[SKY + c])
        water[SURF_R + c, j, i] = light[WATER_SKY + c] * sky + light[SUN + c] * glint * (one - foam) + white * foam


@kernel()
def near_depth(background, j, i):
    """Return the largest depth byte around half-res pixel (j, i): its own four pixels and the ring they are mixed with."""
    y0, y1 = max(2 * j - 2, 0), min(2 * j + 3, background.shape[0] - 1)
    x0, x1 = max(2 * i - 2, 0), min(2 * i + 3, background.shape[1] - 1)
    ym, xm = min(max(2 * j, 0), background.shape[0] - 1), min(max(2 * i, 0), background.shape[1] - 1)
    corners = max(max(background[y0, x0], background[y0, x1]), max(background[y1, x0], background[y1, x1]))
    own = max(background[ym, xm], background[min(ym + 1, y1), min(xm + 1, x1)])
    return own >> np.uint32(24), max(corners, own) >> np.uint32(24)


@kernel()
def calm_pixel(water, j, i):
    """Update half-res pixel (j, i) to no water at all."""
    water[CAUST, j, i] = water[KEEP, j, i] = f32(1.0)
    water[SURF_R, j, i] = water[SURF_G, j, i] = water[SURF_B, j, i] = f32(0.0)
    water[OFFSET_X, j, i] = water[OFFSET_Y, j, i] = f32(0.0)


@kernel()
def surface_pixel(water, j, i, x, y, near, drift, scale, slopes, wave, texture, fades, light):
    """Update half-res pixel (j, i) at world point (x, y): two drifting texture samples and the simulated waves."""
    sx, sy, bend = waves_at(slopes, wave, x, y)
    ax, ay, c1 = texture_at(texture, 0, f32(FINE) * f32(x) + drift[0], -f32(FINE) * f32(y) + drift[1])
    # the second sample has its axes swapped; it reads the turned copy, along memory and not across it
    bx, by, c2 = texture_at(texture, 1, f32(FINER) * f32(x) + drift[3], f32(FINER) * f32(y) + drift[2])
    nx = WAVE_GAIN * sx + RIPPLE_GAIN * (ax + f32(0.7) * by)
    ny = WAVE_GAIN * sy + RIPPLE_GAIN * (ay + f32(0.7) * bx)
    depth = f32(np.int32(near)) * UNIT_DEPTH
    water_pixel(water, j + 1, i + 1, depth, fades, np.int64(near), drift[4], scale, nx, ny, bend, c1, c2, light)


@kernel()
def drifts(time):
    """Return the texel offsets of the two samples at a time, each kept small, and the swash phase."""
    return (
        f32((9.0 * time) % 256.0), f32((5.0 * time) % 256.0), f32((-8.0 * time) % 256.0), f32((10.0 * time) % 256.0),
        f32((1.6 * time) % math.pi),
    )  # fmt: skip


@kernel()
def water_tile(t, tiles_x, background, slopes, wave, texture, fades, light, water, step):
    """Update the half-res planes of one tile; of every step x step pixels one is computed and spread."""
    rows, columns = water.shape[1] - 2, water.shape[2] - 2
    left, top = (t % tiles_x) * (TILE_W // 2), (t // tiles_x) * (TILE_H // 2)
    scale, drift, unit = f32(wave[WORLD_SCALE]), drifts(wave[TIME]), 1.0 / wave[WORLD_SCALE]
    last_j, last_i = min(top + TILE_H // 2, rows), min(left + TILE_W // 2, columns)
    first_j, first_i = top - 1 if top == 0 else top, left - 1 if left == 0 else left
    last_j, last_i = last_j + 1 if last_j == rows else last_j, last_i + 1 if last_i == columns else last_i
    for j in range(first_j, last_j):
        y = -(wave[PICTURE_Y] + 2.0 * j + 1.0) * unit
        spread_j = j % step != 0 and j > first_j
        for i in range(first_i, last_i):
            near, around = near_depth(background, j, i)
            if around == np.uint32(0):
                calm_pixel(water, j + 1, i + 1)
            elif spread_j or (i % step != 0 and i > first_i):
                from_j, from_i = (j, i + 1) if spread_j else (j + 1, i)
                for plane in range(WATER_PLANES):
                    water[plane, j + 1, i + 1] = water[plane, from_j, from_i]
            else:
                x = (wave[PICTURE_X] + 2.0 * i + 1.0) * unit
                surface_pixel(water, j, i, x, y, max(near, np.uint32(1)), drift, scale, slopes, wave, texture, fades, light)


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
