"""Bodies of links in the plane: where links are, the mass matrix, and one step with fully implicit servos.

Coordinates q = (x, y, angle) of the root's joint, then the angle of every other link against its parent: the angle of link
k is coordinate 2 + k. Everything in closed form, no gyroscopic terms. [articulated-swimmers 6.2]
The step solves (M + dt Kd + dt^2 Kp) q' = M q'_old + dt (-C - Kp (q - wanted) + Kd wanted' + pushes). [swimmer 1.1]
"""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from .window_layout import FRAME

if TYPE_CHECKING:
    from ....components.articulated.links import LinkPool
    from ....components.articulated.servo import SwimPool
    from ....engine.kernel_types import Array

X, Y, ANGLE, COS, SIN, VX, VY, SPIN, AX, AY = FRAME
STOP = 20.0  # stiffness of the stop of a joint, in those of its servo
OVERSHOOT = 0.1  # rad beyond its limit at which it begins: servos overshoot by some hundredths


@kernel(refcount=False)
def lay_links(first: int, n: int, x: float, y: float, angle: float, links: LinkPool, frame: Array) -> None:
    """Update where the links of a body are, from its root and its joints."""
    for k in range(n):
        row = first + k
        if k:
            p = int64(links.parent[row])
            c, s = frame[p, COS], frame[p, SIN]
            x = frame[p, X] + c * links.joint[row, 0] - s * links.joint[row, 1]
            y = frame[p, Y] + s * links.joint[row, 0] + c * links.joint[row, 1]
            angle = frame[p, ANGLE] + links.rest[row] + links.angle[row]
        frame[k, X], frame[k, Y], frame[k, ANGLE] = x, y, angle
        frame[k, COS], frame[k, SIN] = cos(angle), sin(angle)


@kernel(refcount=False)
def move_links(first: int, n: int, links: LinkPool, frame: Array, rate: Array) -> None:
    """Update how fast links move and turn, and how their joints accelerate while no coordinate does: J' q'."""
    frame[0, VX], frame[0, VY], frame[0, SPIN], frame[0, AX], frame[0, AY] = rate[0], rate[1], rate[2], 0.0, 0.0
    for k in range(1, n):
        p = int64(links.parent[first + k])
        dx, dy, spin = frame[k, X] - frame[p, X], frame[k, Y] - frame[p, Y], frame[p, SPIN]
        frame[k, VX], frame[k, VY] = frame[p, VX] - spin * dy, frame[p, VY] + spin * dx
        frame[k, AX], frame[k, AY] = frame[p, AX] - spin * spin * dx, frame[p, AY] - spin * spin * dy
        frame[k, SPIN] = spin + rate[2 + k]


@kernel(refcount=False)
def mass_and_force(first: int, n: int, links: LinkPool, frame: Array, matrix: Array, force: Array) -> None:
    """Update M and the force of pushes and of turning links, -C. Pushes act at centres of mass."""
    matrix[: n + 2, : n + 2] = 0.0
    force[: n + 2] = 0.0
    for k in range(n):
        row = first + k
        m, inertia, back = links.mass[row], links.inertia[row], links.com[row]
        rx, ry, spin = -back * frame[k, COS], -back * frame[k, SIN], frame[k, SPIN]
        x, y = frame[k, X] + rx, frame[k, Y] + ry
        fx = links.push[row, 0] - m * (frame[k, AX] - spin * spin * rx)
        fy = links.push[row, 1] - m * (frame[k, AY] - spin * spin * ry)
        force[0] += fx
        force[1] += fy
        matrix[0, 0] += m
        matrix[1, 1] += m
        i = k
        while i >= 0:
            xi, yi = -(y - frame[i, Y]), x - frame[i, X]  # how the centre moves as link i turns
            force[2 + i] += fx * xi + fy * yi + links.push[row, 2]
            matrix[2 + i, 0] += m * xi
            matrix[2 + i, 1] += m * yi
            j = i
            while j >= 0:
                matrix[2 + i, 2 + j] += m * (-(y - frame[j, Y]) * xi + (x - frame[j, X]) * yi) + inertia
                j = int64(links.parent[first + j])
            i = int64(links.parent[first + i])


@kernel(refcount=False)
def add_pull(k: int, x: float, y: float, px: float, py: float, first: int, links: LinkPool, frame: Array,
             pull: Array) -> None:  # fmt: skip
    """Update the pull on all rates of a body by an impulse on a point of link `k`."""
    pull[0] += px
    pull[1] += py
    while k >= 0:
        pull[2 + k] += py * (x - frame[k, X]) - px * (y - frame[k, Y])
        k = int64(links.parent[first + k])


@kernel(refcount=False)
def factorise(matrix: Array, n: int) -> bool:
    """Replace the lower half of a matrix by its Cholesky factor; return whether it is positive definite."""
    for j in range(n):
        d = matrix[j, j]
        for k in range(j):
            d -= matrix[j, k] * matrix[j, k]
        if not d > 0.0:
            return False
        d = sqrt(d)
        matrix[j, j] = d
        for i in range(j + 1, n):
            v = matrix[i, j]
            for k in range(j):
                v -= matrix[i, k] * matrix[j, k]
            matrix[i, j] = v / d
    return True


