"""Who is seen, and who gets the places that are left."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

import numpy as np

from ...engine.creature import FOLLOW
from ...engine.kernel import kernel

if TYPE_CHECKING:
    from ...engine.creature import CreaturePool
    from ...engine.kernel_types import Array, Four


@kernel()
def see_creatures(rows: Array, creatures: CreaturePool, bounds: Four, margin: float, seen: Array) -> None:
    """Update, per creature of `rows`, whether any part of it may be within bounds, widened by a margin."""
    west, south, east, north = bounds
    position, reach = creatures.position, creatures.reach
    for k in range(rows.shape[0]):
        c = rows[k]
        x, y, pad = position[c, 0], position[c, 1], reach[c] + margin
        seen[k] = x > west - pad and x < east + pad and y > south - pad and y < north + pad


@kernel()
def give_places(rows: Array, creatures: CreaturePool, target: int, places: int, loyalty: float, point: tuple[float, float],
                seen: Array, wanted: Array, score: Array, order: Array) -> None:  # fmt: skip
    """Update the wanted tier of the nearest to a point among those that are seen and have none better than follow.

    Who has the target's tier or a better one already counts as nearer by the factor loyalty. score and order: room for all.
    """
    x, y = point
    position, tiers = creatures.position, creatures.tier
    count = 0
    for k in range(rows.shape[0]):
        if seen[k] and wanted[k] == FOLLOW:
            c = rows[k]
            score[k] = (loyalty if tiers[c] <= target else 1.0) * hypot(position[c, 0] - x, position[c, 1] - y)
            order[count] = k
            count += 1
    near = order[:count]
    if count > places:
        near = near[np.argsort(score[near], kind="mergesort")]  # stable: of equal ones the first
    for k in range(min(count, places)):
        wanted[near[k]] = target
