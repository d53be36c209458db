"""Water carries its own velocity along: third-order upwind differences, Heun steps. [swimmer 0.3, 2]

u f_x for both directions of u in one formula: the central difference of fourth order, and |u| times the fourth difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32, int64

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .window_layout import WindowArrays

STEP = 0.7
"""Cells that water moves by in a substep, at most. [swimmer 2]"""
MOST_SUBSTEPS = 12
FOUR, SIX, EIGHT = float32(4.0), float32(6.0), float32(8.0)  # exact in any precision, and make none larger
BAND = 2
"""Cells at the edge that take over their neighbours' velocity: the stencil would reach beyond the window."""


@kernel(refcount=False, inline=True)
def upwind(speed: float, far_back: float, back: float, here: float, ahead: float, far_ahead: float) -> float:
    """Return twelve times what flow does to a value per cell that it moves by; in the precision of what is given."""
    middle = far_back - far_ahead + EIGHT * (ahead - back)
    return speed * middle + abs(speed) * (far_back + far_ahead - FOUR * (ahead + back) + SIX * here)


@kernel(refcount=False)
def substeps_of(cells: float) -> int:
    """Return in how many substeps water moves by so many cells, or 0 if it is too fast for that."""
    if not cells <= STEP * MOST_SUBSTEPS:
        return 0
    return max(1, int64(np.ceil(cells / STEP)))


@kernel(refcount=False)
def mean_row(a: Array, b: Array, out: Array) -> None:
    """Update a row of means over two rows, of columns i and i + 1 each."""
    for i in range(a.size - 1):
        out[i] = 0.25 * ((a[i] + a[i + 1]) + (b[i] + b[i + 1]))


@kernel(refcount=False)
def across_row(fss: Array, fs: Array, f: Array, fn: Array, fnn: Array, w: Array, change: Array) -> None:
    """Update what flow w across a row, from south to north, does to its values f."""
    for i in range(f.size):
        change[i] = upwind(w[i], fss[i], fs[i], f[i], fn[i], fnn[i])


@kernel(refcount=False)
def along_row(f: Array, w: Array, change: Array, free: Array, h: float, halved: bool, out: Array) -> None:
    """Update a row: f carried for a time h by flow w along it; halved: the mean of that and of what is there.

    Closed faces keep f. Loops are split so that each reads few rows: with more than eight, compilers do not vectorise.
    """
    for k in range(f.size - 4):
        i = k + 2  # a range that begins at 2 is seven times slower: the compiler does not see that i - 2 is never negative
        rate = upwind(w[i], f[i - 2], f[i - 1], f[i], f[i + 1], f[i + 2])
        moved = f[i] - h * (rate + change[i]) if free[i] > 0.0 else f[i]
        out[i] = 0.5 * (out[i] + moved) if halved else moved


@kernel(refcount=False)
def copy_row(out: Array, row: Array) -> None:
    """Update a row to be as another."""
    for i in range(out.size):
        out[i] = row[i]


@kernel(refcount=False)
def copy_inward(f: Array, low_j: int, high_j: int, low_i: int, high_i: int) -> None:
    """Update the edge of a field, beyond rows and columns low..high, from what is just inside."""
    for j in range(low_j, high_j + 1):
        for i in range(low_i):
            f[j, i] = f[j, low_i]
        for i in range(high_i + 1, f.shape[1]):
            f[j, i] = f[j, high_i]
    for j in range(low_j):
        copy_row(f[j], f[low_j])
    for j in range(high_j + 1, f.shape[0]):
        copy_row(f[j], f[high_j])


@kernel(refcount=False)
def carry(u: Array, v: Array, to_u: Array, to_v: Array, open_u: Array, open_v: Array, lines: Array, h: float,
          halved: bool) -> None:  # fmt: skip
    """Update `to` from velocities u, v after a time; closed faces stay as they are."""
    ny, nx = u.shape[0] - 2, u.shape[1] - 2
    mean, change = lines[0], lines[1]
    for j in range(1 + BAND, ny - BAND + 1):
        mean_row(v[j - 1], v[j], mean)
        across_row(u[j - 2], u[j - 1], u[j], u[j + 1], u[j + 2], mean, change)
        along_row(u[j], u[j], change, open_u[j], h, halved, to_u[j])
    for j in range(BAND, ny - BAND + 1):
        mean_row(u[j], u[j + 1], mean[1:])
        across_row(v[j - 2], v[j - 1], v[j], v[j + 1], v[j + 2], v[j], change)
        along_row(v[j], mean, change, open_v[j], h, halved, to_v[j])
    copy_inward(to_u, 1 + BAND, ny - BAND, 2, nx - 2)
    copy_inward(to_v, BAND, ny - BAND, 3, nx - 2)


@kernel(refcount=False)
def raise_row(most: Array, row: Array) -> None:
    """Update the largest absolute values of columns."""
    for i in range(most.size):
        a = abs(row[i])
        most[i] = a if a > most[i] else most[i]


@kernel(refcount=False)
def largest(f: Array, line: Array) -> float:
    """Return the largest absolute value of a field; by columns first, which vectorises."""
    line[:] = 0.0
    for j in range(f.shape[0]):
        raise_row(line, f[j])
    most = 0.0
    for i in range(line.size):
        most = max(most, line[i])
    return most


@kernel(refcount=False)
def carry_along(w: int, fluid: WindowArrays, dt: float) -> int:
    """Update the velocities of a window over a step; return the substeps, or 0 if it is too fast for that."""
    u, v, u1, v1, line = fluid.u[w], fluid.v[w], fluid.u1[w], fluid.v1[w], fluid.lines[w, 0, : fluid.u.shape[2]]
    cells = (largest(u, line) + largest(v, line)) * dt / fluid.cell[w]
    substeps = substeps_of(cells)
    if substeps == 0:
        return 0
    h = dt / (12.0 * substeps * fluid.cell[w])
    for _ in range(substeps if cells > 0.0 else 0):
        carry(u, v, u1, v1, fluid.open_u[w], fluid.open_v[w], fluid.lines[w], h, False)
        carry(u1, v1, u, v, fluid.open_u[w], fluid.open_v[w], fluid.lines[w], h, True)
    return substeps


@kernel(refcount=False)
def damp_row(u: Array, v: Array, keep: float, edge: Array) -> None:
    """Update a row of both velocities: all of it fades, and more so near the edge of the window."""
    for i in range(u.size):
        k = keep * edge[i]
        u[i] *= k
        v[i] *= k
