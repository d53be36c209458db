"""Where water stands: rows of a table of rectangles with a level.

Water is only within a rectangle. What it does to the land beside it, wet sand and no grass, follows the nearest one, so that
no rectangle shows on dry land.
"""

from __future__ import annotations

from math import hypot, inf, nan
from typing import TYPE_CHECKING

from ....engine.kernel import kernel

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

WEST, SOUTH, EAST, NORTH, LEVEL = range(5)


@kernel(refcount=False)
def level_at(ponds: Array, x: float, y: float) -> float:
    """Return the level of the first pond around (x, y), NaN where there is none."""
    for k in range(ponds.shape[0]):
        if ponds[k, WEST] <= x <= ponds[k, EAST] and ponds[k, SOUTH] <= y <= ponds[k, NORTH]:
            return ponds[k, LEVEL]
    return nan


@kernel(refcount=False)
def level_near(ponds: Array, x: float, y: float) -> float:
    """Return the level of the pond nearest to (x, y), NaN if there is none at all."""
    nearest, level = inf, nan
    for k in range(ponds.shape[0]):
        dx = max(ponds[k, WEST] - x, x - ponds[k, EAST], 0.0)
        dy = max(ponds[k, SOUTH] - y, y - ponds[k, NORTH], 0.0)
        distance = hypot(dx, dy)
        if distance < nearest:
            nearest, level = distance, ponds[k, LEVEL]
    return level
