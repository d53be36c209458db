"""Compiled distance field of a mesh: signed distances on a grid with smooth (triquadratic) interpolation."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from ..gap import Gap
from ..kernel import kernel
from ..kernel_types import int64
from .ground_layout import FIELD_AT, FIELD_FRAME, FIELD_NX, FIELD_NY, FIELD_NZ
from .shape_kernel import unit_or_up

if TYPE_CHECKING:
    from .ground_layout import Ground


@kernel(refcount=False)
def field_node(value: float, origin: float, per_unit: float, nodes: int) -> tuple[int, float]:
    """Return the middle node of the 3-node stencil and the offset from it (-0.5..0.5), clamped."""
    u = (value - origin) * per_unit
    if not u > 0.5:  # also catches NaN
        u = 0.5
    if u > nodes - 1.5:
        u = nodes - 1.5
    node = min(int64(u + 0.5), nodes - 2)
    return node, u - node


@kernel(refcount=False)
def field_and_gradient(ground: Ground, x: float, y: float, z: float) -> tuple[float, ...]:
    """Return the interpolated distance, its gradient, and the point of the field it belongs to.

    Quadratic B-splines are once continuously differentiable, so the normal turns smoothly from facet to facet.
    Legend: r, s, t offsets from the middle node; a*, b*, c* weights along x, y, z; d* their derivatives.
    """
    f, indices = ground.numbers, ground.indices
    at = int64(indices[FIELD_AT])
    nx, ny, nz = int64(indices[FIELD_NX]), int64(indices[FIELD_NY]), int64(indices[FIELD_NZ])
    per_unit = f[at + 3]
    i, r = field_node(x, f[at], per_unit, nx)
    j, s = field_node(y, f[at + 1], per_unit, ny)
    k, t = field_node(z, f[at + 2], per_unit, nz)
    a = (0.5 * (0.5 - r) ** 2, 0.75 - r * r, 0.5 * (0.5 + r) ** 2)
    b = (0.5 * (0.5 - s) ** 2, 0.75 - s * s, 0.5 * (0.5 + s) ** 2)
    c0, c1, c2 = 0.5 * (0.5 - t) ** 2, 0.75 - t * t, 0.5 * (0.5 + t) ** 2
    da = (r - 0.5, -2.0 * r, r + 0.5)
    db = (s - 0.5, -2.0 * s, s + 0.5)
    dc0, dc1, dc2 = t - 0.5, -2.0 * t, t + 0.5
    value, gx, gy, gz = 0.0, 0.0, 0.0, 0.0
    for m in range(3):
        for n in range(3):
            row = at + FIELD_FRAME + ((i + m - 1) * ny + j + n - 1) * nz + k - 1
            along = c0 * f[row] + c1 * f[row + 1] + c2 * f[row + 2]
            value += a[m] * b[n] * along
            gx += da[m] * b[n] * along
            gy += a[m] * db[n] * along
            gz += a[m] * b[n] * (dc0 * f[row] + dc1 * f[row + 1] + dc2 * f[row + 2])
    qx, qy, qz = f[at] + (i + r) / per_unit, f[at + 1] + (j + s) / per_unit, f[at + 2] + (k + t) / per_unit
    return value, gx * per_unit, gy * per_unit, gz * per_unit, qx, qy, qz


@kernel(refcount=False)
def sample_field(ground: Ground, x: float, y: float, z: float) -> Gap:
    """Return the distance and normal from the field; beyond it, those to the nearest point it knows."""
    distance, nx, ny, nz, qx, qy, qz = field_and_gradient(ground, x, y, z)
    nx, ny, nz = unit_or_up(nx, ny, nz)
    ex, ey, ez = x - qx, y - qy, z - qz
    at = int64(ground.indices[FIELD_AT])
    outside = (abs(ex) + abs(ey) + abs(ez)) * ground.numbers[at + 3]
    if outside > 1e-9:  # nodes; the remainder inside the field is rounding only
        ex, ey, ez = ex + distance * nx, ey + distance * ny, ez + distance * nz  # seen from the foot point
        distance = sqrt(ex * ex + ey * ey + ez * ez)
        nx, ny, nz = unit_or_up(ex, ey, ez)
    return Gap(distance, nx, ny, nz)
