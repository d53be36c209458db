"""The terrain picture, part two: light on the height field (sun, cast shadow, occlusion), wet shore, packing."""

from __future__ import annotations

import math

import numpy as np
from numpy import float32 as f32

from ...engine.kernel import kernel
from .ground_kernel import GROUND_SCALE, LEFT, PONDS, TOP, beyond
from .light import BOUNCE, DEPTH_STEPS_PER_UNIT, SHADOW_X, SHADOW_Y, SKY, SUN, TO_SUN
from .noise_kernel import smooth
from .pond_kernel import level_at, level_near

WET_BAND = f32(0.42)  # units above the water line [look study 3]
WET_SAND = f32(0.48)  # darkening of wet ground [look study 3]
SHADOW_STEP_GROWTH = f32(1.08)  # [look study 3]
PENUMBRA = f32(7.0)  # [look study 3]
STANDS_OUT = f32(0.09)  # units above the smoothed ground: stones break the surface, grains do not fray the shoreline
CONTOUR_SPACING = f32(1.0)  # units of height between the faint contour lines
OFF_THE_MAP = f32(0.62)  # darkening of the land beyond the edge of the map
GROUND_RANGE = f32(1.5)  # linear light of a background byte of 255 (as in raster_kernel)


@kernel()
def blur_rows(source, target, radius):
    """Update target with the running mean of source along rows, edges repeated."""
    rows, columns = source.shape
    weight = f32(1.0) / f32(2 * radius + 1)
    for j in range(rows):
        total = f32(0.0)
        for k in range(-radius, radius + 1):
            total += source[j, min(max(k, 0), columns - 1)]
        for i in range(columns):
            target[j, i] = total * weight
            total += source[j, min(i + radius + 1, columns - 1)] - source[j, max(i - radius, 0)]


@kernel()
def blur_columns(source, target, radius):
    """Update target with the running mean of source along columns, edges repeated."""
    rows, columns = source.shape
    weight = f32(1.0) / f32(2 * radius + 1)
    blocks = (columns + 31) // 32
    total = np.empty(32, dtype=np.float32)
    for block in range(blocks):
        first = block * 32
        last = min(first + 32, columns)
        total[:] = f32(0.0)
        for k in range(-radius, radius + 1):
            for i in range(first, last):
                total[i - first] += source[min(max(k, 0), rows - 1), i]
        for j in range(rows):
            for i in range(first, last):
                target[j, i] = total[i - first] * weight
                total[i - first] += source[min(j + radius + 1, rows - 1), i] - source[max(j - radius, 0), i]


@kernel()
def sun_reaches(height, j, i, scale, light, reach):
    """Return 0..1: how much sun gets past the height field on its way to pixel (j, i)."""
    rows, columns = height.shape
    length = math.sqrt(light[SHADOW_X] * light[SHADOW_X] + light[SHADOW_Y] * light[SHADOW_Y])
    if length < f32(1e-3):
        return f32(1.0)
    step_x, step_y, rise = -light[SHADOW_X] / length, -light[SHADOW_Y] / length, f32(1.0) / (length * f32(scale))
    start, open_, t = height[j, i], f32(1.0), f32(1.2)
    while t < reach:
        x, y = i + int(math.floor(step_x * t + f32(0.5))), j + int(math.floor(step_y * t + f32(0.5)))
        if x < 0 or y < 0 or x >= columns or y >= rows:
            break
        gap = (start + rise * t - height[y, x]) * f32(scale) / t
        open_ = min(open_, gap * PENUMBRA * f32(0.5) + f32(1.0))
        if open_ <= f32(0.0):
            return f32(0.0)
        t = t * SHADOW_STEP_GROWTH + f32(0.35)
    return open_


@kernel()
def shore(level, height, r, g_, b):
    """Return the albedo and a gloss after wetting near the water line."""
    wet = f32(1.0) - smooth(f32(0.0), WET_BAND, height - f32(level))
    dark = f32(1.0) - (f32(1.0) - WET_SAND) * wet
    return r * dark, g_ * dark * (f32(1.0) - f32(0.02) * wet), b * dark * (f32(1.0) + f32(0.06) * wet), wet


