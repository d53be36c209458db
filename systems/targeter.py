"""TargeterSystem: where supported segments should go in this tick, and what ground is below each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..components.antennae import AntennaPool
from ..components.body import BodyPool
from ..components.brain import BrainPool
from ..components.gait import GaitPool
from ..components.legs import LegPool
from ..components.muscles import MusclePool
from ..components.segments import SegmentPool
from ..engine.creature import TIERS
from .gait.crowd_kernel import feel_neighbours
from .gait.targeter_kernel import target_bodies
from .surroundings import Surroundings

if TYPE_CHECKING:
    from ..engine.pool import Array
    from ..engine.world import World


class TargeterSystem:
    """Update velocity commands, support, ground planes and gravity of all walking bodies."""

    def __init__(self, world: World) -> None:
        self.body, self.gait, self.brain = world.pool(BodyPool), world.pool(GaitPool), world.pool(BrainPool)
        self.segments, self.legs = world.pool(SegmentPool), world.pool(LegPool)
        self.antennae, self.muscles = world.pool(AntennaPool), world.pool(MusclePool)
        self.world, self.creatures = world, world.creature_pool
        self.around: Surroundings = world.resources["surroundings"]

    def swimming(self, rows: Array) -> Array:
        """Per creature row, whether it swims; animals without muscles never do."""
        flags = np.zeros(max(self.gait.capacity, 1), np.uint8)
        swimmers = rows[np.isin(rows, self.muscles.spans[:, 0])]
        flags[swimmers] = self.muscles.swimming[swimmers]
        return flags

    def process(self, dt: float) -> None:
        rows = np.ascontiguousarray(self.gait.spans[:, 0])
        b, g, s, legs = self.body, self.gait, self.segments, self.legs
        around = self.around
        near = np.ascontiguousarray(rows[self.creatures.tier[rows] != TIERS.index("follow")])
        feel_neighbours(near, b.first_segment, b.segment_count, self.creatures.owner, around.places, s.position,
                        s.half_extents, s.height, s.ground_normal, around.solids, around.solid_hash, around.bodies,
                        around.body_hash, s.lift_share, s.lift_top, s.shove)  # fmt: skip
        target_bodies(rows, b.first_segment, b.segment_count, b.first_leg, b.leg_count, self.brain.speed,
                      self.brain.yaw_rate, self.antennae.way, g.adjusting, g.parameters, legs.segment_row,
                      legs.state, s.position, s.orientation, s.half_extents, s.half_pitch, s.ride_height, s.submerged,
                      self.swimming(rows), s.water_level,
                      s.velocity, s.angular_velocity, s.supported, s.kinematic, s.support_timer, s.blend_timer,
                      s.height, s.ground_point, s.ground_normal, s.gravity, s.lift_share, s.lift_top, s.shove,
                      self.world.terrain.ground, self.world.map.physics.gravity, dt)  # fmt: skip
