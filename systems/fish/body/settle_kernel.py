"""What is left to do for fishes once their bodies have moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....components.fish.eyes import NOBODY
from ....engine.kernel import kernel

if TYPE_CHECKING:
    from ....components.diet import DietPool
    from ....components.fish.springs import FishBodyPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array


@kernel()
def settle_fishes(rows: Array, creatures: CreaturePool, fishes: FishBodyPool, diets: DietPool) -> int:
    """Update where mouths are and which tier bodies were in; return how many have something to tell: see `is_news`."""
    news = 0
    for r in range(rows.size):
        c = rows[r]
        fishes.previous_tier[c] = creatures.tier[c]
        if diets.owner[c] != NOBODY:
            for axis in range(3):
                diets.mouth[c, axis] = fishes.mouth[c, axis]
        news += is_news(c, creatures, fishes)
    return news


@kernel()
def is_news(c: int, creatures: CreaturePool, fishes: FishBodyPool) -> bool:
    """Return whether a body had to be put back into shape, or is alive and out of the water."""
    return fishes.disturbed[c] != 0 or (fishes.air_seconds[c] > 0.0 and creatures.dead[c] == 0)