@kernel()
def light_rows(g, height, near, far, albedo, light, margin, reach, first, last, picture, depth):
    """Update rows first..last of the picture (3, n, n; linear light) and depth (n, n) of the inner part of a region."""
    size_x = depth.shape[1]
    scale, per_pixel = g[GROUND_SCALE], f32(0.5 * g[GROUND_SCALE])
    watery = g.size > PONDS
    for y in range(first, last):
        j = y + margin
        world_y = -(g[TOP] + j + 0.5) / scale
        for x in range(size_x):
            i = x + margin
            h = height[j, i]
            nx, ny = (height[j, i - 1] - height[j, i + 1]) * per_pixel, (height[j - 1, i] - height[j + 1, i]) * per_pixel
            nz = f32(1.0) / math.sqrt(f32(1.0) + nx * nx + ny * ny)
            nx, ny = nx * nz, ny * nz
            ndl = max(nx * light[TO_SUN] + ny * light[TO_SUN + 1] + nz * light[TO_SUN + 2], f32(0.0))
            sun = ndl * sun_reaches(height, j, i, scale, light, reach)
            ao = f32(1.0) - f32(1.5) * min(max(near[j, i] - h, f32(0.0)), f32(0.30))
            ao -= f32(0.45) * min(max(far[j, i] - h, f32(0.0)), f32(0.55))
            a = albedo[0, j, i], albedo[1, j, i], albedo[2, j, i]
            wet, d = f32(0.0), f32(0.0)
            if watery:
                world_x, bump = (g[LEFT] + i + 0.5) / scale, h - near[j, i]
                surface = level_at(g, PONDS, world_x, world_y)
                if not math.isnan(surface):
                    d = f32(surface) - (h if bump > STANDS_OUT else near[j, i])
                r, g_, b, wet = shore(level_near(g, PONDS, world_x, world_y), h, a[0], a[1], a[2])
                a = r, g_, b
            shine = wet * f32(0.05) * max(nx * light[TO_SUN] + ny * light[TO_SUN + 1] + f32(0.25), f32(0.0))
            line = abs(h / CONTOUR_SPACING - f32(math.floor(h / CONTOUR_SPACING + f32(0.5))))
            tint = f32(1.0) - f32(0.05) * max(f32(1.0) - line * f32(14.0), f32(0.0))
            for c in range(3):
                sky = (light[SKY + c] * (f32(0.5) + f32(0.5) * nz) + light[BOUNCE + c] * (f32(1.0) - nz)) * ao
                picture[c, y, x] = (a[c] * (light[SUN + c] * sun + sky) + light[SKY + c] * shine) * tint
            depth[y, x] = d


@kernel()
def darken_beyond(g, columns, rows, picture):
    """Update the linear picture of a square: land beyond the map, of columns x rows samples, lies in the dark."""
    scale = g[GROUND_SCALE]
    for y in range(picture.shape[1]):
        world_y = -(g[TOP] + y + 0.5) / scale
        for x in range(picture.shape[2]):
            dark = beyond(g, columns, rows, (g[LEFT] + x + 0.5) / scale, world_y)
            if dark > f32(0.0):
                for c in range(3):
                    picture[c, y, x] *= f32(1.0) - OFF_THE_MAP * dark


@kernel()
def byte_of(value):
    """Return linear light as a background byte with gamma 2."""
    return np.uint32(math.sqrt(min(max(value, f32(0.0)) / GROUND_RANGE, f32(1.0))) * f32(255.0) + f32(0.5))


@kernel()
def pack_region(picture, depth, packed):
    """Update packed pixels (depth, r, g, b bytes) from linear light; depth 0 means dry, 1 the thinnest water."""
    size_y, size_x = packed.shape
    for y in range(size_y):
        for x in range(size_x):
            d = depth[y, x]
            wet = np.uint32(0)
            if d > f32(0.0):
                wet = np.uint32(min(d * f32(DEPTH_STEPS_PER_UNIT) + f32(1.0), f32(255.0)))
            r, g, b = byte_of(picture[0, y, x]), byte_of(picture[1, y, x]), byte_of(picture[2, y, x])
            packed[y, x] = (wet << np.uint32(24)) | (r << np.uint32(16)) | (g << np.uint32(8)) | b
