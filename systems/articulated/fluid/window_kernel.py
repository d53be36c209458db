"""One tick of a fluid window and of all bodies in it; windows side by side on all threads. [Tan11 Fig. 2] [swimmer 1]"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

import numpy as np
from numba import prange

from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from .advection_kernel import carry_along, damp_row
from .friction_kernel import rub
from .link_faces_kernel import find_sealed, hold_closed_faces, shape_window, write_rows
from .multigrid_kernel import set_up
from .plane_body_kernel import COS, SIN, X, Y, end_body, move_links, solve_factorised, swim_body
from .pressure_kernel import push_bodies, push_water, solve_pressure
from .refund_kernel import begin_flows, begin_momentum, refund
from .window_layout import FAILURES, ITERATIONS, KNOWN, SHIFTED_X, SHIFTED_Y, SHIFTS, STEPS, SUBSTEPS

if TYPE_CHECKING:
    from ....components.articulated.links import LinkPool
    from ....components.articulated.servo import SwimPool
    from ....engine.kernel_types import Array
    from .window_layout import WindowArrays

FADING = 0.1
"""Share of its velocity that water loses per second: whirls in a plane would live for ever. [swimmer 2]"""
SPONGE = 6
SPONGE_FADING = 4.0
"""Cells at the edge in which it loses up to that per second: whirls leave quietly. [articulated-swimmers 6.7]"""
OFF_CENTRE = 8.0
"""Cells that members may be off the middle of their window. [swimmer 1.3]"""


@kernel(refcount=False)
def calm(w: int, fluid: WindowArrays, dt: float) -> None:
    """Update the velocities of a window: they fade, and more so at the edge."""
    ny, nx = fluid.u.shape[1] - 2, fluid.u.shape[2] - 2
    keep, edge = exp(-FADING * dt), fluid.lines[w, 1, : nx + 2]
    for i in range(nx + 2):
        depth = max(SPONGE - min(i, nx + 1 - i), 0) / SPONGE
        edge[i] = 1.0 / (1.0 + SPONGE_FADING * dt * depth * depth)
    for j in range(ny + 2):
        depth = max(SPONGE - min(j, ny + 1 - j), 0) / SPONGE
        damp_row(fluid.u[w, j], fluid.v[w, j], keep / (1.0 + SPONGE_FADING * dt * depth * depth), edge)


@kernel(refcount=False)
def shift_field(field: Array, copy: Array, sj: int, si: int, outside: float) -> None:
    """Update a field to begin some rows and columns further on, with a value for what was outside."""
    rows, columns = field.shape
    for j in range(rows):
        for i in range(columns):
            copy[j, i] = field[j, i]
    for j in range(rows):
        for i in range(columns):
            inside = 0 <= j + sj < rows and 0 <= i + si < columns
            field[j, i] = copy[j + sj, i + si] if inside else outside


@kernel(refcount=False)
def cells_off(low: float, high: float, origin: float, cells: int, cell: float) -> int:
    """Return by how many whole cells a window has to move along an axis."""
    off = (0.5 * (low + high) - origin) / cell - 0.5 * cells
    return int64(np.rint(off)) if abs(off) > OFF_CENTRE else 0


@kernel(refcount=False)
def recentre(w: int, fluid: WindowArrays, swimmers: SwimPool, links: LinkPool) -> None:
    """Update where a window is, by whole cells, when its members are no longer in the middle of it."""
    low_x, high_x, low_y, high_y = 1e30, -1e30, 1e30, -1e30
    for m in range(fluid.member_count[w]):
        c, frame = fluid.members[w, m], fluid.frame[w, m]
        for k in range(swimmers.link_count[c]):
            back = links.length[swimmers.first_link[c] + k]
            x, y = frame[k, X], frame[k, Y]
            bx, by = x - back * frame[k, COS], y - back * frame[k, SIN]
            low_x, high_x = min(low_x, x, bx), max(high_x, x, bx)
            low_y, high_y = min(low_y, y, by), max(high_y, y, by)
    ny, nx, cell = fluid.u.shape[1] - 2, fluid.u.shape[2] - 2, fluid.cell[w]
    si, sj = cells_off(low_x, high_x, fluid.origin[w, 0], nx, cell), cells_off(low_y, high_y, fluid.origin[w, 1], ny, cell)
    if si == 0 and sj == 0:
        return
    shift_field(fluid.u[w], fluid.u1[w], sj, si, 0.0)
    shift_field(fluid.v[w], fluid.u1[w], sj, si, 0.0)
    shift_field(fluid.pressure[w], fluid.u1[w], sj, si, 0.0)
    shift_field(fluid.solid[w], fluid.u1[w], sj, si, 0.0)
    shift_field(fluid.open_u[w], fluid.u1[w], sj, si, 1.0)
    shift_field(fluid.open_v[w], fluid.u1[w], sj, si, 1.0)
    fluid.pressure[w, 0] = fluid.pressure[w, ny + 1] = 0.0
    fluid.pressure[w, :, 0] = fluid.pressure[w, :, nx + 1] = 0.0
    fluid.origin[w, 0] += si * cell
    fluid.origin[w, 1] += sj * cell
    fluid.counts[w, SHIFTS] += 1
    fluid.counts[w, SHIFTED_X] += si
    fluid.counts[w, SHIFTED_Y] += sj


@kernel(refcount=False)
def take_pull(w: int, fluid: WindowArrays, swimmers: SwimPool) -> None:
    """Update the rates without pressure of all members by the pull of the water on them."""
    for m in range(fluid.member_count[w]):
        n = swimmers.link_count[fluid.members[w, m]] + 2
        solve_factorised(fluid.matrix[w, m], n, fluid.pull[w, m])
        for q in range(n):
            fluid.star[w, m, q] += fluid.pull[w, m, q]


@kernel(refcount=False)
def carry_water(w: int, fluid: WindowArrays, swimmers: SwimPool, links: LinkPool, dt: float, drift_x: float,
                drift_y: float) -> bool:  # fmt: skip
    """Update water and bodies as if there were no pressure in this step; return whether it went well."""
    box, cuts = fluid.box[w], fluid.cuts[w]
    begin_flows(w, fluid)
    for m in range(fluid.member_count[w]):
        if not swim_body(fluid.members[w, m], swimmers, links, dt, fluid.frame[w, m], fluid.matrix[w, m], fluid.rate[w, m],
                         fluid.star[w, m], fluid.force[w, m]):  # fmt: skip
            return False
    shape_window(w, fluid, swimmers, links, box)
    begin_momentum(w, fluid, cuts)
    hold_closed_faces(w, fluid, box, drift_x, drift_y)
    fluid.counts[w, SUBSTEPS] = carry_along(w, fluid, cuts, dt)
    if fluid.counts[w, SUBSTEPS] == 0:
        return False
    fluid.pull[w] = 0.0
    refund(w, fluid, swimmers, links, dt, fluid.counts[w, KNOWN] == fluid.member_count[w])
    fluid.counts[w, KNOWN] = fluid.member_count[w]
    rub(w, fluid, swimmers, links, dt)
    take_pull(w, fluid, swimmers)
    return True


@kernel(refcount=False)
def press(w: int, fluid: WindowArrays, swimmers: SwimPool, links: LinkPool, dt: float, tolerance: float, drift_x: float,
          drift_y: float) -> bool:  # fmt: skip
    """Update water and rates by the pressure between them; return whether it went well."""
    box = fluid.box[w]
    if not (write_rows(w, fluid, swimmers, links, box) and find_sealed(w, fluid, box)):
        return False
    set_up(w, fluid)
    fluid.counts[w, ITERATIONS] = solve_pressure(w, fluid, swimmers, tolerance, drift_x, drift_y)
    if fluid.counts[w, ITERATIONS] < 0 or not push_bodies(w, fluid, swimmers):
        return False
    push_water(w, fluid, dt)
    for m in range(fluid.member_count[w]):
        c = fluid.members[w, m]
        first, n = int64(swimmers.first_link[c]), int64(swimmers.link_count[c])
        move_links(first, n, links, fluid.frame[w, m], fluid.rate[w, m])
    hold_closed_faces(w, fluid, box, drift_x, drift_y)
    return True


@kernel(refcount=False)
def try_step(w: int, fluid: WindowArrays, swimmers: SwimPool, links: LinkPool, dt: float, tolerance: float, drift_x: float,
             drift_y: float) -> bool:  # fmt: skip
    """Update water and rates of a window by one step; return whether it went well. Bodies have not moved yet."""
    if not carry_water(w, fluid, swimmers, links, dt, drift_x, drift_y):
        return False
    calm(w, fluid, dt)
    return press(w, fluid, swimmers, links, dt, tolerance, drift_x, drift_y)


@kernel(refcount=False)
def restart(w: int, fluid: WindowArrays, swimmers: SwimPool, links: LinkPool) -> None:
    """Update a window whose solution failed: water and bodies are at rest, where they were."""
    fluid.u[w] = fluid.v[w] = fluid.u1[w] = fluid.v1[w] = fluid.pressure[w] = 0.0
    fluid.guess[w] = fluid.other[w] = fluid.along[w] = 0.0
    fluid.counts[w, FAILURES] += 1
    for m in range(fluid.member_count[w]):
        c = fluid.members[w, m]
        swimmers.failed[c] = 1
        for i in range(3):
            swimmers.root_rate[c, i] = 0.0
        for k in range(swimmers.link_count[c]):
            links.rate[swimmers.first_link[c] + k] = 0.0
            links.torque[swimmers.first_link[c] + k] = 0.0


@kernel(refcount=False)
def step_window(w: int, fluid: WindowArrays, swimmers: SwimPool, links: LinkPool, dt: float, tolerance: float) -> bool:
    """Update one window and its members over a tick; return whether it went well."""
    count = fluid.member_count[w]
    drift_x, drift_y = 0.0, 0.0
    for m in range(count):
        c = fluid.members[w, m]
        drift_x += swimmers.stream[c, 0] / count
        drift_y += swimmers.stream[c, 1] / count
        swimmers.failed[c] = 0
    fluid.counts[w, STEPS] += 1
    fluid.drift[w, 0], fluid.drift[w, 1], fluid.drift[w, 2] = drift_x, drift_y, dt
    sound = try_step(w, fluid, swimmers, links, dt, tolerance, drift_x, drift_y)
    if not sound:
        restart(w, fluid, swimmers, links)
    fluid.origin[w, 0] += dt * drift_x
    fluid.origin[w, 1] += dt * drift_y
    for m in range(count):
        if sound:
            end_body(fluid.members[w, m], swimmers, links, dt, drift_x, drift_y, fluid.frame[w, m], fluid.rate[w, m])
    recentre(w, fluid, swimmers, links)
    return sound


@kernel(parallel=True)
def run_windows(active: Array, fluid: WindowArrays, swimmers: SwimPool, links: LinkPool, dt: float,
                tolerance: float) -> None:  # fmt: skip
    """Update the listed windows over one tick."""
    for a in prange(active.size):
        step_window(active[a], fluid, swimmers, links, dt, tolerance)
