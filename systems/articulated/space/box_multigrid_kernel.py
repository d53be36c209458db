"""Pressure in a box: conjugate gradients, each step preconditioned by one V(2,2) cycle of damped-Jacobi multigrid.

L p = sum over faces of open (p - p beyond), and the body's term K Mt^-1 K^T in the operator alone. Coarse faces have half
the sum of their four fine ones, residuals are summed, corrections copied: symmetric, as conjugate gradients need it.
[swimmer 1.2]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32, float64
from ..fluid.multigrid_kernel import DAMPING
from ..fluid.plane_body_kernel import solve_factorised
from ..fluid.pressure_kernel import MOST_ITERATIONS, step_row, turn_row
from .box_advection_kernel import largest
from .box_arrays import Counter

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .box_arrays import FluidBox
    from .space_body import SpaceState

DAMP = float32(DAMPING)
NOTHING, ONE, HALF, TWICE = float32(0.0), float32(1.0), float32(0.5), float32(2.0)
COARSEST_SWEEPS = 20
TINY = 1e-30


@kernel(refcount=False)
def level_strides(box: FluidBox, level: int) -> tuple[int, int, int, int, int]:
    """Return where a level begins, its planes, the strides of x and y, and the cells of a plane between its corners."""
    start, nx, ny, nz = box.levels[level, 0], box.levels[level, 1], box.levels[level, 2], box.levels[level, 3]
    sy = nz + 2
    return start, nx, sy * (ny + 2), sy, (ny - 1) * sy + nz


@kernel(refcount=False)
def open_outer_faces(box: FluidBox) -> None:
    """Let pressure be 0 on the outer faces themselves: they are half a cell away."""
    nx, ny, nz = box.cells[0], box.cells[1], box.cells[2]
    sy = nz + 2
    sx = sy * (ny + 2)
    for j in range(1, ny + 1):
        for k in range(1, nz + 1):
            box.open_x[sx + j * sy + k] = box.open_x[(nx + 1) * sx + j * sy + k] = TWICE
    for i in range(1, nx + 1):
        for k in range(1, nz + 1):
            box.open_y[i * sx + sy + k] = box.open_y[i * sx + (ny + 1) * sy + k] = TWICE
        for j in range(1, ny + 1):
            box.open_z[i * sx + j * sy + 1] = box.open_z[i * sx + j * sy + nz + 1] = TWICE


@kernel(refcount=False)
def write_diagonal(box: FluidBox, level: int) -> None:
    """Update diagonal, its inverse and which cells are live on a level."""
    start, nx, sx, sy, n = level_strides(box, level)
    for i in range(1, nx + 1):
        c = start + i * sx + sy + 1
        x, x2, y = box.open_x[c : c + n], box.open_x[c + sx : c + sx + n], box.open_y[c : c + n]
        y2, z, z2 = box.open_y[c + sy : c + sy + n], box.open_z[c : c + n], box.open_z[c + 1 : c + 1 + n]
        out, inverse, live = box.diagonal[c : c + n], box.inverse[c : c + n], box.live[c : c + n]
        for k in range(n):
            out[k] = ((x[k] + x2[k]) + (y[k] + y2[k])) + (z[k] + z2[k])
        gap = 0
        nz = sy - 2
        for k in range(n):
            inside = gap < nz and out[k] > NOTHING
            live[k] = ONE if inside else NOTHING
            inverse[k] = ONE / out[k] if inside else NOTHING
            gap = 0 if gap == sy - 1 else gap + 1


@kernel(refcount=False)
def coarsen(box: FluidBox, level: int) -> None:
    """Update the open faces of the next level."""
    a, _, sx, sy, _ = level_strides(box, level)
    b, nx, tx, ty, _ = level_strides(box, level + 1)
    ny, nz = tx // ty - 2, ty - 2
    for i in range(1, nx + 2):
        for j in range(1, ny + 2):
            for k in range(1, nz + 2):
                c, d = a + (2 * i - 1) * sx + (2 * j - 1) * sy + 2 * k - 1, b + i * tx + j * ty + k
                if j <= ny and k <= nz:
                    f = box.open_x
                    f[d] = HALF * (f[c] + f[c + sy] + f[c + 1] + f[c + sy + 1])
                if i <= nx and k <= nz:
                    f = box.open_y
                    f[d] = HALF * (f[c] + f[c + sx] + f[c + 1] + f[c + sx + 1])
                if i <= nx and j <= ny:
                    f = box.open_z
                    f[d] = HALF * (f[c] + f[c + sx] + f[c + sy] + f[c + sx + sy])


@kernel(refcount=False)
def set_up_levels(box: FluidBox) -> None:
    """Update all levels from the open faces of the finest."""
    last = box.levels.shape[0] - 1
    for level in range(last):
        write_diagonal(box, level)
        coarsen(box, level)
    write_diagonal(box, last)


@kernel(refcount=False)
def apply_water(box: FluidBox, level: int, p: Array, out: Array) -> None:
    """Write L p on a level; both arrays begin with it."""
    start, nx, sx, sy, n = level_strides(box, level)
    for i in range(1, nx + 1):
        c = i * sx + sy + 1
        f = start + c
        here, low, high = p[c : c + n], p[c - sx : c - sx + n], p[c + sx : c + sx + n]
        diagonal, a, b = box.diagonal[f : f + n], box.open_x[f : f + n], box.open_x[f + sx : f + sx + n]
        to = out[c : c + n]
        for k in range(n):
            to[k] = diagonal[k] * here[k] - (a[k] * low[k] + b[k] * high[k])
        low, high = p[c - sy : c - sy + n], p[c + sy : c + sy + n]
        a, b, live = box.open_y[f : f + n], box.open_y[f + sy : f + sy + n], box.live[f : f + n]
        for k in range(n):
            to[k] = to[k] - (a[k] * low[k] + b[k] * high[k])
        low, high = p[c - 1 : c - 1 + n], p[c + 1 : c + 1 + n]
        a, b = box.open_z[f : f + n], box.open_z[f + 1 : f + 1 + n]
        for k in range(n):
            to[k] = live[k] * (to[k] - (a[k] * low[k] + b[k] * high[k]))


@kernel(refcount=False)
def sweep(box: FluidBox, level: int, p: Array, right: Array, rest: Array) -> None:
    """Do one damped Jacobi step of L p = right."""
    apply_water(box, level, p, rest)
    start, nx, sx, sy, n = level_strides(box, level)
    for i in range(1, nx + 1):
        c = i * sx + sy + 1
        here, b, r = p[c : c + n], right[c : c + n], rest[c : c + n]
        inverse = box.inverse[start + c : start + c + n]
        for k in range(n):
            here[k] += DAMP * inverse[k] * (b[k] - r[k])


@kernel(refcount=False)
def first_sweep(box: FluidBox, level: int, p: Array, right: Array) -> None:
    """Do the first damped Jacobi step, from zero."""
    start, nx, sx, sy, n = level_strides(box, level)
    for i in range(1, nx + 1):
        c = i * sx + sy + 1
        here, b, inverse = p[c : c + n], right[c : c + n], box.inverse[start + c : start + c + n]
        for k in range(n):
            here[k] = DAMP * inverse[k] * b[k]


@kernel(refcount=False)
def hand_down(box: FluidBox, level: int, right: Array, rest: Array, coarse: Array) -> None:
    """Write the right side of the next level: what is left of this one's, summed over the eight cells of each."""
    a, _, sx, sy, _ = level_strides(box, level)
    _, nx, tx, ty, _ = level_strides(box, level + 1)
    ny, nz = tx // ty - 2, ty - 2
    live = box.live
    for i in range(1, nx + 1):
        for j in range(1, ny + 1):
            for k in range(1, nz + 1):
                c, total = (2 * i - 1) * sx + (2 * j - 1) * sy + 2 * k - 1, NOTHING
                for d in (0, sy, sx, sx + sy):
                    e = c + d
                    total += live[a + e] * (right[e] - rest[e]) + live[a + e + 1] * (right[e + 1] - rest[e + 1])
                coarse[i * tx + j * ty + k] = total


