"""Smell: food is a field of intensity that falls with the squared distance [Fang15 3.6].

    I(x) = sum over k of I_k / max(|x - x_k|^2, eps^2)

The strength I_k of a piece of food is the amount that is left of it. Sources beyond FOOD_CUTOFF of a tip are left out.
The neglected part of one source is below I_k / cutoff^2, a quarter of the default threshold at the default cut-off; a
large far heap can therefore stay unnoticed although the untruncated sum would pass the threshold. Inside the cut-off
the sum has exactly the terms of the full one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...components.antennae import Sense
from ...engine.kernel import kernel
from ...engine.spatial_hash import next_item, open_query

if TYPE_CHECKING:
    from ...components.antennae import AntennaPool
    from ...engine.kernel_types import Array
    from ...engine.props import FoodPool
    from ...engine.spatial_hash import SpatialHash
    from ..spatial_index.index import Around


@kernel()
def intensity(x: float, y: float, z: float, food: FoodPool, food_rows: Array, hashed: SpatialHash, softening: float,
              cutoff: float) -> float:  # fmt: skip
    """Return the intensity at a point from all food that is left within the cut-off."""
    position, amount = food.position, food.amount
    total = 0.0
    cells, cursor = open_query(hashed, x - cutoff, y - cutoff, x + cutoff, y + cutoff)
    while True:
        item, cursor = next_item(hashed, cells, cursor)
        if item < 0:
            break
        k = food_rows[item]
        dx, dy, dz = x - position[k, 0], y - position[k, 1], z - position[k, 2]
        r_squared = dx * dx + dy * dy + dz * dz
        if amount[k] > 0.0 and r_squared <= cutoff * cutoff:
            total += amount[k] / max(r_squared, softening * softening)  # [Fang15 3.6; myriapoda 1.7]
    return total


@kernel()
def smell_with_antennae(c: int, antennae: AntennaPool, food: FoodPool, around: Around) -> None:
    """Note the intensity at both antenna tips of one creature."""
    own, points, smell = antennae.parameters[c], antennae.points, antennae.smell
    tip = int(own[Sense.LINK_COUNT])
    softening, cutoff = own[Sense.FOOD_SOFTENING], own[Sense.FOOD_CUTOFF]
    for side in range(2):
        smell[c, side] = 0.0
        if tip > 0:
            x, y, z = points[c, side, tip, 0], points[c, side, tip, 1], points[c, side, tip, 2]
            smell[c, side] = intensity(x, y, z, food, around.food_rows, around.food_hash, softening, cutoff)
