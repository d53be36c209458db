"""What is left to do for fishes once their bodies have moved."""

# mypy: ignore-errors
from __future__ import annotations

from ....components.fish.eyes import NOBODY
from ....engine.kernel import kernel


@kernel()
def settle_fishes(rows, creatures, fishes, diets):
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
def is_news(c, creatures, fishes):
    """Return whether a body had to be put back into shape, or is alive and out of the water."""
    return fishes.disturbed[c] != 0 or (fishes.air_seconds[c] > 0.0 and creatures.dead[c] == 0)
