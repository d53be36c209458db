"""The terrain seen from above: the highest surface at every point, floors, logs, balls and meshes alike."""

from __future__ import annotations

import numpy as np

from ..engine.pool import Array
from ..engine.terrain import Terrain

SEARCH_STEPS = 24
"""Steps of following the distance downward; smooth shapes need about ten."""

CLOSE_ENOUGH = 0.01
"""Units; finer than a pixel at the closest zoom."""

HIGHEST = 64.0
"""Units above the floor at which the search starts."""

DEEPEST = -4.0
"""Units; where nothing is below, as around a floating ball, the picture shows a floor this deep."""


def top_surface(
    terrain: Terrain, bounds: tuple[float, float, float, float], cell: float
) -> tuple[Array, tuple[float, float]]:
    """Elevation samples (north, east) of the highest surface over the map, and the place of the first one."""
    west, south, east, north = bounds
    x, y = np.arange(west, east + cell, cell), np.arange(south, north + cell, cell)
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    floor = np.maximum(terrain.elevation(grid), DEEPEST)
    if _only_floor(terrain):
        return floor.reshape(y.size, x.size), (float(west), float(south))
    z = floor + HIGHEST
    for _ in range(SEARCH_STEPS):
        above = terrain.height(np.column_stack([grid, z]))
        z = np.maximum(z - np.maximum(above, 0.0), floor)
        if (above < CLOSE_ENOUGH).all():
            break
    return z.reshape(y.size, x.size), (float(west), float(south))


def _only_floor(terrain: Terrain) -> bool:
    description = terrain.describe()
    return not description.get("shapes") and "mesh" not in description
