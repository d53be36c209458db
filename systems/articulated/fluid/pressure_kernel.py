"""Pressure that keeps water from piling up, solved together with the bodies that it pushes. [Tan11 3.3, eq. 9]

(L + K Mt^-1 K^T) P = -(what flows out of cells before there is pressure), by conjugate gradients with one V-cycle as the
preconditioner. K has a row per cut cell, and the body term stays factored. [swimmer 1.1, 1.2, 8.4]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from .advection_kernel import largest
from .multigrid_kernel import v_cycle
from .plane_body_kernel import solve_factorised
from .window_layout import GROUND

if TYPE_CHECKING:
    from ....components.articulated.servo import SwimPool
    from ....engine.kernel_types import Array
    from .window_layout import WindowArrays

MOST_ITERATIONS = 60
"""More than a solution ever took; a system that takes them all is not one of ours. [swimmer 2]"""
GIVING = 0.5
"""How much of its pressure, in terms of the matrix, a cell that links have sealed gives way by. Water that cannot get out
would hold the links around it as if they were one, also where links of one body overlap at a joint."""
FASTEST = 4.0
"""Cells per step along an axis that water may move: in a closing gap it would need any speed. [articulated-swimmers 6.7]"""


@kernel(refcount=False)
def inflow_row(open_u: Array, u: Array, open_s: Array, vs: Array, open_v: Array, v: Array, dx: float, out: Array) -> None:
    """Update a row of what flows into cells through open faces."""
    for i in range(1, out.size - 1):
        out[i] = dx * ((open_u[i - 1] * u[i - 1] - open_u[i] * u[i]) + (open_s[i] * vs[i] - open_v[i] * v[i]))


@kernel(refcount=False)
def add_ground_flow(w: int, fluid: WindowArrays, drift_x: float, drift_y: float) -> None:
    """Update the inflow of cells beside ground, which stays while the water drifts past it."""
    owner_u, owner_v, rest, damped = fluid.owner_u[w], fluid.owner_v[w], fluid.rest[w, 0], fluid.damped[w, 0]
    dx = fluid.cell[w]
    for j in range(1, rest.shape[0] - 1):
        for i in range(1, rest.shape[1] - 1):
            if damped[j, i] > 0.0:
                across = (owner_u[j, i] == GROUND) * drift_x - (owner_u[j, i - 1] == GROUND) * drift_x
                along = (owner_v[j, i] == GROUND) * drift_y - (owner_v[j - 1, i] == GROUND) * drift_y
                rest[j, i] += dx * (across + along)


@kernel(refcount=False)
def pull_of(w: int, fluid: WindowArrays, swimmers: SwimPool, field: Array) -> None:
    """Update the pull of a field of pressure on every rate of every member: K^T P."""
    pull, row_cell, row_member, rows = fluid.pull[w], fluid.row_cell[w], fluid.row_member[w], fluid.row[w]
    pull[:] = 0.0
    for r in range(fluid.row_count[w]):
        m, p = row_member[r], field[row_cell[r, 0], row_cell[r, 1]]
        for q in range(swimmers.link_count[fluid.members[w, m]] + 2):
            pull[m, q] += rows[r, q] * p


@kernel(refcount=False)
def add_rows(w: int, fluid: WindowArrays, swimmers: SwimPool, rates: Array, sign: float, field: Array) -> None:
    """Update a field by K times rates, with a sign."""
    row_cell, row_member, rows = fluid.row_cell[w], fluid.row_member[w], fluid.row[w]
    for r in range(fluid.row_count[w]):
        m, change = row_member[r], 0.0
        for q in range(swimmers.link_count[fluid.members[w, m]] + 2):
            change += rows[r, q] * rates[m, q]
        field[row_cell[r, 0], row_cell[r, 1]] += sign * change


@kernel(refcount=False)
def image_row(ps: Array, p: Array, pn: Array, wvs: Array, wv: Array, wu: Array, out: Array) -> None:
    """Update a row of the matrix of water times p."""
    for i in range(1, out.size - 1):
        here = p[i]
        out[i] = wu[i - 1] * (here - p[i - 1]) + wu[i] * (here - p[i + 1]) + wvs[i] * (here - ps[i]) + wv[i] * (here - pn[i])


@kernel(refcount=False)
def add_products(sums: Array, a: Array, b: Array) -> None:
    """Update sums by columns of products."""
    for i in range(1, a.size - 1):
        sums[i] += a[i] * b[i]


@kernel(refcount=False)
def dot(a: Array, b: Array, sums: Array) -> float:
    """Return the sum of all products of two fields; by columns first, which vectorises."""
    sums[:] = 0.0
    for j in range(1, a.shape[0] - 1):
        add_products(sums, a[j], b[j])
    whole = 0.0
    for i in range(sums.size):
        whole += sums[i]
    return whole


@kernel(refcount=False)
def apply_matrix(w: int, fluid: WindowArrays, swimmers: SwimPool, p: Array) -> None:
    """Update `image` to be the whole matrix times p."""
    wu, wv, image = fluid.weight_u[w, 0], fluid.weight_v[w, 0], fluid.image[w]
    for j in range(1, p.shape[0] - 1):
        image_row(p[j - 1], p[j], p[j + 1], wv[j - 1], wv[j], wu[j], image[j])
    pull_of(w, fluid, swimmers, p)
    for m in range(fluid.member_count[w]):
        solve_factorised(fluid.matrix[w, m], swimmers.link_count[fluid.members[w, m]] + 2, fluid.pull[w, m])
    add_rows(w, fluid, swimmers, fluid.pull[w], 1.0, image)
    for s in range(fluid.sealed_count[w]):
        j, i = fluid.sealed[w, s, 0], fluid.sealed[w, s, 1]
        image[j, i] += GIVING * p[j, i]


@kernel(refcount=False)
def step_row(p: Array, rest: Array, along: Array, image: Array, step: float) -> None:
    """Update rows of the pressure and of what is left by a step along the search direction."""
    for i in range(p.size):
        p[i] += step * along[i]
    for i in range(p.size):
        rest[i] -= step * image[i]


@kernel(refcount=False)
def turn_row(along: Array, guess: Array, turn: float) -> None:
    """Update a row of the search direction."""
    for i in range(along.size):
        along[i] = guess[i] + turn * along[i]


@kernel(refcount=False)
def keep_water(p: Array, damped: Array) -> None:
    """Update a row: no pressure where there is no water any more."""
    for i in range(p.size):
        p[i] = p[i] if damped[i] > 0.0 else 0.0


@kernel(refcount=False)
def solve_pressure(w: int, fluid: WindowArrays, swimmers: SwimPool, tolerance: float, drift_x: float, drift_y: float) -> int:
    """Update the pressure of a window from its velocities and the rates of its members; return iterations, -1 if it fails.

    Done when the largest residual is within the tolerance of the largest right side.
    """
    u, v, open_u, open_v = fluid.u[w], fluid.v[w], fluid.open_u[w], fluid.open_v[w]
    p, along, image, line = fluid.pressure[w], fluid.along[w], fluid.image[w], fluid.lines[w, 0, : fluid.u.shape[2]]
    rest, guess, damped = fluid.rest[w, 0], fluid.guess[w, 0], fluid.damped[w, 0]
    ny = u.shape[0] - 2
    for j in range(1, ny + 1):
        inflow_row(open_u[j], u[j], open_v[j - 1], v[j - 1], open_v[j], v[j], fluid.cell[w], rest[j])
    if fluid.has_ground[w]:
        add_ground_flow(w, fluid, drift_x, drift_y)
    add_rows(w, fluid, swimmers, fluid.star[w], -1.0, rest)
    size = largest(rest, line)
    if size == 0.0:
        p[:] = 0.0
        return 0
    for j in range(1, ny + 1):
        keep_water(p[j], damped[j])
    apply_matrix(w, fluid, swimmers, p)
    along[:] = 0.0
    for j in range(1, ny + 1):
        step_row(p[j], rest[j], along[j], image[j], 1.0)
    old = 1.0
    for iteration in range(MOST_ITERATIONS + 1):
        if largest(rest, line) <= tolerance * size:
            return iteration
        v_cycle(w, fluid)
        new = dot(rest, guess, line)
        turn = new / old if iteration else 0.0
        for j in range(1, ny + 1):
            turn_row(along[j], guess[j], turn)
        apply_matrix(w, fluid, swimmers, along)
        step = new / dot(along, image, line)
        if not np.isfinite(step):
            return -1
        for j in range(1, ny + 1):
            step_row(p[j], rest[j], along[j], image[j], step)
        old = new
    return -1


@kernel(refcount=False)
def push_row(u: Array, free: Array, p: Array, beyond: Array, scale: float, most: float) -> None:
    """Update a row of velocities by the pressure here and beyond their faces."""
    for i in range(beyond.size):
        pushed = u[i] - scale * (beyond[i] - p[i])
        pushed = most if pushed > most else (-most if pushed < -most else pushed)  # what is not finite stays so
        u[i] = pushed if free[i] > 0.0 else u[i]


@kernel(refcount=False)
def push_water(w: int, fluid: WindowArrays, dt: float) -> None:
    """Update the velocity through open faces by the pressure on both sides; on the edge of the window it is 0."""
    u, v, open_u, open_v, p = fluid.u[w], fluid.v[w], fluid.open_u[w], fluid.open_v[w], fluid.pressure[w]
    ny, nx, scale, most = u.shape[0] - 2, u.shape[1] - 2, 1.0 / fluid.cell[w], FASTEST * fluid.cell[w] / dt
    for j in range(1, ny + 1):
        push_row(u[j], open_u[j], p[j], p[j, 1:], scale, most)
        push_row(u[j], open_u[j], p[j], p[j, 1:2], scale, most)  # once more: half a cell from its centre the pressure is 0
        push_row(u[j, nx:], open_u[j, nx:], p[j, nx:], p[j, nx + 1 :], scale, most)
    for j in range(ny + 1):
        push_row(v[j], open_v[j], p[j], p[j + 1], scale * (2.0 if j == 0 or j == ny else 1.0), most)


@kernel(refcount=False)
def push_bodies(w: int, fluid: WindowArrays, swimmers: SwimPool) -> bool:
    """Update the rates of all members by the pressure on them; return whether they can be."""
    pull_of(w, fluid, swimmers, fluid.pressure[w])
    sound = True
    for m in range(fluid.member_count[w]):
        n = swimmers.link_count[fluid.members[w, m]] + 2
        solve_factorised(fluid.matrix[w, m], n, fluid.pull[w, m])
        for q in range(n):
            fluid.rate[w, m, q] = fluid.star[w, m, q] + fluid.pull[w, m, q]
            sound = sound and np.isfinite(fluid.rate[w, m, q])
    return sound
