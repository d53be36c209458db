"""What the brain of a myriapod learns of the body below it."""

# mypy: ignore-errors
from __future__ import annotations

from ...components.myriapod.body_modes import ON_LAND
from ...engine.kernel import kernel


@kernel()
def feel_footing(rows, unclaimed, gait, muscles, chains, brains):
    """Update footing and afloat of brains: legs carry a walker, water what has muscles to swim with.

    Nothing carries a swimmer on dry land. unclaimed: the owner of rows that belong to no creature.
    """
    footing, afloat = brains.footing, brains.afloat
    for k in range(rows.shape[0]):
        c = rows[k]
        swims = muscles.owner[c] != unclaimed
        if swims:
            footing[c] = 0.0
            afloat[c] = muscles.beating[c]
        if gait.owner[c] != unclaimed:
            footing[c] = gait.stance_share[c]
        if swims and chains.body_mode[c] != ON_LAND:
            footing[c] = 1.0
