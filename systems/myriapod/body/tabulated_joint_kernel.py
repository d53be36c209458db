"""One joint of the bush tier: rest pose from the muscle lengths, wrench, and implicit matrix of two segments.

Unknowns per segment are the velocity of its reference point and its angular velocity. With d the vector from the front
to the rear face centre, m the frame halfway between the ends and theta the turn from front to rear, the relative
motion is
    dd = v_b - v_a - (w_a + w_b)/2 x d,   dtheta = w_b - w_a.                          [numerics 5]
Stiffness is taken at the mean of the four lengths; the weak axial-bending coupling of a one-sided muscle is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.myriapod.construction.joint_table import SHORTEST_TABLED, TABLE_ROWS, TABLE_STEP
from ....components.myriapod.construction.lattice import RELATIVE_DAMPING, TURNING_DAMPING
from ....components.myriapod.tissue import Elastic
from ....engine.kernel import kernel
from ....engine.vector_kernel import cross
from .faces_kernel import load_end
from .rotation_kernel import rotate, rotate_back
from .scratch_layout import (
    BLK_END_A,
    BLK_END_B,
    BLK_GAMMA_VOLUME,
    BLK_HALF,
    BLK_INVERSE_MASS,
    BLK_LENGTH_RATE,
    BLK_LENGTHS,
    BLK_X,
    END_A,
    END_B,
    END_EX,
    END_EY,
    END_EZ,
    JOINT_FRAME,
    JOINT_JACOBIAN,
    JOINT_MATRIX,
    JOINT_METRIC,
    JOINT_PRODUCT,
    SEG_COM,
    SEG_FORCE,
    SEG_TORQUE,
    SEG_X,
)

if TYPE_CHECKING:
    from ....components.myriapod.tissue import TissuePool
    from ....engine.kernel_types import Array, Vector

LARGEST_TURN = 1.2  # rad; the wrench of a joint turned further is that at this turn [walking 3]


@kernel()
def load_joint(i: int, blocks: TissuePool, seg_a: int, seg_b: int, s: Array, o: int) -> None:
    """Copy block `i` into the scratch at `o`, between two scratch segments, without its nodes."""
    real = s.dtype.type
    size, elastic, lengths_before, lengths = blocks.size, blocks.elastic, blocks.lengths_before, blocks.lengths
    volume = size[i, 0] * size[i, 1] * size[i, 2]
    for d in range(3):
        s[o + BLK_HALF + d] = real(0.5) * real(size[i, d])
    s[o + BLK_INVERSE_MASS] = real(1.0 / (elastic[i, Elastic.DENSITY] * volume))
    s[o + BLK_GAMMA_VOLUME] = real(elastic[i, Elastic.GAMMA] * volume)
    hx, hy, hz = s[o + BLK_HALF], s[o + BLK_HALF + 1], s[o + BLK_HALF + 2]
    load_end(s, o + BLK_END_A, seg_a + SEG_COM, blocks.anchor_a, i, real(1.0), hx, hy, hz, o + BLK_X)
    load_end(s, o + BLK_END_B, seg_b + SEG_COM, blocks.anchor_b, i, real(-1.0), hx, hy, hz, o + BLK_X)
    for d in range(4):
        s[o + BLK_LENGTHS + d] = real(lengths_before[i, d])
        s[o + BLK_LENGTH_RATE + d] = real(lengths[i, d] - lengths_before[i, d])


@kernel()
def half_turned(axis: Vector, angle: float, x: float, y: float, z: float) -> Vector:
    """A vector turned about a unit axis (Rodrigues)."""
    c, s = np.cos(angle), np.sin(angle)
    k = axis[0] * x + axis[1] * y + axis[2] * z
    p = cross(axis, (x, y, z))
    rest = (x - k * axis[0], y - k * axis[1], z - k * axis[2])
    return (
        k * axis[0] + c * rest[0] + s * p[0],
        k * axis[1] + c * rest[1] + s * p[1],
        k * axis[2] + c * rest[2] + s * p[2],
    )


@kernel()
def joint_pose(w: Array, s: Array, o: int) -> Vector:
    """Update the mid frame of block `o`; returns the turn from front to rear as a world rotation vector."""
    real = s.dtype.type
    half, one, zero = real(0.5), real(1.0), real(0.0)
    hy, hz = s[o + BLK_HALF + 1], s[o + BLK_HALF + 2]
    sx, sy, sz, trace = zero, zero, zero, zero
    for k, scale in ((END_EX, one), (END_EY, one / (hy * hy)), (END_EZ, one / (hz * hz))):
        a, b = END_A + k, END_B + k
        p = cross((w[a], w[a + 1], w[a + 2]), (w[b], w[b + 1], w[b + 2]))
        sx, sy, sz = sx + scale * p[0], sy + scale * p[1], sz + scale * p[2]
        trace += scale * (w[a] * w[b] + w[a + 1] * w[b + 1] + w[a + 2] * w[b + 2])
    sx, sy, sz = half * sx, half * sy, half * sz  # sin(turn) times the axis
    sine = np.sqrt(sx * sx + sy * sy + sz * sz)
    angle = np.arctan2(sine, half * (trace - one))
    below = sine if sine > real(1e-12) else real(1e-12)
    axis = (sx / below, sy / below, sz / below)
    for column, k, scale in ((0, END_EX, one), (1, END_EY, one / hy), (2, END_EZ, one / hz)):
        m = half_turned(axis, half * angle, w[END_A + k] * scale, w[END_A + k + 1] * scale, w[END_A + k + 2] * scale)
        w[JOINT_FRAME + column], w[JOINT_FRAME + 3 + column], w[JOINT_FRAME + 6 + column] = m[0], m[1], m[2]
    angle = angle if angle < real(LARGEST_TURN) else real(LARGEST_TURN)
    return angle * axis[0], angle * axis[1], angle * axis[2]


@kernel()
def rest_pose(s: Array, o: int, fraction: float) -> Vector:
    """Mean length, and rest turns about y and z, from the four lengths at this fraction of the tick."""
    real = s.dtype.type
    half = real(0.5)
    at, rate = o + BLK_LENGTHS, o + BLK_LENGTH_RATE
    left, right = s[at] + fraction * s[rate], s[at + 1] + fraction * s[rate + 1]
    top, bottom = s[at + 2] + fraction * s[rate + 2], s[at + 3] + fraction * s[rate + 3]
    across, upright = half * (left + right), half * (top + bottom)
    turn_y = (bottom - top) * across * s[o + BLK_HALF] / s[o + BLK_HALF + 2]
    turn_z = (left - right) * upright * s[o + BLK_HALF] / s[o + BLK_HALF + 1]
    return across * upright, turn_y, turn_z


@kernel()
def tabled_stiffness(joint: Array, row: int, mode: int, length: float) -> float:
    """One stiffness of the joint table at a mean length, linear between rows and constant outside."""
    place = (length - SHORTEST_TABLED) / TABLE_STEP
    place = min(max(place, 0.0), TABLE_ROWS - 1.000001)
    k = int(place)
    share = place - k
    return (1.0 - share) * joint[row, k, mode] + share * joint[row, k + 1, mode]


@kernel()
def set_metric(w: Array, x: float, y: float, z: float) -> None:
    """Update the 3 x 3 metric to R_m diag(x, y, z) R_m^T."""
    for i in range(3):
        for j in range(3):
            r, q = JOINT_FRAME + 3 * i, JOINT_FRAME + 3 * j
            w[JOINT_METRIC + 3 * i + j] = w[r] * x * w[q] + w[r + 1] * y * w[q + 1] + w[r + 2] * z * w[q + 2]


@kernel()
def set_cross(w: Array, column: int, x: float, y: float, z: float) -> None:
    """Update three columns of the Jacobian to the matrix of the cross product with (x, y, z) from the left."""
    zero = w.dtype.type(0.0)
    j = JOINT_JACOBIAN + column
    w[j], w[j + 1], w[j + 2] = zero, -z, y
    w[j + 12], w[j + 13], w[j + 14] = z, zero, -x
    w[j + 24], w[j + 25], w[j + 26] = -y, x, zero


@kernel()
def set_diagonal(w: Array, column: int, value: float) -> None:
    """Update three columns of the Jacobian to value times the identity."""
    zero = w.dtype.type(0.0)
    for i in range(3):
        for j in range(3):
            w[JOINT_JACOBIAN + 12 * i + column + j] = value if i == j else zero


@kernel()
def add_quadratic(w: Array) -> None:
    """Update the 12 x 12 joint matrix by J^T G J, J the Jacobian and G the metric."""
    for i in range(3):
        g = JOINT_METRIC + 3 * i
        for k in range(12):
            j = JOINT_JACOBIAN + k
            w[JOINT_PRODUCT + 12 * i + k] = w[g] * w[j] + w[g + 1] * w[j + 12] + w[g + 2] * w[j + 24]
    for i in range(12):
        j = JOINT_JACOBIAN + i
        p, q, r = w[j], w[j + 12], w[j + 24]
        for k in range(12):
            g = JOINT_PRODUCT + k
            w[JOINT_MATRIX + 12 * i + k] += p * w[g] + q * w[g + 12] + r * w[g + 24]


@kernel()
def joint_matrix(w: Array, s: Array, o: int, k: tuple[float, float, float, float, float, float], arm_a: Vector,
                 arm_b: Vector, d: Vector, published: bool, dt: float) -> None:  # fmt: skip
    """Update the joint matrix to dt^2 stiffness + dt damping; k holds the six stiffnesses."""
    real = s.dtype.type
    half, one, zero = real(0.5), real(1.0), real(0.0)
    for i in range(144):
        w[JOINT_MATRIX + i] = zero
    four = real(4.0)
    x2 = four * s[o + BLK_HALF] * s[o + BLK_HALF]
    y2 = four * s[o + BLK_HALF + 1] * s[o + BLK_HALF + 1]
    z2 = four * s[o + BLK_HALF + 2] * s[o + BLK_HALF + 2]
    c = dt * s[o + BLK_GAMMA_VOLUME] * real(RELATIVE_DAMPING)
    t = dt * s[o + BLK_GAMMA_VOLUME] * real(TURNING_DAMPING)
    set_metric(w, dt * dt * k[0] + c, dt * dt * k[1] + c, dt * dt * k[2] + c)
    set_diagonal(w, 0, -one)
    set_cross(w, 3, arm_a[0] + half * d[0], arm_a[1] + half * d[1], arm_a[2] + half * d[2])
    set_diagonal(w, 6, one)
    set_cross(w, 9, half * d[0] - arm_b[0], half * d[1] - arm_b[1], half * d[2] - arm_b[2])
    add_quadratic(w)
    set_metric(w, dt * dt * k[3] + t * (y2 + z2), dt * dt * k[4] + t * z2, dt * dt * k[5] + t * y2)
    set_diagonal(w, 0, zero)
    set_diagonal(w, 3, -one)
    set_diagonal(w, 6, zero)
    set_diagonal(w, 9, one)
    add_quadratic(w)
    if published:  # the published damping brakes common spin as well [myriapoda E-49]
        set_metric(w, c * (y2 + z2), c * (x2 + z2), c * (x2 + y2))
        set_diagonal(w, 3, half)
        set_diagonal(w, 9, half)
        add_quadratic(w)


@kernel()
def step_joint(w: Array, s: Array, o: int, a: int, b: int, joint: Array, row: int, fraction: float, published: bool,
               dt: float) -> None:  # fmt: skip
    """Update forces and torques of segments `a` and `b` and the joint matrix of block `o` between them."""
    real = s.dtype.type
    turn = joint_pose(w, s, o)
    length, turn_y, turn_z = rest_pose(s, o, fraction)
    k0, k1 = real(tabled_stiffness(joint, row, 0, length)), real(tabled_stiffness(joint, row, 1, length))
    k2, k3 = real(tabled_stiffness(joint, row, 2, length)), real(tabled_stiffness(joint, row, 3, length))
    k4, k5 = real(tabled_stiffness(joint, row, 4, length)), real(tabled_stiffness(joint, row, 5, length))
    d = (w[END_B] - w[END_A], w[END_B + 1] - w[END_A + 1], w[END_B + 2] - w[END_A + 2])
    arm_a = (w[END_A] - s[a + SEG_X], w[END_A + 1] - s[a + SEG_X + 1], w[END_A + 2] - s[a + SEG_X + 2])
    arm_b = (w[END_B] - s[b + SEG_X], w[END_B + 1] - s[b + SEG_X + 1], w[END_B + 2] - s[b + SEG_X + 2])
    e = rotate_back(w, JOINT_FRAME, d[0], d[1], d[2])
    rest = length * (s[o + BLK_HALF] + s[o + BLK_HALF])
    f = rotate(w, JOINT_FRAME, k0 * (e[0] + rest), k1 * e[1], k2 * e[2])
    q = rotate_back(w, JOINT_FRAME, turn[0], turn[1], turn[2])
    t = rotate(w, JOINT_FRAME, k3 * q[0], k4 * (q[1] - turn_y), k5 * (q[2] - turn_z))
    half = real(0.5)
    ta = cross((arm_a[0] + half * d[0], arm_a[1] + half * d[1], arm_a[2] + half * d[2]), f)
    tb = cross((arm_b[0] - half * d[0], arm_b[1] - half * d[1], arm_b[2] - half * d[2]), f)
    for i in range(3):
        s[a + SEG_FORCE + i] += f[i]
        s[b + SEG_FORCE + i] -= f[i]
        s[a + SEG_TORQUE + i] += ta[i] + t[i]
        s[b + SEG_TORQUE + i] += -tb[i] - t[i]
    joint_matrix(w, s, o, (k0, k1, k2, k3, k4, k5), arm_a, arm_b, d, published, dt)
