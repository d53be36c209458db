"""BankSystem: bed, walls and obstacles stop the bodies of swimmers. Walkers are kept off them by the Targeter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.body import BodyPool
from ....components.myriapod.gait import GaitPool
from ....components.myriapod.muscles import MusclePool
from ....components.segments import SegmentPool
from ....engine.pool import NO_OWNER
from ...spatial_index.index import SpatialIndex
from .contacts_kernel import feel_banks, pick_swimmers

if TYPE_CHECKING:
    from ....engine.world import World


class BankSystem:
    """Update the contact planes of everything that swims."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.body, self.segments = world.pool(BodyPool), world.pool(SegmentPool)
        self.muscles, self.gait = world.pool(MusclePool), world.pool(GaitPool)
        self.around = world.resource(SpatialIndex)

    def process(self, dt: float) -> None:  # noqa: ARG002 - a system's signature
        spans = self.muscles.spans
        rows, legless = np.empty(len(spans), np.int32), np.empty(len(spans), np.uint8)
        count = pick_swimmers(spans, self.gait.owner, NO_OWNER, self.muscles.beating, rows, legless)
        if not count:
            return
        b, s, around = self.body, self.segments, self.around
        feel_banks(rows[:count], legless[:count], b.first_segment, b.segment_count, s.position, s.half_extents,
                   s.ground_point, s.ground_normal, s.height, self.world.terrain.ground, around.solids,
                   around.solid_hash, around.bounds)  # fmt: skip
