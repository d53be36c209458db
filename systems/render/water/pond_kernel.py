"""Where water stands: rectangles with a level, packed behind the numbers of the view and of the ground.

Water is only within a rectangle. What it does to the land beside it, wet sand and no grass, follows the nearest one, so that
no rectangle shows on dry land.
"""

from __future__ import annotations

from math import hypot, inf, nan

from ....engine.kernel import kernel

WEST, SOUTH, EAST, NORTH, LEVEL = range(5)
POND_FIELDS = 5


@kernel(refcount=False)
def level_at(packed, first, x, y):
    """Return the level of the first pond around (x, y), NaN where there is none; ponds start at `first`."""
    for k in range(first, packed.size, POND_FIELDS):
        if packed[k + WEST] <= x <= packed[k + EAST] and packed[k + SOUTH] <= y <= packed[k + NORTH]:
            return packed[k + LEVEL]
    return nan


@kernel(refcount=False)
def level_near(packed, first, x, y):
    """Return the level of the pond nearest to (x, y), NaN if there is none at all."""
    nearest, level = inf, nan
    for k in range(first, packed.size, POND_FIELDS):
        dx = max(packed[k + WEST] - x, x - packed[k + EAST], 0.0)
        dy = max(packed[k + SOUTH] - y, y - packed[k + NORTH], 0.0)
        distance = hypot(dx, dy)
        if distance < nearest:
            nearest, level = distance, packed[k + LEVEL]
    return level
