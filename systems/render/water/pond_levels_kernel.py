"""Levels of the ponds along a row of pixels, x = first + i * step."""

from __future__ import annotations

from math import inf, nan
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from .pond_kernel import EAST, LEVEL, NORTH, SOUTH, WEST

if TYPE_CHECKING:
    from ....engine.kernel_types import Array


@kernel(refcount=False)
def fill_nearest(ponds: Array, first: float, step: float, y: float, distance: Array, level: Array) -> None:
    """Update a row of levels, of the pond nearest to each pixel as in `level_near`; distance is scratch."""
    if ponds.shape[0] == 1:
        level[:] = f32(ponds[0, LEVEL])
        return
    distance[:] = inf
    level[:] = f32(nan)
    for k in range(ponds.shape[0]):
        west, east, here = ponds[k, WEST], ponds[k, EAST], f32(ponds[k, LEVEL])
        dy = max(ponds[k, SOUTH] - y, y - ponds[k, NORTH], 0.0)
        for i in range(level.size):
            x = first + i * step
            dx = max(west - x, x - east, 0.0)
            away = dx * dx + dy * dy
            if away < distance[i]:
                distance[i], level[i] = away, here


@kernel(refcount=False)
def fill_around(ponds: Array, first: float, step: float, y: float, level: Array) -> None:
    """Update a row of levels, of the first pond around each pixel as in `level_at`, NaN where there is none."""
    level[:] = f32(nan)
    for k in range(ponds.shape[0] - 1, -1, -1):  # the first one last, over all others
        if not ponds[k, SOUTH] <= y <= ponds[k, NORTH]:
            continue
        west, east, here = ponds[k, WEST], ponds[k, EAST], f32(ponds[k, LEVEL])
        for i in range(level.size):
            x = first + i * step
            if west <= x <= east:
                level[i] = here
