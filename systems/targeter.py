"""TargeterSystem: where supported segments should go in this tick, and what ground is below each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..components.body import BodyPool
from ..components.brain import BrainPool
from ..components.gait import GaitPool
from ..components.legs import LegPool
from ..components.segments import SegmentPool
from .gait.targeter_kernel import target_bodies

if TYPE_CHECKING:
    from ..engine.world import World


class TargeterSystem:
    """Update velocity commands, support, ground planes and gravity of all walking bodies."""

    def __init__(self, world: World) -> None:
        self.body, self.gait, self.brain = world.pool(BodyPool), world.pool(GaitPool), world.pool(BrainPool)
        self.segments, self.legs = world.pool(SegmentPool), world.pool(LegPool)
        self.world = world

    def process(self, dt: float) -> None:
        rows = np.ascontiguousarray(self.gait.spans[:, 0])
        b, g, s, legs = self.body, self.gait, self.segments, self.legs
        target_bodies(rows, b.first_segment, b.segment_count, b.first_leg, b.leg_count, self.brain.speed,
                      self.brain.yaw_rate, g.adjusting, g.parameters, legs.segment_row, legs.state, s.position,
                      s.orientation, s.half_pitch, s.ride_height, s.submerged, s.velocity, s.angular_velocity,
                      s.supported, s.kinematic, s.support_timer, s.blend_timer, s.ground_point, s.ground_normal,
                      s.gravity, self.world.terrain.ground, self.world.map.physics.gravity, dt)  # fmt: skip
