"""A tree of hinges in space with a free root: where its links are, its mass matrix, and one step of its servos.

Coordinates are the place and the quaternion of the root and one angle per further link; rates are the velocity of the root's
joint and its angular velocity in the axes of the world, then the rates of the hinges. [articulated-swimmers 2.2]
"""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ..fluid.plane_body_kernel import factorise, solve_factorised

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .space_body import SpaceBody, SpaceState

FREE = 6
"""Rates of the root: hinge k has number FREE - 1 + k."""
SERIES_BELOW = 1e-6


@kernel(refcount=False)
def turn_rows(out: Array, x: float, y: float, z: float, angle: float, above: Array) -> None:
    """Write the axes of a link, as rows, after a turn about a unit vector in the axes of the link above. [Rodrigues]"""
    s, c = sin(angle), cos(angle)
    v = 1.0 - c
    for i in range(3):
        a, b, d = above[0, i], above[1, i], above[2, i]
        out[0, i] = (c + v * x * x) * a + (v * x * y + s * z) * b + (v * x * z - s * y) * d
        out[1, i] = (v * x * y - s * z) * a + (c + v * y * y) * b + (v * y * z + s * x) * d
        out[2, i] = (v * x * z + s * y) * a + (v * y * z - s * x) * b + (c + v * z * z) * d


@kernel(refcount=False)
def root_rows(out: Array, q: Array) -> None:
    """Write the axes of the root, as rows, from its quaternion (wxyz)."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    out[0, 0], out[0, 1], out[0, 2] = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)
    out[1, 0], out[1, 1], out[1, 2] = 2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)
    out[2, 0], out[2, 1], out[2, 2] = 2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)


@kernel(refcount=False)
def place_links(body: SpaceBody, state: SpaceState) -> None:
    """Update axes, joints, hinges and centres of mass of all links in the world."""
    axes, joints, hinges, middles = state.axes, state.joints, state.hinges, state.middles
    root_rows(axes[0], state.turn)
    for i in range(3):
        joints[0, i] = state.place[i]
    for k in range(body.parent.size):
        if k > 0:
            above = body.parent[k]
            ax, ay, az = body.axis[k, 0], body.axis[k, 1], body.axis[k, 2]
            turn_rows(axes[k], ax, ay, az, body.rest[k] + state.angle[k], axes[above])
            for i in range(3):
                a, b, d = axes[above, 0, i], axes[above, 1, i], axes[above, 2, i]
                hinges[k, i] = ax * a + ay * b + az * d
                joints[k, i] = joints[above, i] + body.joint[k, 0] * a + body.joint[k, 1] * b + body.joint[k, 2] * d
        for i in range(3):
            middles[k, i] = joints[k, i] + body.com[k, 0] * axes[k, 0, i] + body.com[k, 1] * axes[k, 1, i] \
                + body.com[k, 2] * axes[k, 2, i]  # fmt: skip


@kernel(refcount=False)
def move_links(body: SpaceBody, state: SpaceState) -> None:
    """Update the velocity of every link's joint and its angular velocity from the rates."""
    rate, spin, velocity = state.rate, state.spin, state.velocity
    for i in range(3):
        velocity[0, i], spin[0, i] = rate[i], rate[3 + i]
    for k in range(1, body.parent.size):
        above = body.parent[k]
        for i in range(3):
            j, m = (i + 1) % 3, (i + 2) % 3
            arm_j, arm_m = state.joints[k, j] - state.joints[above, j], state.joints[k, m] - state.joints[above, m]
            velocity[k, i] = velocity[above, i] + spin[above, j] * arm_m - spin[above, m] * arm_j
            spin[k, i] = spin[above, i] + rate[FREE - 1 + k] * state.hinges[k, i]


@kernel(refcount=False)
def write_column(state: SpaceState, dof: int, x: float, y: float, z: float, out: Array) -> None:
    """Write how a point of link k moves (0..2) and turns (3..5) with one rate, which must be the root's or of its chain."""
    for i in range(6):
        out[i] = 0.0
    if dof < 3:
        out[dof] = 1.0
        return
    if dof < FREE:
        out[dof] = 1.0
        above = 0
    else:
        above = dof - FREE + 1
        for i in range(3):
            out[3 + i] = state.hinges[above, i]
    rx, ry, rz = x - state.joints[above, 0], y - state.joints[above, 1], z - state.joints[above, 2]
    out[0] = out[4] * rz - out[5] * ry
    out[1] = out[5] * rx - out[3] * rz
    out[2] = out[3] * ry - out[4] * rx


