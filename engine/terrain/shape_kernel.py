"""Compiled analytic shapes: exact distances of spheres, capped cylinders and boxes, found through a cell list."""

from __future__ import annotations

from math import floor, sqrt
from typing import TYPE_CHECKING

import numpy as np

from ..kernel import kernel
from ..kernel_types import int64
from .ground_layout import (
    BOX,
    CYLINDER,
    KIND_COLUMN,
    SHAPE_AT,
    SHAPE_COLUMNS,
    SHAPE_COUNT,
    SHAPE_FRAME,
    SHAPE_NX,
    SHAPE_NY,
    SHAPE_NZ,
    SHAPE_START,
    SPHERE,
)

if TYPE_CHECKING:
    from ..kernel_types import Array, Vector
    from .ground_layout import Ground


@kernel(refcount=False)
def worth_asking(numbers: Array, at: int, x: float, y: float, z: float, limit: float) -> bool:
    """Tell whether anything in the box with its two corners at ``at`` can be closer than ``limit``."""
    gx = max(numbers[at] - x, x - numbers[at + 3], 0.0)
    gy = max(numbers[at + 1] - y, y - numbers[at + 4], 0.0)
    gz = max(numbers[at + 2] - z, z - numbers[at + 5], 0.0)
    gap2 = gx * gx + gy * gy + gz * gz
    return gap2 == 0.0 or (limit > 0.0 and gap2 < limit * limit)


@kernel(refcount=False)
def shape_distance(f: Array, at: int, x: float, y: float, z: float) -> float:
    """Return the signed distance of a point to the shape whose columns begin at ``at``."""
    px, py, pz = x - f[at], y - f[at + 1], z - f[at + 2]
    kind = f[at + KIND_COLUMN]
    if kind == SPHERE:
        return sqrt(px * px + py * py + pz * pz) - f[at + 3]
    if kind == CYLINDER:
        ax, ay, az = f[at + 3], f[at + 4], f[at + 5]
        t = px * ax + py * ay + pz * az
        qx, qy, qz = px - t * ax, py - t * ay, pz - t * az
        side = sqrt(qx * qx + qy * qy + qz * qz) - f[at + 7]
        cap = abs(t) - f[at + 6]
        if side <= 0.0 or cap <= 0.0:
            return max(side, cap)
        return sqrt(side * side + cap * cap)
    gx = abs(px * f[at + 6] + py * f[at + 7] + pz * f[at + 8]) - f[at + 3]
    gy = abs(px * f[at + 9] + py * f[at + 10] + pz * f[at + 11]) - f[at + 4]
    gz = abs(px * f[at + 12] + py * f[at + 13] + pz * f[at + 14]) - f[at + 5]
    deepest = max(gx, gy, gz)
    if deepest <= 0.0:
        return deepest
    gx, gy, gz = max(gx, 0.0), max(gy, 0.0), max(gz, 0.0)
    return sqrt(gx * gx + gy * gy + gz * gz)


@kernel(refcount=False)
def unit_or_up(x: float, y: float, z: float) -> Vector:
    """Return the vector at length 1, or straight up when it has no direction."""
    length = sqrt(x * x + y * y + z * z)
    if length > 0.0:
        return x / length, y / length, z / length
    return 0.0, 0.0, 1.0


@kernel(refcount=False)
def across_axis(ax: float, ay: float, az: float) -> Vector:
    """Return a unit vector at right angles to a unit axis, upward where possible."""
    if abs(az) < 0.9:
        return unit_or_up(-az * ax, -az * ay, 1.0 - az * az)
    return unit_or_up(1.0 - ax * ax, -ax * ay, -ax * az)


