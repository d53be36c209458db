"""Quaternions (wxyz, body to world) and the axes forward, left and up of a body, for kernels. Many at once: `turns`."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from .kernel import kernel

if TYPE_CHECKING:
    from .kernel_types import Array, Four, Vector

LEAST_ROOT = 1e-12
"""Below this a rounding error under a root counts as none."""


@kernel(refcount=False)
def axes_of_quaternion(w: float, x: float, y: float, z: float) -> tuple[Vector, Vector, Vector]:
    """Return forward, left and up of a unit quaternion, each a tuple of three."""
    return ((1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
            (2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)),
            (2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)))  # fmt: skip


@kernel(refcount=False)
def quaternion_of_axes(forward: Vector, left: Vector, up: Vector) -> Four:
    """Return the quaternion that turns body axes into these world vectors, each a tuple of three."""
    m00, m10, m20 = forward
    m01, m11, m21 = left
    m02, m12, m22 = up
    trace = m00 + m11 + m22
    if trace > 0.0:
        r = 0.5 / sqrt(trace + 1.0)
        return 0.25 / r, (m21 - m12) * r, (m02 - m20) * r, (m10 - m01) * r
    if m00 > m11 and m00 > m22:
        r = 2.0 * sqrt(max(1.0 + m00 - m11 - m22, LEAST_ROOT))
        return (m21 - m12) / r, 0.25 * r, (m01 + m10) / r, (m02 + m20) / r
    if m11 > m22:
        r = 2.0 * sqrt(max(1.0 + m11 - m00 - m22, LEAST_ROOT))
        return (m02 - m20) / r, (m01 + m10) / r, 0.25 * r, (m12 + m21) / r
    r = 2.0 * sqrt(max(1.0 + m22 - m00 - m11, LEAST_ROOT))
    return (m10 - m01) / r, (m02 + m20) / r, (m12 + m21) / r, 0.25 * r


@kernel()
def write_unit_quaternion(fx: float, fy: float, fz: float, nx: float, ny: float, nz: float, quaternion: Array) -> None:
    """Update a quaternion to the rotation whose x axis is f and z axis is n, brought to length 1 at the end.

    The same turn as `quaternion_of_axes` up to the last bits, for axes of births that are square only nearly.
    """
    lx, ly, lz = ny * fz - nz * fy, nz * fx - nx * fz, nx * fy - ny * fx
    trace = fx + ly + nz
    if trace > 0.0:
        quaternion[0], quaternion[1] = 1.0 + trace, lz - ny
        quaternion[2], quaternion[3] = nx - fz, fy - lx
    elif fx >= ly and fx >= nz:
        quaternion[0], quaternion[1] = lz - ny, 1.0 + fx - ly - nz
        quaternion[2], quaternion[3] = lx + fy, nx + fz
    elif ly >= nz:
        quaternion[0], quaternion[1] = nx - fz, lx + fy
        quaternion[2], quaternion[3] = 1.0 + ly - fx - nz, ny + lz
    else:
        quaternion[0], quaternion[1] = fy - lx, nx + fz
        quaternion[2], quaternion[3] = ny + lz, 1.0 + nz - fx - ly
    length = 0.0
    for k in range(4):
        length += quaternion[k] * quaternion[k]
    length = sqrt(length)
    for k in range(4):
        quaternion[k] /= length
