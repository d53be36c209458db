"""PassingSystem: swimmers pass below each other instead of through each other. Walkers climb over (docs/crowds.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.body import BodyPool
from ....components.myriapod.body_modes import BodyMode
from ....components.myriapod.chain import ChainPool
from ....components.myriapod.chain_segments import ChainSegmentPool
from ....components.myriapod.muscles import MusclePool
from ....components.segments import SegmentPool
from ....engine.creature import FOLLOW
from ....engine.threads import CREATURES_PER_THREAD, ThreadsFor
from ...spatial_index.index import SpatialIndex
from .passing_kernel import pass_below

if TYPE_CHECKING:
    from ....engine.world import World

NEVER_DIVES, NOT_MET = -1, np.iinfo(np.int64).max
"""Ranks of what drifts, and of what does not swim; all others have the number of their birth and dive under lower ones."""


class PassingSystem:
    """Update the push on the segments of bodies that are all in the water, where they meet older ones."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.body, self.segments, self.muscles = world.pool(BodyPool), world.pool(SegmentPool), world.pool(MusclePool)
        self.creatures, self.chain, self.chained = world.creature_pool, world.pool(ChainPool), world.pool(ChainSegmentPool)
        self.around = world.resource(SpatialIndex)

    def process(self, dt: float) -> None:  # noqa: ARG002 - a system's signature
        b, c, rows = self.body, self.creatures, self.muscles.spans[:, 0]
        if rows.size < 2:
            return
        rows = rows[self.chain.body_mode[rows] == BodyMode.IN_WATER]
        if rows.size < 2:
            return
        rank = np.full(b.capacity, NOT_MET, np.int64)
        rank[rows] = np.where(c.dead[rows] != 0, NEVER_DIVES, b.owner[rows])
        led = c.tier[rows] == FOLLOW  # along the surface, without dynamics of their own
        divers = np.ascontiguousarray(rows[~led & (c.dead[rows] == 0)])
        with ThreadsFor(divers.size, CREATURES_PER_THREAD):
            pass_below(divers, c, b, self.segments, self.chained, rank, self.around.bodies,
                       self.around.body_hash, self.world.map.physics.gravity)  # fmt: skip
