"""Show a terrain picture at another zoom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import uint32
from ....engine.work_counter import take_next

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

BAND = 32  # rows that a thread takes at a time


@kernel(refcount=False, inline=True)
def mix(a: int, b: int, w: int) -> int:
    """Return 256 - w parts of packed pixel a and w of b, rounded: two bytes at a time, each with room above it."""
    mask, half, eight = uint32(0x00FF00FF), uint32(0x00800080), uint32(8)
    v = uint32(uint32(256) - w)
    low = uint32(uint32(uint32(a & mask) * v) + uint32(uint32(b & mask) * w) + half)
    p, q = uint32(uint32(a >> eight) & mask), uint32(uint32(b >> eight) & mask)
    high = uint32(uint32(p * v) + uint32(q * w) + half)
    return uint32(uint32(uint32(low >> eight) & mask) | uint32(high & ~mask))


@kernel(refcount=False)
def mix_rows(upper: Array, lower: Array, w: int, out: Array) -> None:
    """Update out with two rows of packed pixels mixed."""
    for x in range(out.size):
        out[x] = mix(upper[x], lower[x], w)


@kernel(refcount=False)
def pick_row(row: Array, place: Array, weight: Array, first: Array, second: Array, out: Array) -> None:
    """Update out with the pixels of a row at some places, mixed with the ones after them; first and second are scratch.

    Picking runs pixel by pixel, mixing as vectors: together they would all run pixel by pixel.
    """
    after = row[1:]
    for x in range(first.size):
        first[x] = row[place[x]]
        second[x] = after[place[x]]
    for x in range(out.size):
        out[x] = mix(first[x], second[x], weight[x])


@kernel(refcount=False)
def source_place(target: int, ratio: float, offset: float, size: int) -> tuple[int, int]:
    """Return the first of two source pixels and the weight (of 256) of the second one for a target pixel."""
    s = min(max((target + 0.5) * ratio + offset - 0.5, 0.0), size - 1.001)
    i = int(s)
    return i, uint32((s - i) * 256.0 + 0.5)


@kernel()
def resample_rows(source: Array, target: Array, offset_x: float, offset_y: float, ratio: float, x_first: int, x_last: int,
                  y_first: int, y_last: int) -> None:  # fmt: skip
    """Update a box of target[y, x] with source at ((x + 0.5) * ratio + offset - 0.5), bilinear in all four bytes."""
    columns = x_last - x_first
    place, weight = np.empty(columns, dtype=np.uint32), np.empty(columns, dtype=np.uint32)
    first, second = np.empty(columns, dtype=np.uint32), np.empty(columns, dtype=np.uint32)
    start = source_place(x_first, ratio, offset_x, source.shape[1])[0]
    stop = source_place(x_last - 1, ratio, offset_x, source.shape[1])[0] + 2
    for x in range(columns):
        i, weight[x] = source_place(x_first + x, ratio, offset_x, source.shape[1])
        place[x] = uint32(i - start)
    mixed = np.empty(stop - start, dtype=np.uint32)
    for y in range(y_first, y_last):
        j, w = source_place(y, ratio, offset_y, source.shape[0])
        mix_rows(source[j, start:stop], source[j + 1, start:stop], w, mixed)
        pick_row(mixed, place, weight, first, second, target[y, x_first:x_last])


@kernel()
def resample(source: Array, target: Array, offset_x: float, offset_y: float, ratio: float, x_first: int, x_last: int,
             y_first: int, y_last: int, _seat: int, taken: Array) -> None:  # fmt: skip
    """Update a box of target as `resample_rows` does, some rows at a time."""
    y = y_first + BAND * take_next(taken)
    while y < y_last:
        resample_rows(source, target, offset_x, offset_y, ratio, x_first, x_last, y, min(y + BAND, y_last))
        y = y_first + BAND * take_next(taken)


@kernel()
def resample_squares(source: Array, corners: Array, ratio: float, squares: Array, _seat: int, taken: Array) -> None:
    """Update squares (n, size, size), whose first pixels are at the rows of corners in target pixels, from one source."""
    k = take_next(taken)
    while k < corners.shape[0]:
        size = squares.shape[1]
        resample_rows(source, squares[k], corners[k, 0] * ratio, corners[k, 1] * ratio, ratio, 0, size, 0, size)
        k = take_next(taken)
