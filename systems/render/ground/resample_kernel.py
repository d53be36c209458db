"""Show a terrain picture at another zoom."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from ....engine.kernel import kernel
from ....engine.work_counter import take_next

BAND = 32  # rows that a thread takes at a time


@kernel(refcount=False, inline=True)
def mix(a, b, w):
    """Return 256 - w parts of packed pixel a and w of b, rounded: two bytes at a time, each with room above it."""
    mask, half, eight = np.uint32(0x00FF00FF), np.uint32(0x00800080), np.uint32(8)
    v = np.uint32(np.uint32(256) - w)
    low = np.uint32(np.uint32(np.uint32(a & mask) * v) + np.uint32(np.uint32(b & mask) * w) + half)
    p, q = np.uint32(np.uint32(a >> eight) & mask), np.uint32(np.uint32(b >> eight) & mask)
    high = np.uint32(np.uint32(p * v) + np.uint32(q * w) + half)
    return np.uint32(np.uint32(np.uint32(low >> eight) & mask) | np.uint32(high & ~mask))


@kernel(refcount=False)
def mix_rows(upper, lower, w, out):
    """Update out with two rows of packed pixels mixed."""
    for x in range(out.size):
        out[x] = mix(upper[x], lower[x], w)


@kernel(refcount=False)
def pick_row(row, place, weight, first, second, out):
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
def source_place(target, ratio, offset, size):
    """Return the first of two source pixels and the weight (of 256) of the second one for a target pixel."""
    s = min(max((target + 0.5) * ratio + offset - 0.5, 0.0), size - 1.001)
    i = int(s)
    return i, np.uint32((s - i) * 256.0 + 0.5)


@kernel()
def resample_rows(source, target, offset_x, offset_y, ratio, x_first, x_last, y_first, y_last):
    """Update a box of target[y, x] with source at ((x + 0.5) * ratio + offset - 0.5), bilinear in all four bytes."""
    columns = x_last - x_first
    place, weight = np.empty(columns, dtype=np.uint32), np.empty(columns, dtype=np.uint32)
    first, second = np.empty(columns, dtype=np.uint32), np.empty(columns, dtype=np.uint32)
    start = source_place(x_first, ratio, offset_x, source.shape[1])[0]
    stop = source_place(x_last - 1, ratio, offset_x, source.shape[1])[0] + 2
    for x in range(columns):
        i, weight[x] = source_place(x_first + x, ratio, offset_x, source.shape[1])
        place[x] = np.uint32(i - start)
    mixed = np.empty(stop - start, dtype=np.uint32)
    for y in range(y_first, y_last):
        j, w = source_place(y, ratio, offset_y, source.shape[0])
        mix_rows(source[j, start:stop], source[j + 1, start:stop], w, mixed)
        pick_row(mixed, place, weight, first, second, target[y, x_first:x_last])


@kernel()
def resample(source, target, offset_x, offset_y, ratio, x_first, x_last, y_first, y_last, _seat, taken):
    """Update a box of target as `resample_rows` does, some rows at a time."""
    y = y_first + BAND * take_next(taken)
    while y < y_last:
        resample_rows(source, target, offset_x, offset_y, ratio, x_first, x_last, y, min(y + BAND, y_last))
        y = y_first + BAND * take_next(taken)


@kernel()
def resample_squares(source, corners, ratio, squares, _seat, taken):
    """Update squares (n, size, size), whose first pixels are at the rows of corners in target pixels, from one source."""
    k = take_next(taken)
    while k < corners.shape[0]:
        size = squares.shape[1]
        resample_rows(source, squares[k], corners[k, 0] * ratio, corners[k, 1] * ratio, ratio, 0, size, 0, size)
        k = take_next(taken)
