"""The bed seen through the water, a strip of a tile at a time: the rows of pixels between two rows of samples.

Loops write one array each and are functions of their own: so they run as vectors, gathered pixels included. Made part of one
another they do not. A strip is long enough to make up for the calls, and its arrays stay in the first cache.
"""

from __future__ import annotations

import numpy as np
from numpy import float32 as f32

from .borrow import borrower
from .light import WATER_BODY
from .shade_kernel import CAUST, KEEP, SURF_R
from .water_kernel import OFFSET_X, OFFSET_Y, WIDEST_STEP

SURFACE_PLANES = 5  # of a tile, see shade_kernel
COLOUR, PASSING, FILM, SUNLIGHT = range(4)  # planes of a strip
STRIP_PLANES, STRIP_ROWS = 4, WIDEST_STEP
BED, DEEP = range(2)  # whole numbers of a strip: where the bed of a pixel lies, then its packed colour; its depth byte
WHOLE_PLANES = 2
FILM_STEPS = f32(0.2)  # per depth byte: the thinnest film fades in, which gives a smooth shoreline
BED_SHADOW = f32(0.6)  # darkest creature shadow on the bed: water scatters light into it
SQUARE = f32(1.5 / (255.0 * 255.0))  # from a background byte squared to linear light, range as in raster_kernel
ROUND = f32(1024.5)  # added before and taken off after cutting to whole numbers: rounds negative ones the same way
DRY = np.uint32(0x01000000)  # packed pixels below it have no depth


@borrower()
def find_bed(low_x, high_x, low_y, high_y, b, y, left, rows, columns, place):
    """Update place, in a picture of rows x columns, of the bed that every pixel of a row shows; beyond it is its edge."""
    for x in range(place.size):
        dx = np.int32(low_x[x] + (high_x[x] - low_x[x]) * b + ROUND) - np.int32(1024)
        dy = np.int32(low_y[x] + (high_y[x] - low_y[x]) * b + ROUND) - np.int32(1024)
        column = min(max(np.int32(left + x) + dx, np.int32(0)), np.int32(columns - 1))
        row = min(max(np.int32(y) + dy, np.int32(0)), np.int32(rows - 1))
        place[x] = np.uint32(row * np.int32(columns) + column)


@borrower()
def fetch_bed(flat, background, top, left, rows, columns, stride, bed):
    """Update bed from places to the packed colours there; a bed that is dry is none, its pixel shows its own."""
    for v in range(rows):
        own, out = background[top + v * stride, left : left + columns], bed[v, :columns]
        for x in range(out.size):
            seen = flat[out[x]]
            out[x] = own[x] if seen < DRY else seen


@borrower()
def depths(background, top, left, rows, columns, stride, deep):
    """Update the depth byte of every pixel."""
    for v in range(rows):
        own, out = background[top + v * stride, left : left + columns], deep[v, :columns]
        for x in range(out.size):
            out[x] = own[x] >> np.uint32(24)


@borrower()
def films(deep, rows, film):
    """Update the share of a full film of water at every pixel, by its depth byte."""
    for v in range(rows):
        source, out = deep[v], film[v]
        for x in range(source.size):
            out[x] = min(f32(np.int32(source[x])) * FILM_STEPS, f32(1.0))


@borrower()
def between_rows(low, high, step, start, film, rest, first, rows, stride, out):
    """Update rows of out between two rows `step` pixels apart, from `start` after the low one on; at rest without film."""
    for v in range(rows):
        b = (f32(start + v * stride) + f32(0.5)) / f32(step)
        cover, row = film[v], out[first + v * stride]
        for x in range(row.size):
            row[x] = rest + (low[x] + (high[x] - low[x]) * b - rest) * cover[x]


