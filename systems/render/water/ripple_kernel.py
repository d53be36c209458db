"""Small ripples and the light net: rows of samples of the two drifting water textures.

Samples of a row lie between the same two rows of texels. These are mixed first, as vectors; between columns it is done one
by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.kernel_types import int64, uint64

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from ..raster.frame import WaterView


@kernel(refcount=False)
def find_texels(water: WaterView, left: int, across: int, density: float, drift: float, place: Array, share: Array) -> int:
    """Update the texel before every column of samples, counted from the first one, and the way on; return the first."""
    picture_x, step, unit = water.picture_x, water.step, 1.0 / water.scale
    first = np.floor(density * f32((picture_x + left) * unit) + drift)
    for column in range(across):
        u = density * f32((picture_x + left + column * step) * unit) + drift
        whole = np.floor(u)
        place[column], share[column] = whole - first, u - whole
    return int64(first)


@kernel(refcount=False)
def mix_texels(texture: Array, v: float, first: int, count: int, out: Array) -> None:
    """Update out with `count` texels of the row between two of a texture (256, 1024), from texel `first` on; it repeats."""
    whole = np.floor(v)
    b, j = v - whole, int64(whole)
    low, high = texture[j & 255], texture[(j + 1) & 255]
    done, start = 0, first & 255
    while done < count:
        part = min(256 - start, count - done)
        source, other, target = low[4 * start : 4 * (start + part)], high[4 * start : 4 * (start + part)], out[4 * done :]
        for k in range(source.size):
            target[k] = source[k] + (other[k] - source[k]) * b
        done, start = done + part, 0


@kernel(refcount=False, inline=True)
def texel_at(texels: Array, k: int, c: int, share: float) -> float:
    """Return one of the four numbers of a texel row, `share` of the way from texel k on to the next."""
    low = texels[uint64(4 * k + c)]
    return low + (texels[uint64(4 * k + c + 4)] - low) * share


@kernel(refcount=False, inline=True)
def add_ripples(texels: Array, other: Array, n: int, places: Array, x: Array, y: Array, net_1: Array, net_2: Array) -> None:
    """Update slopes and the two light nets of a row of n samples from two rows of texels."""
    place, share, place_2, share_2 = places[0], places[1], places[2], places[3]
    for k in range(n):
        i, i2, a, a2 = int64(place[k]), int64(place_2[k]), share[k], share_2[k]
        x[k] += texel_at(texels, i, 0, a) + texel_at(other, i2, 0, a2)
        y[k] += texel_at(texels, i, 1, a) + texel_at(other, i2, 1, a2)
        net_1[k] = texel_at(texels, i, 2, a)
        net_2[k] = texel_at(other, i2, 3, a2)
