"""Compiled construction of a mesh's distance field."""

from __future__ import annotations

from math import ceil, floor, sqrt
from typing import TYPE_CHECKING

from numba import prange

from ..kernel import kernel
from ..kernel_types import int64
from .ground_layout import MESH_AT, MESH_COUNT, MESH_FRAME, TRIANGLE_COLUMNS
from .mesh_kernel import inside_mesh
from .triangle_kernel import nearest_on_triangle

if TYPE_CHECKING:
    from ..kernel_types import Array
    from .ground_layout import Ground

BAND = 1.5  # nodes around each triangle that are measured directly; the rest hears of it from neighbours


@kernel(refcount=False)
def offer_triangle(ground: Ground, triangle: int, x: float, y: float, z: float, node: int, best: Array,
                   owner: Array) -> None:  # fmt: skip
    """Update ``best`` (squared distance) and ``owner`` of a node if the triangle is closer than the one it knows."""
    row = int64(ground.indices[MESH_AT]) + MESH_FRAME + TRIANGLE_COLUMNS * triangle
    d2 = nearest_on_triangle(ground.numbers, row, x, y, z)[0]
    if d2 < best[node]:
        best[node] = d2
        owner[node] = triangle


@kernel()
def measure_band(ground: Ground, origin: Array, spacing: float, best: Array, owner: Array) -> None:
    """Update ``best`` and ``owner`` of all nodes near the surface."""
    nx, ny, nz = best.shape
    flat_best, flat_owner = best.ravel(), owner.ravel()
    f = ground.numbers
    for triangle in range(ground.indices[MESH_COUNT]):
        at = int64(ground.indices[MESH_AT]) + MESH_FRAME + TRIANGLE_COLUMNS * triangle
        i0, i1 = band_along(f[at], f[at + 3], f[at + 6], origin[0], spacing, nx)
        j0, j1 = band_along(f[at + 1], f[at + 4], f[at + 7], origin[1], spacing, ny)
        k0, k1 = band_along(f[at + 2], f[at + 5], f[at + 8], origin[2], spacing, nz)
        for i in range(i0, i1):
            for j in range(j0, j1):
                for k in range(k0, k1):
                    x, y, z = origin[0] + i * spacing, origin[1] + j * spacing, origin[2] + k * spacing
                    offer_triangle(ground, triangle, x, y, z, (i * ny + j) * nz + k, flat_best, flat_owner)


@kernel()
def band_along(a: float, b: float, c: float, origin: float, spacing: float, nodes: int) -> tuple[int, int]:
    """Return the first and one past the last node in the band around three coordinates."""
    first = floor((min(a, b, c) - origin) / spacing - BAND)
    last = ceil((max(a, b, c) - origin) / spacing + BAND)
    return max(int64(first), 0), min(int64(last) + 1, nodes)


@kernel()
def sweep_nodes(ground: Ground, origin: Array, spacing: float, best: Array, owner: Array, reverse_x: bool, reverse_y: bool,
                reverse_z: bool) -> None:  # fmt: skip
    """Update ``best`` and ``owner`` with the triangles of the seven neighbours behind each node, in one sweep.

    Eight sweeps, one per octant, carry the nearest triangle to every node. [Zhao05; Tsai02]
    """
    nx, ny, nz = best.shape
    flat_best, flat_owner = best.ravel(), owner.ravel()
    sx, sy, sz = (-1 if reverse_x else 1), (-1 if reverse_y else 1), (-1 if reverse_z else 1)
    for a in range(nx):
        i = nx - 1 - a if reverse_x else a
        for b in range(ny):
            j = ny - 1 - b if reverse_y else b
            for c in range(nz):
                k = nz - 1 - c if reverse_z else c
                node = (i * ny + j) * nz + k
                x, y, z = origin[0] + i * spacing, origin[1] + j * spacing, origin[2] + k * spacing
                for behind in range(1, 8):
                    p, q, r = i - sx * (behind & 1), j - sy * (behind >> 1 & 1), k - sz * (behind >> 2 & 1)
                    if 0 <= p < nx and 0 <= q < ny and 0 <= r < nz:
                        triangle = flat_owner[(p * ny + q) * nz + r]
                        if triangle >= 0 and triangle != flat_owner[node]:
                            offer_triangle(ground, triangle, x, y, z, node, flat_best, flat_owner)


@kernel(parallel=True)
def sign_nodes(ground: Ground, origin: Array, spacing: float, best: Array, distances: Array) -> None:
    """Update ``distances`` from squared distances and the ray parity of each node."""
    for slab in prange(distances.shape[0]):
        i = int64(slab)
        for j in range(distances.shape[1]):
            for k in range(distances.shape[2]):
                x, y, z = origin[0] + i * spacing, origin[1] + j * spacing, origin[2] + k * spacing
                distance = sqrt(best[i, j, k])
                distances[i, j, k] = -distance if inside_mesh(ground, x, y, z)[0] else distance
