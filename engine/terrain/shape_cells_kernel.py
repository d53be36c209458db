"""Compiled cell list for shapes: which of them can be the nearest one somewhere inside a cell."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from ..kernel import kernel
from .ground_layout import SHAPE_COLUMNS
from .shape_kernel import shape_distance

if TYPE_CHECKING:
    from ..kernel_types import Array

BLOCK = 8  # cells along the edge of the coarse blocks that narrow the choice first


@kernel()
def keep_candidates(values: Array, chosen: Array, chosen_count: int, x: float, y: float, z: float, reach: float,
                    kept: Array) -> int:  # fmt: skip
    """Update ``kept`` from the shapes in ``chosen`` that can be nearest within ``reach`` of a point; return how many.

    A signed distance changes by at most the way walked, so over the ball all distances stay within ``reach`` of
    their value at its centre: a shape that is more than twice that behind the best can never be the nearest.
    """
    best = np.inf
    for m in range(chosen_count):
        best = min(best, shape_distance(values, SHAPE_COLUMNS * chosen[m], x, y, z))
    limit = best + 2.0 * reach + 1e-9 * (abs(best) + reach)  # the slack covers rounding
    count = 0
    for m in range(chosen_count):
        if shape_distance(values, SHAPE_COLUMNS * chosen[m], x, y, z) <= limit:
            kept[count] = chosen[m]
            count += 1
    return count


@kernel()
def list_cells(values: Array, shape_count: int, corner: Array, edge: float, cells: Array, start: Array,
               entries: Array) -> None:  # fmt: skip
    """Update ``entries`` from the shapes, or with an empty ``entries`` the list lengths in ``start``."""
    everyone = np.arange(shape_count)
    near_block = np.empty(shape_count, np.int64)
    near_cell = np.empty(shape_count, np.int64)
    counting = entries.size == 0
    x0, y0, z0 = corner[0], corner[1], corner[2]
    half = 0.5 * BLOCK
    radius = 0.5 * sqrt(3.0) * edge
    for bx in range(0, cells[0], BLOCK):
        for by in range(0, cells[1], BLOCK):
            for bz in range(0, cells[2], BLOCK):
                x, y, z = x0 + (bx + half) * edge, y0 + (by + half) * edge, z0 + (bz + half) * edge
                block = keep_candidates(values, everyone, shape_count, x, y, z, BLOCK * radius, near_block)
                for i in range(bx, min(bx + BLOCK, cells[0])):
                    for j in range(by, min(by + BLOCK, cells[1])):
                        for k in range(bz, min(bz + BLOCK, cells[2])):
                            x, y, z = x0 + (i + 0.5) * edge, y0 + (j + 0.5) * edge, z0 + (k + 0.5) * edge
                            count = keep_candidates(values, near_block, block, x, y, z, radius, near_cell)
                            cell = (i * cells[1] + j) * cells[2] + k
                            if counting:
                                start[cell + 1] = count
                            else:
                                for m in range(count):
                                    entries[start[cell] + m] = near_cell[m]