@kernel(refcount=False)
def dof_of(body: SpaceBody, k: int, number: int) -> int:
    """Return the rate that is the number-th of those that move link k."""
    return number if number < FREE else FREE - 1 + body.chain[k, number - FREE]


@kernel(refcount=False)
def write_mass_matrix(body: SpaceBody, state: SpaceState) -> None:
    """Update M, the sum over links of m Jv^T Jv + Jw^T I Jw. [articulated-swimmers 2.2]"""
    mass, column = state.mass_matrix, state.columns
    n = FREE - 1 + body.parent.size
    for a in range(n):
        for b in range(n):
            mass[a, b] = 0.0
    for k in range(body.parent.size):
        m = body.mass[k]
        if m <= 0.0:
            continue
        count, middle, axes = FREE + body.depth[k], state.middles[k], state.axes[k]
        for a in range(count):
            write_column(state, dof_of(body, k, a), middle[0], middle[1], middle[2], column[a])
            for i in range(3):  # the turn in the link's own axes
                own = axes[i]
                column[a, 6 + i] = column[a, 3] * own[0] + column[a, 4] * own[1] + column[a, 5] * own[2]
        for a in range(count):
            for b in range(a + 1):
                part = m * (column[a, 0] * column[b, 0] + column[a, 1] * column[b, 1] + column[a, 2] * column[b, 2])
                for i in range(3):
                    part += body.inertia[k, i] * column[a, 6 + i] * column[b, 6 + i]
                row, other = dof_of(body, k, a), dof_of(body, k, b)
                mass[row, other] += part
                if row != other:
                    mass[other, row] += part


@kernel(refcount=False)
def write_bias(body: SpaceBody, state: SpaceState) -> None:
    """Update C, the forces that keep all rates as they are: recursive Newton-Euler. [articulated-swimmers 2.2]"""
    bias, f, t, pull, turn = state.bias, state.forces, state.moments, state.pull, state.swing
    n = body.parent.size
    spin, joints, middles = state.spin, state.joints, state.middles
    for k in range(n):
        above = body.parent[k]
        for i in range(3):
            if k == 0:
                pull[0, i] = turn[0, i] = 0.0
                continue
            j, m = (i + 1) % 3, (i + 2) % 3
            h, r = state.hinges, state.rate[FREE - 1 + k]
            turn[k, i] = turn[above, i] + r * (spin[above, j] * h[k, m] - spin[above, m] * h[k, j])
        if k > 0:
            write_acceleration(pull, k, pull[above], turn[above], spin[above], joints[k], joints[above])
        write_acceleration(f, k, pull[k], turn[k], spin[k], middles[k], joints[k])
        write_moment(t, k, body.inertia[k], state.axes[k], turn[k], spin[k])
        for i in range(3):
            f[k, i] *= body.mass[k]
        add_arm(t, k, f[k], middles[k], joints[k])
    for a in range(FREE - 1 + n):
        bias[a] = 0.0
    for k in range(n - 1, -1, -1):
        if k == 0:
            for i in range(3):
                bias[i], bias[3 + i] = f[0, i], t[0, i]
            continue
        above = body.parent[k]
        bias[FREE - 1 + k] = t[k, 0] * state.hinges[k, 0] + t[k, 1] * state.hinges[k, 1] + t[k, 2] * state.hinges[k, 2]
        add_arm(t, above, f[k], joints[k], joints[above])
        for i in range(3):
            f[above, i] += f[k, i]
            t[above, i] += t[k, i]


@kernel(refcount=False)
def write_acceleration(out: Array, k: int, base: Array, turn: Array, spin: Array, point: Array, origin: Array) -> None:
    """Write the acceleration of a point of a rigid body: a + alpha x r + omega x (omega x r)."""
    rx, ry, rz = point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]
    along = spin[0] * rx + spin[1] * ry + spin[2] * rz
    square = spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]
    out[k, 0] = base[0] + turn[1] * rz - turn[2] * ry + spin[0] * along - rx * square
    out[k, 1] = base[1] + turn[2] * rx - turn[0] * rz + spin[1] * along - ry * square
    out[k, 2] = base[2] + turn[0] * ry - turn[1] * rx + spin[2] * along - rz * square