@kernel(refcount=False)
def solve_factorised(matrix: Array, n: int, x: Array) -> None:
    """Replace x by the solution for a factorised matrix."""
    for i in range(n):
        v = x[i]
        for k in range(i):
            v -= matrix[i, k] * x[k]
        x[i] = v / matrix[i, i]
    for i in range(n - 1, -1, -1):
        v = x[i]
        for k in range(i + 1, n):
            v -= matrix[k, i] * x[k]
        x[i] = v / matrix[i, i]


@kernel(refcount=False)
def add_servos(first: int, n: int, links: LinkPool, matrix: Array, star: Array, dt: float) -> None:
    """Update matrix and impulses by the servos, fully implicit: stable at any gain. [swimmer 0.5, 1.1]

    A joint that was bent beyond its limit, by a push or by water, meets a stop.
    """
    for k in range(1, n):
        row, i = first + k, 2 + k
        kp, kd, angle = links.kp[row], links.kd[row], links.angle[row]
        star[i] += dt * (kd * links.wanted_rate[row] - kp * (angle - links.wanted[row]))
        matrix[i, i] += dt * (kd + dt * kp)
        most = links.limit[row] + OVERSHOOT
        beyond = angle - min(max(angle, -most), most)
        if beyond != 0.0:
            star[i] -= dt * STOP * kp * beyond
            matrix[i, i] += dt * STOP * (kd + dt * kp)


@kernel(refcount=False)
def begin_step(c: int, first: int, n: int, swimmers: SwimPool, links: LinkPool, frame: Array, matrix: Array, rate: Array,
               star: Array, force: Array, dt: float) -> None:  # fmt: skip
    """Update rates, frame and masses of a body, and the impulses that it has by itself: M q' + dt f."""
    for i in range(3):
        rate[i] = swimmers.root_rate[c, i]
    for k in range(1, n):
        rate[2 + k] = links.rate[first + k]
    lay_links(first, n, swimmers.root[c, 0], swimmers.root[c, 1], swimmers.root[c, 2], links, frame)
    move_links(first, n, links, frame, rate)
    mass_and_force(first, n, links, frame, matrix, force)
    for i in range(n + 2):
        v = dt * force[i]
        for j in range(n + 2):
            v += (matrix[i, j] if j <= i else matrix[j, i]) * rate[j]
        star[i] = v


@kernel(refcount=False)
def swim_body(c: int, swimmers: SwimPool, links: LinkPool, dt: float, frame: Array, matrix: Array, rate: Array, star: Array,
              force: Array) -> bool:  # fmt: skip
    """Update frame, the factor of M + dt Kd + dt^2 Kp and the rates without water of a body; return whether it could be."""
    first, n = int64(swimmers.first_link[c]), int64(swimmers.link_count[c])
    begin_step(c, first, n, swimmers, links, frame, matrix, rate, star, force, dt)
    add_servos(first, n, links, matrix, star, dt)
    if not factorise(matrix, n + 2):
        return False
    solve_factorised(matrix, n + 2, star)
    return True


@kernel(refcount=False)
def end_body(c: int, swimmers: SwimPool, links: LinkPool, dt: float, drift_x: float, drift_y: float, frame: Array,
             rate: Array) -> None:  # fmt: skip
    """Update root, joints, torques and work of a body from its new rates, and where its links are."""
    first, n = int64(swimmers.first_link[c]), int64(swimmers.link_count[c])
    for i in range(3):
        swimmers.root_rate[c, i] = rate[i]
        swimmers.root[c, i] += dt * rate[i]
    swimmers.root[c, 0] += dt * drift_x
    swimmers.root[c, 1] += dt * drift_y
    work = 0.0
    for k in range(1, n):
        row, v = first + k, rate[2 + k]
        links.angle[row] += dt * v
        torque = links.kp[row] * (links.wanted[row] - links.angle[row]) + links.kd[row] * (links.wanted_rate[row] - v)
        links.torque[row] = torque
        work += dt * torque * 0.5 * (links.rate[row] + v)  # an impulse works at the mean of both rates
        links.rate[row] = v
    swimmers.work[c] += work
    swimmers.cycle_work[c] += work
    lay_links(first, n, swimmers.root[c, 0], swimmers.root[c, 1], swimmers.root[c, 2], links, frame)
    mass, turned = 0.0, 0.0
    for k in range(n):
        row = first + k
        links.place[row, 0], links.place[row, 1], links.place[row, 2] = frame[k, X], frame[k, Y], frame[k, ANGLE]
        mass += links.mass[row]
        turned += links.mass[row] * frame[k, ANGLE]
    swimmers.heading[c] = turned / mass
