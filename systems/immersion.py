"""ImmersionSystem: how deep every segment of a swimmer is in the water. Animals without muscles walk on the bed instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..components.body import BodyPool
from ..components.muscles import MusclePool
from ..components.segments import SegmentPool
from ..engine.creature import TIERS
from .swim.immersion_kernel import sample_immersion

if TYPE_CHECKING:
    from ..engine.world import World

STILL_WATER = 0.0
"""Share of the water's own velocity in the force on a body: none, as in the source. [digest E-43]"""


class ImmersionSystem:
    """Update water level and submerged flags of all segments that can swim."""

    def __init__(self, world: World) -> None:
        self.world, self.creatures = world, world.creature_pool
        self.body, self.segments, self.muscles = world.pool(BodyPool), world.pool(SegmentPool), world.pool(MusclePool)

    def process(self, dt: float) -> None:  # noqa: ARG002 - a system's signature
        if not self.world.water.grids:
            return
        rows = self.muscles.spans[:, 0]
        # Bodies that are only led, not simulated, would stand still in water.
        rows = np.ascontiguousarray(rows[self.creatures.tier[rows] != TIERS.index("follow")])
        b, s = self.body, self.segments
        sample_immersion(rows, b.first_segment, b.segment_count, s.position, s.orientation, s.half_extents, STILL_WATER,
                         s.submerged, s.water_level, s.water_velocity, self.world.water.arrays)  # fmt: skip
