"""Gradient noise in float32 for pictures: fast, seeded, the same at every zoom."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.kernel_types import int32, int64, uint32, uint64

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

STRENGTH = f32(1.25)  # brings the noise to about -1..1
FINER, FINER_X, FINER_Y = 2.03, 11.7, -5.3  # from one layer of a fractal to the next: coordinate factor and shifts
SCRATCH = 2  # lattice points per column for which there is room
NO_ROW = -(2**62)  # no row of lattice cells

# Odd multipliers that spread lattice neighbours over all bits.
PRIME_X, PRIME_Y, PRIME_SEED = uint32(0x8DA6B343), uint32(0xD8163841), uint32(0xCB1AB31F)


@kernel()
def hash_cell(ix: int, iy: int, seed: int) -> int:
    """Return a well mixed non-negative 31-bit integer of a lattice cell."""
    h = uint32(ix) * PRIME_X + uint32(iy) * PRIME_Y + uint32(seed) * PRIME_SEED
    h = (h ^ (h >> uint32(15))) * uint32(0x2C1B3C6D)
    h = (h ^ (h >> uint32(12))) * uint32(0x297A2D39)
    return int64((h ^ (h >> uint32(15))) & uint32(0x7FFFFFFF))


@kernel()
def random01(ix: int, iy: int, seed: int) -> float:
    """Return a uniform number in 0..1 for a lattice cell."""
    return f32(hash_cell(ix, iy, seed) & 0xFFFFFF) * f32(1.0 / 16777216.0)


@kernel()
def corner(ix: int, iy: int, seed: int, dx: float, dy: float) -> float:
    """Return the dot product of a cell's random diagonal gradient with the offset d."""
    h = uint32(ix) * PRIME_X + uint32(iy) * PRIME_Y + uint32(seed) * PRIME_SEED
    h = (h ^ (h >> uint32(15))) * uint32(0x2C1B3C6D)
    h = h >> uint32(24)
    a = dx if (h & uint32(1)) == uint32(0) else -dx
    b = dy if (h & uint32(2)) == uint32(0) else -dy
    if (h & uint32(4)) == uint32(0):
        return a + f32(0.5) * b
    return b + f32(0.5) * a


@kernel()
def noise2(x: float, y: float, seed: int) -> float:
    """Return smooth noise of about -1..1 at a point."""
    floor_x, floor_y = math.floor(x), math.floor(y)
    ix, iy = int(floor_x), int(floor_y)
    dx, dy = f32(x - floor_x), f32(y - floor_y)
    one = f32(1.0)
    u, v = dx * dx * (f32(3.0) - f32(2.0) * dx), dy * dy * (f32(3.0) - f32(2.0) * dy)
    a, b = corner(ix, iy, seed, dx, dy), corner(ix + 1, iy, seed, dx - one, dy)
    c, d = corner(ix, iy + 1, seed, dx, dy - one), corner(ix + 1, iy + 1, seed, dx - one, dy - one)
    low, high = a + (b - a) * u, c + (d - c) * u
    return (low + (high - low) * v) * STRENGTH


@kernel()
def fractal(x: float, y: float, octaves: int, seed: int) -> float:
    """Return `octaves` layers of noise, each twice as fine and half as strong."""
    total, weight = f32(0.0), f32(1.0)
    for k in range(octaves):
        total += weight * noise2(x, y, seed + k * 17)
        x, y, weight = FINER * x + FINER_X, FINER * y + FINER_Y, weight * f32(0.5)
    return total


@kernel()
def smooth(low: float, high: float, value: float) -> float:
    """Return the smooth step of value between low and high."""
    t = min(max((value - low) / (high - low), f32(0.0)), f32(1.0))
    return t * t * (f32(3.0) - f32(2.0) * t)


FREQUENCY, SHIFT_X, SHIFT_Y, LAYER_SEED = range(4)  # columns of a layer


def layer_table(*fractals: tuple[float, float, int, int]) -> NDArray[np.float64]:
    """Rows of frequency, shift in x and y, and seed: the layers of some fractals (frequency, shift in x, octaves, seed).

    Example::

        layer_table((0.055, 0.0, 2, 0), (4.3, 0.0, 1, 11))        # (3, 4) numbers for `place_columns` and `noise_row`
    """
    rows = []
    for frequency, shift_x, octaves, seed in fractals:
        shift_y = 0.0
        for octave in range(octaves):
            rows.append((frequency, shift_x, shift_y, seed + 17 * octave))
            frequency, shift_x, shift_y = FINER * frequency, FINER * shift_x + FINER_X, FINER * shift_y + FINER_Y
    return np.array(rows)


