"""Gradient noise in float32 for pictures: fast, seeded, the same at every zoom."""

from __future__ import annotations

import math

import numpy as np
from numpy import float32 as f32

from ...engine.kernel import kernel

# Odd multipliers that spread lattice neighbours over all bits.
PRIME_X, PRIME_Y, PRIME_SEED = np.uint32(0x8DA6B343), np.uint32(0xD8163841), np.uint32(0xCB1AB31F)


@kernel()
def hash_cell(ix, iy, seed):
    """Return a well mixed non-negative 31-bit integer of a lattice cell."""
    h = np.uint32(ix) * PRIME_X + np.uint32(iy) * PRIME_Y + np.uint32(seed) * PRIME_SEED
    h = (h ^ (h >> np.uint32(15))) * np.uint32(0x2C1B3C6D)
    h = (h ^ (h >> np.uint32(12))) * np.uint32(0x297A2D39)
    return np.int64((h ^ (h >> np.uint32(15))) & np.uint32(0x7FFFFFFF))


@kernel()
def random01(ix, iy, seed):
    """Return a uniform number in 0..1 for a lattice cell."""
    return f32(hash_cell(ix, iy, seed) & 0xFFFFFF) * f32(1.0 / 16777216.0)


@kernel()
def corner(ix, iy, seed, dx, dy):
    """Return the dot product of a cell's random diagonal gradient with the offset d."""
    h = np.uint32(ix) * PRIME_X + np.uint32(iy) * PRIME_Y + np.uint32(seed) * PRIME_SEED
    h = (h ^ (h >> np.uint32(15))) * np.uint32(0x2C1B3C6D)
    h = h >> np.uint32(24)
    a = dx if (h & np.uint32(1)) == np.uint32(0) else -dx
    b = dy if (h & np.uint32(2)) == np.uint32(0) else -dy
    if (h & np.uint32(4)) == np.uint32(0):
        return a + f32(0.5) * b
    return b + f32(0.5) * a


@kernel()
def noise2(x, y, seed):
    """Return smooth noise of about -1..1 at a point."""
    floor_x, floor_y = math.floor(x), math.floor(y)
    ix, iy = int(floor_x), int(floor_y)
    dx, dy = f32(x - floor_x), f32(y - floor_y)
    one = f32(1.0)
    u, v = dx * dx * (f32(3.0) - f32(2.0) * dx), dy * dy * (f32(3.0) - f32(2.0) * dy)
    a, b = corner(ix, iy, seed, dx, dy), corner(ix + 1, iy, seed, dx - one, dy)
    c, d = corner(ix, iy + 1, seed, dx, dy - one), corner(ix + 1, iy + 1, seed, dx - one, dy - one)
    low, high = a + (b - a) * u, c + (d - c) * u
    return (low + (high - low) * v) * f32(1.25)


@kernel()
def fractal(x, y, octaves, seed):
    """Return `octaves` layers of noise, each twice as fine and half as strong."""
    total, weight = f32(0.0), f32(1.0)
    for k in range(octaves):
        total += weight * noise2(x, y, seed + k * 17)
        x, y, weight = 2.03 * x + 11.7, 2.03 * y - 5.3, weight * f32(0.5)
    return total


@kernel()
def smooth(low, high, value):
    """Return the smooth step of value between low and high."""
    t = min(max((value - low) / (high - low), f32(0.0)), f32(1.0))
    return t * t * (f32(3.0) - f32(2.0) * t)
