"""Compiled height field: a regular grid of elevations with bicubic, once continuously differentiable interpolation."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from ..gap import Gap
from ..kernel import kernel
from ..kernel_types import int64
from .ground_layout import FLOOR_AT, FLOOR_FRAME, FLOOR_NX, FLOOR_NY

if TYPE_CHECKING:
    from ..kernel_types import Vector
    from .ground_layout import Ground


@kernel(refcount=False)
def grid_coordinate(value: float, origin: float, inverse_spacing: float, nodes: int) -> tuple[int, float]:
    """Return the cell and the offset in it (0..1) for a 4-node stencil, also for NaN and inf."""
    u = (value - origin) * inverse_spacing
    if not u > 1.0:  # also catches NaN
        u = 1.0
    if u > nodes - 2.0:
        u = nodes - 2.0
    cell = min(int64(u), nodes - 3)
    return cell, u - cell


@kernel(refcount=False)
def height_and_slope(ground: Ground, x: float, y: float) -> Vector:
    """Return the elevation and its slopes along x and y (Catmull-Rom bicubic).

    Legend: s, t offsets inside the cell; a*, b* node weights along x and y; da*, db* their derivatives.
    """
    f = ground.numbers
    at = int64(ground.indices[FLOOR_AT])
    nx = int64(ground.indices[FLOOR_NX])
    ny = int64(ground.indices[FLOOR_NY])
    if nx == 1:
        return f[at + FLOOR_FRAME], 0.0, 0.0
    i, s = grid_coordinate(x, f[at], f[at + 2], nx)
    j, t = grid_coordinate(y, f[at + 1], f[at + 3], ny)

    a0 = ((-0.5 * s + 1.0) * s - 0.5) * s
    a1 = (1.5 * s - 2.5) * s * s + 1.0
    a2 = ((-1.5 * s + 2.0) * s + 0.5) * s
    a3 = (0.5 * s - 0.5) * s * s
    da0 = (-1.5 * s + 2.0) * s - 0.5
    da1 = (4.5 * s - 5.0) * s
    da2 = (-4.5 * s + 4.0) * s + 0.5
    da3 = (1.5 * s - 1.0) * s
    b0 = ((-0.5 * t + 1.0) * t - 0.5) * t
    b1 = (1.5 * t - 2.5) * t * t + 1.0
    b2 = ((-1.5 * t + 2.0) * t + 0.5) * t
    b3 = (0.5 * t - 0.5) * t * t
    db0 = (-1.5 * t + 2.0) * t - 0.5
    db1 = (4.5 * t - 5.0) * t
    db2 = (-4.5 * t + 4.0) * t + 0.5
    db3 = (1.5 * t - 1.0) * t

    # rows along y first: r* where each of the four rows begins, c* the value and d* the y-slope on it
    r0 = at + FLOOR_FRAME + (i - 1) * ny + j - 1
    r1 = r0 + ny
    r2 = r1 + ny
    r3 = r2 + ny
    c0 = b0 * f[r0] + b1 * f[r0 + 1] + b2 * f[r0 + 2] + b3 * f[r0 + 3]
    c1 = b0 * f[r1] + b1 * f[r1 + 1] + b2 * f[r1 + 2] + b3 * f[r1 + 3]
    c2 = b0 * f[r2] + b1 * f[r2 + 1] + b2 * f[r2 + 2] + b3 * f[r2 + 3]
    c3 = b0 * f[r3] + b1 * f[r3 + 1] + b2 * f[r3 + 2] + b3 * f[r3 + 3]
    d0 = db0 * f[r0] + db1 * f[r0 + 1] + db2 * f[r0 + 2] + db3 * f[r0 + 3]
    d1 = db0 * f[r1] + db1 * f[r1 + 1] + db2 * f[r1 + 2] + db3 * f[r1 + 3]
    d2 = db0 * f[r2] + db1 * f[r2 + 1] + db2 * f[r2 + 2] + db3 * f[r2 + 3]
    d3 = db0 * f[r3] + db1 * f[r3 + 1] + db2 * f[r3 + 2] + db3 * f[r3 + 3]

    height = a0 * c0 + a1 * c1 + a2 * c2 + a3 * c3
    slope_x = (da0 * c0 + da1 * c1 + da2 * c2 + da3 * c3) * f[at + 2]
    slope_y = (a0 * d0 + a1 * d1 + a2 * d2 + a3 * d3) * f[at + 3]
    return height, slope_x, slope_y


@kernel(refcount=False)
def sample_height(ground: Ground, x: float, y: float, z: float) -> Gap:
    """Return the distance of a point above the field and the unit normal there.

    The distance is the vertical gap times the normal's z: exact on planes, and off by curvature * gap^2 / 2 elsewhere.
    """
    height, slope_x, slope_y = height_and_slope(ground, x, y)
    nz = 1.0 / sqrt(1.0 + slope_x * slope_x + slope_y * slope_y)
    return Gap((z - height) * nz, -slope_x * nz, -slope_y * nz, nz)
