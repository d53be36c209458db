"""MuscleSystem: what the head wants becomes the rest lengths of the blocks that are under water."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..components.body import BodyPool
from ..components.brain import BrainPool
from ..components.muscles import MusclePool
from ..components.segments import SegmentPool
from ..components.tissue import TissuePool
from .swim.muscle_kernel import drive_muscles

if TYPE_CHECKING:
    from ..engine.world import World


class MuscleSystem:
    """Update the muscles of all creatures that have some. Creatures without a brain keep the command they were given."""

    def __init__(self, world: World) -> None:
        self.body, self.segments, self.tissue = world.pool(BodyPool), world.pool(SegmentPool), world.pool(TissuePool)
        self.muscles, self.brain = world.pool(MusclePool), world.pool(BrainPool)

    def process(self, dt: float) -> None:
        rows = np.ascontiguousarray(self.muscles.spans[:, 0])
        if not rows.size:
            return
        m, t, b, brain = self.muscles, self.tissue, self.body, self.brain
        led = rows[rows < brain.capacity]
        led = led[brain.owner[led] == m.owner[led]]
        m.command[led, 0], m.command[led, 1] = brain.speed[led], brain.yaw_rate[led]
        drive_muscles(rows, b.dead, b.first_segment, b.segment_count, m.parameters, m.line, m.command, m.drive, m.strength,
                      m.swimming, m.first_block, m.block_count, t.segment_a, t.segment_b, self.segments.submerged,
                      t.muscle_phase, t.muscle_amplitude, t.muscle_blend, t.lengths, dt)  # fmt: skip
