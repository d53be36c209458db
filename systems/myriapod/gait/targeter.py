"""TargeterSystem: where supported segments should go in this tick, and what ground is below each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.body import BodyPool
from ....components.head_command import HeadCommandPool
from ....components.legs import LegPool
from ....components.myriapod.chain import ChainPool
from ....components.myriapod.chain_segments import ChainSegmentPool
from ....components.myriapod.gait import GaitPool
from ....components.myriapod.headless_walk import GangliaPool
from ....components.myriapod.tissue import TissuePool
from ....components.segments import SegmentPool
from ...row_selection import by_sight
from ...spatial_index.index import SpatialIndex
from .climbing_order import climbing_order
from .crowd import Crowd
from .crowd_kernel import feel_neighbours
from .distant_crowd_kernel import FEEL_TICKS, feel_distant_backs, lift_distant_bodies
from .press_kernel import take_presses
from .targeter_kernel import Moment, target_bodies

if TYPE_CHECKING:
    from ....engine.world import World


class TargeterSystem:
    """Update velocity commands, support, ground planes and gravity of all walking bodies."""

    def __init__(self, world: World) -> None:
        self.world, self.creatures, self.around = world, world.creature_pool, world.resource(SpatialIndex)
        self.bodies, self.chains, self.segments = world.pool(BodyPool), world.pool(ChainPool), world.pool(SegmentPool)
        self.legs, self.gaits, self.heads = world.pool(LegPool), world.pool(GaitPool), world.pool(HeadCommandPool)
        self.blocks, self.headless = world.pool(TissuePool), world.pool(GangliaPool)
        self.chained = world.pool(ChainSegmentPool)

    def process(self, dt: float) -> None:
        take_presses(self.chains.first_rows, self.bodies, self.segments, self.chained)
        rows = np.ascontiguousarray(self.gaits.spans[:, 0])
        creatures, bodies, chains = self.creatures, self.bodies, self.chains
        segments, chained, legs = self.segments, self.chained, self.legs
        gaits, heads = self.gaits, self.heads
        ground, gravity = self.world.terrain.ground, self.world.map.physics.gravity
        simulated, unseen = by_sight(rows, self.creatures.tier)
        crowd = self.crowd()
        feel_neighbours(simulated, bodies, segments, chained, crowd.order, crowd.places, crowd.herd, crowd.herd_hash,
                        self.around.around, dt)  # fmt: skip
        if unseen.size:
            turn = unseen[unseen % FEEL_TICKS == self.world.tick % FEEL_TICKS]
            feel_distant_backs(turn, bodies, segments, chained, *crowd)
            lift_distant_bodies(unseen, bodies, segments, chained, dt)
        target_bodies(rows, creatures, bodies, chains, segments, chained, self.blocks, legs, gaits, heads, ground,
                      Moment(dt, gravity))  # fmt: skip

    def crowd(self) -> Crowd:
        """All bodies as they were at the beginning of this tick, and which of them climbs which."""
        order, around = climbing_order(self.creatures, self.headless), self.around
        return Crowd(order, around.places, around.bodies, around.body_hash, around.herd, around.herd_hash)
