"""TargeterSystem: where supported segments should go in this tick, and what ground is below each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.body import BodyPool
from ....components.head_command import HeadCommandPool
from ....components.legs import LegPool
from ....components.myriapod.chain import ChainPool
from ....components.myriapod.gait import GaitPool
from ....components.myriapod.headless_walk import GangliaPool
from ....components.myriapod.muscles import MusclePool
from ....components.segments import SegmentPool
from ...row_selection import FOLLOW, by_sight
from ...spatial_index.index import SpatialIndex
from ..headless_walk import climbing_order
from .crowd_kernel import feel_neighbours, let_down
from .support_kernel import mark_swimmers
from .targeter_kernel import target_bodies

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.world import World

class TargeterSystem:
    """Update velocity commands, support, ground planes and gravity of all walking bodies."""

    def __init__(self, world: World) -> None:
        self.body, self.gait, self.head = world.pool(BodyPool), world.pool(GaitPool), world.pool(HeadCommandPool)
        self.segments, self.legs = world.pool(SegmentPool), world.pool(LegPool)
        self.chain, self.muscles = world.pool(ChainPool), world.pool(MusclePool)
        self.world, self.creatures, self.ganglia = world, world.creature_pool, world.pool(GangliaPool)
        self.around = world.resource(SpatialIndex)

    def swimming(self) -> Array:
        """Per creature row, who moves what is under water: WADING (also whoever is unseen), AFLOAT or LANDING."""
        flags = np.zeros(self.creatures.capacity, np.uint8)
        mark_swimmers(self.muscles.spans, self.creatures.tier, FOLLOW, self.chain.body_mode, flags)
        return flags

    def process(self, dt: float) -> None:
        rows = np.ascontiguousarray(self.gait.spans[:, 0])
        b, g, s, legs = self.body, self.gait, self.segments, self.legs
        around = self.around
        near, unseen = by_sight(rows, self.creatures.tier)
        afloat = s.submerged & ~s.kinematic & 1
        order = climbing_order(self.creatures, self.ganglia)
        feel_neighbours(near, b.first_segment, b.segment_count, order, around.places, s.position, s.half_extents,
                        s.ground_point, s.ground_normal, around.solids, around.solid_hash, around.bodies,
                        around.body_hash, around.herd, around.herd_hash, s.half_pitch, s.orientation,
                        s.raised, s.lift_share, s.lift, s.shove, afloat, dt)  # fmt: skip
        if unseen.size:
            let_down(unseen, b.first_segment, b.segment_count, s.half_pitch, s.half_extents, s.raised, s.lift_share,
                     s.lift, dt)  # fmt: skip
        target_bodies(rows, b.first_segment, b.segment_count, b.first_leg, b.leg_count, self.head.speed,
                      self.head.yaw_rate, self.head.way, self.head.adjusting, g.parameters, legs.segment_row,
                      legs.state, s.position, s.orientation, s.half_extents, s.half_pitch, s.ride_height, s.submerged,
                      self.swimming(), s.water_level,
                      s.velocity, s.angular_velocity, s.supported, s.kinematic, s.support_timer, s.blend_timer,
                      s.height, s.ground_point, s.ground_normal, s.gravity, s.lift_share, s.lift, s.shove,
                      self.world.terrain.ground, self.world.map.physics.gravity, dt)  # fmt: skip
