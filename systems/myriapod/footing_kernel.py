"""What the brain of a myriapod learns of the body below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...components.myriapod.body_modes import ON_LAND
from ...engine.kernel import kernel

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...components.brain import BrainPool
    from ...components.myriapod.chain import ChainPool
    from ...components.myriapod.chain_segments import ChainSegmentPool
    from ...components.myriapod.gait import GaitPool
    from ...components.myriapod.muscles import MusclePool
    from ...components.segments import SegmentPool
    from ...engine.kernel_types import Array


@kernel()
def feel_footing(rows: Array, unclaimed: int, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool,
                 gait: GaitPool, muscles: MusclePool, chains: ChainPool, brains: BrainPool) -> None:  # fmt: skip
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
