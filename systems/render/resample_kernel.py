"""Show a finer terrain picture at a coarser zoom."""

from __future__ import annotations

import numpy as np
from numpy import float32 as f32

from ...engine.kernel import kernel
from ...engine.take import take_next

BAND = 32  # rows that a thread takes at a time


@kernel()
def mix4(a, b, c, d, shift, u, v):
    """Return one byte of four packed pixels, interpolated."""
    mask = np.uint32(255)
    p, q = f32(np.int32((a >> shift) & mask)), f32(np.int32((b >> shift) & mask))
    r, s = f32(np.int32((c >> shift) & mask)), f32(np.int32((d >> shift) & mask))
    low, high = p + (q - p) * u, r + (s - r) * u
    return np.uint32(low + (high - low) * v + f32(0.5)) << shift


@kernel()
def resample_rows(source, target, offset_x, offset_y, ratio, x_first, x_last, y_first, y_last):
    """Update a box of target[y, x] with source at ((x + 0.5) * ratio + offset - 0.5), bilinear in all four bytes."""
    for y in range(y_first, y_last):
        sy = min(max((y + 0.5) * ratio + offset_y - 0.5, 0.0), source.shape[0] - 1.001)
        j = int(sy)
        v = f32(sy - j)
        for x in range(x_first, x_last):
            sx = min(max((x + 0.5) * ratio + offset_x - 0.5, 0.0), source.shape[1] - 1.001)
            i = int(sx)
            u = f32(sx - i)
            a, b, c, d = source[j, i], source[j, i + 1], source[j + 1, i], source[j + 1, i + 1]
            packed = mix4(a, b, c, d, np.uint32(16), u, v) | mix4(a, b, c, d, np.uint32(8), u, v)
            target[y, x] = packed | mix4(a, b, c, d, np.uint32(0), u, v) | mix4(a, b, c, d, np.uint32(24), u, v)


@kernel()
def resample(source, target, offset_x, offset_y, ratio, x_first, x_last, y_first, y_last, _seat, taken):
    """Update a box of target as `resample_rows` does, some rows at a time."""
    y = y_first + BAND * take_next(taken)
    while y < y_last:
        resample_rows(source, target, offset_x, offset_y, ratio, x_first, x_last, y, min(y + BAND, y_last))
        y = y_first + BAND * take_next(taken)
