"""Water carries its own velocity along: third-order upwind fluxes, Heun steps. [swimmer 0.3, 2] [fluid 1.3, 1.6]

The flows through faces are those at the end of the last tick, frozen: what leaves one velocity cell enters the next. Near
links velocities change by u f_x instead, which is stable in small cells; `refund_kernel` settles the difference.

u f_x for both directions of u in one formula: the central difference of fourth order, and |u| times the fourth difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32, int64
from .cut_region_kernel import HIGH_I, HIGH_J, LOW_I, LOW_J

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .window_layout import WindowArrays

STEP = 0.7
"""Cells that water moves by in a substep, at most. [swimmer 2]"""
MOST_SUBSTEPS = 12
THREE, FOUR, SIX, SEVEN, EIGHT = (
    float32(3.0),
    float32(4.0),
    float32(6.0),
    float32(7.0),
    float32(8.0),
)  # exact in any precision, and make none larger
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


@kernel(refcount=False, inline=True)
def upwind_flux(flow: float, a: float, b: float, c: float, d: float) -> float:
    """Return twelve times what flow carries of a value from b to c; differences of it are those of `upwind`."""
    return flow * (SEVEN * (b + c) - a - d) - abs(flow) * (THREE * (c - b) - (d - a))


@kernel(refcount=False)
def flow_row(free: Array, u: Array, out: Array) -> None:
    """Update a row of what flows through faces, per width of one: their open share times the velocity."""
    for i in range(out.size):
        out[i] = free[i] * u[i]


@kernel(refcount=False)
def flux_row(p: Array, q: Array, a: Array, b: Array, c: Array, d: Array, out: Array) -> None:
    """Update a row of fluxes from values b to values c, carried by the mean of two flows.

    Loops are split so that each reads few rows: with more than eight, compilers do not vectorise.
    """
    for i in range(out.size):
        out[i] = upwind_flux(0.5 * (p[i] + q[i]), a[i], b[i], c[i], d[i])


@kernel(refcount=False)
def gather_row(west: Array, east: Array, south: Array, north: Array, out: Array) -> None:
    """Update a row of what leaves velocity cells through their four sides."""
    for i in range(out.size):
        out[i] = (east[i] - west[i]) + (north[i] - south[i])


@kernel(refcount=False)
def move_row(f: Array, change: Array, h: float, halved: bool, out: Array) -> None:
    """Update a row: f after a time h of its change; halved: the mean of that and of what is there."""
    for i in range(out.size):
        moved = f[i] - h * change[i]
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
def carry_u(w: int, fluid: WindowArrays, u: Array, v: Array, to: Array, cuts: Array, h: float, halved: bool) -> None:
    """Update velocities eastward after a time; near links by the stable form, while `momentum` learns the flux form."""
    flow_u, flow_v = fluid.weight_u[w, 0], fluid.weight_v[w, 0]
    free, near, momentum = fluid.open_u[w], fluid.reached[w], fluid.guess[w, 0]
    along, change, south, north = fluid.lines[w, 0], fluid.lines[w, 1], fluid.lines[w, 2], fluid.lines[w, 3]
    ny, nx = u.shape[0] - 2, u.shape[1] - 2
    low_i, high_i = max(cuts[LOW_I], BAND), min(cuts[HIGH_I], nx - BAND)
    flux_row(flow_v[BAND], flow_v[BAND, 1:], u[BAND - 1], u[BAND], u[BAND + 1], u[BAND + 2], south[: nx + 1])
    for j in range(1 + BAND, ny - BAND + 1):
        flux_row(flow_v[j], flow_v[j, 1:], u[j - 1], u[j], u[j + 1], u[j + 2], north[: nx + 1])
        flux_row(flow_u[j, 1:], flow_u[j, 2:], u[j], u[j, 1:], u[j, 2:], u[j, 3:], along[1 : nx - 1])
        gather_row(along[1:], along[2:], south[2:], north[2:], change[2 : nx - 1])
        if cuts[LOW_J] <= j <= cuts[HIGH_J]:
            for i in range(low_i, high_i + 1):
                if near[j, i]:
                    momentum[j, i] -= 0.5 * h * change[i]
                    across = 0.25 * ((v[j - 1, i] + v[j - 1, i + 1]) + (v[j, i] + v[j, i + 1]))
                    rate = upwind(across, u[j - 2, i], u[j - 1, i], u[j, i], u[j + 1, i], u[j + 2, i])
                    rate += upwind(u[j, i], u[j, i - 2], u[j, i - 1], u[j, i], u[j, i + 1], u[j, i + 2])
                    change[i] = rate if free[j, i] > 0.0 else 0.0
        move_row(u[j, 2:], change[2:], h, halved, to[j, 2 : nx - 1])
        south, north = north, south
    copy_inward(to, 1 + BAND, ny - BAND, BAND, nx - BAND)


@kernel(refcount=False)
def carry_v(w: int, fluid: WindowArrays, u: Array, v: Array, to: Array, cuts: Array, h: float, halved: bool) -> None:
    """Update velocities northward after a time, as `carry_u` does."""
    flow_u, flow_v = fluid.weight_u[w, 0], fluid.weight_v[w, 0]
    free, near, momentum = fluid.open_v[w], fluid.reached[w], fluid.other[w, 0]
    along, change, south, north = fluid.lines[w, 0], fluid.lines[w, 1], fluid.lines[w, 2], fluid.lines[w, 3]
    ny, nx = u.shape[0] - 2, u.shape[1] - 2
    low_i, high_i = max(cuts[LOW_I], 1 + BAND), min(cuts[HIGH_I], nx - BAND)
    flux_row(flow_v[BAND - 1], flow_v[BAND], v[BAND - 2], v[BAND - 1], v[BAND], v[BAND + 1], south[: nx + 1])
    for j in range(BAND, ny - BAND + 1):
        flux_row(flow_v[j], flow_v[j + 1], v[j - 1], v[j], v[j + 1], v[j + 2], north[: nx + 1])
        flux_row(flow_u[j, 2:], flow_u[j + 1, 2:], v[j, 1:], v[j, 2:], v[j, 3:], v[j, 4:], along[2 : nx - 1])
        gather_row(along[2:], along[3:], south[3:], north[3:], change[3 : nx - 1])
        if cuts[LOW_J] <= j <= cuts[HIGH_J]:
            for i in range(low_i, high_i + 1):
                if near[j, i]:
                    momentum[j, i] -= 0.5 * h * change[i]
                    across = 0.25 * ((u[j, i - 1] + u[j, i]) + (u[j + 1, i - 1] + u[j + 1, i]))
                    rate = upwind(v[j, i], v[j - 2, i], v[j - 1, i], v[j, i], v[j + 1, i], v[j + 2, i])
                    rate += upwind(across, v[j, i - 2], v[j, i - 1], v[j, i], v[j, i + 1], v[j, i + 2])
                    change[i] = rate if free[j, i] > 0.0 else 0.0
        move_row(v[j, 3:], change[3:], h, halved, to[j, 3 : nx - 1])
        south, north = north, south
    copy_inward(to, BAND, ny - BAND, 1 + BAND, nx - BAND)


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
def carry_along(w: int, fluid: WindowArrays, cuts: Array, dt: float) -> int:
    """Update the velocities of a window over a step; return the substeps, or 0 if it is too fast for that."""
    u, v, u1, v1, line = fluid.u[w], fluid.v[w], fluid.u1[w], fluid.v1[w], fluid.lines[w, 0, : fluid.u.shape[2]]
    cells = (largest(u, line) + largest(v, line)) * dt / fluid.cell[w]
    substeps = substeps_of(cells)
    if substeps == 0:
        return 0
    h = dt / (12.0 * substeps * fluid.cell[w])
    for _ in range(substeps if cells > 0.0 else 0):
        carry_u(w, fluid, u, v, u1, cuts, h, False)
        carry_v(w, fluid, u, v, v1, cuts, h, False)
        carry_u(w, fluid, u1, v1, u, cuts, h, True)
        carry_v(w, fluid, u1, v1, v, cuts, h, True)
    return substeps


@kernel(refcount=False)
def damp_row(u: Array, v: Array, keep: float, edge: Array) -> None:
    """Update a row of both velocities: all of it fades, and more so near the edge of the window."""
    for i in range(u.size):
        k = keep * edge[i]
        u[i] *= k
        v[i] *= k
