"""Smell: food is a field of intensity that falls with the squared distance [Fang15 3.6].

    I(x) = sum over k of I_k / max(|x - x_k|^2, eps^2)

Sources beyond FOOD_CUTOFF of a tip are left out. The neglected part of one source is below I_k / cutoff^2, a quarter of
the default threshold at the default cut-off; a large far heap can therefore stay unnoticed although the untruncated
sum would pass the threshold. Inside the cut-off the sum has exactly the terms of the full one.
The same kernel serves any scalar signal of point sources, such as pheromones (E-33).
"""

from __future__ import annotations

import numpy as np
from numba import prange

from ...components.antennae import Sense
from ...engine.kernel import kernel
from ...engine.spatial_hash import next_item, open_query

FOOD_CELL_SIZE = 10.0  # units; half the default cut-off, so that a query of one tip meets few cells


@kernel()
def intensity(x, y, z, food_position, food_strength, food_amount, hashed, softening, cutoff):
    """Return the intensity at a point from all food that is left within the cut-off."""
    total = 0.0
    cells, cursor = open_query(hashed, x - cutoff, y - cutoff, x + cutoff, y + cutoff)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            break
        dx, dy, dz = x - food_position[k, 0], y - food_position[k, 1], z - food_position[k, 2]
        r_squared = dx * dx + dy * dy + dz * dz
        if food_amount[k] > 0.0 and r_squared <= cutoff * cutoff:
            total += food_strength[k] / max(r_squared, softening * softening)  # [Fang15 3.6], digest 1.7
    return total


@kernel()
def smell_with_antennae(c, parameters, points, food_position, food_strength, food_amount, hashed, smell):
    """Update the intensity at both antenna tips of one creature."""
    tip = int(parameters[c, Sense.LINK_COUNT])
    for side in range(2):
        smell[c, side] = 0.0
        if tip > 0:
            smell[c, side] = intensity(
                points[c, side, tip, 0], points[c, side, tip, 1], points[c, side, tip, 2],
                food_position, food_strength, food_amount, hashed,
                parameters[c, Sense.FOOD_SOFTENING], parameters[c, Sense.FOOD_CUTOFF],
            )  # fmt: skip


@kernel(parallel=True)
def smell_food(rows, parameters, points, food_position, food_strength, food_amount, hashed, smell):
    """Update intensities (left, right) of all creatures from antenna tips and the food around them."""
    for r in prange(rows.size):
        smell_with_antennae(
            np.int64(rows[r]), parameters, points, food_position, food_strength, food_amount, hashed, smell
        )
