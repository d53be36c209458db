"""Levels of the ponds along a row of pixels, x = first + i * step."""

from __future__ import annotations

from math import inf, nan

from numpy import float32 as f32

from ....engine.kernel import kernel
from .pond_kernel import EAST, LEVEL, NORTH, POND_FIELDS, SOUTH, WEST


@kernel(refcount=False)
def fill_nearest(packed, start, first, step, y, distance, level):
    """Update a row of levels, of the pond nearest to each pixel as in `level_near`; distance is scratch."""
    if packed.size == start + POND_FIELDS:
        level[:] = f32(packed[start + LEVEL])
        return
    distance[:] = inf
    level[:] = f32(nan)
    for k in range(start, packed.size, POND_FIELDS):
        west, east, here = packed[k + WEST], packed[k + EAST], f32(packed[k + LEVEL])
        dy = max(packed[k + SOUTH] - y, y - packed[k + NORTH], 0.0)
        for i in range(level.size):
            x = first + i * step
            dx = max(west - x, x - east, 0.0)
            away = dx * dx + dy * dy
            if away < distance[i]:
                distance[i], level[i] = away, here


@kernel(refcount=False)
def fill_around(packed, start, first, step, y, level):
    """Update a row of levels, of the first pond around each pixel as in `level_at`, NaN where there is none."""
    level[:] = f32(nan)
    for k in range(packed.size - POND_FIELDS, start - 1, -POND_FIELDS):  # the first one last, over all others
        if not packed[k + SOUTH] <= y <= packed[k + NORTH]:
            continue
        west, east, here = packed[k + WEST], packed[k + EAST], f32(packed[k + LEVEL])
        for i in range(level.size):
            x = first + i * step
            if west <= x <= east:
                level[i] = here
