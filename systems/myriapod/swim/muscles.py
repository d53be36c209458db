"""MuscleSystem: what the head wants becomes the rest lengths of the blocks that are under water."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.body import BodyPool
from ....components.head_command import HeadCommandPool
from ....components.myriapod.chain import ChainPool
from ....components.myriapod.chain_segments import ChainSegmentPool
from ....components.myriapod.muscles import MusclePool
from ....components.myriapod.tissue import TissuePool
from ....components.segments import SegmentPool
from .drive_muscles_kernel import drive_muscles

if TYPE_CHECKING:
    from ....engine.world import World


class MuscleSystem:
    """Update the muscles of all creatures that have some, by the commands of their heads."""

    def __init__(self, world: World) -> None:
        self.creatures, self.bodies, self.chains = world.creature_pool, world.pool(BodyPool), world.pool(ChainPool)
        self.segments, self.chained = world.pool(SegmentPool), world.pool(ChainSegmentPool)
        self.blocks = world.pool(TissuePool)
        self.muscles, self.heads = world.pool(MusclePool), world.pool(HeadCommandPool)

    def process(self, dt: float) -> None:
        rows = np.ascontiguousarray(self.muscles.spans[:, 0])
        if not rows.size:
            return
        drive_muscles(rows, self.creatures, self.bodies, self.chains, self.segments,
                      self.chained, self.blocks, self.muscles, self.heads, dt)  # fmt: skip