@kernel(refcount=False)
def cylinder_normal(f: Array, at: int, px: float, py: float, pz: float) -> Vector:
    """Return the outward normal for an offset (px, py, pz) from a cylinder's centre."""
    ax, ay, az = f[at + 3], f[at + 4], f[at + 5]
    t = px * ax + py * ay + pz * az
    qx, qy, qz = px - t * ax, py - t * ay, pz - t * az
    radial = sqrt(qx * qx + qy * qy + qz * qz)
    if radial > 0.0:
        ux, uy, uz = qx / radial, qy / radial, qz / radial
    else:
        ux, uy, uz = across_axis(ax, ay, az)
    side = radial - f[at + 7]
    cap = abs(t) - f[at + 6]
    if t < 0.0:
        ax, ay, az = -ax, -ay, -az
    if side > 0.0 and cap > 0.0:  # beyond the rim
        return unit_or_up(side * ux + cap * ax, side * uy + cap * ay, side * uz + cap * az)
    if side >= cap:
        return ux, uy, uz
    return ax, ay, az


@kernel(refcount=False)
def box_normal(f: Array, at: int, px: float, py: float, pz: float) -> Vector:
    """Return the outward normal for an offset (px, py, pz) from a box's centre."""
    lx = px * f[at + 6] + py * f[at + 7] + pz * f[at + 8]
    ly = px * f[at + 9] + py * f[at + 10] + pz * f[at + 11]
    lz = px * f[at + 12] + py * f[at + 13] + pz * f[at + 14]
    gx, gy, gz = abs(lx) - f[at + 3], abs(ly) - f[at + 4], abs(lz) - f[at + 5]
    deepest = max(gx, gy, gz)
    if deepest > 0.0:
        gx, gy, gz = max(gx, 0.0), max(gy, 0.0), max(gz, 0.0)
    elif gz == deepest:  # the top wins ties: that is where feet stand
        gx, gy, gz = 0.0, 0.0, 1.0
    elif gy == deepest:
        gx, gy, gz = 0.0, 1.0, 0.0
    else:
        gx, gy, gz = 1.0, 0.0, 0.0
    gx, gy, gz = np.copysign(gx, lx), np.copysign(gy, ly), np.copysign(gz, lz)
    return unit_or_up(
        gx * f[at + 6] + gy * f[at + 9] + gz * f[at + 12],
        gx * f[at + 7] + gy * f[at + 10] + gz * f[at + 13],
        gx * f[at + 8] + gy * f[at + 11] + gz * f[at + 14],
    )


@kernel(refcount=False)
def shape_normal(f: Array, at: int, x: float, y: float, z: float) -> Vector:
    """Return the unit outward normal of a shape, the gradient of its distance."""
    px, py, pz = x - f[at], y - f[at + 1], z - f[at + 2]
    kind = f[at + KIND_COLUMN]
    if kind == CYLINDER:
        return cylinder_normal(f, at, px, py, pz)
    if kind == BOX:
        return box_normal(f, at, px, py, pz)
    return unit_or_up(px, py, pz)


@kernel(refcount=False)
def nearest_shape(ground: Ground, x: float, y: float, z: float, limit: float) -> tuple[float, int]:
    """Return the distance and offset of the nearest shape closer than ``limit``, else (limit, -1)."""
    f, indices = ground.numbers, ground.indices
    at = int64(indices[SHAPE_AT])
    rows = at + SHAPE_FRAME
    best, winner = limit, int64(-1)
    if not worth_asking(f, at + 4, x, y, z, limit):
        return best, winner
    per_unit = f[at + 3]
    u, v, w = (x - f[at]) * per_unit, (y - f[at + 1]) * per_unit, (z - f[at + 2]) * per_unit
    nx, ny, nz = int64(indices[SHAPE_NX]), int64(indices[SHAPE_NY]), int64(indices[SHAPE_NZ])
    if u >= 0.0 and u < nx and v >= 0.0 and v < ny and w >= 0.0 and w < nz:
        start = indices[SHAPE_START]
        cell = start + (int64(floor(u)) * ny + int64(floor(v))) * nz + int64(floor(w))
        for entry in range(indices[cell], indices[cell + 1]):
            row = rows + SHAPE_COLUMNS * int64(indices[entry])
            distance = shape_distance(f, row, x, y, z)
            if distance < best:
                best, winner = distance, row
        return best, winner
    for k in range(int64(indices[SHAPE_COUNT])):
        row = rows + SHAPE_COLUMNS * k
        distance = shape_distance(f, row, x, y, z)
        if distance < best:
            best, winner = distance, row
    return best, winner
