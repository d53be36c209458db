"""Quaternions (w, x, y, z; body to world) and rotation matrices stored in flat arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector


@kernel()
def rotation_matrix(q: Array, i: int, out: Array, o: int) -> None:
    """Update the row-major matrix out[o:o+9] from the unit quaternion q[i:i+4]."""
    w, x, y, z = q[i], q[i + 1], q[i + 2], q[i + 3]
    one = w * w + x * x + y * y + z * z
    two_x, two_y, two_z = x + x, y + y, z + z
    out[o], out[o + 1], out[o + 2] = one - two_y * y - two_z * z, two_x * y - two_z * w, two_x * z + two_y * w
    out[o + 3], out[o + 4], out[o + 5] = two_x * y + two_z * w, one - two_x * x - two_z * z, two_y * z - two_x * w
    out[o + 6], out[o + 7], out[o + 8] = two_x * z - two_y * w, two_y * z + two_x * w, one - two_x * x - two_y * y


@kernel()
def rotate(m: Array, i: int, x: float, y: float, z: float) -> Vector:
    """The vector m[i:i+9] (x, y, z)."""
    return (
        m[i] * x + m[i + 1] * y + m[i + 2] * z,
        m[i + 3] * x + m[i + 4] * y + m[i + 5] * z,
        m[i + 6] * x + m[i + 7] * y + m[i + 8] * z,
    )


@kernel()
def rotate_back(m: Array, i: int, x: float, y: float, z: float) -> Vector:
    """The vector m[i:i+9]^T (x, y, z)."""
    return (
        m[i] * x + m[i + 3] * y + m[i + 6] * z,
        m[i + 1] * x + m[i + 4] * y + m[i + 7] * z,
        m[i + 2] * x + m[i + 5] * y + m[i + 8] * z,
    )


@kernel()
def turn(q: Array, i: int, rx: float, ry: float, rz: float) -> None:
    """Update the quaternion q[i:i+4] by the world rotation vector (rx, ry, rz).

    The exponential is a series to the fifth order in the half angle (below 0.1 in practice), then normalised.
    """
    real = q.dtype.type
    half, one = real(0.5), real(1.0)
    x, y, z = half * rx, half * ry, half * rz
    angle2 = x * x + y * y + z * z
    c = one - angle2 * (half - angle2 * real(1.0 / 24.0))
    s = one - angle2 * (real(1.0 / 6.0) - angle2 * real(1.0 / 120.0))
    x, y, z = s * x, s * y, s * z
    qw, qx, qy, qz = q[i], q[i + 1], q[i + 2], q[i + 3]
    nw = c * qw - x * qx - y * qy - z * qz
    nx = c * qx + x * qw + y * qz - z * qy
    ny = c * qy + y * qw + z * qx - x * qz
    nz = c * qz + z * qw + x * qy - y * qx
    scale = one / np.sqrt(nw * nw + nx * nx + ny * ny + nz * nz)
    q[i], q[i + 1], q[i + 2], q[i + 3] = nw * scale, nx * scale, ny * scale, nz * scale
