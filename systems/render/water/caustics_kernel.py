"""Light that a wave surface gathers on the bed: photons that are bent by its slopes and counted where they land."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.kernel_types import int32

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

PER_CELL = 5  # photons along each axis of a cell of the surface


@kernel(refcount=False)
def gather_light(slope_x: Array, slope_y: Array, hits: Array) -> None:
    """Update hits with the photons that pass a periodic surface; slopes are texels of way, sizes powers of 2."""
    size, cells = hits.shape[0], slope_x.shape[0]
    mask, last, per, texels = size - 1, cells - 1, 1.0 / PER_CELL, size / cells
    for j in range(size):
        for i in range(size):
            hits[j, i] = f32(0.0)
    for j in range(cells):
        j1 = (j + 1) & last
        for i in range(cells):
            i1 = (i + 1) & last
            for q in range(PER_CELL * PER_CELL):
                a, b = (q % PER_CELL) * per, (q // PER_CELL) * per
                w, n = 1.0 - a, 1.0 - b
                x = (slope_x[j, i] * w + slope_x[j, i1] * a) * n + (slope_x[j1, i] * w + slope_x[j1, i1] * a) * b
                y = (slope_y[j, i] * w + slope_y[j, i1] * a) * n + (slope_y[j1, i] * w + slope_y[j1, i1] * a) * b
                u, v = (i + a) * texels + x + 8.0 * size, (j + b) * texels + y + 8.0 * size
                iu, iv = int(u), int(v)
                c, d = f32(u - iu), f32(v - iv)
                k0, k1, m0, m1 = iu & mask, (iu + 1) & mask, iv & mask, (iv + 1) & mask
                hits[m0, k0] += (f32(1.0) - c) * (f32(1.0) - d)
                hits[m0, k1] += c * (f32(1.0) - d)
                hits[m1, k0] += (f32(1.0) - c) * d
                hits[m1, k1] += c * d


@kernel(refcount=False)
def lay_nets(frames: Array, first: int, share: float, second: int, share_2: float, low: float, step: float,
             texture: Array) -> None:  # fmt: skip
    """Update the two nets of a water texture (2, size, 4 * size): each between two frames of bytes; the second turned."""
    size = frames.shape[1]
    a, b = frames[first], frames[(first + 1) % frames.shape[0]]
    c, d = frames[second], frames[(second + 1) % frames.shape[0]]
    for j in range(size):
        row, turned = texture[0, j], texture[1, j]
        for i in range(size):
            one, other = f32(int32(a[j, i])), f32(int32(c[i, j]))
            row[4 * i + 2] = low + step * (one + (f32(int32(b[j, i])) - one) * share)
            turned[4 * i + 3] = low + step * (other + (f32(int32(d[i, j])) - other) * share_2)
