"""Laying a chain of segments along the ground behind its head."""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.terrain.ground_kernel import sample_ground
from ....engine.turn_kernel import write_unit_quaternion

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from ....engine.terrain.ground_layout import Ground

GROUND_STEPS = 3
"""Projections onto the surface per segment; each one squares the error on ground that curves gently."""

SHORTEST = 1e-9
"""Units; a direction shorter than this is not defined."""


@kernel()
def along_surface(fx: float, fy: float, fz: float, nx: float, ny: float, nz: float) -> Vector:
    """Return the unit direction along the surface nearest to f; any one when f points straight into it."""
    inward = fx * nx + fy * ny + fz * nz
    tx, ty, tz = fx - inward * nx, fy - inward * ny, fz - inward * nz
    length = sqrt(tx * tx + ty * ty + tz * tz)
    if length < SHORTEST:
        if abs(nx) < 0.9:  # cross with x, unless the normal is nearly x itself
            tx, ty, tz = 0.0, nz, -ny
        else:
            tx, ty, tz = -nz, 0.0, nx
        length = sqrt(tx * tx + ty * ty + tz * tz)
    return tx / length, ty / length, tz / length


@kernel()
def height_above(ground: Ground, point: Array) -> float:
    """Return the signed distance of one point above the ground."""
    return sample_ground(ground, point[0], point[1], point[2]).distance


@kernel()
def turn_about(fx: float, fy: float, fz: float, nx: float, ny: float, nz: float, angle: float) -> Vector:
    """Return a unit direction f across the unit vector n, turned about n."""
    c, s = cos(angle), sin(angle)
    return c * fx + s * (ny * fz - nz * fy), c * fy + s * (nz * fx - nx * fz), c * fz + s * (nx * fy - ny * fx)


@kernel()
def lay_segments(ground: Ground, head: Array, forward: Array, pitches: Array, turns: Array, ride_height: float,
                 standing: bool, centers: Array, quaternions: Array) -> None:  # fmt: skip
    """Update centres and quaternions of a chain from the place and direction of its head.

    Each segment is one pitch behind the one ahead, turned against it about the hinge half way, and, if standing, at ride
    height above the ground and level with it. turns: radians, empty for a straight body.
    """
    nx, ny, nz = 0.0, 0.0, 1.0
    x, y, z = head[0], head[1], head[2]
    fx, fy, fz = forward[0], forward[1], forward[2]
    for i in range(centers.shape[0]):
        if i > 0:
            pitch = pitches[i - 1]
            if i <= turns.shape[0]:
                ax, ay, az = fx, fy, fz
                fx, fy, fz = turn_about(fx, fy, fz, nx, ny, nz, turns[i - 1])
                x, y, z = x - 0.5 * pitch * (ax + fx), y - 0.5 * pitch * (ay + fy), z - 0.5 * pitch * (az + fz)
            else:
                x, y, z = x - pitch * fx, y - pitch * fy, z - pitch * fz
        nx, ny, nz = 0.0, 0.0, 1.0
        if standing:
            for _ in range(GROUND_STEPS):
                height, nx, ny, nz = sample_ground(ground, x, y, z)
                lift = ride_height - height
                x, y, z = x + lift * nx, y + lift * ny, z + lift * nz
        fx, fy, fz = along_surface(fx, fy, fz, nx, ny, nz)
        centers[i, 0], centers[i, 1], centers[i, 2] = x, y, z
        write_unit_quaternion(fx, fy, fz, nx, ny, nz, quaternions[i])
