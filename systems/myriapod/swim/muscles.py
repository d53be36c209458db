"""MuscleSystem: what the head wants becomes the rest lengths of the blocks that are under water."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.body import BodyPool
from ....components.head_command import HeadCommandPool
from ....components.myriapod.chain import ChainPool
from ....components.myriapod.muscles import MusclePool
from ....components.myriapod.tissue import TissuePool
from ....components.segments import SegmentPool
from ...row_selection import FOLLOW
from .hold_up_kernel import level_bodies
from .muscle_kernel import drive_muscles
from .stiffness_kernel import stiffen_bodies

if TYPE_CHECKING:
    from ....engine.world import World


class MuscleSystem:
    """Update the muscles of all creatures that have some, by the commands of their heads."""

    def __init__(self, world: World) -> None:
        self.body, self.segments, self.tissue = world.pool(BodyPool), world.pool(SegmentPool), world.pool(TissuePool)
        self.muscles, self.chain, self.head = world.pool(MusclePool), world.pool(ChainPool), world.pool(HeadCommandPool)
        self.creatures = world.creature_pool

    def process(self, dt: float) -> None:
        rows = np.ascontiguousarray(self.muscles.spans[:, 0])
        if not rows.size:
            return
        m, t, b, chain, head, s = self.muscles, self.tissue, self.body, self.chain, self.head, self.segments
        # The muscles of the dead and of those that are led in the dark relax, or they would snap when they are let go.
        still = self.creatures.dead | (self.creatures.tier == FOLLOW)
        command = np.stack([head.speed, head.yaw_rate], axis=1)
        drive_muscles(rows, still, b.first_segment, b.segment_count, s.kinematic, m.parameters, m.line, command,
                      m.drive, m.strength, m.beating, chain.first_block, chain.block_count, t.segment_a, t.segment_b,
                      s.submerged, t.muscle_phase, t.muscle_amplitude, t.muscle_blend, t.lengths, dt)  # fmt: skip
        level_bodies(rows, still, m.parameters, chain.first_block, chain.block_count, t.segment_a, t.segment_b, t.size,
                     s.orientation, s.submerged, t.lengths, dt)  # fmt: skip
        stiffen_bodies(rows, m.parameters, m.lame, chain.first_block, chain.block_count, t.lengths, t.elastic)
