"""The bed seen through the water: the half-res surface is spread to full resolution, row by row of a tile."""

from __future__ import annotations

import numpy as np
from numpy import float32 as f32

from .borrow import borrower
from .light import WATER_BODY
from .shade_kernel import CAUST, KEEP, SURF_R
from .water_kernel import OFFSET_X, OFFSET_Y

# Rows of a thread's scratch after the five surface planes of a tile: what the bed gives, for one row of pixels.
FIRST_ROW = 5
BED_R, BED_G, BED_B, PASS_R, PASS_G, PASS_B, FILM, SUNLIGHT = range(FIRST_ROW, FIRST_ROW + 8)
SCRATCH_PLANES = FIRST_ROW + 8
FILM_STEPS = f32(0.2)  # per depth byte: the thinnest film fades in, which gives a smooth shoreline
BED_SHADOW = f32(0.6)  # darkest creature shadow on the bed: water scatters light into it
SQUARE = f32(1.5 / (255.0 * 255.0))  # from a background byte squared to linear light, range as in raster_kernel


@borrower(inline=True)
def spread_row(low, high, b, out, width):
    """Update out (width) with two half-res rows mixed by b and spread to full resolution."""
    a, quarter, most = f32(1.0) - b, f32(0.25), f32(0.75)
    for i in range((width + 1) // 2):
        s0, s1, s2 = low[i] * a + high[i] * b, low[i + 1] * a + high[i + 1] * b, low[i + 2] * a + high[i + 2] * b
        out[2 * i] = s0 * quarter + s1 * most
        out[2 * i + 1] = s1 * most + s2 * quarter


@borrower(inline=True)
def fetch_bed(background, depth_table, shift_x, shift_y, y, left, width, rows):
    """Update the bed rows: refracted colour, film and passing light of every pixel; two pixels share their shift (px)."""
    last_y, last_x = background.shape[0] - 1, background.shape[1] - 1
    bed_r, bed_g, bed_b, film = rows[BED_R, 0], rows[BED_G, 0], rows[BED_B, 0], rows[FILM, 0]
    pass_r, pass_g, pass_b = rows[PASS_R, 0], rows[PASS_G, 0], rows[PASS_B, 0]
    dx = dy = 0
    for x in range(width):
        if x % 2 == 0:
            dx, dy = int(shift_x[x // 2] + f32(1024.5)) - 1024, int(shift_y[x // 2] + f32(1024.5)) - 1024
        own = background[y, left + x]
        d = np.int64(own >> np.uint32(24))
        v = background[min(max(y + dy, 0), last_y), min(max(left + x + dx, 0), last_x)]
        if v < np.uint32(0x01000000):
            v = own
        film[x] = f32(d)
        bed_r[x] = f32(np.int32((v >> np.uint32(16)) & np.uint32(255)))
        bed_g[x] = f32(np.int32((v >> np.uint32(8)) & np.uint32(255)))
        bed_b[x] = f32(np.int32(v & np.uint32(255)))
        pass_r[x], pass_g[x], pass_b[x] = depth_table[d, 0], depth_table[d, 1], depth_table[d, 2]
    for x in range(width):
        film[x] = min(film[x] * FILM_STEPS, f32(1.0))


@borrower(inline=True)
def fade(plane, film, rest):
    """Update a surface plane so that it is at rest where there is no film of water."""
    for x in range(plane.size):
        plane[x] = rest + (plane[x] - rest) * film[x]


@borrower(inline=True)
def lay_channel(bed, through, body, sunlight, keep, added, film, out):
    """Update one colour row: the bed in the light that passes, the body of the water, what the surface adds."""
    one = f32(1.0)
    for x in range(out.size):
        value = (bed[x] * bed[x] * sunlight[x] * through[x] + body * (one - through[x])) * keep[x] + added[x]
        out[x] = value if film[x] > f32(0.0) else out[x]


@borrower()
def water_row(background, shadow, any_shadow, water, depth_table, light, y, left, width, tile_y, tile, rows):
    """Update one tile row where it is wet, and the surface planes that submerged parts are seen through."""
    j, first = (y + 1) // 2, left // 2
    b = f32(0.25) if y % 2 == 1 else f32(0.75)
    near = y // 2 + 1
    fetch_bed(
        background, depth_table, water[OFFSET_X, near, first + 1 :], water[OFFSET_Y, near, first + 1 :], y, left, width, rows
    )
    film, sunlight = rows[FILM, 0, :width], rows[SUNLIGHT, 0, :width]
    for plane in range(FIRST_ROW):
        spread_row(water[plane, j, first:], water[plane, j + 1, first:], b, rows[plane, tile_y], width)
        fade(rows[plane, tile_y, :width], film, f32(1.0) if plane == CAUST or plane == KEEP else f32(0.0))
    caust, keep = rows[CAUST, tile_y, :width], rows[KEEP, tile_y, :width]
    if any_shadow:
        spread_row(shadow[j, first:], shadow[j + 1, first:], b, rows[SUNLIGHT, 0], width)
        for x in range(width):
            sunlight[x] = (f32(1.0) - BED_SHADOW * sunlight[x]) * SQUARE * caust[x]
    else:
        for x in range(width):
            sunlight[x] = SQUARE * caust[x]
    for c in range(3):
        lay_channel(
            rows[BED_R + c, 0], rows[PASS_R + c, 0], light[WATER_BODY + c], sunlight, keep, rows[SURF_R + c, tile_y], film,
            tile[c, tile_y, :width],
        )  # fmt: skip
