"""Compiled triangle: the nearest point on it and the part (face, edge or corner) that holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kernel import kernel

if TYPE_CHECKING:
    from ..kernel_types import Array

FACE, EDGE_01, EDGE_12, EDGE_20, CORNER_0, CORNER_1, CORNER_2 = 0, 1, 2, 3, 4, 5, 6


@kernel(refcount=False)
def nearest_on_triangle(f: Array, at: int, x: float, y: float, z: float) -> tuple[float, int, float, float, float]:
    """Return the squared distance, the part and the nearest point of the triangle at ``at``.

    Voronoi regions of the corners, then of the edges, then the face. [Ericson05 5.1.5]
    """
    ax, ay, az = f[at], f[at + 1], f[at + 2]
    bx, by, bz = f[at + 3] - ax, f[at + 4] - ay, f[at + 5] - az  # edge 01
    cx, cy, cz = f[at + 6] - ax, f[at + 7] - ay, f[at + 8] - az  # edge 02
    px, py, pz = x - ax, y - ay, z - az
    d1 = bx * px + by * py + bz * pz
    d2 = cx * px + cy * py + cz * pz
    bb = bx * bx + by * by + bz * bz
    bc = bx * cx + by * cy + bz * cz
    cc = cx * cx + cy * cy + cz * cz
    d3, d4, d5, d6 = d1 - bb, d2 - bc, d1 - bc, d2 - cc
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    if d1 <= 0.0 and d2 <= 0.0:
        part, v, w = CORNER_0, 0.0, 0.0
    elif d3 >= 0.0 and d4 <= d3:
        part, v, w = CORNER_1, 1.0, 0.0
    elif d6 >= 0.0 and d5 <= d6:
        part, v, w = CORNER_2, 0.0, 1.0
    elif vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        part, v, w = EDGE_01, d1 / (d1 - d3), 0.0
    elif vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        part, v, w = EDGE_20, 0.0, d2 / (d2 - d6)
    elif va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        w = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        part, v = EDGE_12, 1.0 - w
    else:
        scale = 1.0 / (va + vb + vc)
        part, v, w = FACE, vb * scale, vc * scale
    qx, qy, qz = v * bx + w * cx, v * by + w * cy, v * bz + w * cz
    gx, gy, gz = px - qx, py - qy, pz - qz
    return gx * gx + gy * gy + gz * gz, part, ax + qx, ay + qy, az + qz


@kernel(refcount=False)
def edge_crosses(xi: float, yi: float, xj: float, yj: float, x: float, y: float) -> bool:
    """Tell whether a ray from (x, y) along +x crosses the edge i-j.

    The ends are put in a fixed order first, so that both triangles at an edge compute the very same answer: a ray
    through an edge or a corner is then counted once, never twice or not at all.
    """
    if yi > yj or (yi == yj and xi > xj):
        xi, yi, xj, yj = xj, yj, xi, yi
    if not (yi <= y and y < yj):
        return False
    crossing = xi + (xj - xi) * ((y - yi) / (yj - yi))
    return x < min(max(crossing, min(xi, xj)), max(xi, xj))


@kernel(refcount=False)
def height_over(f: Array, at: int, x: float, y: float) -> tuple[bool, float]:
    """Return whether the vertical through (x, y) hits the triangle, and the z of the hit."""
    x0, y0, z0 = f[at], f[at + 1], f[at + 2]
    x1, y1, z1 = f[at + 3], f[at + 4], f[at + 5]
    x2, y2, z2 = f[at + 6], f[at + 7], f[at + 8]
    hit = edge_crosses(x0, y0, x1, y1, x, y) != edge_crosses(x1, y1, x2, y2, x, y)
    hit = hit != edge_crosses(x2, y2, x0, y0, x, y)
    if not hit:
        return False, 0.0
    area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
    low, high = min(z0, z1, z2), max(z0, z1, z2)
    if area == 0.0:
        return True, low
    v = ((x - x0) * (y2 - y0) - (x2 - x0) * (y - y0)) / area
    w = ((x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)) / area
    return True, min(max(z0 + v * (z1 - z0) + w * (z2 - z0), low), high)
