"""SwimContactSystem: ground, walls and obstacles stop swimmers and bodies that can neither walk nor swim.

Walkers are kept off them by the Targeter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.body import BodyPool
from ....components.myriapod.chain import ChainPool
from ....components.myriapod.chain_segments import ChainSegmentPool
from ....components.myriapod.gait import GaitPool
from ....components.myriapod.muscles import MusclePool
from ....components.segments import SegmentPool
from ....engine.pool import NO_OWNER
from ...spatial_index.index import SpatialIndex
from .contacts_kernel import feel_banks, pick_swimmers

if TYPE_CHECKING:
    from ....engine.world import World


class SwimContactSystem:
    """Update the contact planes of everything that swims or just lies there."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.body, self.segments, self.chained = world.pool(BodyPool), world.pool(SegmentPool), world.pool(ChainSegmentPool)
        self.muscles, self.gait, self.chain = world.pool(MusclePool), world.pool(GaitPool), world.pool(ChainPool)
        self.index = world.resource(SpatialIndex)

    def process(self, dt: float) -> None:  # noqa: ARG002 - a system's signature
        muscular, bodies = np.ascontiguousarray(self.muscles.spans[:, 0]), self.chain.spans[:, 0]
        rows, legless = np.empty(len(bodies), bodies.dtype), np.ones(len(bodies), np.uint8)
        count = pick_swimmers(muscular, self.gait.owner, self.muscles.beating, rows, legless)
        limp = bodies[(self.gait.owner[bodies] == NO_OWNER) & (self.muscles.owner[bodies] == NO_OWNER)]
        rows[count : count + limp.size] = limp
        count += limp.size
        if not count:
            return
        feel_banks(rows[:count], legless[:count], self.body, self.segments, self.chained,
                   self.world.terrain.ground, self.index.around)  # fmt: skip
