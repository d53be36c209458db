"""Rigid segments: loading, ground contact, Newton-Euler step and storing, for one creature's scratch row.

Angular motion is carried as the world angular momentum L, with w = R I^-1 R^T L: the gyroscopic term of the body
frame is then implied, and L is conserved to rounding in the absence of torque.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.segments import Push
from ....engine.kernel import kernel
from ....engine.vector_kernel import cross
from .rotation_kernel import rotate, rotate_back, rotation_matrix, turn
from .scratch_layout import (
    SEG_COM,
    SEG_FORCE,
    SEG_GRAVITY,
    SEG_HALF,
    SEG_INVERSE_INERTIA,
    SEG_KINEMATIC,
    SEG_L,
    SEG_MASS,
    SEG_NORMAL,
    SEG_POINT,
    SEG_PUSH,
    SEG_Q,
    SEG_R,
    SEG_TORQUE,
    SEG_V,
    SEG_W,
    SEG_X,
    SEGMENT_STRIDE,
)

if TYPE_CHECKING:
    from ....components.myriapod.chain_segments import ChainSegmentPool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array, Vector

# Largest share of a segment's momentum that one contact corner may take away per substep: explicit damping and
# regularised friction stay stable below m/(5.5 dt) at a cube corner (1/m_eff = 1/m + r^2/I with I = m/6).
CONTACT_MOMENTUM_SHARE = 0.1


@kernel()
def load_segment(i: int, segments: SegmentPool, chained: ChainSegmentPool, origin: Vector, s: Array, o: int) -> None:
    """Copy segment `i` into the scratch at `o`; places are relative to the origin from there on."""
    real = s.dtype.type
    position, velocity, angular_velocity = segments.position, segments.velocity, segments.angular_velocity
    center_of_mass, inertia, inverse_inertia = chained.center_of_mass, chained.inertia, chained.inverse_inertia
    half_extents, gravity, push = segments.half_extents, chained.gravity, segments.push
    ground_point, ground_normal = chained.ground_point, chained.ground_normal
    kinematic = chained.kinematic[i]
    s[o + SEG_KINEMATIC] = real(kinematic)
    s[o + SEG_MASS] = real(segments.mass[i])
    for d in range(4):
        s[o + SEG_Q + d] = real(segments.orientation[i, d])
    rotation_matrix(s, o + SEG_Q, s, o + SEG_R)
    for d in range(3):
        s[o + SEG_COM + d] = real(0.0) if kinematic else real(center_of_mass[i, d])
        s[o + SEG_W + d] = real(angular_velocity[i, d])
        s[o + SEG_HALF + d] = real(half_extents[i, d])
        s[o + SEG_GRAVITY + d] = real(gravity[i, d])
        s[o + SEG_POINT + d] = real(ground_point[i, d] - origin[d])
        s[o + SEG_NORMAL + d] = real(ground_normal[i, d])
        s[o + SEG_PUSH + d] = real(push[i, d])
        s[o + SEG_PUSH + 3 + d] = real(push[i, Push.TX + d])
        for k in range(3):
            s[o + SEG_INVERSE_INERTIA + 3 * d + k] = real(inverse_inertia[i, d, k])
    r = rotate(s, o + SEG_R, s[o + SEG_COM], s[o + SEG_COM + 1], s[o + SEG_COM + 2])
    swing = cross((s[o + SEG_W], s[o + SEG_W + 1], s[o + SEG_W + 2]), r)
    for d in range(3):
        s[o + SEG_X + d] = real(position[i, d] - origin[d]) + r[d]
        s[o + SEG_V + d] = real(velocity[i, d]) + swing[d]
    b = rotate_back(s, o + SEG_R, s[o + SEG_W], s[o + SEG_W + 1], s[o + SEG_W + 2])
    lx = real(inertia[i, 0, 0]) * b[0] + real(inertia[i, 0, 1]) * b[1] + real(inertia[i, 0, 2]) * b[2]
    ly = real(inertia[i, 1, 0]) * b[0] + real(inertia[i, 1, 1]) * b[1] + real(inertia[i, 1, 2]) * b[2]
    lz = real(inertia[i, 2, 0]) * b[0] + real(inertia[i, 2, 1]) * b[1] + real(inertia[i, 2, 2]) * b[2]
    s[o + SEG_L], s[o + SEG_L + 1], s[o + SEG_L + 2] = rotate(s, o + SEG_R, lx, ly, lz)


@kernel()
def store_segment(i: int, segments: SegmentPool, origin: Vector, s: Array, o: int) -> None:
    """Copy pose and velocities of the scratch segment at `o` back to segment `i`."""
    position, orientation = segments.position, segments.orientation
    velocity, angular_velocity = segments.velocity, segments.angular_velocity
    r = rotate(s, o + SEG_R, s[o + SEG_COM], s[o + SEG_COM + 1], s[o + SEG_COM + 2])
    swing = cross((s[o + SEG_W], s[o + SEG_W + 1], s[o + SEG_W + 2]), r)
    kinematic = s[o + SEG_KINEMATIC] != 0
    for d in range(3):
        position[i, d] = origin[d] + (s[o + SEG_X + d] - r[d])
        if not kinematic:  # a kinematic velocity is an input: keep the caller's exact value
            velocity[i, d] = s[o + SEG_V + d] - swing[d]
            angular_velocity[i, d] = s[o + SEG_W + d]
    for d in range(4):
        orientation[i, d] = s[o + SEG_Q + d]


@kernel()
def add_force(s: Array, o: int, rx: float, ry: float, rz: float, fx: float, fy: float, fz: float) -> None:
    """Update the force and torque of segment `o` by a force at offset r from its reference point."""
    t = cross((rx, ry, rz), (fx, fy, fz))
    s[o + SEG_FORCE] += fx
    s[o + SEG_FORCE + 1] += fy
    s[o + SEG_FORCE + 2] += fz
    s[o + SEG_TORQUE] += t[0]
    s[o + SEG_TORQUE + 1] += t[1]
    s[o + SEG_TORQUE + 2] += t[2]


@kernel()
def clear_and_weigh(s: Array, o: int) -> None:
    """Update force and torque of segment `o` to gravity plus the push that the caller holds over the tick."""
    real = s.dtype.type
    m = s[o + SEG_MASS]
    for d in range(3):
        s[o + SEG_FORCE + d] = m * s[o + SEG_GRAVITY + d]
        s[o + SEG_TORQUE + d] = s[o + SEG_PUSH + 3 + d]
    # the push acts at the box centre
    r = rotate(s, o + SEG_R, s[o + SEG_COM], s[o + SEG_COM + 1], s[o + SEG_COM + 2])
    zero = real(0.0)
    add_force(s, o, zero - r[0], zero - r[1], zero - r[2], s[o + SEG_PUSH], s[o + SEG_PUSH + 1], s[o + SEG_PUSH + 2])


@kernel()
def ground_contact(s: Array, o: int, stiffness: float, damping: float, friction: float, slip: float, dt: float) -> None:
    """Update force and torque of segment `o` by penalty and friction at the box corners below its ground plane.

    stiffness (1/s^2) and damping (1/s) are per corner and unit mass; friction is regularised below the slip speed.
    """
    real = s.dtype.type
    zero = real(0.0)
    m = s[o + SEG_MASS]
    nx, ny, nz = s[o + SEG_NORMAL], s[o + SEG_NORMAL + 1], s[o + SEG_NORMAL + 2]
    com = rotate(s, o + SEG_R, s[o + SEG_COM], s[o + SEG_COM + 1], s[o + SEG_COM + 2])
    center = (
        (s[o + SEG_POINT] - s[o + SEG_X] + com[0]) * nx
        + (s[o + SEG_POINT + 1] - s[o + SEG_X + 1] + com[1]) * ny
        + (s[o + SEG_POINT + 2] - s[o + SEG_X + 2] + com[2]) * nz
    )  # depth of the box centre
    up = rotate_back(s, o + SEG_R, nx, ny, nz)
    a, b, c = s[o + SEG_HALF] * up[0], s[o + SEG_HALF + 1] * up[1], s[o + SEG_HALF + 2] * up[2]
    if center + abs(a) + abs(b) + abs(c) <= zero:
        return
    most = m * real(CONTACT_MOMENTUM_SHARE) / dt
    damp = m * damping if m * damping < most else most
    for corner in range(8):
        ex = real(1 - 2 * (corner >> 2))
        ey = real(1 - 2 * ((corner >> 1) & 1))
        ez = real(1 - 2 * (corner & 1))
        depth = center - (ex * a + ey * b + ez * c)
        if depth <= zero:
            continue
        r = rotate(s, o + SEG_R, ex * s[o + SEG_HALF], ey * s[o + SEG_HALF + 1], ez * s[o + SEG_HALF + 2])
        rx, ry, rz = r[0] - com[0], r[1] - com[1], r[2] - com[2]
        v = cross((s[o + SEG_W], s[o + SEG_W + 1], s[o + SEG_W + 2]), (rx, ry, rz))
        vx, vy, vz = s[o + SEG_V] + v[0], s[o + SEG_V + 1] + v[1], s[o + SEG_V + 2] + v[2]
        vn = vx * nx + vy * ny + vz * nz
        normal = m * stiffness * depth - damp * vn
        normal = normal if normal > zero else zero  # the ground never pulls
        tx, ty, tz = vx - vn * nx, vy - vn * ny, vz - vn * nz
        speed = np.sqrt(tx * tx + ty * ty + tz * tz)
        grip = friction * normal / (speed if speed > slip else slip)
        grip = grip if grip < most else most
        add_force(s, o, rx, ry, rz, normal * nx - grip * tx, normal * ny - grip * ty, normal * nz - grip * tz)


@kernel()
def angular_velocity_from_momentum(s: Array, o: int) -> None:
    """Update w = R I^-1 R^T L of segment `o`."""
    b = rotate_back(s, o + SEG_R, s[o + SEG_L], s[o + SEG_L + 1], s[o + SEG_L + 2])
    w = rotate(s, o + SEG_INVERSE_INERTIA, b[0], b[1], b[2])
    s[o + SEG_W], s[o + SEG_W + 1], s[o + SEG_W + 2] = rotate(s, o + SEG_R, w[0], w[1], w[2])


@kernel()
def correct_to_midstep(s: Array, o: int, dt: float) -> None:
    """Update w of segment `o` to the middle of the step: dw/dt = -I^-1 (w x L), the gyroscopic term."""
    real = s.dtype.type
    half = real(0.5) * dt
    g = cross((s[o + SEG_W], s[o + SEG_W + 1], s[o + SEG_W + 2]), (s[o + SEG_L], s[o + SEG_L + 1], s[o + SEG_L + 2]))
    b = rotate_back(s, o + SEG_R, g[0], g[1], g[2])
    b = rotate(s, o + SEG_INVERSE_INERTIA, b[0], b[1], b[2])
    b = rotate(s, o + SEG_R, b[0], b[1], b[2])
    for d in range(3):
        s[o + SEG_W + d] -= half * b[d]


@kernel()
def integrate_segments(s: Array, count: int, dt: float) -> None:
    """Update positions, orientations and velocities of all segments from their forces; kinematic ones coast."""
    for i in range(count):
        o = i * SEGMENT_STRIDE
        kinematic = s[o + SEG_KINEMATIC] != 0
        if not kinematic:
            scale = dt / s[o + SEG_MASS]
            for d in range(3):
                s[o + SEG_V + d] += scale * s[o + SEG_FORCE + d]
                s[o + SEG_L + d] += dt * s[o + SEG_TORQUE + d]
            angular_velocity_from_momentum(s, o)
            correct_to_midstep(s, o, dt)
        for d in range(3):
            s[o + SEG_X + d] += dt * s[o + SEG_V + d]
        turn(s, o + SEG_Q, dt * s[o + SEG_W], dt * s[o + SEG_W + 1], dt * s[o + SEG_W + 2])
        rotation_matrix(s, o + SEG_Q, s, o + SEG_R)
        if not kinematic:
            angular_velocity_from_momentum(s, o)