@kernel(refcount=False)
def place_columns(first: float, step: float, layer: Array, cell: Array, inside: Array) -> int:
    """Update lattice cells and offsets in them of the columns x = first + i * step, for one layer; return the first cell."""
    lowest = int(math.floor(min(first, first + (cell.size - 1) * step) * layer[FREQUENCY] + layer[SHIFT_X]))
    for i in range(cell.size):
        x = (first + i * step) * layer[FREQUENCY] + layer[SHIFT_X] - lowest
        cell[i] = uint32(int32(x))  # not negative but for rounding, which cutting forgives
        inside[i] = f32(x - cell[i])
    return lowest


@kernel(refcount=False)
def gradient(column: int, shared: int) -> tuple[float, float]:
    """Return the random diagonal gradient of a lattice point, that of `corner`; shared is the hash of its row."""
    one, half, nothing = f32(1.0), f32(0.5), uint64(0)
    h = uint32(column) * PRIME_X + shared
    h = (h ^ (h >> uint64(15))) * uint64(0x2C1B3C6D)
    a = one if (h & uint64(1 << 24)) == nothing else -one
    b = one if (h & uint64(2 << 24)) == nothing else -one
    first = (h & uint64(4 << 24)) == nothing
    return a if first else a * half, b * half if first else b


@kernel(refcount=False)
def spread_row(lowest: int, row: int, seed: int, cell: Array, inside: Array, flat: Array, steep: Array, along: Array,
               across: Array) -> None:  # fmt: skip
    """Update flat and steep of one row of lattice points: what it adds at a column is flat + steep * (way from the row).

    along and across are scratch, SCRATCH times as long: the gradients of the lattice points from cell `lowest` on.
    """
    points = max(cell[0], cell[cell.size - 1]) + 2
    one = f32(1.0)
    shared = uint32(row) * PRIME_Y + uint32(seed) * PRIME_SEED
    few, next_along, next_across = points <= along.size, along[1:], across[1:]
    if few:
        for k in range(points):
            along[k], across[k] = gradient(lowest + k, shared)
    for i in range(cell.size):
        k, d = cell[i], inside[i]
        if few:
            ax, ay, bx, by = along[k], across[k], next_along[k], next_across[k]
        else:  # seen from far above: most lattice points are next to no pixel
            ax, ay = gradient(lowest + k, shared)
            bx, by = gradient(lowest + k + 1, shared)
        u = d * d * (f32(3.0) - f32(2.0) * d)
        flat[i] = ax * d * (one - u) + bx * (d - one) * u
        steep[i] = ay + (by - ay) * u


@kernel(refcount=False)
def noise_row(y: float, layer: Array, seed: int, lowest: int, cell: Array, inside: Array, flat: Array, steep: Array,
              kept: Array, scratch: Array, out: Array) -> None:  # fmt: skip
    """Update out with one layer of noise at the columns of `place_columns` and at y.

    flat and steep (2, columns) hold the two rows of lattice points around, `kept` which ones: neighbouring y share them.
    """
    y = y * layer[FREQUENCY] + layer[SHIFT_Y]
    below, seed = int(math.floor(y)), seed + int(layer[LAYER_SEED])
    for row in range(below, below + 2):
        if kept[row & 1] != row:
            kept[row & 1] = row
            spread_row(lowest, row, seed, cell, inside, flat[row & 1], steep[row & 1], scratch[0], scratch[1])
    dy = f32(y - below)
    v, up = dy * dy * (f32(3.0) - f32(2.0) * dy), dy - f32(1.0)
    low_flat, low_steep, high_flat, high_steep = flat[below & 1], steep[below & 1], flat[1 - below & 1], steep[1 - below & 1]
    for i in range(out.size):
        low, high = low_flat[i] + low_steep[i] * dy, high_flat[i] + high_steep[i] * up
        out[i] = (low + (high - low) * v) * STRENGTH
