"""The terrain picture, part two: light on the height field (sun, cast shadow, occlusion), wet shore, packing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.kernel_types import int32, uint32
from ..scene.light import BOUNCE, SHADOW_X, SHADOW_Y, SKY, SUN, TO_SUN
from ..water.pond_levels_kernel import fill_around, fill_nearest
from .ground_material_kernel import beyond
from .picture_noise_kernel import smooth

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .land import Land, Margins, Work

WET_BAND = f32(0.42)  # units above the water line [look 3]
WET_SAND = f32(0.48)  # darkening of wet ground [look 3]
WET_HUE = (f32(0.0), f32(-0.02), f32(0.06))  # and what it does to red, green and blue
SHADOW_STEP_GROWTH = f32(1.08)  # [look 3]
MOST_STEPS = 64  # on the way towards the sun; 31 of them reach 64 px
PENUMBRA = f32(7.0)  # [look 3]
STANDS_OUT = f32(0.09)  # units above the smoothed ground: stones break the surface, grains do not fray the shoreline
CONTOUR_SPACING = f32(1.0)  # units of height between the faint contour lines
OFF_THE_MAP = f32(0.62)  # darkening of the land beyond the edge of the map
GROUND_RANGE = f32(1.5)  # linear light of a background byte of 255 (as in raster_kernel)
# Ordered dither: added before cutting to whole numbers, the mean of what is left out is the same everywhere.
ROUNDING = ((np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]) + 0.5) / 16.0).astype(np.float32)


@kernel()
def blur_rows(source: Array, target: Array, radius: int, first_row: int, last_row: int, first: int, last: int) -> None:
    """Update a window of target with the running mean of source along rows; source reaches `radius` pixels farther.

    Four rows at a time: each sum has to wait for the one before it.
    """
    weight = f32(1.0) / f32(2 * radius + 1)
    for j in range(first_row, last_row, 4):
        j0, j1, j2, j3 = j, min(j + 1, last_row - 1), min(j + 2, last_row - 1), min(j + 3, last_row - 1)
        s0 = s1 = s2 = s3 = f32(0.0)
        for i in range(first - radius, first + radius):
            s0, s1, s2, s3 = s0 + source[j0, i], s1 + source[j1, i], s2 + source[j2, i], s3 + source[j3, i]
        gone0 = gone1 = gone2 = gone3 = f32(0.0)
        for i in range(first, last):
            s0, s1 = s0 + (source[j0, i + radius] - gone0), s1 + (source[j1, i + radius] - gone1)
            s2, s3 = s2 + (source[j2, i + radius] - gone2), s3 + (source[j3, i + radius] - gone3)
            target[j0, i], target[j1, i], target[j2, i], target[j3, i] = s0 * weight, s1 * weight, s2 * weight, s3 * weight
            gone0, gone1 = source[j0, i - radius], source[j1, i - radius]
            gone2, gone3 = source[j2, i - radius], source[j3, i - radius]


@kernel(refcount=False)
def slide_row(coming: Array, going: Array, weight: float, total: Array, out: Array) -> None:
    """Update sums of columns by a row that comes and one that goes, and out with their mean."""
    for i in range(out.size):
        total[i] += coming[i] - going[i]
        out[i] = total[i] * weight


@kernel()
def blur_columns(source: Array, target: Array, radius: int, first_row: int, last_row: int, first: int, last: int) -> None:
    """Update a window of target with the running mean of source along columns; source reaches `radius` pixels farther."""
    weight = f32(1.0) / f32(2 * radius + 1)
    total, nothing = np.zeros(last - first, dtype=np.float32), np.zeros(last - first, dtype=np.float32)
    for j in range(first_row - radius, first_row + radius):
        slide_row(source[j, first:last], nothing, weight, total, target[first_row, first:last])
    going = nothing
    for j in range(first_row, last_row):
        slide_row(source[j + radius, first:last], going, weight, total, target[j, first:last])
        going = source[j - radius, first:last]


@kernel()
def shadow_steps(scale: float, light: Array, reach: float) -> Array:
    """Return the way towards the sun in steps: columns, rows, rise of a ray (units) and sharpness of the shadow."""
    steps = np.empty((MOST_STEPS, 4), dtype=np.float32)
    length = math.sqrt(light[SHADOW_X] * light[SHADOW_X] + light[SHADOW_Y] * light[SHADOW_Y])
    if length < f32(1e-3):
        return steps[:0]
    step_x, step_y, rise = -light[SHADOW_X] / length, -light[SHADOW_Y] / length, f32(1.0) / (length * f32(scale))
    n, t = 0, f32(1.2)
    while t < reach and n < MOST_STEPS:
        steps[n, 0], steps[n, 1] = math.floor(step_x * t + f32(0.5)), math.floor(step_y * t + f32(0.5))
        steps[n, 2], steps[n, 3] = rise * t, f32(scale) / t * PENUMBRA * f32(0.5)
        n, t = n + 1, t * SHADOW_STEP_GROWTH + f32(0.35)
    return steps[:n]


@kernel(refcount=False)
def shade_step(start: Array, blocker: Array, rise: float, sharp: float, open_: Array) -> None:
    """Update how much sun passes one step of the way; below 0 all of it is lost."""
    for i in range(open_.size):
        open_[i] = min(open_[i], (start[i] + rise - blocker[i]) * sharp + f32(1.0))


@kernel(refcount=False)
def sun_row(height: Array, j: int, margin: int, steps: Array, open_: Array) -> None:
    """Update 0..1 for every pixel of a row: how much sun gets past the height field on its way there."""
    n = open_.size
    start = height[j, margin : margin + n]
    open_[:] = f32(1.0)
    for k in range(steps.shape[0]):
        first = margin + int(steps[k, 0])
        shade_step(start, height[j + int(steps[k, 1]), first : first + n], steps[k, 2], steps[k, 3], open_)


@kernel(refcount=False)
def normal_row(west: Array, east: Array, north: Array, south: Array, per_pixel: float, nx: Array, ny: Array,
               nz: Array) -> None:  # fmt: skip
    """Update a row of unit normals from the heights around."""
    for i in range(nx.size):
        nx[i] = (west[i] - east[i]) * per_pixel
    for i in range(ny.size):
        ny[i] = (north[i] - south[i]) * per_pixel
    for i in range(nz.size):
        nz[i] = f32(1.0) / math.sqrt(f32(1.0) + nx[i] * nx[i] + ny[i] * ny[i])
    for i in range(nz.size):
        nx[i] *= nz[i]
        ny[i] *= nz[i]


@kernel(refcount=False)
def light_row(height: Array, near: Array, far: Array, nx: Array, ny: Array, nz: Array, light: Array, sun: Array, ao: Array,
              tint: Array) -> None:  # fmt: skip
    """Update a row of sun (until now how much of it passes), of ambient occlusion and of contour lines."""
    x, y, z, one = light[TO_SUN], light[TO_SUN + 1], light[TO_SUN + 2], f32(1.0)
    for i in range(sun.size):
        sun[i] = max(nx[i] * x + ny[i] * y + nz[i] * z, f32(0.0)) * max(sun[i], f32(0.0))
    for i in range(ao.size):
        close = min(max(near[i] - height[i], f32(0.0)), f32(0.30))
        ao[i] = one - f32(1.5) * close - f32(0.45) * min(max(far[i] - height[i], f32(0.0)), f32(0.55))
    for i in range(tint.size):
        h = height[i] / CONTOUR_SPACING
        line = abs(h - f32(int32(h)))
        tint[i] = one - f32(0.05) * max(one - min(line, one - line) * f32(14.0), f32(0.0))


@kernel(refcount=False)
def water_row(height: Array, near: Array, level: Array, surface: Array, nx: Array, ny: Array, light: Array, wet: Array,
              shine: Array, depth: Array) -> None:  # fmt: skip
    """Update a row of wetness near the water line, of its gloss, and of the depth of the water."""
    x, y, one = light[TO_SUN], light[TO_SUN + 1], f32(1.0)
    for i in range(wet.size):
        wet[i] = one - smooth(f32(0.0), WET_BAND, height[i] - level[i])
    for i in range(shine.size):
        shine[i] = wet[i] * f32(0.05) * max(nx[i] * x + ny[i] * y + f32(0.25), f32(0.0))
    for i in range(depth.size):
        bed = height[i] if height[i] - near[i] > STANDS_OUT else near[i]
        d = surface[i] - bed
        depth[i] = d if d == d else f32(0.0)  # noqa: PLR0124 - where there is no pond it is no number


@kernel(refcount=False)
def colour_row(c: int, albedo: Array, wet: Array, sun: Array, nz: Array, ao: Array, shine: Array, tint: Array, light: Array,
               out: Array) -> None:  # fmt: skip
    """Update a row of channel c of the linear picture."""
    of_sun, of_sky, bounce, hue = light[SUN + c], light[SKY + c], light[BOUNCE + c], WET_HUE[c]
    one, half = f32(1.0), f32(0.5)
    for i in range(out.size):
        a = albedo[i] * (one - (one - WET_SAND) * wet[i]) * (one + hue * wet[i])
        sky = (of_sky * (half + half * nz[i]) + bounce * (one - nz[i])) * ao[i]
        out[i] = (a * (of_sun * sun[i] + sky) + of_sky * shine[i]) * tint[i]


@kernel()
def light_rows(land: Land, corner: tuple[float, float], light: Array, margins: Margins, work: Work, first: int,
               last: int) -> None:  # fmt: skip
    """Update rows first..last of the picture and the depth of a square: the inner part of a region with this corner."""
    height, near, far, picture, depth = work.height, work.near, work.far, work.picture, work.depth
    size, scale = depth.shape[1], land.scale
    left, step, per_pixel = (corner[0] + margins.left + 0.5) / scale, 1.0 / scale, f32(0.5 * scale)
    steps = shadow_steps(scale, light, margins.reach)
    rows, distance = np.zeros((10, size), dtype=np.float32), np.empty(size)
    nx, ny, nz, sun, ao = rows[0], rows[1], rows[2], rows[3], rows[4]
    tint, wet, shine, level, surface = rows[5], rows[6], rows[7], rows[8], rows[9]
    x0, x1 = margins.left, margins.left + size
    for y in range(first, last):
        j = y + margins.top
        west, east = height[j, x0 - 1 : x1 - 1], height[j, x0 + 1 : x1 + 1]
        normal_row(west, east, height[j - 1, x0:x1], height[j + 1, x0:x1], per_pixel, nx, ny, nz)
        sun_row(height, j, margins.left, steps, sun)
        light_row(height[j, x0:x1], near[j, x0:x1], far[j, x0:x1], nx, ny, nz, light, sun, ao, tint)
        depth[y, :] = f32(0.0)
        if land.ponds.shape[0] > 0:
            world_y = -(corner[1] + j + 0.5) / scale
            fill_nearest(land.ponds, left, step, world_y, distance, level)
            fill_around(land.ponds, left, step, world_y, surface)
            water_row(height[j, x0:x1], near[j, x0:x1], level, surface, nx, ny, light, wet, shine, depth[y])
        for c in range(3):
            colour_row(c, work.albedo[c, j, x0:x1], wet, sun, nz, ao, shine, tint, light, picture[c, y])


@kernel()
def darken_beyond(land: Land, corner: tuple[float, float], picture: Array) -> None:
    """Update the linear picture of a square: land beyond the map lies in the dark."""
    scale, size_y, size_x, (left, top) = land.scale, picture.shape[1], picture.shape[2], corner
    west, east, north, south = left / scale, (left + size_x) / scale, -top / scale, -(top + size_y) / scale
    if max(beyond(land, west, north), beyond(land, east, south)) == f32(0.0):
        return
    for y in range(size_y):
        world_y = -(top + y + 0.5) / scale
        for x in range(size_x):
            dark = beyond(land, (left + x + 0.5) / scale, world_y)
            if dark > f32(0.0):
                for c in range(3):
                    picture[c, y, x] *= f32(1.0) - OFF_THE_MAP * dark


@kernel(refcount=False, inline=True)
def byte_of(value: float) -> int:
    """Return linear light as a background byte with gamma 2."""
    return int32(math.sqrt(min(max(value, f32(0.0)) * (f32(1.0) / GROUND_RANGE), f32(1.0))) * f32(255.0) + f32(0.5))


@kernel(refcount=False)
def pack_row(red: Array, green: Array, blue: Array, depth: Array, steps: float, rounding: Array, out: Array) -> None:
    """Update a row of packed pixels (depth, r, g, b bytes); depth 0 means dry, `steps` a unit.

    What is added before cutting depth to a byte changes from pixel to pixel: on flat shores whole bytes would show as lines
    of equal depth.
    """
    for x in range(out.size):
        wet = int32(min(max(depth[x], f32(0.0)) * steps + rounding[x & 3], f32(255.0)))
        colour = (byte_of(red[x]) << int32(16)) | (byte_of(green[x]) << int32(8)) | byte_of(blue[x])
        out[x] = uint32((wet << int32(24)) | colour)


@kernel(refcount=False)
def pack_region(picture: Array, depth: Array, steps: float, packed: Array) -> None:
    """Update packed pixels from linear light and depth, of which a byte has `steps` per unit."""
    for y in range(packed.shape[0]):
        pack_row(picture[0, y], picture[1, y], picture[2, y], depth[y], steps, ROUNDING[y & 3], packed[y])
