"""Building floors: the same elevation everywhere, or a function of (x, y) baked to a regular grid."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .checks import Bounds
from .ground_layout import FLOOR_FRAME
from .terrain_error import TerrainError

Array = NDArray[np.float64]

RIM = 3  # nodes repeated around the field, so that the surface runs out level and smooth at its edges
LARGEST_GRID = 16_000_000  # nodes (128 MB); a larger field is a typing mistake more often than a wish


class Floor(NamedTuple):
    """A height grid ready for packing: elevations at its nodes, and (x, y of node 0, nodes per unit along x, y)."""

    elevation: Array
    frame: Array


def no_floor() -> Floor:
    """A world without a height field."""
    return Floor(np.zeros((0, 0)), np.zeros(FLOOR_FRAME))


def flat_floor(elevation: float) -> Floor:
    """The same elevation everywhere."""
    return Floor(np.full((1, 1), elevation), np.zeros(FLOOR_FRAME))


def baked_floor(function: Callable[[Array, Array], Array], bounds: Bounds, spacing: float) -> Floor:
    """Sample ``function(x, y)`` on a grid over the bounds; outside them the elevation of the nearest edge holds.

    The function gets a column of x and a row of y and returns the elevations of the whole grid.
    """
    low_x, low_y, high_x, high_y = bounds
    columns, rows = (nodes - 1 for nodes in grid_size(bounds, spacing))
    x, y = np.linspace(low_x, high_x, columns + 1), np.linspace(low_y, high_y, rows + 1)
    heights = np.asarray(function(x[:, None], y[None, :]), dtype=np.float64)
    if not np.isfinite(heights).all():
        raise TerrainError("the height field has elevations that are not finite numbers")
    per_x, per_y = columns / (high_x - low_x), rows / (high_y - low_y)
    frame = np.array([low_x - RIM / per_x, low_y - RIM / per_y, per_x, per_y])
    return Floor(np.pad(heights, RIM, mode="edge"), frame)


def grid_size(bounds: Bounds, spacing: float) -> tuple[int, int]:
    """Grid nodes to the east and to the north, or an error where they are too many."""
    low_x, low_y, high_x, high_y = bounds
    columns, rows = 1 + _intervals(high_x - low_x, spacing), 1 + _intervals(high_y - low_y, spacing)
    if columns * rows > LARGEST_GRID:
        raise TerrainError(
            f"a spacing of {spacing} over {bounds} needs {columns * rows} grid nodes; "
            f"allowed are {LARGEST_GRID}: use a larger spacing or smaller bounds"
        )
    return columns, rows


def _intervals(extent: float, spacing: float) -> int:
    return max(1, ceil(extent / spacing - 1e-9))  # the slack keeps rounding from adding an interval
