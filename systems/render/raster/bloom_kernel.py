"""Bloom: what is brighter than the film can show spreads to its surroundings, at an eighth of the resolution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.kernel_types import int32, uint32
from ....engine.work_counter import take_next
from ..creatures.primitive_fields import TILE_H, TILE_W

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

BLOCK = 8  # px per bloom pixel [look 2]
BRIGHTEST = f32(3.0)  # linear light; a single spark must not flood its surroundings
LEAST_SEEN = f32(0.004)  # one step of a display byte
WEIGHTS = (f32(0.0625), f32(0.25), f32(0.375), f32(0.25), f32(0.0625))  # five taps of a binomial


@kernel(refcount=False)
def dark_tile(height: int, width: int, left: int, top: int, bloom: Array) -> None:
    """Update the bloom pixels under a tile in which nothing is bright."""
    for c in range(3):
        for y in range(0, height, BLOCK):
            for x in range(0, width, BLOCK):
                bloom[c, (top + y) // BLOCK, (left + x) // BLOCK] = f32(0.0)


@kernel(refcount=False)
def any_bright(tile: Array, height: int, threshold: float) -> bool:
    """Return whether anything in a tile exceeds a threshold: as whole numbers, in whose order positive floats are."""
    limit = int32(np.float32(threshold).view(np.int32))
    for c in range(3):
        signs = int32(0)
        for y in range(height):
            row = tile[c, y]
            for x in range(row.size):
                signs = int32(signs | int32(limit - np.float32(row[x]).view(np.int32)))
        if signs < 0:
            return True
    return False


@kernel(refcount=False)
def bright_tile(tile: Array, height: int, width: int, left: int, top: int, threshold: float, columns: Array,
                bloom: Array) -> None:  # fmt: skip
    """Update the bloom pixels (3, rows, columns) under a tile with the mean of what exceeds the threshold."""
    if not any_bright(tile, height, threshold):
        dark_tile(height, width, left, top, bloom)
        return
    for c in range(3):
        for y in range(0, height, BLOCK):
            columns[:] = f32(0.0)
            for v in range(y, min(y + BLOCK, height)):
                row = tile[c, v]
                for x in range(width):  # columns first: this part runs as vectors
                    columns[x] += min(max(row[x] - threshold, f32(0.0)), BRIGHTEST)
            for x in range(0, width, BLOCK):
                total = f32(0.0)
                for u in range(x, min(x + BLOCK, width)):
                    total += columns[u]
                bloom[c, (top + y) // BLOCK, (left + x) // BLOCK] = total * f32(1.0 / (BLOCK * BLOCK))


@kernel(refcount=False)
def blur_bloom(bloom: Array, spare: Array) -> None:
    """Update bloom with itself blurred along rows and columns, twice; beyond the picture it is dark."""
    rows, columns = bloom.shape[1], bloom.shape[2]
    for _ in range(2):
        for c in range(3):
            for j in range(rows):
                source, target = bloom[c, j], spare[c, j]
                target[:] = f32(0.0)
                for k in range(5):
                    shift = k - 2
                    for i in range(max(-shift, 0), columns - max(shift, 0)):
                        target[i] += WEIGHTS[k] * source[i + shift]
            for j in range(rows):
                target = bloom[c, j]
                target[:] = f32(0.0)
                for k in range(max(2 - j, 0), min(rows - j + 2, 5)):
                    source = spare[c, j + k - 2]
                    for i in range(columns):
                        target[i] += WEIGHTS[k] * source[i]


@kernel(refcount=False)
def glow_seen(bloom: Array, strength: float, j0: int, j1: int, i0: int, i1: int) -> bool:
    """Return whether any bloom pixel of a box would change a display byte."""
    for c in range(3):
        for j in range(j0, j1):
            for i in range(i0, i1):
                if bloom[c, j, i] * strength > LEAST_SEEN:
                    return True
    return False


@kernel(refcount=False)
def glow_channel(bloom: Array, c: int, strength: float, y: int, left: int, width: int, out: Array) -> None:
    """Update out (width) with the light that bloom adds to one row of pixels, between four bloom pixels."""
    rows, columns = bloom.shape[1], bloom.shape[2]
    v = max((f32(y) + f32(0.5)) * f32(1.0 / BLOCK) - f32(0.5), f32(0.0))
    j = min(int(v), rows - 1)
    j1, b = min(j + 1, rows - 1), v - f32(j)
    for x in range(width):
        u = max((f32(left + x) + f32(0.5)) * f32(1.0 / BLOCK) - f32(0.5), f32(0.0))
        i = min(int(u), columns - 1)
        i1, a = min(i + 1, columns - 1), u - f32(i)
        low = bloom[c, j, i] + (bloom[c, j, i1] - bloom[c, j, i]) * a
        high = bloom[c, j1, i] + (bloom[c, j1, i1] - bloom[c, j1, i]) * a
        out[x] = min((low + (high - low) * b) * strength, f32(1.0))


@kernel(refcount=False)
def bloom_tile(t: int, tiles_x: int, bloom: Array, strength: float, scratch: Array, pixels: Array) -> None:
    """Update the packed pixels of tile t with the light around bright things, screened over the picture."""
    left, top = (t % tiles_x) * TILE_W, (t // tiles_x) * TILE_H
    width, height = min(TILE_W, pixels.shape[1] - left), min(TILE_H, pixels.shape[0] - top)
    j1, i1 = min((top + TILE_H) // BLOCK + 1, bloom.shape[1]), min((left + TILE_W) // BLOCK + 1, bloom.shape[2])
    if not glow_seen(bloom, strength, max(top // BLOCK - 1, 0), j1, max(left // BLOCK - 1, 0), i1):
        return
    for y in range(top, top + height):
        for c in range(3):
            glow_channel(bloom, c, strength, y, left, width, scratch[c, 0])
        row, red, green, blue = pixels[y, left : left + width], scratch[0, 0], scratch[1, 0], scratch[2, 0]
        for x in range(width):
            v = row[x]
            r = f32(int32((v >> uint32(16)) & uint32(255)))
            g = f32(int32((v >> uint32(8)) & uint32(255)))
            b = f32(int32(v & uint32(255)))
            r, g, b = r + (f32(255.0) - r) * red[x], g + (f32(255.0) - g) * green[x], b + (f32(255.0) - b) * blue[x]
            row[x] = uint32((int32(r) << int32(16)) | (int32(g) << int32(8)) | int32(b))


@kernel()
def bloom_pass(bloom: Array, strength: float, scratches: Array, pixels: Array, tiles_x: int, tiles: int, seat: int,
               taken: Array) -> None:  # fmt: skip
    """Update pixels with the blurred bloom; scratches hold one small tile per seat."""
    t = take_next(taken)
    while t < tiles:
        bloom_tile(t, tiles_x, bloom, strength, scratches[seat], pixels)
        t = take_next(taken)
