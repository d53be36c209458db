"""The terrain seen from above: the highest surface at every point, floors, logs, balls and meshes alike."""

from __future__ import annotations

import numpy as np

from ....engine.pool import Array
from ....engine.terrain import Terrain

SEARCH_STEPS = 24
"""Steps of following the distance downward; smooth shapes need about ten."""

CLOSE_ENOUGH = 0.01
"""Units; finer than a pixel at the closest zoom."""

HIGHEST = 64.0
"""Units above the floor at which the search starts."""

DEEPEST = -4.0
"""Units; a floor below it is none: beside a floating ball there is nothing to stand on. In clearer water one sees deeper."""

LOWEST_SOLID = -24.0
"""Units; how deep something that floats is looked for."""

RIM_SAMPLES = 8
"""Samples beyond an outline over which the relief goes on, so that light on the rim does not depend on what is beside it."""


def top_surface(
    terrain: Terrain, bounds: tuple[float, float, float, float], cell: float, deepest: float = DEEPEST
) -> tuple[Array, tuple[float, float]]:
    """Elevation samples (north, east) of the highest surface over the map, and the place of the first one."""
    west, south, east, north = bounds
    x, y = np.arange(west, east + cell, cell), np.arange(south, north + cell, cell)
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    floor = np.maximum(terrain.elevation(grid), deepest)
    if _only_floor(terrain):
        return floor.reshape(y.size, x.size), (float(west), float(south))
    top = _highest(terrain, grid, floor).reshape(y.size, x.size)
    if not has_floor(terrain, bounds, deepest):
        top = _go_on(top, top <= deepest + CLOSE_ENOUGH)
    # an outline that runs between the samples would look like a comb: every sample is mixed with its neighbours
    for axis in (0, 1):
        padded = np.pad(top, [(1, 1) if a == axis else (0, 0) for a in (0, 1)], mode="edge")
        before, after = np.delete(padded, [-2, -1], axis=axis), np.delete(padded, [0, 1], axis=axis)
        top = 0.25 * before + 0.5 * top + 0.25 * after
    return top, (float(west), float(south))


def has_floor(terrain: Terrain, bounds: tuple[float, float, float, float], deepest: float = DEEPEST) -> bool:
    """Whether there is ground below the whole map, told by its corners and its middle."""
    west, south, east, north = bounds
    middle = (0.5 * (west + east), 0.5 * (south + north))
    points = np.array([(west, south), (west, north), (east, south), (east, north), middle])
    return bool((terrain.elevation(points) >= deepest).all())


def clearance(
    terrain: Terrain, bounds: tuple[float, float, float, float], cell: float, deepest: float = DEEPEST
) -> Array:
    """How far the nearest solid lies from the vertical line at every sample of the relief, negative through it.

    Nothing (0, 0) for a map with a floor.
    """
    if has_floor(terrain, bounds, deepest):
        return np.zeros((0, 0))
    west, south, east, north = bounds
    x, y = np.arange(west, east + cell, cell), np.arange(south, north + cell, cell)
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    nearest = np.full(len(grid), np.inf)
    for z in np.arange(LOWEST_SOLID, HIGHEST):
        nearest = np.minimum(nearest, terrain.height(np.column_stack([grid, np.full(len(grid), z)])))
    shaped: Array = nearest.reshape(y.size, x.size)
    return shaped


def _go_on(top: Array, nothing: Array) -> Array:
    """The relief with samples beyond an outline that go on downward as they did before it."""
    top, known = top.copy(), ~nothing
    for _ in range(RIM_SAMPLES):
        padded, seen = np.pad(np.where(known, top, 0.0), 1), np.pad(known, 1).astype(float)
        shifts = [(shift, axis) for axis in (0, 1) for shift in (-1, 1)]
        around, count = (
            np.sum([np.roll(values, *shift)[1:-1, 1:-1] for shift in shifts], axis=0) for values in (padded, seen)
        )
        new = ~known & (count > 0.0)
        top[new] = around[new] / count[new] - 1.0
        known |= new
    return top


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
