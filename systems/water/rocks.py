"""Rocks in the water: which cells of a pond the obstacles of a world fill."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...engine.props import OBSTACLE_KINDS, ObstaclePool
from ...engine.water.pond_bed import cell_centers

if TYPE_CHECKING:
    from ...engine.water import WaterGrid
    from ...engine.world import World

BOX, SPHERE = OBSTACLE_KINDS.index("box"), OBSTACLE_KINDS.index("sphere")
COLUMNS = ("kind", "position", "half_size", "heading")
Rows = dict[str, NDArray[Any]]


class Rocks:
    """Keeps the ponds of a world informed about its obstacles. It holds nothing that does not follow from them."""

    def __init__(self, world: World) -> None:
        self._world, self._pool = world, world.pool(ObstaclePool)
        ponds, grids = world.water.ponds, world.water.grids
        self._movers = [grid for pond, grid in zip(ponds, grids, strict=True) if pond.moving]
        self._version, self._places = -1, list[tuple[float, float]]()

    def refresh(self) -> None:
        """Make solid what obstacles fill now, and water of what they have left; without a change nothing is looked at."""
        grids, pool = self._world.water.grids, self._pool
        places = [grid.origin for grid in self._movers]
        if pool.version == self._version and places == self._places:
            return
        now = {name: getattr(pool, name)[pool.first_rows] for name in COLUMNS}
        for grid in grids:
            grid.set_obstacles(covered_cells(grid, now))
        self._version, self._places = pool.version, places


def covered_cells(grid: WaterGrid, obstacles: Rows) -> NDArray[np.bool_]:
    """Cells (rows, columns) whose centre is in an obstacle at the height of the surface at rest.

    As with the shapes of a terrain, only what pierces the surface is solid to the water: it flows over the rest.
    """
    columns, rows = grid.size
    covered = np.zeros((rows, columns), dtype=np.bool_)
    kinds, positions, half_sizes = obstacles["kind"], obstacles["position"], obstacles["half_size"]
    for kind, at, half, heading in zip(kinds, positions, half_sizes, obstacles["heading"], strict=True):
        rise = grid.level - at[2]  # of the surface above what the obstacle stands on, where the middle of a sphere is
        low, high = (-half[2], half[2]) if kind == SPHERE else (0.0, 2.0 * half[2])
        if not low <= rise <= high:
            continue
        reach = float(np.hypot(half[0], half[1]))
        low_x, high_x, low_y, high_y = (
            int(np.clip(np.floor((at[axis] + side * reach - grid.origin[axis]) / grid.cell), 0, grid.size[axis]))
            for axis in (0, 1) for side in (-1, 1)
        )  # fmt: skip
        high_x, high_y = min(high_x + 1, columns), min(high_y + 1, rows)
        if low_x >= high_x or low_y >= high_y:
            continue
        west, south = grid.origin[0] + low_x * grid.cell, grid.origin[1] + low_y * grid.cell
        away = cell_centers(west, south, grid.cell, high_x - low_x, high_y - low_y) - at[:2]
        if kind == BOX:
            along = away[:, 0] * np.cos(heading) + away[:, 1] * np.sin(heading)
            across = away[:, 1] * np.cos(heading) - away[:, 0] * np.sin(heading)
            inside = (np.abs(along) <= half[0]) & (np.abs(across) <= half[1])
        else:
            radius = np.sqrt(max(half[0] ** 2 - rise**2, 0.0)) if kind == SPHERE else half[0]
            inside = np.hypot(away[:, 0], away[:, 1]) <= radius
        covered[low_y:high_y, low_x:high_x] |= inside.reshape(high_y - low_y, high_x - low_x)
    return covered
