"""MuscleSystem: what the head wants becomes the rest lengths of the blocks that are under water."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.body import BodyPool
from ....components.brain import BrainPool
from ....components.myriapod.muscles import MusclePool
from ....components.myriapod.tissue import TissuePool
from ....components.segments import SegmentPool
from ...row_selection import FOLLOW
from .command_kernel import take_commands
from .hold_up_kernel import level_bodies
from .muscle_kernel import drive_muscles
from .stiffness_kernel import stiffen_bodies

if TYPE_CHECKING:
    from ....engine.world import World


class MuscleSystem:
    """Update the muscles of all creatures that have some. Creatures without a brain keep the command they were given."""

    def __init__(self, world: World) -> None:
        self.body, self.segments, self.tissue = world.pool(BodyPool), world.pool(SegmentPool), world.pool(TissuePool)
        self.muscles, self.brain = world.pool(MusclePool), world.pool(BrainPool)
        self.creatures = world.creature_pool

    def process(self, dt: float) -> None:
        rows = np.ascontiguousarray(self.muscles.spans[:, 0])
        if not rows.size:
            return
        m, t, b, brain = self.muscles, self.tissue, self.body, self.brain
        still = b.dead.copy()
        take_commands(rows, brain.owner, m.owner, brain.speed, brain.yaw_rate, self.creatures.tier, FOLLOW, m.command, still)
        s = self.segments
        drive_muscles(rows, still, b.first_segment, b.segment_count, s.kinematic, m.parameters, m.line, m.command, m.drive,
                      m.strength, m.swimming, m.first_block, m.block_count, t.segment_a, t.segment_b, s.submerged,
                      t.muscle_phase, t.muscle_amplitude, t.muscle_blend, t.lengths, dt)  # fmt: skip
        level_bodies(rows, still, m.parameters, m.first_block, m.block_count, t.segment_a, t.segment_b, t.size,
                     s.orientation, s.submerged, t.lengths, dt)  # fmt: skip
        stiffen_bodies(rows, m.parameters, m.lame, m.first_block, m.block_count, t.lengths, t.elastic)
