"""The bed of clear water, row by row: bright sand with ripples and dunes, reef rock around corals, or gravel with moss.

As in paint_kernel each step is a loop over a row that runs as vectors.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ....engine.growths import KIND, RADIUS, X, Y
from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ..water.pond_levels_kernel import fill_nearest
from .bed import PEBBLES, STARFISH
from .ground_material_kernel import LATTICE
from .paint_kernel import add_noise, mix_row, noise_rows, ripple_row
from .picture_noise_kernel import layer_table, smooth

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .bed import Bed
    from .land import Land

# Linear albedo.
PALE_SAND = np.array([0.66, 0.90, 0.66], dtype=np.float32)
WARM_SAND = np.array([0.57, 0.71, 0.47], dtype=np.float32)
DEEP_SAND = np.array([0.02, 0.72, 0.64], dtype=np.float32)
DEEP_WARM = np.array([0.02, 0.55, 0.47], dtype=np.float32)
BLUE_DEPTH = f32(90.0)  # depth bytes over which sand turns to the colour of the sea: corals keep theirs, as pictures want it
SILT = np.array([0.62, 0.50, 0.30], dtype=np.float32)
MOSSY = np.array([0.20, 0.34, 0.10], dtype=np.float32)
MAUVE = np.array([0.34, 0.16, 0.32], dtype=np.float32)
ALGAE = np.array([0.08, 0.24, 0.10], dtype=np.float32)
GREY = np.array([0.30, 0.26, 0.24], dtype=np.float32)

LAYERS = layer_table((0.10, 3.0, 2, 300), (0.05, 9.0, 2, 310), (0.5, 0.0, 1, 320), (0.24, 0.0, 2, 330), (0.62, 0.0, 3, 340),
                     (2.4, 0.0, 2, 350), (4.3, 0.0, 1, 360), (9.1, 0.0, 1, 370))  # fmt: skip
DUNE, DUNE2, TONE, TONE2, BEND, EDGE, EDGE2, LUMP, LUMP2, LUMP3, FINE, FINE2, GRAIN, DUST = range(14)
BED, LEVEL, REEF, WET, RIPPLE, RISE, ROCK = range(14, 21)  # rows of scratch, after the noises
ROWS = 21
RIPPLE_X, RIPPLE_Y = 2.6, 3.9  # radians per unit
TURN = 2.0 * math.pi
ROOM = 1.9  # units of rock around a coral beside twice its radius
HIGHEST_ROCK = f32(0.85)  # units above the sand


@kernel()
def reef_field(land: Land, bed: Bed, corner: tuple[float, float], reef: Array) -> None:
    """Update reef (rows, columns) at every LATTICE-th pixel of a region: above 0 near corals and rocks."""
    scale, step = land.scale, LATTICE / land.scale
    left, top = (corner[0] + 0.5) / scale, -(corner[1] + 0.5) / scale
    reef[:] = f32(0.0)
    rows, columns = reef.shape
    for k in range(bed.growths.shape[0]):
        growth = bed.growths[k]
        if int(growth[KIND]) == STARFISH:
            continue
        reach = 2.0 * growth[RADIUS] + ROOM
        i0, i1 = max(int((growth[X] - reach - left) / step), 0), min(int((growth[X] + reach - left) / step) + 2, columns)
        j0, j1 = max(int((top - growth[Y] - reach) / step), 0), min(int((top - growth[Y] + reach) / step) + 2, rows)
        for j in range(j0, j1):
            dy = top - j * step - growth[Y]
            for i in range(i0, i1):
                dx = left + i * step - growth[X]
                near = f32(1.2 * (1.0 - math.sqrt(dx * dx + dy * dy) / reach))
                if near > f32(0.0):  # neighbours join
                    reef[j, i] = max(reef[j, i], near) + f32(0.25) * min(reef[j, i], near)


@kernel(refcount=False)
def wet_row(bed: Array, level: Array, clear: float, out: Array) -> None:
    """Update how much of the bed is that of clear water: 1 below the surface, 0 on land."""
    for i in range(out.size):
        out[i] = clear * smooth(f32(0.02), f32(0.55), level[i] - bed[i])


@kernel(refcount=False)
def rock_row(reef: Array, rocky: Array, edge: Array, edge2: Array, fine: Array, out: Array) -> None:
    """Update the share of reef rock."""
    for i in range(out.size):
        torn = f32(0.26) * edge[i] + f32(0.16) * edge2[i] + f32(0.07) * fine[i]
        wild = f32(0.55) * smooth(f32(0.40), f32(0.80), rocky[i])
        out[i] = smooth(f32(0.26), f32(0.50), max(reef[i], wild) + torn)


@kernel(refcount=False)
def sand_rise(dune: Array, dune2: Array, ripple: Array, tone: Array, grain: Array, dust: Array, rise: Array) -> None:
    """Update the height of sand above the bare bed (units)."""
    for i in range(rise.size):
        swept = smooth(f32(-0.35), f32(0.30), tone[i])
        rise[i] = f32(0.30) * dune[i] + f32(0.12) * dune2[i] + f32(0.052) * swept * ripple[i]
        rise[i] += f32(0.012) * grain[i] + f32(0.008) * dust[i]


@kernel(refcount=False)
def rock_rise(share: Array, lump: Array, lump2: Array, lump3: Array, fine: Array, fine2: Array, grain: Array,
              rise: Array) -> None:  # fmt: skip
    """Update the height where there is rock: lumps with pits between them."""
    for i in range(rise.size):
        knobs = f32(1.0) - abs(lump[i] + f32(0.6) * lump2[i]) + f32(0.35) * abs(lump3[i])
        rough = f32(0.30) * fine[i] + f32(0.20) * fine2[i] + f32(0.10) * grain[i]
        rise[i] += share[i] * (HIGHEST_ROCK * (f32(0.25) + f32(0.55) * knobs) + f32(0.32) * rough - f32(0.4) * rise[i])


@kernel(refcount=False)
def gravel_rise(tone: Array, edge: Array, fine: Array, grain: Array, dust: Array, rise: Array) -> None:
    """Update the height of gravel."""
    for i in range(rise.size):
        rise[i] = f32(0.10) * tone[i] + f32(0.05) * edge[i] + f32(0.035) * fine[i]
        rise[i] += f32(0.05) * abs(grain[i]) + f32(0.03) * abs(dust[i])


@kernel(refcount=False)
def deep_row(bed: Array, level: Array, steps: float, out: Array) -> None:
    """Update how blue the sand is: 0 at the shore, 1 far below the surface; `steps` are depth bytes per unit."""
    for i in range(out.size):
        out[i] = f32(1.0) - f32(1.0) / (f32(1.0) + max(level[i] - bed[i], f32(0.0)) * steps / BLUE_DEPTH)


@kernel(refcount=False)
def sand_colour(c: int, tone: Array, edge: Array, dune: Array, grain: Array, dust: Array, deep: Array, out: Array) -> None:
    """Update channel c of the albedo of sand, paler on crests."""
    for i in range(out.size):
        pale = PALE_SAND[c] + (DEEP_SAND[c] - PALE_SAND[c]) * deep[i]
        warm = WARM_SAND[c] + (DEEP_WARM[c] - WARM_SAND[c]) * deep[i]
        mix = min(max(f32(0.45) + f32(0.55) * tone[i] + f32(0.22) * edge[i] - f32(0.25) * dune[i], f32(0.0)), f32(1.0))
        speck = f32(0.06) * grain[i] + f32(0.07) * dust[i]
        speck -= f32(0.25) * smooth(f32(0.55), f32(0.8), dust[i] + f32(0.3) * grain[i])
        out[i] = (pale + (warm - pale) * mix) * (f32(1.0) + speck)


@kernel(refcount=False)
def gravel_colour(c: int, tone: Array, edge: Array, fine: Array, grain: Array, dust: Array, out: Array) -> None:
    """Update channel c of the albedo of silt and gravel, with moss in places."""
    bare, green = SILT[c], MOSSY[c]
    for i in range(out.size):
        mossy = smooth(f32(0.0), f32(0.9), tone[i] + f32(0.5) * edge[i] + f32(0.25) * fine[i])
        out[i] = (bare + (green - bare) * mossy) * (f32(1.0) + f32(0.20) * grain[i] + f32(0.22) * dust[i])


@kernel(refcount=False)
def rock_colour(c: int, share: Array, edge: Array, lump: Array, lump2: Array, fine: Array, fine2: Array, grain: Array,
                dust: Array, out: Array) -> None:  # fmt: skip
    """Update channel c of the albedo where there is rock: grey with mauve and green crusts."""
    grey, mauve, algae, one = GREY[c], MAUVE[c], ALGAE[c], f32(1.0)
    for i in range(out.size):
        violet = smooth(f32(-0.10), f32(0.45), lump[i] + f32(0.4) * fine[i])
        green = smooth(f32(0.0), f32(0.5), edge[i] - f32(0.4) * lump2[i] + f32(0.3) * fine2[i])
        bare = grey + (mauve - grey) * violet
        bare += (algae - bare) * green
        dark = one + f32(0.22) * grain[i] + f32(0.22) * dust[i] + f32(0.18) * fine2[i]
        out[i] += share[i] * (bare * dark - out[i])


@kernel(refcount=False)
def lay_row(wet: Array, bed: Array, rise: Array, height: Array) -> None:
    """Update a row of heights by the bed of clear water."""
    for i in range(height.size):
        height[i] += wet[i] * (bed[i] + rise[i] - height[i])


@kernel(refcount=False)
def tint_row(wet: Array, colour: Array, albedo: Array) -> None:
    """Update a row of a channel of the albedo by that of clear water."""
    for i in range(albedo.size):
        albedo[i] += wet[i] * (colour[i] - albedo[i])


@kernel(refcount=False)
def any_above(row: Array) -> bool:
    """Return whether any number of a row is above 0."""
    for i in range(row.size):
        if row[i] > f32(0.0):
            return True
    return False


@kernel()
def paint_bed(land: Land, bed: Bed, corner: tuple[float, float], fields: Array, reef: Array, first: int, last: int,
              height: Array, albedo: Array) -> None:  # fmt: skip
    """Update rows first..last of a region where it lies in clear water."""
    scale, seed, columns = land.scale, int(land.seed), height.shape[1]
    left, step = (corner[0] + 0.5) / scale, 1.0 / scale
    noise = noise_rows(left, step, LAYERS, columns)
    rows, distance = np.zeros((ROWS, columns), dtype=np.float32), np.empty(columns)
    spare = np.empty((3, columns), dtype=np.float32)
    rocky, colour, deep = spare[0], spare[1], spare[2]
    sandy = bed.kind != PEBBLES
    for j in range(first, last):
        y, b = -(corner[1] + j + 0.5) / scale, f32((j % LATTICE) / LATTICE)
        mix_row(fields[0, j // LATTICE], fields[0, j // LATTICE + 1], b, rows[BED])
        fill_nearest(land.ponds, left, step, y, distance, rows[LEVEL])
        wet_row(rows[BED], rows[LEVEL], bed.clear, rows[WET])
        if not any_above(rows[WET]):
            continue
        mix_row(reef[j // LATTICE], reef[j // LATTICE + 1], b, rows[REEF])
        mix_row(fields[3, j // LATTICE], fields[3, j // LATTICE + 1], b, rocky)
        deep_row(rows[BED], rows[LEVEL], land.depth_steps, deep)
        add_noise(y, seed, LAYERS, 0, 14, noise, rows)
        if not sandy:
            rocky[:] = f32(0.0)
        rock_row(rows[REEF], rocky, rows[EDGE], rows[EDGE2], rows[FINE], rows[ROCK])
        if sandy:
            start = (RIPPLE_X * left + RIPPLE_Y * y) / TURN
            ripple_row(start - math.floor(start), RIPPLE_X * step / TURN, rows[BEND], rows[RIPPLE])
            sand_rise(rows[DUNE], rows[DUNE2], rows[RIPPLE], rows[TONE], rows[GRAIN], rows[DUST], rows[RISE])
        else:
            gravel_rise(rows[TONE], rows[EDGE], rows[FINE], rows[GRAIN], rows[DUST], rows[RISE])
        rock_rise(rows[ROCK], rows[LUMP], rows[LUMP2], rows[LUMP3], rows[FINE], rows[FINE2], rows[GRAIN], rows[RISE])
        lay_row(rows[WET], rows[BED], rows[RISE], height[j])
        for c in range(3):
            if sandy:
                sand_colour(c, rows[TONE], rows[EDGE], rows[DUNE], rows[GRAIN], rows[DUST], deep, colour)
            else:
                gravel_colour(c, rows[TONE], rows[EDGE], rows[FINE], rows[GRAIN], rows[DUST], colour)
            rock_colour(c, rows[ROCK], rows[EDGE], rows[LUMP], rows[LUMP2], rows[FINE], rows[FINE2], rows[GRAIN],
                        rows[DUST], colour)
            tint_row(rows[WET], colour, albedo[c, j])
