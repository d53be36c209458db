"""Compiled closed mesh: nearest triangle through a hash grid by widening ring, inside test by ray parity."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from ..gap import Gap
from ..kernel import kernel
from ..kernel_types import int64
from .ground_layout import (
    MESH_AT,
    MESH_FRAME,
    MESH_NX,
    MESH_NY,
    MESH_NZ,
    MESH_RING,
    MESH_START,
    TRIANGLE_COLUMNS,
    TRIANGLE_NORMALS,
)
from .shape_kernel import unit_or_up
from .triangle_kernel import height_over, nearest_on_triangle

if TYPE_CHECKING:
    from .ground_layout import Ground

SLACK = 1e-6  # cells; covers rounding when a coordinate lies on the border of two cells
TOUCHING = 1e-9  # fraction of the mesh size below which a point counts as lying on the surface


@kernel(refcount=False)
def cell_along(value: float, corner: float, per_unit: float, cells: int) -> int:
    """Return the cell that holds the coordinate, the outermost one beyond the ends."""
    u = (value - corner) * per_unit
    if not u > 0.0:
        return int64(0)
    if u >= cells:
        return int64(cells) - 1
    return int64(u)


@kernel(refcount=False)
def cell_gap(value: float, corner: float, per_unit: float, cell: int) -> float:
    """Return how far a coordinate is from a cell's slab, never too much by rounding (0 inside it)."""
    low = corner + (cell - SLACK) / per_unit
    high = corner + (cell + 1.0 + SLACK) / per_unit
    return max(low - value, value - high, 0.0)


@kernel(refcount=False)
def beyond_ring(value: float, corner: float, per_unit: float, cells: int, cell: int, ring: int) -> float:
    """Return a lower bound of the gap along one axis to any cell further out than the ring."""
    gap = np.inf
    if cell - ring > 0:
        gap = value - (corner + (cell - ring + SLACK) / per_unit)
    if cell + ring < cells - 1:
        gap = min(gap, corner + (cell + ring + 1.0 - SLACK) / per_unit - value)
    return max(gap, 0.0)


@kernel(refcount=False)
def nearest_in_row(ground: Ground, x: float, y: float, z: float, row: int, first: int, last: int, row_gap2: float,
                   best: float, winner: int) -> tuple[float, int, int]:  # fmt: skip
    """Return the best squared distance, its triangle and the tests made over part of a row of cells."""
    f, indices = ground.numbers, ground.indices
    at = int64(indices[MESH_AT])
    start = int64(indices[MESH_START])
    tests = 0
    for k in range(max(first, 0), min(last, int64(indices[MESH_NZ]) - 1) + 1):
        begin, end = int64(indices[start + row + k]), int64(indices[start + row + k + 1])
        if begin == end:
            continue
        gap = cell_gap(z, f[at + 2], f[at + 5], k)
        if row_gap2 + gap * gap > best:
            continue
        for entry in range(begin, end):
            triangle = int64(indices[entry])
            d2, _, _, _, _ = nearest_on_triangle(f, at + MESH_FRAME + TRIANGLE_COLUMNS * triangle, x, y, z)
            tests += 1
            if d2 < best or (d2 == best and triangle < winner):
                best, winner = d2, triangle
    return best, winner, tests


