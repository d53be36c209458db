"""Water carries its own velocity along: third-order upwind differences, Heun steps. [swimmer 0.3, 2]

u f_x for both directions of u in one formula: the central difference of fourth order, and |u| times the fourth difference.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from ....engine.kernel import kernel

STEP = 0.7
"""Cells that water moves by in a substep, at most. [swimmer 2]"""
MOST_SUBSTEPS = 12
BAND = 2
"""Cells at the edge that take over their neighbours' velocity: the stencil would reach beyond the window."""


@kernel(refcount=False)
def carry_u_row(out, fss, fs, f, fn, fnn, vs, v, free, first, end, h, new):
    """Update a row of u: (1 - new) of what is there and new of f carried for a time h, in cells per velocity."""
    for i in range(first, end):
        a, b = f[i], 0.25 * (vs[i] + vs[i + 1] + v[i] + v[i + 1])
        ww, w, e, ee = f[i - 2], f[i - 1], f[i + 1], f[i + 2]
        ss, s, n, nn = fss[i], fs[i], fn[i], fnn[i]
        rate = a * (ww - ee + 8.0 * (e - w)) + abs(a) * (ww + ee - 4.0 * (e + w) + 6.0 * a)
        rate += b * (ss - nn + 8.0 * (n - s)) + abs(b) * (ss + nn - 4.0 * (n + s) + 6.0 * a)
        moved = a - h * rate if free[i] > 0.0 else a
        out[i] = (1.0 - new) * out[i] + new * moved


@kernel(refcount=False)
def carry_v_row(out, fss, fs, f, fn, fnn, u, un, free, first, end, h, new):
    """Update a row of v in the same way."""
    for i in range(first, end):
        b, a = f[i], 0.25 * (u[i - 1] + u[i] + un[i - 1] + un[i])
        ww, w, e, ee = f[i - 2], f[i - 1], f[i + 1], f[i + 2]
        ss, s, n, nn = fss[i], fs[i], fn[i], fnn[i]
        rate = a * (ww - ee + 8.0 * (e - w)) + abs(a) * (ww + ee - 4.0 * (e + w) + 6.0 * b)
        rate += b * (ss - nn + 8.0 * (n - s)) + abs(b) * (ss + nn - 4.0 * (n + s) + 6.0 * b)
        moved = b - h * rate if free[i] > 0.0 else b
        out[i] = (1.0 - new) * out[i] + new * moved


@kernel(refcount=False)
def copy_row(out, row):
    """Update a row to be as another."""
    for i in range(out.size):
        out[i] = row[i]


@kernel(refcount=False)
def copy_inward(f, low_j, high_j, low_i, high_i):
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
def carry(u, v, to_u, to_v, open_u, open_v, h, new):
    """Update `to` from velocities u, v after a time; closed faces stay as they are."""
    ny, nx = u.shape[0] - 2, u.shape[1] - 2
    for j in range(1 + BAND, ny - BAND + 1):
        carry_u_row(to_u[j], u[j - 2], u[j - 1], u[j], u[j + 1], u[j + 2], v[j - 1], v[j], open_u[j], 2, nx - 1, h, new)
    for j in range(BAND, ny - BAND + 1):
        carry_v_row(to_v[j], v[j - 2], v[j - 1], v[j], v[j + 1], v[j + 2], u[j], u[j + 1], open_v[j], 3, nx - 1, h, new)
    copy_inward(to_u, 1 + BAND, ny - BAND, 2, nx - 2)
    copy_inward(to_v, BAND, ny - BAND, 3, nx - 2)


@kernel(refcount=False)
def raise_row(most, row):
    """Update the largest absolute values of columns."""
    for i in range(most.size):
        a = abs(row[i])
        most[i] = a if a > most[i] else most[i]


@kernel(refcount=False)
def largest(f, line):
    """Return the largest absolute value of a field; by columns first, which vectorises."""
    line[:] = 0.0
    for j in range(f.shape[0]):
        raise_row(line, f[j])
    most = 0.0
    for i in range(line.size):
        most = max(most, line[i])
    return most


@kernel(refcount=False)
def carry_along(w, fluid, dt):
    """Update the velocities of a window over a step; return the substeps, or 0 if it is too fast for that."""
    u, v, u1, v1, line = fluid.u[w], fluid.v[w], fluid.u1[w], fluid.v1[w], fluid.lines[w, 0, : fluid.u.shape[2]]
    cells = (largest(u, line) + largest(v, line)) * dt / fluid.cell[w]
    if not cells <= STEP * MOST_SUBSTEPS:
        return 0
    substeps = max(1, np.int64(np.ceil(cells / STEP)))
    h = dt / (12.0 * substeps * fluid.cell[w])
    for _ in range(substeps if cells > 0.0 else 0):
        carry(u, v, u1, v1, fluid.open_u[w], fluid.open_v[w], h, 1.0)
        carry(u1, v1, u, v, fluid.open_u[w], fluid.open_v[w], h, 0.5)
    return substeps


@kernel(refcount=False)
def damp_row(u, v, keep, edge):
    """Update a row of both velocities: all of it fades, and more so near the edge of the window."""
    for i in range(u.size):
        k = keep * edge[i]
        u[i] *= k
        v[i] *= k