@kernel(refcount=False)
def hand_up(box: FluidBox, level: int, p: Array, coarse: Array) -> None:
    """Add the correction of the next level to this one's live cells."""
    a, _, sx, sy, _ = level_strides(box, level)
    _, nx, tx, ty, _ = level_strides(box, level + 1)
    ny, nz = tx // ty - 2, ty - 2
    live = box.live
    for i in range(1, nx + 1):
        for j in range(1, ny + 1):
            for k in range(1, nz + 1):
                c, value = (2 * i - 1) * sx + (2 * j - 1) * sy + 2 * k - 1, coarse[i * tx + j * ty + k]
                for d in (0, sy, sx, sx + sy):
                    p[c + d] += live[a + c + d] * value
                    p[c + d + 1] += live[a + c + d + 1] * value


@kernel(refcount=False)
def v_cycle(box: FluidBox) -> None:
    """Write into `guess` of the finest level about L^-1 of its `right`."""
    last = box.levels.shape[0] - 1
    for level in range(last):
        a, b = box.levels[level, 0], box.levels[level + 1, 0]
        p, right, rest = box.guess[a:b], box.right[a:b], box.rest[a:b]
        first_sweep(box, level, p, right)
        sweep(box, level, p, right, rest)
        apply_water(box, level, p, rest)
        hand_down(box, level, right, rest, box.right[b:])
    a = box.levels[last, 0]
    p, right, rest = box.guess[a:], box.right[a:], box.rest[a:]
    first_sweep(box, last, p, right)
    for _ in range(COARSEST_SWEEPS - 1):
        sweep(box, last, p, right, rest)
    for level in range(last - 1, -1, -1):
        a, b = box.levels[level, 0], box.levels[level + 1, 0]
        p, right, rest = box.guess[a:b], box.right[a:b], box.rest[a:b]
        hand_up(box, level, p, box.guess[b:])
        sweep(box, level, p, right, rest)
        sweep(box, level, p, right, rest)


