"""Dents in the surface: rain drops and splashes that move water from a pit to its rim and create none. [Fang15 App. D]"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..kernel import kernel
from ..kernel_types import uint64
from ..splitmix_kernel import GOLDEN_GAMMA, unit_of_state
from .pond_layout import BED, DEPTH, SURFACE, WET

if TYPE_CHECKING:
    from ..kernel_types import Array

# [myriapoda 1.15] rain: radius one to two cells, depth 5 % of the water
DROP_SMALLEST, DROP_LARGEST = 1.0, 2.0  # cells
DROP_DEPTH = 0.05
DEEPEST_DENT = 0.5  # of the shallowest cell that gives water, so that no dent reaches the bed
NUMBERS_PER_DROP = 3


@kernel()
def random_unit(seed: int, counter: int) -> float:
    """Return the number in 0..1 (1 excluded) that belongs to a counter: any order, any thread."""
    return unit_of_state(uint64(seed) + uint64(counter + 1) * GOLDEN_GAMMA)


@kernel()
def ring_of(i: int, j: int, x: float, y: float, radius: float) -> int:
    """Return 0 for a cell in the pit around (x, y), 1 for one in the rim of a cell's width, else 2."""
    square = (i - x) ** 2 + (j - y) ** 2
    return 0 if square <= radius * radius else (1 if square <= (radius + 1.0) ** 2 else 2)


@kernel()
def dent(fields: Array, x: float, y: float, radius: float, height: float) -> None:
    """Update depth and surface: wet cells within `radius` cells of (x, y) change by `height`, the rim pays for it.

    (x, y) are in columns and rows. The change is cut so that no cell gives more than half of its water. Where there is
    no wet pit or no wet rim nothing happens.
    """
    rows, columns = fields.shape[1], fields.shape[2]
    low_i, high_i = int(max(1.0, x - radius - 1.0)), int(min(columns - 2.0, x + radius + 1.0)) + 1
    low_j, high_j = int(max(1.0, y - radius - 1.0)), int(min(rows - 2.0, y + radius + 1.0)) + 1
    count, least = np.zeros(2), np.full(2, np.inf)
    for j in range(low_j, high_j):
        for i in range(low_i, high_i):
            ring = ring_of(i, j, x, y, radius)
            if ring < 2 and fields[DEPTH, j, i] > WET:
                count[ring] += 1.0
                least[ring] = min(least[ring], fields[DEPTH, j, i])
    if count[0] == 0.0 or count[1] == 0.0:
        return
    ratio = count[0] / count[1]
    height = max(height, -DEEPEST_DENT * least[0]) if height < 0.0 else min(height, DEEPEST_DENT * least[1] / ratio)
    for j in range(low_j, high_j):
        for i in range(low_i, high_i):
            ring = ring_of(i, j, x, y, radius)
            if ring < 2 and fields[DEPTH, j, i] > WET:
                fields[DEPTH, j, i] += height if ring == 0 else -height * ratio
                fields[SURFACE, j, i] = fields[BED, j, i] + fields[DEPTH, j, i]


@kernel()
def rain(fields: Array, seed: int, first: int, count: int) -> None:
    """Update depth and surface by drops number first..first + count - 1 of the rain with this seed."""
    rows, columns = fields.shape[1], fields.shape[2]
    for drop in range(first, first + count):
        k = NUMBERS_PER_DROP * drop
        i = 1 + int(random_unit(seed, k) * (columns - 2))
        j = 1 + int(random_unit(seed, k + 1) * (rows - 2))
        radius = DROP_SMALLEST + (DROP_LARGEST - DROP_SMALLEST) * random_unit(seed, k + 2)
        dent(fields, float(i), float(j), radius, -DROP_DEPTH * fields[DEPTH, j, i])
