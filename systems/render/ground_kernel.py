"""The terrain picture, part one: height and albedo of every pixel from elevation and noise.

Region pixels (i right, j down) lie at world x = (left + i + 0.5) / scale, y = -(top + j + 0.5) / scale.
"""

from __future__ import annotations

import math

import numpy as np
from numpy import float32 as f32

from ...engine.kernel import kernel
from .noise_kernel import fractal, noise2, random01, smooth
from .pond_kernel import level_near

# The ground vector (float64): everything about the terrain that is not an array, and at its end the ponds.
ORIGIN_X, ORIGIN_Y, CELL, BASE, SEED, STONE_SIZE, PLANTS, LUSH, GROUND_SCALE, LEFT, TOP, PONDS = range(12)
FARTHEST_CELL = 1.0e9  # cells; beyond it a coordinate has no fraction worth mirroring
EDGE_FADE = 5.0  # units beyond the edge of the map over which the land falls into the dark
LATTICE = 4  # px between samples of the slowly varying fields

# Linear albedo of the look study, section 3.
SAND = (f32(0.640), f32(0.482), f32(0.289))
SOIL = (f32(0.272), f32(0.176), f32(0.096))
GRASS = (f32(0.136), f32(0.190), f32(0.034))
ROCK = (f32(0.300), f32(0.272), f32(0.240))
STONE_LOW = (f32(0.284), f32(0.260), f32(0.229))
STONE_HIGH = (f32(0.444), f32(0.365), f32(0.284))
MOSS = (f32(0.119), f32(0.160), f32(0.050))


@kernel()
def cubic(a, b, c, d, t):
    """Return the Catmull-Rom curve through b and c."""
    return b + 0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)))


@kernel()
def mirrored(u, last):
    """Return a grid coordinate reflected at 0 and at last as often as needed: land goes on beyond the edge."""
    if not last > 0.0 or not abs(u) < FARTHEST_CELL:
        return 0.0
    u = abs(u) % (2.0 * last)
    return min(u, 2.0 * last - u)


@kernel()
def beyond(g, columns, rows, x, y):
    """Return 0 on the map and up to 1 some units beyond its edge."""
    if columns < 2 or rows < 2:
        return f32(0.0)
    east, north = g[ORIGIN_X] + (columns - 1) * g[CELL], g[ORIGIN_Y] + (rows - 1) * g[CELL]
    out = max(max(g[ORIGIN_X] - x, x - east), max(g[ORIGIN_Y] - y, y - north))
    return smooth(f32(0.0), f32(EDGE_FADE), f32(out))


@kernel()
def smooth_elevation(elevation, g, x, y):
    """Return the elevation at (x, y), bicubic so that hill shading shows no grid; mirrored beyond the edges."""
    ny, nx = elevation.shape
    u, v = (x - g[ORIGIN_X]) / g[CELL], (y - g[ORIGIN_Y]) / g[CELL]
    u, v = mirrored(u, nx - 1.0), mirrored(v, ny - 1.0)
    i, j = int(u), int(v)
    a, b = u - i, v - j
    i0, i1, i2, i3 = max(i - 1, 0), i, min(i + 1, nx - 1), min(i + 2, nx - 1)
    j0, j1, j2, j3 = max(j - 1, 0), j, min(j + 1, ny - 1), min(j + 2, ny - 1)
    e0 = cubic(elevation[j0, i0], elevation[j0, i1], elevation[j0, i2], elevation[j0, i3], a)
    e1 = cubic(elevation[j1, i0], elevation[j1, i1], elevation[j1, i2], elevation[j1, i3], a)
    e2 = cubic(elevation[j2, i0], elevation[j2, i1], elevation[j2, i2], elevation[j2, i3], a)
    e3 = cubic(elevation[j3, i0], elevation[j3, i1], elevation[j3, i2], elevation[j3, i3], a)
    return cubic(e0, e1, e2, e3, b)


@kernel()
def material_noise(g, x, y):
    """Return the slowly varying noises behind the materials: zone, mid-scale patches, rock, warp."""
    seed = int(g[SEED])
    low = fractal(x * 0.055, y * 0.055, 2, seed)
    mid = fractal(x * 0.27, y * 0.27, 3, seed + 101)
    rock = noise2(x * 0.045 + 71.0, y * 0.045, seed + 202) + f32(0.25) * mid
    return f32(0.75) * low + f32(0.34) * mid, mid, rock, noise2(x * 0.5, y * 0.5, seed + 5)


