"""What a picture shows of the ponds of a world: where they lie, and all their moving surfaces on one grid."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ....engine.water.pond_layout import WET
from .scene import Water

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.water import WaterGrid
    from ....engine.world import World

MOST_CELLS = 1_000_000
"""Of the common grid of several ponds; over larger distances its cells are coarser than theirs."""

EVERYWHERE = (-math.inf, -math.inf, math.inf, math.inf)
"""Bounds of a pond whose grid moves: that is a window on a sea."""


def pond_rows(world: World) -> Array:
    """(n, 5): west, south, east, north and level of every pond, the one that counts first.

    A pond that ends with the map goes on beyond it, as far as anybody can see.
    """
    rows = np.zeros((len(world.water.grids), 5))
    for row, pond, grid in zip(rows, world.map.water, world.water.grids, strict=True):
        row[:4], row[4] = EVERYWHERE if pond.moving else pond.bounds, grid.level
        ends_with_the_map = np.abs(row[:4] - world.map.area.bounds) < pond.cell
        row[:4][ends_with_the_map] = np.array(EVERYWHERE)[ends_with_the_map]
    return rows


def waves_of(grid: WaterGrid) -> Array:
    """The surface above the level of its pond; dry cells lie at it."""
    waves: Array = np.where(grid.depth > WET, grid.bed + grid.depth - grid.level, 0.0)
    return waves


def joined_waves(grids: list[WaterGrid]) -> Water:
    """The moving surface of all ponds; of several on one grid, the first one on top where they overlap."""
    if not grids:
        return Water()
    if len(grids) == 1:
        (west, south), cell = grids[0].origin, grids[0].cell
        return Water(waves_of(grids[0]), (west + cell / 2, south + cell / 2), cell)
    west, south = (min(grid.origin[axis] for grid in grids) for axis in range(2))
    east, north = (max(grid.origin[axis] + grid.cell * grid.size[axis] for grid in grids) for axis in range(2))
    cell = max(min(grid.cell for grid in grids), math.sqrt((east - west) * (north - south) / MOST_CELLS))
    x, y = (np.arange(first + cell / 2, last, cell) for first, last in ((west, east), (south, north)))
    height = np.zeros((y.size, x.size))
    for grid in reversed(grids):
        columns, rows = (
            np.floor((at - first) / grid.cell).astype(np.int64) for at, first in zip((x, y), grid.origin, strict=True)
        )
        across, down = (columns >= 0) & (columns < grid.size[0]), (rows >= 0) & (rows < grid.size[1])
        height[np.ix_(down, across)] = waves_of(grid)[np.ix_(rows[down], columns[across])]
    return Water(height, (west + cell / 2, south + cell / 2), cell)