@kernel(refcount=False)
def nearest_triangle(ground: Ground, x: float, y: float, z: float) -> tuple[float, int, int]:
    """Return (squared distance, triangle, triangle tests) by widening rings of cells. [Fang15 6.1.2]

    Of several triangles at the same distance the lowest number wins, as in a loop over all of them.
    """
    f, indices = ground.numbers, ground.indices
    at = int64(indices[MESH_AT])
    nx, ny, nz = int64(indices[MESH_NX]), int64(indices[MESH_NY]), int64(indices[MESH_NZ])
    cx = cell_along(x, f[at], f[at + 3], nx)
    cy = cell_along(y, f[at + 1], f[at + 4], ny)
    cz = cell_along(z, f[at + 2], f[at + 5], nz)
    best, winner, tests = np.inf, int64(-1), 0
    ring = int64(indices[indices[MESH_RING] + (cx * ny + cy) * nz + cz])
    while True:
        for i in range(max(cx - ring, 0), min(cx + ring, nx - 1) + 1):
            gap_x = cell_gap(x, f[at], f[at + 3], i)
            for j in range(max(cy - ring, 0), min(cy + ring, ny - 1) + 1):
                gap_y = cell_gap(y, f[at + 1], f[at + 4], j)
                gap2 = gap_x * gap_x + gap_y * gap_y
                if gap2 > best:
                    continue
                row = (i * ny + j) * nz
                low_end = cz - ring  # of this row; inside the shell only its two end cells are new
                if abs(i - cx) == ring or abs(j - cy) == ring:
                    low_end = cz + ring
                best, winner, more = nearest_in_row(ground, x, y, z, row, cz - ring, low_end, gap2, best, winner)
                tests += more
                if low_end < cz + ring:
                    best, winner, more = nearest_in_row(ground, x, y, z, row, cz + ring, cz + ring, gap2, best, winner)
                    tests += more
        bound = min(
            beyond_ring(x, f[at], f[at + 3], nx, cx, ring),
            beyond_ring(y, f[at + 1], f[at + 4], ny, cy, ring),
            beyond_ring(z, f[at + 2], f[at + 5], nz, cz, ring),
        )
        if bound == np.inf or bound * bound > best:
            return best, winner, tests
        ring += 1


@kernel(refcount=False)
def sample_mesh_exactly(ground: Ground, x: float, y: float, z: float) -> Gap:
    """Return the signed distance to the mesh and its gradient, the unit outward normal.

    The sign comes from the angle-weighted normal of the part that is nearest. [Baerentzen05]
    """
    f = ground.numbers
    at = int64(ground.indices[MESH_AT])
    _, triangle, _ = nearest_triangle(ground, x, y, z)
    row = at + MESH_FRAME + TRIANGLE_COLUMNS * triangle
    d2, part, qx, qy, qz = nearest_on_triangle(f, row, x, y, z)
    normal = row + TRIANGLE_NORMALS + 3 * part
    nx, ny, nz = f[normal], f[normal + 1], f[normal + 2]
    gx, gy, gz = x - qx, y - qy, z - qz
    distance = sqrt(d2)
    if gx * nx + gy * ny + gz * nz < 0.0:
        distance = -distance
    size = f[at + 9] - f[at + 6] + f[at + 10] - f[at + 7] + f[at + 11] - f[at + 8]
    if abs(distance) <= TOUCHING * size:  # too close for the gap to have a direction
        return Gap(distance, nx, ny, nz)
    ux, uy, uz = unit_or_up(gx / distance, gy / distance, gz / distance)
    return Gap(distance, ux, uy, uz)


@kernel(refcount=False)
def inside_mesh(ground: Ground, x: float, y: float, z: float) -> tuple[bool, int]:
    """Return (inside, triangle tests): a ray along +z meets a closed mesh an odd number of times.

    A triangle is listed in every cell it touches; its hit counts in the cell that holds the hit point, hence once.
    """
    f, indices = ground.numbers, ground.indices
    at = int64(indices[MESH_AT])
    nx, ny, nz = int64(indices[MESH_NX]), int64(indices[MESH_NY]), int64(indices[MESH_NZ])
    tests, odd = 0, False
    if x < f[at + 6] or y < f[at + 7] or x > f[at + 9] or y > f[at + 10] or z > f[at + 11]:
        return odd, tests
    row = cell_along(x, f[at], f[at + 3], nx) * ny + cell_along(y, f[at + 1], f[at + 4], ny)
    start = indices[MESH_START] + row * nz
    for k in range(cell_along(z, f[at + 2], f[at + 5], nz), nz):
        for entry in range(int64(indices[start + k]), int64(indices[start + k + 1])):
            triangle = at + MESH_FRAME + TRIANGLE_COLUMNS * int64(indices[entry])
            hit, hit_z = height_over(f, triangle, x, y)
            tests += 1
            if hit and hit_z > z and cell_along(hit_z, f[at + 2], f[at + 5], nz) == k:
                odd = not odd
    return odd, tests
