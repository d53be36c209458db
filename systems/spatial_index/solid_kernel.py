"""Signed distance and outward normal of every kind of solid, and the nearest point of a link.

All solids are convex, so their signed distance is a convex function along any line. Two things follow that the callers
rely on: a line search for the nearest point of a link is exact, and a head that moves away from a solid keeps
moving away from it.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from ...engine.gap import Gap
from ...engine.kernel import kernel
from .solids import SolidField, SolidKind

if TYPE_CHECKING:
    from ...engine.kernel_types import Array

GOLDEN_SECTION = 0.6180339887498949  # (sqrt(5) - 1) / 2
SEARCH_STEPS = 16  # shrinks the bracket to 5e-4 of a link, far below the radius of any antenna


@kernel()
def length_and_direction(x: float, y: float, z: float) -> Gap:
    """Return the length of a vector and its direction; the zero vector points up."""
    r = sqrt(x * x + y * y + z * z)
    if r == 0.0:
        return Gap(0.0, 0.0, 0.0, 1.0)
    return Gap(r, x / r, y / r, z / r)


@kernel()
def with_sign(magnitude: float, sign: float) -> float:
    """Return magnitude with the sign of a number; zero counts as positive."""
    return -magnitude if sign < 0.0 else magnitude


@kernel()
def pillar_distance(x: float, y: float, z: float, radius: float, half_height: float) -> Gap:
    """Return distance and normal of a centred upright cylinder."""
    r = sqrt(x * x + y * y)
    out_x, out_y = (x / r, y / r) if r > 0.0 else (1.0, 0.0)
    side, top = r - radius, abs(z) - half_height
    if side > 0.0 and top > 0.0:  # beyond the rim
        d = sqrt(side * side + top * top)
        return Gap(d, side / d * out_x, side / d * out_y, with_sign(top / d, z))
    if side > top:
        return Gap(side, out_x, out_y, 0.0)
    return Gap(top, 0.0, 0.0, with_sign(1.0, z))


@kernel()
def box_distance(x: float, y: float, z: float, half_x: float, half_y: float, half_z: float) -> Gap:
    """Return distance and normal of a centred box along the axes."""
    gap_x, gap_y, gap_z = abs(x) - half_x, abs(y) - half_y, abs(z) - half_z
    if gap_x <= 0.0 and gap_y <= 0.0 and gap_z <= 0.0:  # inside: the nearest face
        if gap_x >= gap_y and gap_x >= gap_z:
            return Gap(gap_x, with_sign(1.0, x), 0.0, 0.0)
        if gap_y >= gap_z:
            return Gap(gap_y, 0.0, with_sign(1.0, y), 0.0)
        return Gap(gap_z, 0.0, 0.0, with_sign(1.0, z))
    return length_and_direction(with_sign(max(gap_x, 0.0), x), with_sign(max(gap_y, 0.0), y), with_sign(max(gap_z, 0.0), z))


@kernel()
def solid_distance(solids: Array, k: int, px: float, py: float, pz: float) -> Gap:
    """Return the signed distance of a point from solid k (negative inside) and the outward unit normal."""
    kind = int(solids[k, SolidField.KIND])
    x, y, z = px - solids[k, SolidField.X], py - solids[k, SolidField.Y], pz - solids[k, SolidField.Z]
    radius = solids[k, SolidField.RADIUS]
    ex, ey, ez = solids[k, SolidField.EXTENT_X], solids[k, SolidField.EXTENT_Y], solids[k, SolidField.EXTENT_Z]
    if kind == SolidKind.PILLAR:
        return pillar_distance(x, y, z, radius, ez)
    if kind == SolidKind.BOX:
        c, s = solids[k, SolidField.COS], solids[k, SolidField.SIN]
        d, nx, ny, nz = box_distance(c * x + s * y, c * y - s * x, z, ex, ey, ez)
        return Gap(d, c * nx - s * ny, s * nx + c * ny, nz)
    if kind == SolidKind.CAPSULE:
        squared = ex * ex + ey * ey + ez * ez
        t = min(max((x * ex + y * ey + z * ez) / squared, 0.0), 1.0) if squared > 0.0 else 0.0
        x, y, z = x - t * ex, y - t * ey, z - t * ez
    r, nx, ny, nz = length_and_direction(x, y, z)
    return Gap(r - radius, nx, ny, nz)


@kernel()
def link_distance(solids: Array, k: int, ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> Gap:
    """Return the smallest signed distance between the segment a-b and solid k, and the normal there."""
    low, high = 0.0, 1.0
    t1, t2 = 1.0 - GOLDEN_SECTION, GOLDEN_SECTION
    d1 = solid_distance(solids, k, ax + t1 * (bx - ax), ay + t1 * (by - ay), az + t1 * (bz - az)).distance
    d2 = solid_distance(solids, k, ax + t2 * (bx - ax), ay + t2 * (by - ay), az + t2 * (bz - az)).distance
    for _ in range(SEARCH_STEPS):
        if d1 <= d2:
            high, t2, d2 = t2, t1, d1
            t1 = high - GOLDEN_SECTION * (high - low)
            d1 = solid_distance(solids, k, ax + t1 * (bx - ax), ay + t1 * (by - ay), az + t1 * (bz - az)).distance
        else:
            low, t1, d1 = t1, t2, d2
            t2 = low + GOLDEN_SECTION * (high - low)
            d2 = solid_distance(solids, k, ax + t2 * (bx - ax), ay + t2 * (by - ay), az + t2 * (bz - az)).distance
    t = low if low == 0.0 else (high if high == 1.0 else 0.5 * (low + high))  # an untouched end is the nearest point
    return solid_distance(solids, k, ax + t * (bx - ax), ay + t * (by - ay), az + t * (bz - az))