@kernel(refcount=False)
def write_moment(out: Array, k: int, inertia: Array, axes: Array, turn: Array, spin: Array) -> None:
    """Write I alpha + omega x (I omega), by the link's own axes."""
    out[k, 0] = out[k, 1] = out[k, 2] = 0.0
    for i in range(3):
        j, m = (i + 1) % 3, (i + 2) % 3
        a = turn[0] * axes[i, 0] + turn[1] * axes[i, 1] + turn[2] * axes[i, 2]
        wj = spin[0] * axes[j, 0] + spin[1] * axes[j, 1] + spin[2] * axes[j, 2]
        wm = spin[0] * axes[m, 0] + spin[1] * axes[m, 1] + spin[2] * axes[m, 2]
        own = inertia[i] * a + (inertia[m] - inertia[j]) * wj * wm
        for d in range(3):
            out[k, d] += own * axes[i, d]


@kernel(refcount=False)
def add_arm(out: Array, k: int, force: Array, point: Array, origin: Array) -> None:
    """Add the moment of a force at a point about another."""
    rx, ry, rz = point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]
    out[k, 0] += ry * force[2] - rz * force[1]
    out[k, 1] += rz * force[0] - rx * force[2]
    out[k, 2] += rx * force[1] - ry * force[0]


@kernel(refcount=False)
def push_servos(body: SpaceBody, state: SpaceState, dt: float) -> bool:
    """Update the rates by servos and inertia, without water; return whether the matrix was sound.

    (M + dt Kd + dt^2 Kp) q*' = M q' + dt (F - C - Kp (q - wanted) + Kd wanted'), F from outside. [swimmer 1.1]
    """
    place_links(body, state)
    move_links(body, state)
    write_mass_matrix(body, state)
    write_bias(body, state)
    n = FREE - 1 + body.parent.size
    mass, factor, rate, goal = state.mass_matrix, state.factor, state.rate, state.goal
    for a in range(n):
        part = dt * (state.outer[a] - state.bias[a])
        for b in range(n):
            part += mass[a, b] * rate[b]
            factor[a, b] = mass[a, b]
        if a >= FREE:
            k = a - FREE + 1
            part += dt * (body.kd[k] * state.wanted_rate[k] - body.kp[k] * (state.angle[k] - state.wanted[k]))
            factor[a, a] += dt * (body.kd[k] + dt * body.kp[k])
        goal[a] = part
    if not factorise(factor, n):
        return False
    solve_factorised(factor, n, goal)
    for a in range(n):
        rate[a] = goal[a]
    return True


@kernel(refcount=False)
def advance_body(body: SpaceBody, state: SpaceState, dt: float) -> None:
    """Update angles, place and turn of the root by the new rates, and book the work of the servos."""
    rate = state.rate
    for k in range(1, body.parent.size):
        r = rate[FREE - 1 + k]
        state.angle[k] += dt * r
        torque = body.kd[k] * (state.wanted_rate[k] - r) - body.kp[k] * (state.angle[k] - state.wanted[k])
        state.torque[k] = torque
        state.work[0] += dt * torque * r
    for i in range(3):
        state.place[i] += dt * rate[i]
    turn_quaternion(state.turn, dt * rate[3], dt * rate[4], dt * rate[5])


@kernel(refcount=False)
def turn_quaternion(q: Array, x: float, y: float, z: float) -> None:
    """Turn a quaternion by a rotation vector in the axes of the world, and keep its length 1."""
    size = sqrt(x * x + y * y + z * z)
    share = 0.5 - size * size / 48.0 if size < SERIES_BELOW else sin(0.5 * size) / size
    c, x, y, z = cos(0.5 * size), x * share, y * share, z * share
    w0, x0, y0, z0 = q[0], q[1], q[2], q[3]
    w1 = c * w0 - x * x0 - y * y0 - z * z0
    x1 = c * x0 + x * w0 + y * z0 - z * y0
    y1 = c * y0 + y * w0 + z * x0 - x * z0
    z1 = c * z0 + z * w0 + x * y0 - y * x0
    length = sqrt(w1 * w1 + x1 * x1 + y1 * y1 + z1 * z1)
    q[0], q[1], q[2], q[3] = w1 / length, x1 / length, y1 / length, z1 / length
