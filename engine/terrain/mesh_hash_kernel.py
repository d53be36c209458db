"""Compiled construction of a mesh's hash grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..kernel import kernel
from .mesh_kernel import cell_along

if TYPE_CHECKING:
    from ..kernel_types import Array


@kernel()
def cell_of(point: Array, corner: Array, per_unit: Array, cells: Array) -> tuple[int, int, int]:
    """Return the three cell numbers of a point."""
    return (
        cell_along(point[0], corner[0], per_unit[0], cells[0]),
        cell_along(point[1], corner[1], per_unit[1], cells[1]),
        cell_along(point[2], corner[2], per_unit[2], cells[2]),
    )


@kernel()
def list_triangles(low: Array, high: Array, corner: Array, per_unit: Array, cells: Array, start: Array,
                   entries: Array) -> None:  # fmt: skip
    """Update ``entries`` from the triangles' boxes, or with an empty ``entries`` the list lengths in ``start``.

    A triangle enters every cell its box touches, not only one of them. [Fang15 6.1.2; myriapoda E-17]
    """
    filled = np.zeros(start.size, np.int64)
    for triangle in range(low.shape[0]):
        i0, j0, k0 = cell_of(low[triangle], corner, per_unit, cells)
        i1, j1, k1 = cell_of(high[triangle], corner, per_unit, cells)
        for i in range(i0, i1 + 1):
            for j in range(j0, j1 + 1):
                for k in range(k0, k1 + 1):
                    cell = (i * cells[1] + j) * cells[2] + k
                    if entries.size == 0:
                        start[cell + 1] += 1
                    else:
                        entries[start[cell] + filled[cell]] = triangle
                        filled[cell] += 1


@kernel()
def spread_rings(rings: Array, reverse: bool) -> None:
    """Update ``rings`` with the smallest neighbour plus one, in one sweep forwards or backwards.

    Two sweeps over all 26 neighbours give the exact chessboard distance. [Rosenfeld68]
    """
    nx, ny, nz = rings.shape
    for a in range(nx):
        for b in range(ny):
            for c in range(nz):
                i, j, k = (nx - 1 - a, ny - 1 - b, nz - 1 - c) if reverse else (a, b, c)
                least = rings[i, j, k]
                for di in range(max(i - 1, 0), min(i + 2, nx)):
                    for dj in range(max(j - 1, 0), min(j + 2, ny)):
                        for dk in range(max(k - 1, 0), min(k + 2, nz)):
                            least = min(least, rings[di, dj, dk] + 1)
                rings[i, j, k] = least
