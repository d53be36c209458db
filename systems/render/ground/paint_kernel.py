"""Height and albedo of every pixel of a region, row by row: each step is a loop over a row that runs as vectors.

Loops write one row and read few: what many rows might share in memory would have to be compared before.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.kernel_types import int32
from ..water.pond_levels_kernel import fill_nearest
from .ground_material_kernel import LATTICE, four_around, patch
from .picture_noise_kernel import NO_ROW, SCRATCH, layer_table, noise_row, place_columns, smooth

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .land import Land

# Linear albedo of [look 3].
SAND_TONE = (f32(0.640), f32(0.482), f32(0.289))
SOIL_TONE = (f32(0.272), f32(0.176), f32(0.096))
GRASS_TONE = (f32(0.136), f32(0.190), f32(0.034))
ROCK_TONE = (f32(0.300), f32(0.272), f32(0.240))

FIELD_LAYERS = layer_table((0.055, 0.0, 2, 0), (0.27, 0.0, 3, 101), (0.045, 71.0, 1, 202), (0.5, 0.0, 1, 5))
"""The slowly varying noises, as in `material_noise`."""
DETAIL_LAYERS = layer_table((4.3, 0.0, 1, 11), (9.1, 0.0, 1, 12), (1.5, 0.0, 2, 21), (2.1, 0.0, 1, 31), (0.55, 0.0, 3, 41))
"""Grain and dust of all materials, lumps of soil, clumps of grass, cracks of rock."""
GRAIN, DUST, LUMP, LUMP2, CLUMP, CRACK, CRACK2, CRACK3 = range(8)
BED, ZONE, MID, ROCKY, WARP, SAND, GRASS, ROCK, SOIL, RIPPLE, LEVEL, RISE = range(8, 20)  # rows of scratch, after the noises
ROWS = 20
SEEN_GRAIN, SEEN_DUST = 5.0, 11.0  # px per unit below which a pixel hides them
LEAST_SHARE = f32(0.01)  # of a material that has any relief
RIPPLE_X, RIPPLE_Y, RIPPLE_WARP = 1.9, 3.1, f32(3.2)  # radians per unit, and by the warp
TURN = 2.0 * math.pi
SHIFT = f32(2.0)  # turns, more than the warp makes in the other direction: cutting then rounds down


@kernel()
def noise_rows(first: float, step: float, layers: Array, columns: int) -> tuple[Array, ...]:
    """Return what `noise_row` keeps for some layers at the columns x = first + i * step."""
    n = layers.shape[0]
    cell, inside = np.empty((n, columns), dtype=np.uint32), np.empty((n, columns), dtype=np.float32)
    flat, steep = np.empty((n, 2, columns), dtype=np.float32), np.empty((n, 2, columns), dtype=np.float32)
    lowest, kept = np.empty(n, dtype=np.int64), np.full((n, 2), NO_ROW)
    for k in range(n):
        lowest[k] = place_columns(first, step, layers[k], cell[k], inside[k])
    return lowest, cell, inside, flat, steep, kept, np.empty((2, SCRATCH * columns), dtype=np.float32)


@kernel(refcount=False)
def add_noise(y: float, seed: int, layers: Array, first: int, last: int, noise: tuple[Array, ...], rows: Array) -> None:
    """Update rows first..last-1 with their layers of noise at y."""
    lowest, cell, inside, flat, steep, kept, scratch = noise
    for k in range(first, last):
        noise_row(y, layers[k], seed, lowest[k], cell[k], inside[k], flat[k], steep[k], kept[k], scratch, rows[k])


@kernel(refcount=False)
def field_row(noise: Array, zone: Array, mid: Array, rock: Array, warp: Array) -> None:
    """Update a row of the four material noises from a row of their layers."""
    for i in range(zone.size):
        m = noise[2, i] + f32(0.5) * noise[3, i] + f32(0.25) * noise[4, i]
        zone[i] = f32(0.75) * (noise[0, i] + f32(0.5) * noise[1, i]) + f32(0.34) * m
        mid[i] = m
        rock[i] = noise[5, i] + f32(0.25) * m
        warp[i] = noise[6, i]


@kernel()
def coarse_fields(land: Land, corner: tuple[float, float], fields: Array) -> None:
    """Update fields (5, rows, columns): elevation and material noises at every LATTICE-th pixel of a region."""
    elevation, scale, seed = land.elevation, land.scale, int(land.seed)
    rows, columns = fields.shape[1], fields.shape[2]
    left, step = (corner[0] + 0.5) / scale, LATTICE / scale
    noise = noise_rows(left, step, FIELD_LAYERS, columns)
    layers = np.empty((FIELD_LAYERS.shape[0], columns), dtype=np.float32)
    around = [four_around((left + i * step - land.origin_x) / land.cell, elevation.shape[1]) for i in range(columns)]
    for j in range(rows):
        y = -(corner[1] + j * LATTICE + 0.5) / scale
        above = four_around((y - land.origin_y) / land.cell, elevation.shape[0])
        for i in range(columns):
            fields[0, j, i] = f32(patch(elevation, around[i], above))
        add_noise(y, seed, FIELD_LAYERS, 0, FIELD_LAYERS.shape[0], noise, layers)
        field_row(layers, fields[1, j], fields[2, j], fields[3, j], fields[4, j])


@kernel(refcount=False)
def mix_row(low: Array, high: Array, b: float, out: Array) -> None:
    """Update out with a row of pixels between two rows of samples, LATTICE pixels apart."""
    step, whole = f32(1.0 / LATTICE), out.size // LATTICE
    left = low[0] + (high[0] - low[0]) * b
    for p in range(whole):
        right = low[p + 1] + (high[p + 1] - low[p + 1]) * b
        for k in range(LATTICE):
            out[LATTICE * p + k] = left + (right - left) * (f32(k) * step)
        left = right
    right = low[whole + 1] + (high[whole + 1] - low[whole + 1]) * b
    for k in range(out.size - LATTICE * whole):
        out[LATTICE * whole + k] = left + (right - left) * (f32(k) * step)


@kernel(refcount=False)
def share_row(base: float, bed: Array, zone: Array, mid: Array, rocky: Array, sand: Array, grass: Array,
              rock: Array) -> None:  # fmt: skip
    """Update rows of the shares of sand, grass and rock on dry land, as in `shares`."""
    one = f32(1.0)
    for i in range(rock.size):
        rock[i] = smooth(f32(0.42), f32(0.60), rocky[i])
    for i in range(sand.size):
        sand[i] = (one - smooth(f32(1.02), f32(1.38), bed[i] - base + zone[i])) * (one - rock[i])
    for i in range(grass.size):
        grass[i] = smooth(f32(1.55), f32(2.05), bed[i] - base + zone[i] + f32(0.30) * mid[i]) * (one - rock[i])


@kernel(refcount=False)
def shore_row(bed: Array, level: Array, sand: Array, grass: Array, rock: Array) -> None:
    """Update the shares near water and below it: sand only. The row of levels becomes how dry it is, 0..1."""
    one = f32(1.0)
    for i in range(level.size):
        level[i] = smooth(f32(0.15), f32(0.7), bed[i] - level[i])
    for i in range(sand.size):
        sand[i] += (one - level[i]) * f32(0.75) * (one - sand[i])
    for i in range(grass.size):
        grass[i] *= level[i]
    for i in range(rock.size):
        rock[i] *= level[i]


@kernel(refcount=False)
def any_of(share: Array) -> bool:
    """Return whether any pixel of a row has a share that counts."""
    most = int32(0)
    for i in range(share.size):  # as whole numbers, whose order is that of positive ones, and which run as vectors
        most = max(most, int32(np.float32(share[i]).view(np.int32)))
    return most > int32(np.float32(LEAST_SHARE).view(np.int32))


@kernel(refcount=False)
def soil_row(sand: Array, grass: Array, rock: Array, soil: Array) -> None:
    """Update the share of soil, which is the rest."""
    for i in range(soil.size):
        soil[i] = max(f32(1.0) - sand[i] - grass[i] - rock[i], f32(0.0))


@kernel(refcount=False)
def ripple_row(start: float, step: float, warp: Array, out: Array) -> None:
    """Update out with the sine of a phase (turns) that grows from pixel to pixel, shifted by the warp."""
    bend = f32(RIPPLE_WARP / TURN)
    for i in range(out.size):
        q = f32(start + step * i) + warp[i] * bend + SHIFT
        q = q - f32(int32(q)) - f32(0.5)  # half a turn off, which turns the sign
        s = q * q
        # Taylor's series, wrong by 2e-5 at the ends of the range
        last = f32(76.705860) - s * (f32(42.058694) - s * (f32(15.094643) - s * f32(3.8199525)))
        out[i] = -q * (f32(6.2831853) - s * (f32(41.341702) - s * (f32(81.605249) - s * last)))


@kernel(refcount=False)
def relief_of_sand(share: Array, ripple: Array, warp: Array, grain: Array, dust: Array, rise: Array) -> None:
    """Update the detail height (units)."""
    for i in range(rise.size):
        k = share[i] if share[i] > LEAST_SHARE else f32(0.0)
        rise[i] += k * (f32(0.022) * ripple[i] + f32(0.05) * warp[i] + f32(0.018) * grain[i] + f32(0.010) * dust[i])


@kernel(refcount=False)
def relief_of_soil(share: Array, lump: Array, lump2: Array, grain: Array, dust: Array, rise: Array) -> None:
    """Update the detail height (units)."""
    for i in range(rise.size):
        k = share[i] if share[i] > LEAST_SHARE else f32(0.0)
        lumps = lump[i] + f32(0.5) * lump2[i]
        rise[i] += k * (f32(0.10) * lumps + f32(0.055) * grain[i] + f32(0.028) * dust[i])


@kernel(refcount=False)
def relief_of_grass(share: Array, clump: Array, grain: Array, dust: Array, rise: Array) -> None:
    """Update the detail height (units)."""
    for i in range(rise.size):
        k = share[i] if share[i] > LEAST_SHARE else f32(0.0)
        rise[i] += k * (f32(0.10) + f32(0.10) * clump[i] + f32(0.10) * abs(grain[i]) + f32(0.06) * dust[i])


@kernel(refcount=False)
def relief_of_rock(share: Array, crack: Array, crack2: Array, crack3: Array, grain: Array, rise: Array) -> None:
    """Update the detail height (units)."""
    for i in range(rise.size):
        k = share[i] if share[i] > LEAST_SHARE else f32(0.0)
        ridge = f32(1.0) - abs(crack[i] + f32(0.5) * crack2[i] + f32(0.25) * crack3[i])
        rise[i] += k * (f32(0.30) * ridge + f32(0.03) * grain[i])


@kernel(refcount=False)
def albedo_row(c: int, patchy: float, sand: Array, soil: Array, grass: Array, rock: Array, mid: Array, grain: Array,
               dust: Array, out: Array) -> None:  # fmt: skip
    """Update a row of channel c of the linear albedo; patchy is how much of the patches shows in grass of this channel."""
    one, a, b, d, e = f32(1.0), SAND_TONE[c], SOIL_TONE[c], GRASS_TONE[c], ROCK_TONE[c]
    for i in range(out.size):
        m, n, u = mid[i], grain[i], dust[i]
        light = a * (sand[i] * (one + f32(0.10) * m + f32(0.07) * n + f32(0.07) * u))
        light += b * (soil[i] * (one + f32(0.18) * m + f32(0.22) * n + f32(0.18) * u))
        light += d * (grass[i] * (one + f32(0.25) * n + f32(0.30) * u) * (one + patchy * m))
        out[i] = light + e * (rock[i] * (one + f32(0.15) * n + f32(0.10) * u))


@kernel(refcount=False)
def relief_row(y: float, seed: int, left: float, step: float, noise: tuple[Array, ...], rows: Array) -> None:
    """Update the row RISE from the shares: the detail height; materials that are not there cost nothing."""
    rise, grain, dust = rows[RISE], rows[GRAIN], rows[DUST]
    rise[:] = f32(0.0)
    if any_of(rows[SAND]):
        start = (RIPPLE_X * left + RIPPLE_Y * y) / TURN
        ripple_row(start - math.floor(start), RIPPLE_X * step / TURN, rows[WARP], rows[RIPPLE])
        relief_of_sand(rows[SAND], rows[RIPPLE], rows[WARP], grain, dust, rise)
    if any_of(rows[SOIL]):
        add_noise(y, seed, DETAIL_LAYERS, LUMP, LUMP2 + 1, noise, rows)
        relief_of_soil(rows[SOIL], rows[LUMP], rows[LUMP2], grain, dust, rise)
    if any_of(rows[GRASS]):
        add_noise(y, seed, DETAIL_LAYERS, CLUMP, CLUMP + 1, noise, rows)
        relief_of_grass(rows[GRASS], rows[CLUMP], grain, dust, rise)
    if any_of(rows[ROCK]):
        add_noise(y, seed, DETAIL_LAYERS, CRACK, CRACK3 + 1, noise, rows)
        relief_of_rock(rows[ROCK], rows[CRACK], rows[CRACK2], rows[CRACK3], grain, rise)


@kernel()
def paint_rows(land: Land, corner: tuple[float, float], fields: Array, first: int, last: int, height: Array,
               albedo: Array) -> None:  # fmt: skip
    """Update rows first..last of a region's height (m, n) and albedo (3, m, n) from its coarse fields."""
    scale, seed, base = land.scale, int(land.seed), f32(land.base)
    left, step = (corner[0] + 0.5) / scale, 1.0 / scale
    noise = noise_rows(left, step, DETAIL_LAYERS, height.shape[1])
    rows = np.zeros((ROWS, height.shape[1]), dtype=np.float32)
    distance = np.empty(height.shape[1])
    patchy = (f32(0.30), f32(0.0), f32(-0.2))
    for j in range(first, last):
        y = -(corner[1] + j + 0.5) / scale
        for k in range(5):
            mix_row(fields[k, j // LATTICE], fields[k, j // LATTICE + 1], f32((j % LATTICE) / LATTICE), rows[BED + k])
        share_row(base, rows[BED], rows[ZONE], rows[MID], rows[ROCKY], rows[SAND], rows[GRASS], rows[ROCK])
        if land.ponds.shape[0] > 0:
            fill_nearest(land.ponds, left, step, y, distance, rows[LEVEL])
            shore_row(rows[BED], rows[LEVEL], rows[SAND], rows[GRASS], rows[ROCK])
        soil_row(rows[SAND], rows[GRASS], rows[ROCK], rows[SOIL])
        add_noise(y, seed, DETAIL_LAYERS, GRAIN, (scale > SEEN_GRAIN) + (scale > SEEN_DUST), noise, rows)
        relief_row(y, seed, left, step, noise, rows)
        for i in range(height.shape[1]):
            height[j, i] = rows[BED, i] + rows[RISE, i]
        for c in range(3):
            sand, soil, grass, rock = rows[SAND], rows[SOIL], rows[GRASS], rows[ROCK]
            albedo_row(c, patchy[c], sand, soil, grass, rock, rows[MID], rows[GRAIN], rows[DUST], albedo[c, j])