@kernel()
def shares(g, level, height, zone, mid, rock_noise):
    """Return the shares of sand, grass and rock (soil is the rest) at a height, given the nearest level and the noises."""
    m = height - f32(g[BASE] - g[LUSH]) + zone
    rock = smooth(f32(0.42), f32(0.60), rock_noise)
    sand = (f32(1.0) - smooth(f32(1.02), f32(1.38), m)) * (f32(1.0) - rock)
    grass = smooth(f32(1.55), f32(2.05), m + f32(0.30) * mid) * (f32(1.0) - rock)
    if not math.isnan(level):
        above = smooth(f32(0.15), f32(0.7), height - f32(level))
        grass *= above
        rock *= above
        sand += (f32(1.0) - above) * f32(0.75) * (f32(1.0) - sand)
    return sand, grass, rock


@kernel()
def relief(g, x, y, sand, grass, rock, warp, fine):
    """Return the detail height (units) of the materials at a point and a grain value; fine drops what a pixel hides."""
    seed = int(g[SEED])
    soil = max(f32(1.0) - sand - grass - rock, f32(0.0))
    grain = noise2(x * 4.3, y * 4.3, seed + 11) if fine > 5.0 else f32(0.0)
    dust = noise2(x * 9.1, y * 9.1, seed + 12) if fine > 11.0 else f32(0.0)
    h = f32(0.0)
    if sand > f32(0.01):
        ripple = f32(math.sin(1.9 * x + 3.1 * y + 3.2 * warp))
        h += sand * (f32(0.022) * ripple + f32(0.05) * warp + f32(0.018) * grain + f32(0.010) * dust)
    if soil > f32(0.01):
        h += soil * (f32(0.10) * fractal(x * 1.5, y * 1.5, 2, seed + 21) + f32(0.055) * grain + f32(0.028) * dust)
    if grass > f32(0.01):
        clump = noise2(x * 2.1, y * 2.1, seed + 31)
        h += grass * (f32(0.10) + f32(0.10) * clump + f32(0.10) * abs(grain) + f32(0.06) * dust)
    if rock > f32(0.01):
        crack = f32(1.0) - abs(fractal(x * 0.55, y * 0.55, 3, seed + 41))
        h += rock * (f32(0.30) * crack + f32(0.03) * grain)
    return h, grain, dust


@kernel()
def albedo_of(sand, grass, rock, mid, grain, dust):
    """Return the linear albedo of the mixed materials."""
    soil = max(f32(1.0) - sand - grass - rock, f32(0.0))
    s = sand * (f32(1.0) + f32(0.10) * mid + f32(0.07) * grain + f32(0.07) * dust)
    e = soil * (f32(1.0) + f32(0.18) * mid + f32(0.22) * grain + f32(0.18) * dust)
    k = f32(1.0) + f32(0.25) * grain + f32(0.30) * dust
    gr, gg, gb = grass * k * (f32(1.0) + f32(0.30) * mid), grass * k, grass * k * (f32(1.0) - f32(0.2) * mid)
    r = rock * (f32(1.0) + f32(0.15) * grain + f32(0.10) * dust)
    return (
        SAND[0] * s + SOIL[0] * e + GRASS[0] * gr + ROCK[0] * r,
        SAND[1] * s + SOIL[1] * e + GRASS[1] * gg + ROCK[1] * r,
        SAND[2] * s + SOIL[2] * e + GRASS[2] * gb + ROCK[2] * r,
    )


@kernel()
def coarse_fields(elevation, g, fields):
    """Update fields (5, rows, columns): elevation and material noises at every LATTICE-th pixel of a region."""
    scale = g[GROUND_SCALE]
    for j in range(fields.shape[1]):
        y = -(g[TOP] + j * LATTICE + 0.5) / scale
        for i in range(fields.shape[2]):
            x = (g[LEFT] + i * LATTICE + 0.5) / scale
            fields[0, j, i] = f32(smooth_elevation(elevation, g, x, y))
            fields[1, j, i], fields[2, j, i], fields[3, j, i], fields[4, j, i] = material_noise(g, x, y)


@kernel()
def paint_rows(g, fields, first, last, height, albedo):
    """Update rows first..last of a region's height (n, n) and albedo (3, n, n) from its coarse fields."""
    columns = height.shape[1]
    scale, step = g[GROUND_SCALE], f32(1.0 / LATTICE)
    value = np.empty(5, dtype=np.float32)
    for j in range(first, last):
        y = -(g[TOP] + j + 0.5) / scale
        q, b = j // LATTICE, f32(j % LATTICE) * step
        for i in range(columns):
            x = (g[LEFT] + i + 0.5) / scale
            p, a = i // LATTICE, f32(i % LATTICE) * step
            for k in range(5):
                low = fields[k, q, p] + (fields[k, q, p + 1] - fields[k, q, p]) * a
                high = fields[k, q + 1, p] + (fields[k, q + 1, p + 1] - fields[k, q + 1, p]) * a
                value[k] = low + (high - low) * b
            level = level_near(g, PONDS, x, y)
            sand, grass, rock = shares(g, level, value[0], value[1], value[2], value[3])
            h, grain, dust = relief(g, x, y, sand, grass, rock, value[4], scale)
            height[j, i] = value[0] + h
            albedo[0, j, i], albedo[1, j, i], albedo[2, j, i] = albedo_of(sand, grass, rock, value[2], grain, dust)


