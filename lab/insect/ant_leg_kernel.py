"""One leg of the published ant: foot from angles, angles from foot, and the force of a foot from torques. [Guo15 App. B]

Angles: alpha turns the leg forward, beta is of the femur from straight up, gamma bends the knee. In the frame of the hip,
R = Lf sin b + Lt sin(b + c), Z = Lf cos b + Lt cos(b + c): the foot is at ((C + R) sin a, side (C + R) cos a, Z), C the
coxa, a level link outward (none in the source's equation). `side` is 1 on the left and -1 on the right.
"""

from __future__ import annotations

from math import acos, atan2, cos, hypot, sin, sqrt
from typing import TYPE_CHECKING

from ...engine.kernel import kernel

if TYPE_CHECKING:
    from ...engine.kernel_types import Array, Vector

FINE, STRETCHED, BENT = 0, 1, -1
DAMPING_SHARE = 1e-3  # of the squared length of a leg: keeps forces of stretched legs finite


@kernel(refcount=False)
def foot_of(alpha: float, beta: float, gamma: float, side: float, coxa: float, femur: float, lower: float) -> Vector:
    """Return the foot in the frame of the hip."""
    r = coxa + femur * sin(beta) + lower * sin(beta + gamma)
    return r * sin(alpha), side * r * cos(alpha), femur * cos(beta) + lower * cos(beta + gamma)


@kernel(refcount=False)
def angles_of(x: float, y: float, z: float, side: float, coxa: float, femur: float,
              lower: float) -> tuple[float, float, float, int]:  # fmt: skip
    """Return alpha, beta, gamma with the knee up, and whether the foot is out of reach."""
    r = hypot(x, y) - coxa
    c = (r * r + z * z - femur * femur - lower * lower) / (2.0 * femur * lower)
    out = FINE
    if c > 1.0:
        c, out = 1.0, STRETCHED
    elif c < -1.0:
        c, out = -1.0, BENT
    gamma = acos(c)
    beta = atan2(r, z) - atan2(lower * sqrt(1.0 - c * c), femur + lower * c)
    return atan2(x, side * y), beta, gamma, out


@kernel(refcount=False)
def jacobian_of(alpha: float, beta: float, gamma: float, side: float, coxa: float, femur: float, lower: float,
                out: Array) -> None:  # fmt: skip
    """Update out (3, 3): how the foot moves with each angle. [Guo15 eq. B.3]"""
    r, z = femur * sin(beta) + lower * sin(beta + gamma), femur * cos(beta) + lower * cos(beta + gamma)
    c, s = lower * cos(beta + gamma), lower * sin(beta + gamma)
    out[0, 0], out[0, 1], out[0, 2] = (coxa + r) * cos(alpha), z * sin(alpha), c * sin(alpha)
    out[1, 0], out[1, 1], out[1, 2] = -side * (coxa + r) * sin(alpha), side * z * cos(alpha), side * c * cos(alpha)
    out[2, 0], out[2, 1], out[2, 2] = 0.0, -r, -s


@kernel(refcount=False)
def stance_leg(x: float, y: float, z: float, side: float, coxa: float, femur: float,
               lower: float) -> tuple[float, float, float, float, float, float, float, float, int]:  # fmt: skip
    """Return the angles of a leg, and without any sine what its force needs: sin a, cos a, R, sine and cosine of the lower
    link times its length, and whether the foot is out of reach."""
    flat = hypot(x, y)
    sa, ca = x / flat, side * y / flat
    r = flat - coxa
    c = (r * r + z * z - femur * femur - lower * lower) / (2.0 * femur * lower)
    out = FINE
    if c > 1.0:
        c, out = 1.0, STRETCHED
    elif c < -1.0:
        c, out = -1.0, BENT
    s = sqrt(1.0 - c * c)
    # beta = atan2(r, z) - atan2(p, q): one arctangent of the turned vector
    p, q = lower * s, femur + lower * c
    beta = atan2(r * q - z * p, z * q + r * p)
    length = sqrt((r * r + z * z) * (p * p + q * q))
    sb, cb = (r * q - z * p) / length, (z * q + r * p) / length
    return atan2(sa, ca), beta, acos(c), sa, ca, r, lower * (sb * c + cb * s), lower * (cb * c - sb * s), out


@kernel(refcount=False)
def torques_to_force(sa: float, ca: float, r: float, z: float, sl: float, cl: float, side: float, coxa: float,
                     torque: Vector, damping: float) -> Vector:  # fmt: skip
    """Return the force of the ground on a leg whose joints give these torques: -(J^T)^-1 tau, damped. [Guo15 eq. B.2]

    In the plane of the leg the three angles part: alpha pushes aside, beta and gamma push out and down.
    """
    ta, tb, tc = torque
    rho = coxa + r
    aside = rho * ta / (rho * rho + damping)
    # A = [[z, cl], [-r, -sl]] maps rates of beta and gamma to out and up; F = (A A^T + damping)^-1 A tau
    a, b, d = z * z + cl * cl + damping, -(z * r + cl * sl), r * r + sl * sl + damping
    p, q = z * tb + cl * tc, -(r * tb + sl * tc)
    det = a * d - b * b
    out, up = (d * p - b * q) / det, (a * q - b * p) / det
    return -(aside * ca + out * sa), -side * (out * ca - aside * sa), -up


@kernel(refcount=False)
def link_points(alpha: float, beta: float, side: float, coxa: float, femur: float) -> Vector:
    """Return the knee in the frame of the hip."""
    r = coxa + femur * sin(beta)
    return r * sin(alpha), side * r * cos(alpha), femur * cos(beta)


@kernel(refcount=False)
def to_hip(x: float, y: float, z: float, body: Array, hip_x: float, hip_y: float) -> Vector:
    """Return a point of the world in the frame of a hip; body: x, y, z, yaw of the trunk."""
    c, s = cos(body[3]), sin(body[3])
    dx, dy = x - body[0], y - body[1]
    return c * dx + s * dy - hip_x, c * dy - s * dx - hip_y, z - body[2]
