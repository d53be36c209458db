"""What the brain of a myriapod learns of the body below it."""

# mypy: ignore-errors
from __future__ import annotations

from ...components.myriapod.body_modes import ON_LAND
from ...engine.kernel import kernel


@kernel()
def feel_footing(rows, unclaimed, bodies, segments, chained, gait, muscles, chains, brains):
    """Update footing and afloat of brains: legs carry a walker, water what has muscles to swim with.

    Afloat is whose head swims: it turns and goes by its muscles, and by its legs again once the head is out of the water.
    Nothing carries a swimmer on dry land. unclaimed: the owner of rows that belong to no creature.
    """
    footing, afloat = brains.footing, brains.afloat
    for k in range(rows.shape[0]):
        c = rows[k]
        swims = muscles.owner[c] != unclaimed
        if swims:
            footing[c] = 0.0
            head = bodies.first_segment[c]
            afloat[c] = muscles.beating[c] != 0 and segments.submerged[head] != 0 and chained.kinematic[head] == 0
        if gait.owner[c] != unclaimed:
            footing[c] = gait.stance_share[c]
        if swims and chains.body_mode[c] != ON_LAND:
            footing[c] = 1.0