@kernel(refcount=False)
def body_force(box: FluidBox, rates: int, p: Array, out: Array) -> None:
    """Write K^T p times dx, the impulse of the pressure on all rates."""
    for a in range(rates):
        out[a] = 0.0
    for m in range(box.counters[Counter.CUT]):
        value, row = float(p[box.cut_cells[m]]), box.rows[m]
        for a in range(rates):
            out[a] += row[a] * value
    for a in range(rates):
        out[a] *= box.dx


@kernel(refcount=False)
def apply_all(box: FluidBox, state: SpaceState, rates: int, p: Array, out: Array) -> None:
    """Write (L + K Mt^-1 K^T) p."""
    apply_water(box, 0, p, out)
    sums = box.sums[0]
    body_force(box, rates, p, sums)
    solve_factorised(state.factor, rates, sums)
    for m in range(box.counters[Counter.CUT]):
        row, part = box.rows[m], 0.0
        for a in range(rates):
            part += row[a] * sums[a]
        out[box.cut_cells[m]] += float32(part)


@kernel(refcount=False)
def product(a: Array, b: Array, lanes: Array) -> float:
    """Return the sum of a[i] b[i] in double precision, plane by plane."""
    total, n = 0.0, lanes.size
    for start in range(0, a.size - n + 1, n):
        x, y = a[start : start + n], b[start : start + n]
        s0 = s1 = s2 = s3 = 0.0
        for k in range(0, n - 3, 4):
            s0 += float64(x[k]) * float64(y[k])
            s1 += float64(x[k + 1]) * float64(y[k + 1])
            s2 += float64(x[k + 2]) * float64(y[k + 2])
            s3 += float64(x[k + 3]) * float64(y[k + 3])
        for k in range(n - n % 4, n):
            s0 += float64(x[k]) * float64(y[k])
        total += (s0 + s1) + (s2 + s3)
    return total


@kernel(refcount=False)
def solve_pressure(box: FluidBox, state: SpaceState, rates: int, tolerance: float) -> int:
    """Update p so that water and body agree; return the steps taken, or MOST_ITERATIONS + 1 if it failed.

    `right` holds the right side of the finest level and is used up; p begins where it was.
    """
    size = box.p.size
    right, guess, p = box.right[:size], box.guess[:size], box.p
    lanes, live = box.plane[0], box.live
    for k in range(size):
        right[k] *= live[k]
        p[k] *= live[k]
    scale = float(largest(right, lanes))
    if not scale < 1e30:
        return MOST_ITERATIONS + 1
    if scale < TINY:
        for k in range(size):
            p[k] = NOTHING
        return 0
    apply_all(box, state, rates, p, box.change)
    for k in range(size):
        right[k] -= box.change[k]
    previous = 0.0
    for step in range(MOST_ITERATIONS):
        left = float(largest(right, lanes))
        if left <= tolerance * scale:
            return step
        if not left < 1e30:
            return MOST_ITERATIONS + 1
        v_cycle(box)
        now = product(right, guess, lanes)
        turn_row(box.search, guess, float32(now / previous if step > 0 else 0.0))
        previous = now
        apply_all(box, state, rates, box.search, box.change)
        along = product(box.search, box.change, lanes)
        if not along > 0.0:
            return MOST_ITERATIONS + 1
        step_row(p, right, box.search, box.change, float32(now / along))
    return MOST_ITERATIONS + 1
