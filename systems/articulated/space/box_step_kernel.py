"""One step of body and water together. [swimmer 1.1, 7]"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32
from ..fluid.plane_body_kernel import solve_factorised
from ..fluid.pressure_kernel import MOST_ITERATIONS
from .box_advection_kernel import carry_water
from .box_arrays import Counter
from .box_multigrid_kernel import body_force, level_strides, open_outer_faces, set_up_levels, solve_pressure
from .box_shape_kernel import mark_body, move_closed, write_rows
from .space_body_kernel import FREE, advance_body, move_links, place_links, push_servos

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .box_arrays import FluidBox
    from .space_body import SpaceBody, SpaceState

NOTHING, ONE, TWICE = float32(0.0), float32(1.0), float32(2.0)
MORE_THAN_OPEN = float32(1.5)
OFF_CENTRE = 2
"""Cells that the body may be off the middle of its box before the box follows. [swimmer 1.3]"""
FINE, NOT_DEFINITE, TOO_FAST, NOT_SOLVED, TOO_LARGE = 0, 1, 2, 3, 4
"""How a step ended."""


@kernel(refcount=False)
def write_right_side(box: FluidBox, rates: int, state: SpaceState) -> None:
    """Update the right side: minus what flows out of each cell through open faces, and what the body displaces."""
    _, nx, sx, sy, n = level_strides(box, 0)
    dx = float32(box.dx)
    for i in range(1, nx + 1):
        c = i * sx + sy + 1
        out = box.right[c : c + n]
        a, b = box.open_x[c : c + n], box.open_x[c + sx : c + sx + n]
        u, u2 = box.u[c : c + n], box.u[c + sx : c + sx + n]
        for k in range(n):
            out[k] = a[k] * u[k] - b[k] * u2[k]
        a, b = box.open_y[c : c + n], box.open_y[c + sy : c + sy + n]
        u, u2 = box.v[c : c + n], box.v[c + sy : c + sy + n]
        for k in range(n):
            out[k] += a[k] * u[k] - b[k] * u2[k]
        a, b = box.open_z[c : c + n], box.open_z[c + 1 : c + 1 + n]
        u, u2 = box.w[c : c + n], box.w[c + 1 : c + 1 + n]
        for k in range(n):
            out[k] = dx * (out[k] + (a[k] * u[k] - b[k] * u2[k]))
    for m in range(box.counters[Counter.CUT]):
        row, part = box.rows[m], 0.0
        for rate in range(rates):
            part += row[rate] * state.rate[rate]
        box.right[box.cut_cells[m]] -= float32(part)


@kernel(refcount=False)
def push_faces(field: Array, shares: Array, p: Array, n: int, c: int, stride: int, scale: float) -> None:
    """Let pressure change the velocity of open faces; on outer faces it is 0, half a cell away."""
    to, a, here, before = field[c : c + n], shares[c : c + n], p[c : c + n], p[c - stride : c - stride + n]
    for k in range(n):
        factor = TWICE if a[k] > MORE_THAN_OPEN else (ONE if a[k] > NOTHING else NOTHING)
        to[k] -= factor * scale * (here[k] - before[k])


@kernel(refcount=False)
def push_water(box: FluidBox) -> None:
    """Update all open faces by the pressure."""
    nx, ny, nz = box.cells[0], box.cells[1], box.cells[2]
    sy = nz + 2
    sx = sy * (ny + 2)
    n = ny * sy + nz + 1
    scale = float32(1.0 / box.dx)
    for i in range(1, nx + 2):
        c = i * sx + sy + 1
        push_faces(box.u, box.open_x, box.p, n, c, sx, scale)
        if i <= nx:
            push_faces(box.v, box.open_y, box.p, n, c, sy, scale)
            push_faces(box.w, box.open_z, box.p, n, c, 1, scale)


@kernel(refcount=False)
def couple(box: FluidBox, body: SpaceBody, state: SpaceState, tolerance: float) -> int:
    """Let pressure bring body and water together, [swimmer 1.1]; return how it ended."""
    rates = FREE - 1 + body.parent.size
    mark_body(box, body, state)
    if not write_rows(box, body, state):
        return TOO_LARGE
    write_right_side(box, rates, state)
    open_outer_faces(box)
    set_up_levels(box)
    steps = solve_pressure(box, state, rates, tolerance)
    box.counters[Counter.ITERATIONS] += steps
    box.counters[Counter.MOST_ITERATIONS] = max(box.counters[Counter.MOST_ITERATIONS], steps)
    if steps > MOST_ITERATIONS:
        return NOT_SOLVED
    push_water(box)
    change = box.sums[1]
    body_force(box, rates, box.p, change)
    solve_factorised(state.factor, rates, change)
    for a in range(rates):
        state.rate[a] += change[a]
    move_links(body, state)
    move_closed(box, state, 0, box.u, box.open_x, box.owner_x)
    move_closed(box, state, 1, box.v, box.open_y, box.owner_y)
    move_closed(box, state, 2, box.w, box.open_z, box.owner_z)
    return FINE


@kernel(refcount=False)
def shift_field(field: Array, cells: Array, di: int, dj: int, dk: int) -> None:
    """Move a field by whole cells; what comes in is 0."""
    ny, nz = cells[1] + 2, cells[2] + 2
    nx = cells[0] + 2
    i0, i1, step_i = (0, nx, 1) if di >= 0 else (nx - 1, -1, -1)
    j0, j1, step_j = (0, ny, 1) if dj >= 0 else (ny - 1, -1, -1)
    k0, k1, step_k = (0, nz, 1) if dk >= 0 else (nz - 1, -1, -1)
    for i in range(i0, i1, step_i):
        for j in range(j0, j1, step_j):
            for k in range(k0, k1, step_k):
                a, b, c = i + di, j + dj, k + dk
                inside = 0 <= a < nx and 0 <= b < ny and 0 <= c < nz
                field[(i * ny + j) * nz + k] = field[(a * ny + b) * nz + c] if inside else NOTHING


@kernel(refcount=False)
def middle_of_body(body: SpaceBody, state: SpaceState, d: int) -> float:
    """Return the middle of the box around the body along one axis."""
    low, high = 1e30, -1e30
    for k in range(body.parent.size):
        if body.length[k] > 0.0:
            wide, high_ = max(body.width[k, 0], body.width[k, 1]), max(body.height[k, 0], body.height[k, 1])
            axes = state.axes[k]
            middle = state.joints[k, d] - 0.5 * body.length[k] * axes[0, d] + body.aside[k] * axes[1, d]
            reach = 0.5 * body.length[k] * abs(axes[0, d]) + wide * abs(axes[1, d]) + high_ * abs(axes[2, d])
            low, high = min(low, middle - reach), max(high, middle + reach)
    return 0.5 * (low + high)


@kernel(refcount=False)
def follow_body(box: FluidBox, body: SpaceBody, state: SpaceState) -> None:
    """Shift the box by whole cells when the body is off its middle. [swimmer 1.3]"""
    off0 = (middle_of_body(body, state, 0) - box.origin[0]) / box.dx - 0.5 * box.cells[0]
    off1 = (middle_of_body(body, state, 1) - box.origin[1]) / box.dx - 0.5 * box.cells[1]
    off2 = (middle_of_body(body, state, 2) - box.origin[2]) / box.dx - 0.5 * box.cells[2]
    shift = (cells_off(off0), cells_off(off1), cells_off(off2))
    if shift[0] == 0 and shift[1] == 0 and shift[2] == 0:
        return
    shift_field(box.u, box.cells, shift[0], shift[1], shift[2])
    shift_field(box.v, box.cells, shift[0], shift[1], shift[2])
    shift_field(box.w, box.cells, shift[0], shift[1], shift[2])
    shift_field(box.p, box.cells, shift[0], shift[1], shift[2])
    for k in range(box.p.size):
        box.p[k] *= min(box.empty_x[k] * box.empty_y[k] * box.empty_z[k], ONE)  # the layer around stays 0
    box.origin[0] += shift[0] * box.dx
    box.origin[1] += shift[1] * box.dx
    box.origin[2] += shift[2] * box.dx
    box.counters[Counter.SHIFTS] += 1


@kernel(refcount=False)
def cells_off(off: float) -> int:
    """Return by how many cells to follow."""
    return int(np.rint(off)) if abs(off) > OFF_CENTRE else 0


@kernel(refcount=False)
def move_together(box: FluidBox, body: SpaceBody, state: SpaceState, dt: float, tolerance: float) -> int:
    """Step a swimmer and its water by dt; return how it ended. What did not end well has not moved the body."""
    if not push_servos(body, state, dt):
        return NOT_DEFINITE
    substeps = carry_water(box, dt)
    if substeps == 0:
        return TOO_FAST
    box.counters[Counter.SUBSTEPS] += substeps
    box.counters[Counter.MOST_SUBSTEPS] = max(box.counters[Counter.MOST_SUBSTEPS], substeps)
    ended = couple(box, body, state, tolerance)
    if ended != FINE:
        return ended
    advance_body(body, state, dt)
    place_links(body, state)
    box.counters[Counter.STEPS] += 1
    follow_body(box, body, state)
    return FINE