@borrower()
def spread_row(low, high, b, out, width):
    """Update out (width) with two half-res rows mixed by b and spread to full resolution."""
    a, quarter, most = f32(1.0) - b, f32(0.25), f32(0.75)
    for i in range((width + 1) // 2):
        s0, s1, s2 = low[i] * a + high[i] * b, low[i + 1] * a + high[i + 1] * b, low[i + 2] * a + high[i + 2] * b
        out[2 * i] = s0 * quarter + s1 * most
        out[2 * i + 1] = s1 * most + s2 * quarter


@borrower()
def light_bed(caust, first, rows, stride, sunlight):
    """Update sunlight from shadow to a factor of the bed's packed colour squared: gathered by waves, kept off by shadow."""
    for v in range(rows):
        gain, out = caust[first + v * stride], sunlight[v]
        for x in range(out.size):
            out[x] = (f32(1.0) - BED_SHADOW * out[x]) * SQUARE * gain[x]


@borrower()
def passing(table, deep, rows, out):
    """Update one channel of the light that passes the water, by the depth byte of every pixel."""
    for v in range(rows):
        source, row = deep[v], out[v]
        for x in range(source.size):
            row[x] = table[source[x] & np.uint32(255)]


@borrower()
def bed_channel(bed, shift, rows, out):
    """Update one channel of the bed's bytes."""
    for v in range(rows):
        source, row = bed[v], out[v]
        for x in range(source.size):
            row[x] = f32(np.int32((source[x] >> shift) & np.uint32(255)))


@borrower()
def lay_channel(strip, body, surface, c, kept, first, rows, columns, stride, tile):
    """Update one colour where it is wet: the bed in the light that passes, the body of the water, what the surface adds."""
    one = f32(1.0)
    for v in range(rows):
        bed, through, film, sunlight = strip[COLOUR, v], strip[PASSING, v], strip[FILM, v], strip[SUNLIGHT, v]
        keep, added = surface[KEEP, kept + v * stride], surface[SURF_R + c, kept + v * stride]
        row = tile[c, first + v * stride, :columns]
        for x in range(row.size):
            value = (bed[x] * bed[x] * sunlight[x] * through[x] + body * (one - through[x])) * keep[x] + added[x]
            row[x] = value if film[x] > f32(0.0) else row[x]


@borrower()
def water_strip(
    flat, background, shadow, any_shadow, wide, step, depth_table, light, top, left, first, rows, columns, stride, kept,
    tile, surface, strip, whole,
):  # fmt: skip
    """Update every stride-th of some rows of a tile, from `first` on, where wet, and as many surface rows from `kept` on.

    The first pixel of the tile is (left, top) of the picture. Submerged parts are seen through the surface.
    """
    k, y, start = first // step, top + first, first % step
    bed, deep, film, sunlight = whole[BED], whole[DEEP], strip[FILM], strip[SUNLIGHT]
    for v in range(rows):
        find_bed(
            wide[OFFSET_X, k], wide[OFFSET_X, k + 1], wide[OFFSET_Y, k], wide[OFFSET_Y, k + 1],
            (f32(start + v * stride) + f32(0.5)) / f32(step), y + v * stride, left, background.shape[0], background.shape[1],
            bed[v],
        )  # fmt: skip
    fetch_bed(flat, background, y, left, rows, columns, stride, bed)
    depths(background, y, left, rows, columns, stride, deep)
    films(deep, rows, film)
    for plane in range(SURFACE_PLANES):
        rest = f32(1.0) if plane == CAUST or plane == KEEP else f32(0.0)
        between_rows(wide[plane, k], wide[plane, k + 1], step, start, film, rest, kept, rows, stride, surface[plane])
    sunlight[:] = f32(0.0)
    if any_shadow:
        for v in range(rows):
            line = y + v * stride
            j, mix = (line + 1) // 2, f32(0.25) if line % 2 == 1 else f32(0.75)
            spread_row(shadow[j, left // 2 :], shadow[j + 1, left // 2 :], mix, sunlight[v], columns)
    light_bed(surface[CAUST], kept, rows, stride, sunlight)
    for c in range(3):
        bed_channel(bed, np.uint32(16 - 8 * c), rows, strip[COLOUR])
        passing(depth_table[c], deep, rows, strip[PASSING])
        lay_channel(strip, light[WATER_BODY + c], surface, c, kept, first, rows, columns, stride, tile)


@borrower()
def mix_where_wet(above, below, b, own, out):
    """Update out with two rows mixed by b where its own packed pixels are wet."""
    for x in range(out.size):
        out[x] = above[x] + (below[x] - above[x]) * b if own[x] >= DRY else out[x]


@borrower()
def fill_between(background, top, left, height, width, stride, any_items, tile, surface):
    """Update the rows of a wet tile between every stride-th and the last; its surface too if anything is seen through it."""
    for y in range(1, height - 1):
        low = y // stride * stride
        high = min(low + stride, height - 1)
        if y == low:
            continue
        b, own = f32(y - low) / f32(high - low), background[top + y, left : left + width]
        for c in range(3):
            mix_where_wet(tile[c, low], tile[c, high], b, own, tile[c, y, :width])
        if any_items:
            for plane in range(SURFACE_PLANES):
                mix_where_wet(surface[plane, low], surface[plane, high], b, own, surface[plane, y, :width])
