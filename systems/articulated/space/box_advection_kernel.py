"""Water carries its own velocity along: third-order upwind differences, Heun's two stages. [swimmer 2, 6]

Every loop runs over a plane of cells at once, layers between its rows included: what it writes there is never read, or
written anew by `copy_edges`. Loops touch few arrays each, so that the compiler can prove them independent and use wide
registers.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32
from ..fluid.advection_kernel import raise_row, substeps_of, upwind
from ..fluid.window_kernel import FADING

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .box_arrays import FluidBox

QUARTER, HALF = float32(0.25), float32(0.5)
TWELFTH = float32(1.0 / 12.0)
NOTHING = float32(0.0)
EDGE = 3
"""First cell that is carried; those nearer to the edge copy it. [swimmer 2]"""


@kernel(refcount=False)
def mean_of_four(out: Array, field: Array, c: int, n: int, back: int, ahead: int) -> None:
    """Write the velocity across, at a face: the mean of the four faces around it."""
    a, b = field[c : c + n], field[c - back : c - back + n]
    d, e = field[c + ahead : c + ahead + n], field[c - back + ahead : c - back + ahead + n]
    for k in range(n):
        out[k] = QUARTER * ((a[k] + b[k]) + (d[k] + e[k]))


@kernel(refcount=False)
def add_transport(out: Array, speed: Array, field: Array, c: int, n: int, stride: int) -> None:
    """Subtract speed times the upwind difference of a field along one axis, in cells."""
    here = field[c : c + n]
    one, two = field[c + stride : c + stride + n], field[c + 2 * stride : c + 2 * stride + n]
    less, least = field[c - stride : c - stride + n], field[c - 2 * stride : c - 2 * stride + n]
    for k in range(n):
        out[k] -= TWELFTH * upwind(speed[k], least[k], less[k], here[k], one[k], two[k])


@kernel(refcount=False)
def write_rate(out: Array, speed: Array, field: Array, others: tuple[Array, Array], c: int, n: int,
               strides: tuple[int, int, int]) -> None:  # fmt: skip
    """Write how one component changes in a plane, times the width of a cell; strides are those of its own axis first."""
    own, second, third = strides
    a, b = others
    for k in range(n):
        out[k] = NOTHING
    add_transport(out, field[c : c + n], field, c, n, own)
    mean_of_four(speed, a, c, n, own, second)
    add_transport(out, speed, field, c, n, second)
    mean_of_four(speed, b, c, n, own, third)
    add_transport(out, speed, field, c, n, third)


@kernel(refcount=False)
def first_stage(rate: Array, before: Array, after: Array, c: int, n: int, step: float) -> None:
    """Write a field after a whole step by its rate now."""
    a, b = before[c : c + n], after[c : c + n]
    for k in range(n):
        b[k] = a[k] + step * rate[k]


@kernel(refcount=False)
def second_stage(rate: Array, before: Array, after: Array, c: int, n: int, step: float, keep: float) -> None:
    """Write the mean of a field before the step and after two of them, damped."""
    a, b = before[c : c + n], after[c : c + n]
    for k in range(n):
        a[k] = keep * (HALF * (a[k] + b[k] + step * rate[k]))


@kernel(refcount=False)
def copy_edges(cells: Array, field: Array, axis: int) -> None:
    """Let the two layers of faces at every edge, and those outside, have what the next one inside has.

    Along its own axis a component has one face more than there are cells: the last one carried mirrors the first.
    """
    nx, ny, nz = cells[0], cells[1], cells[2]
    sy = nz + 2
    sx = sy * (ny + 2)
    to_x = nx - 1 if axis == 0 else nx - 2
    to_y = ny - 1 if axis == 1 else ny - 2
    to_z = nz - 1 if axis == 2 else nz - 2
    for i in range(EDGE, to_x + 1):
        for j in range(EDGE, to_y + 1):
            row = i * sx + j * sy
            for k in range(EDGE):
                field[row + k] = field[row + EDGE]
            for k in range(to_z + 1, sy):
                field[row + k] = field[row + to_z]
        for j in range(EDGE):
            for k in range(sy):
                field[i * sx + j * sy + k] = field[i * sx + EDGE * sy + k]
        for j in range(to_y + 1, ny + 2):
            for k in range(sy):
                field[i * sx + j * sy + k] = field[i * sx + to_y * sy + k]
    for i in range(EDGE):
        for c in range(sx):
            field[i * sx + c] = field[EDGE * sx + c]
    for i in range(to_x + 1, nx + 2):
        for c in range(sx):
            field[i * sx + c] = field[to_x * sx + c]


@kernel(refcount=False)
def largest(values: Array, lanes: Array) -> float:
    """Return the largest size of any value; lanes are for the loop."""
    n = lanes.size
    for k in range(n):
        lanes[k] = NOTHING
    for start in range(0, values.size - n + 1, n):
        raise_row(lanes, values[start : start + n])
    found = NOTHING
    for k in range(n):
        found = lanes[k] if lanes[k] > found else found
    return found


@kernel(refcount=False)
def carry_all(box: FluidBox, fields: tuple[Array, Array, Array], results: tuple[Array, Array, Array], stage: int,
              step: float, keep: float) -> None:  # fmt: skip
    """Do one stage of Heun's step for all three components."""
    nx, ny, nz = box.cells[0], box.cells[1], box.cells[2]
    sy = nz + 2
    sx = sy * (ny + 2)
    n = (ny - 4) * sy + nz - 3  # from the first face that is carried to the last, in a plane
    u, v, w = fields
    for i in range(EDGE, nx):
        c = i * sx + EDGE * sy + EDGE
        carry_plane(box, u, (v, w), results[0], c, n, (sx, sy, 1), stage, step, keep)
        if i < nx - 1:
            carry_plane(box, v, (u, w), results[1], c, n, (sy, sx, 1), stage, step, keep)
            carry_plane(box, w, (u, v), results[2], c, n, (1, sx, sy), stage, step, keep)
    copy_edges(box.cells, results[0], 0)
    copy_edges(box.cells, results[1], 1)
    copy_edges(box.cells, results[2], 2)


@kernel(refcount=False)
def carry_plane(box: FluidBox, field: Array, others: tuple[Array, Array], result: Array, c: int, n: int,
                strides: tuple[int, int, int], stage: int, step: float, keep: float) -> None:  # fmt: skip
    """Do one stage of Heun's step for one component in a plane."""
    rate = box.plane[0, :n]
    write_rate(rate, box.plane[1, :n], field, others, c, n, strides)
    if stage == 0:
        first_stage(rate, field, result, c, n, step)
    else:
        second_stage(rate, result, field, c, n, step, keep)


@kernel(refcount=False)
def carry_water(box: FluidBox, dt: float) -> int:
    """Update all velocities by what the water carries along in dt; return the substeps, or 0 if it is too fast for that."""
    lanes = box.plane[0]
    speed = float(largest(box.u, lanes)) + float(largest(box.v, lanes)) + float(largest(box.w, lanes))
    count = substeps_of(speed * dt / box.dx)
    if count == 0:
        return 0
    step, keep = float32(dt / count / box.dx), float32(exp(-FADING * dt / count))
    for _ in range(count):
        carry_all(box, (box.u, box.v, box.w), (box.u1, box.v1, box.w1), 0, step, keep)
        carry_all(box, (box.u1, box.v1, box.w1), (box.u, box.v, box.w), 1, step, keep)
    return count
