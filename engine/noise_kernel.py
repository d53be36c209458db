"""Compiled Perlin and simplex noise in the plane, in the single precision of the `noise` package so that both agree.

Sources: [Perlin02] for the permutation, the fade curve and the gradients; [Gustavson05] for the simplex grid.
"""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

import numpy as np
from numba import prange

from .kernel import kernel
from .kernel_types import float32, int64

if TYPE_CHECKING:
    from .kernel_types import Array

# [Perlin02] reference permutation of 0..255
# fmt: off
PERMUTATION = np.array(
    [
        151, 160, 137, 91, 90, 15, 131, 13, 201, 95, 96, 53, 194, 233, 7, 225, 140, 36, 103, 30,
        69, 142, 8, 99, 37, 240, 21, 10, 23, 190, 6, 148, 247, 120, 234, 75, 0, 26, 197, 62,
        94, 252, 219, 203, 117, 35, 11, 32, 57, 177, 33, 88, 237, 149, 56, 87, 174, 20, 125, 136,
        171, 168, 68, 175, 74, 165, 71, 134, 139, 48, 27, 166, 77, 146, 158, 231, 83, 111, 229, 122,
        60, 211, 133, 230, 220, 105, 92, 41, 55, 46, 245, 40, 244, 102, 143, 54, 65, 25, 63, 161,
        1, 216, 80, 73, 209, 76, 132, 187, 208, 89, 18, 169, 200, 196, 135, 130, 116, 188, 159, 86,
        164, 100, 109, 198, 173, 186, 3, 64, 52, 217, 226, 250, 124, 123, 5, 202, 38, 147, 118, 126,
        255, 82, 85, 212, 207, 206, 59, 227, 47, 16, 58, 17, 182, 189, 28, 42, 223, 183, 170, 213,
        119, 248, 152, 2, 44, 154, 163, 70, 221, 153, 101, 155, 167, 43, 172, 9, 129, 22, 39, 253,
        19, 98, 108, 110, 79, 113, 224, 232, 178, 185, 112, 104, 218, 246, 97, 228, 251, 34, 242, 193,
        238, 210, 144, 12, 191, 179, 162, 241, 81, 51, 145, 235, 249, 14, 239, 107, 49, 192, 214, 31,
        181, 199, 106, 157, 184, 84, 204, 176, 115, 121, 50, 45, 127, 4, 150, 254, 138, 236, 205, 93,
        222, 114, 67, 29, 24, 72, 243, 141, 128, 195, 78, 66, 215, 61, 156, 180,
    ],
    dtype=np.int64,
)
# fmt: on
# x and y of the twelve edge directions of a cube, then the four that the `noise` package repeats to make sixteen
GRADIENT_X = np.array([1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0, 1, -1, 0, 0], dtype=np.float32)
GRADIENT_Y = np.array([1, 1, -1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 0, 0, -1, 1], dtype=np.float32)
SIMPLEX_GRADIENTS = 12

ONE, HALF = float32(1.0), float32(0.5)
FADE_6, FADE_15, FADE_10 = float32(6.0), float32(15.0), float32(10.0)
SKEW = float32(0.5 * (np.sqrt(3.0) - 1.0))  # square grid to simplex grid
UNSKEW = float32((3.0 - np.sqrt(3.0)) / 6.0)
SIMPLEX_SCALE = float32(70.0)  # brings the sum of three corners to about -1..1
LARGEST_LATTICE = 2.0**31  # lattice cells; beyond it single precision has no fraction left anyway


@kernel()
def permuted(k: int) -> int:
    """Return the permutation at any whole number, repeated every 256."""
    return PERMUTATION[k & 255]


@kernel()
def slope(k: int, x: float, y: float) -> float:
    """Return the gradient number k times the offset (x, y)."""
    return x * GRADIENT_X[k] + y * GRADIENT_Y[k]