@kernel()
def put_stone(g, height, albedo, x, y, radius, tall, seed):
    """Update a region with one stone: an uneven dome in the height field and its own colour."""
    scale = g[GROUND_SCALE]
    ci, cj, reach = x * scale - g[LEFT] - 0.5, -y * scale - g[TOP] - 0.5, radius * scale * 1.35
    rows, columns = height.shape
    i0, i1 = max(int(ci - reach), 0), min(int(ci + reach) + 2, columns)
    j0, j1 = max(int(cj - reach), 0), min(int(cj + reach) + 2, rows)
    if i0 >= i1 or j0 >= j1:
        return
    tone, stretch, turn = random01(seed, 1, 7), 0.72 + 0.5 * random01(seed, 2, 7), 6.283 * random01(seed, 3, 7)
    ct, st = math.cos(turn), math.sin(turn)
    base = height[min(max(int(cj), 0), rows - 1), min(max(int(ci), 0), columns - 1)]
    mossy = f32(0.7) if random01(seed, 4, 7) < f32(0.25) else f32(0.0)
    for j in range(j0, j1):
        for i in range(i0, i1):
            px, py = (i - ci) / (radius * scale), (j - cj) / (radius * scale)
            u, v = (px * ct + py * st) / stretch, (py * ct - px * st)
            bump = noise2(px * 1.3 + seed % 97, py * 1.3, seed)
            d = f32(u * u + v * v) * (f32(1.0) + f32(0.45) * bump)
            if d >= f32(1.0):
                continue
            facet = noise2(px * 2.6 + seed % 91, py * 2.6, seed + 1)
            dome = math.sqrt(math.sqrt(f32(1.0) - d)) if d > f32(0.25) else f32(0.93) + f32(0.28) * (f32(0.25) - d)
            grain = noise2(i / scale * 8.0, j / scale * 8.0, seed + 2)
            top = base + f32(tall) * (dome + f32(0.10) * facet) + f32(0.018) * grain
            if top <= height[j, i]:
                continue
            height[j, i] = top
            k = f32(1.0) + f32(0.16) * facet + f32(0.20) * grain
            green = mossy * smooth(f32(0.0), f32(0.5), facet + f32(0.2) * grain)
            for c in range(3):
                bare = STONE_LOW[c] + (STONE_HIGH[c] - STONE_LOW[c]) * tone
                albedo[c, j, i] = (bare * k) * (f32(1.0) - green) + MOSS[c] * k * green


@kernel()
def scatter_stones(g, height, albedo, spacing, smallest, largest, chance, salt):
    """Update a region with the random stones of one size class, one candidate per lattice cell."""
    scale, seed = g[GROUND_SCALE], int(g[SEED]) * 31 + salt
    rows, columns = height.shape
    i0, i1 = int(math.floor(g[LEFT] / scale / spacing)) - 1, int(math.floor((g[LEFT] + columns) / scale / spacing)) + 1
    j0, j1 = int(math.floor(-(g[TOP] + rows) / scale / spacing)) - 1, int(math.floor(-g[TOP] / scale / spacing)) + 1
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            x, y = (i + random01(i, j, seed + 1)) * spacing, (j + random01(i, j, seed + 2)) * spacing
            cluster = f32(0.5) + noise2(x * 0.13, y * 0.13, seed + 3)
            if random01(i, j, seed) > chance * max(cluster, f32(0.15)):
                continue
            t = random01(i, j, seed + 4)
            radius = smallest + (largest - smallest) * t * t * t
            tall = radius * (0.40 + 0.3 * random01(i, j, seed + 5))
            put_stone(g, height, albedo, x, y, radius, tall, (i * 7919 + j * 104729) & 0xFFFFFF)


@kernel()
def add_stones(g, stones, height, albedo):
    """Update a region with all its stones, small ones last; `stones` rows are x, y, radius, height."""
    for k in range(stones.shape[0]):
        put_stone(g, height, albedo, stones[k, 0], stones[k, 1], stones[k, 2], stones[k, 3], k + 1)
    limit = g[STONE_SIZE]
    if limit > 0.5:
        scatter_stones(g, height, albedo, 7.0, 0.45, limit, f32(0.75), 1)
    if limit > 0.16:
        scatter_stones(g, height, albedo, 2.7, 0.18, min(limit, 0.55), f32(0.50), 2)
        if g[GROUND_SCALE] > 3.5:
            scatter_stones(g, height, albedo, 1.25, 0.09, min(limit, 0.22), f32(0.26), 3)
