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
    top = _highest(terrain, grid, floor).reshape(y.size, x.size)
    # an outline that runs between the samples would look like a comb: every sample is mixed with its neighbours
    for axis in (0, 1):
        padded = np.pad(top, [(1, 1) if a == axis else (0, 0) for a in (0, 1)], mode="edge")
        before, after = np.delete(padded, [-2, -1], axis=axis), np.delete(padded, [0, 1], axis=axis)
        top = 0.25 * before + 0.5 * top + 0.25 * after
    return top, (float(west), float(south))


def _highest(terrain: Terrain, grid: Array, floor: Array) -> Array:
    """Height of the highest surface above every point of the floor: follow the distance downward."""
    z = floor + HIGHEST
    for _ in range(SEARCH_STEPS):
        above = terrain.height(np.column_stack([grid, z]))
        z = np.maximum(z - np.maximum(above, 0.0), floor)
        if (above < CLOSE_ENOUGH).all():
            break
    return z


def _only_floor(terrain: Terrain) -> bool:
    description = terrain.describe()
    return not description.get("shapes") and "mesh" not in description