@kernel()
def perlin(x: float, y: float, base: int) -> float:
    """Return Perlin noise at a float32 point, about -1..1. [Perlin02]"""
    i, j = int64(floor(x)), int64(floor(y))
    x = x - float32(floor(x))
    y = y - float32(floor(y))
    fx = x * x * x * (x * (x * FADE_6 - FADE_15) + FADE_10)
    fy = y * y * y * (y * (y * FADE_6 - FADE_15) + FADE_10)
    left, right = permuted((i & 255) + base), permuted(((i + 1) & 255) + base)
    down, up = (j & 255) + base, ((j + 1) & 255) + base
    g00 = slope(permuted(permuted(left + down)) & 15, x, y)
    g10 = slope(permuted(permuted(right + down)) & 15, x - ONE, y)
    g01 = slope(permuted(permuted(left + up)) & 15, x, y - ONE)
    g11 = slope(permuted(permuted(right + up)) & 15, x - ONE, y - ONE)
    low = g00 + fx * (g10 - g00)
    high = g01 + fx * (g11 - g01)
    return low + fy * (high - low)


@kernel()
def simplex_corner(k: int, x: float, y: float) -> float:
    """Return what one corner of a simplex adds at the offset (x, y) from it."""
    falloff = HALF - x * x - y * y
    if falloff <= 0.0:
        return float32(0.0)
    return falloff * falloff * falloff * falloff * slope(k, x, y)


@kernel()
def simplex(x: float, y: float) -> float:
    """Return simplex noise at a float32 point, about -1..1. [Gustavson05]"""
    s = (x + y) * SKEW
    fi, fj = float32(floor(x + s)), float32(floor(y + s))
    t = (fi + fj) * UNSKEW
    x0, y0 = x - (fi - t), y - (fj - t)
    step_x, step_y = (1, 0) if x0 > y0 else (0, 1)
    x1, y1 = x0 - float32(step_x) + UNSKEW, y0 - float32(step_y) + UNSKEW
    x2, y2 = x0 + UNSKEW + UNSKEW - ONE, y0 + UNSKEW + UNSKEW - ONE
    i, j = int64(fi) & 255, int64(fj) & 255
    total = (
        simplex_corner(permuted(i + permuted(j)) % SIMPLEX_GRADIENTS, x0, y0)
        + simplex_corner(permuted(i + step_x + permuted(j + step_y)) % SIMPLEX_GRADIENTS, x1, y1)
        + simplex_corner(permuted(i + 1 + permuted(j + 1)) % SIMPLEX_GRADIENTS, x2, y2)
    )
    return total * SIMPLEX_SCALE


@kernel()
def layered(x: float, y: float, is_simplex: bool, octaves: int, persistence: float, lacunarity: float, base: int) -> float:
    """Return octaves of noise added with falling weight and scaled back to about -1..1."""
    frequency, amplitude, largest, total = ONE, ONE, float32(0.0), float32(0.0)
    for _ in range(octaves):
        u, v = x * frequency, y * frequency
        if is_simplex:  # here the `noise` package's base is an offset of the point
            u, v = u + float32(base), v + float32(base)
        if not (abs(u) < LARGEST_LATTICE and abs(v) < LARGEST_LATTICE):
            break
        if is_simplex:
            total += simplex(u, v) * amplitude
        else:
            total += perlin(u, v, base) * amplitude
        largest += amplitude
        frequency *= lacunarity
        amplitude *= persistence
    return total / largest if largest > 0.0 else float32(0.0)


@kernel(parallel=True)
def layered_everywhere(x: Array, y: Array, is_simplex: bool, octaves: int, persistence: float, lacunarity: float, base: int,
                       values: Array) -> None:  # fmt: skip
    """Update ``values`` from the float32 points x, y."""
    for row in prange(values.size):
        i = int64(row)
        values[i] = layered(x[i], y[i], is_simplex, octaves, persistence, lacunarity, base)
