"""The bed seen through the water: the half-res surface is spread to full resolution, row by row of a tile."""

from __future__ import annotations

import numpy as np
from numpy import float32 as f32

from ...engine.kernel import kernel
from .light import WATER_BODY
from .shade_kernel import CAUST, KEEP, SURF_R
from .water_kernel import BED_SHADOW, OFFSET_X, OFFSET_Y, SQUARE, WATER_PLANES

# Rows of a thread's scratch after the five surface planes; WATER_PLANES of them, then what the bed gives.
FIRST_ROW = 5
BED_R, BED_G, BED_B, FILM, PASS_R, PASS_G, PASS_B, BED_SHADE = range(FIRST_ROW + WATER_PLANES, FIRST_ROW + WATER_PLANES + 8)
SCRATCH_PLANES = FIRST_ROW + WATER_PLANES + 8
FILM_STEPS = f32(0.2)  # per depth byte: the thinnest film fades in, which gives a smooth shoreline


@kernel()
def spread_row(low, high, b, out, width):
    """Update out (width) with two half-res rows mixed by b and spread to full resolution."""
    a, quarter, most = f32(1.0) - b, f32(0.25), f32(0.75)
    for i in range((width + 1) // 2):
        s0, s1, s2 = low[i] * a + high[i] * b, low[i + 1] * a + high[i + 1] * b, low[i + 2] * a + high[i + 2] * b
        out[2 * i] = s0 * quarter + s1 * most
        out[2 * i + 1] = s1 * most + s2 * quarter


@kernel()
def fetch_bed(background, depth_table, y, left, width, rows):
    """Update the bed rows: refracted colour, film and passing light of every pixel; dry pixels get a film of 0."""
    last_y, last_x = background.shape[0] - 1, background.shape[1] - 1
    shift_x, shift_y = rows[FIRST_ROW + OFFSET_X, 0], rows[FIRST_ROW + OFFSET_Y, 0]
    bed_r, bed_g, bed_b, film = rows[BED_R, 0], rows[BED_G, 0], rows[BED_B, 0], rows[FILM, 0]
    pass_r, pass_g, pass_b = rows[PASS_R, 0], rows[PASS_G, 0], rows[PASS_B, 0]
    for x in range(width):
        own = background[y, left + x]
        d = np.int64(own >> np.uint32(24))
        film[x] = min(f32(d) * FILM_STEPS, f32(1.0))
        bed_x = min(max(left + x + int(shift_x[x] + f32(1024.5)) - 1024, 0), last_x)
        bed_y = min(max(y + int(shift_y[x] + f32(1024.5)) - 1024, 0), last_y)
        v = background[bed_y, bed_x]
        if v < np.uint32(0x01000000):
            v = own
        bed_r[x] = f32(np.int32((v >> np.uint32(16)) & np.uint32(255)))
        bed_g[x] = f32(np.int32((v >> np.uint32(8)) & np.uint32(255)))
        bed_b[x] = f32(np.int32(v & np.uint32(255)))
        pass_r[x], pass_g[x], pass_b[x] = depth_table[d, 0], depth_table[d, 1], depth_table[d, 2]


@kernel()
def lay_channel(bed, through, body, caust, keep, added, dark, film, out):
    """Update one colour row: the bed in the light that passes, the body of the water, what the surface adds."""
    one = f32(1.0)
    for x in range(out.size):
        value = (bed[x] * bed[x] * caust[x] * dark[x] * SQUARE * through[x] + body * (one - through[x])) * keep[x] + added[x]
        out[x] = value if film[x] > f32(0.0) else out[x]


@kernel()
def water_row(background, shadow, water, depth_table, light, y, left, width, tile_y, tile, rows):
    """Update one tile row where it is wet, and the surface planes that submerged parts are seen through."""
    j, first, one = (y + 1) // 2, left // 2, f32(1.0)
    b = f32(0.25) if y % 2 == 1 else f32(0.75)
    for plane in range(WATER_PLANES):
        spread_row(water[plane, j, first:], water[plane, j + 1, first:], b, rows[FIRST_ROW + plane, 0], width)
    spread_row(shadow[j, first:], shadow[j + 1, first:], b, rows[BED_SHADE, 0], width)
    fetch_bed(background, depth_table, y, left, width, rows)
    film, dark = rows[FILM, 0, :width], rows[BED_SHADE, 0, :width]
    caust, keep = rows[CAUST, tile_y, :width], rows[KEEP, tile_y, :width]
    wide_caust, wide_keep = rows[FIRST_ROW + CAUST, 0], rows[FIRST_ROW + KEEP, 0]
    for x in range(width):
        caust[x] = one + (wide_caust[x] - one) * film[x]
        keep[x] = one + (wide_keep[x] - one) * film[x]
        dark[x] = one - BED_SHADOW * dark[x]
    for c in range(3):
        wide, added = rows[FIRST_ROW + SURF_R + c, 0], rows[SURF_R + c, tile_y, :width]
        for x in range(width):
            added[x] = wide[x] * film[x]
        lay_channel(
            rows[BED_R + c, 0], rows[PASS_R + c, 0], light[WATER_BODY + c], caust, keep, added, dark, film,
            tile[c, tile_y, :width],
        )  # fmt: skip
