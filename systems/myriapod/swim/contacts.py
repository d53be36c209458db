"""SwimContactSystem: bed, walls and obstacles stop the bodies of swimmers. Walkers are kept off them by the Targeter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.body import BodyPool
from ....components.myriapod.gait import GaitPool
from ....components.myriapod.muscles import MusclePool
from ....components.segments import SegmentPool
from ...spatial_index.index import SpatialIndex
from .contacts_kernel import feel_banks, pick_swimmers

if TYPE_CHECKING:
    from ....engine.world import World


class SwimContactSystem:
    """Update the contact planes of everything that swims."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.body, self.segments = world.pool(BodyPool), world.pool(SegmentPool)
        self.muscles, self.gait = world.pool(MusclePool), world.pool(GaitPool)
        self.around = world.resource(SpatialIndex)

    def process(self, dt: float) -> None:  # noqa: ARG002 - a system's signature
        muscular = np.ascontiguousarray(self.muscles.spans[:, 0])
        if not muscular.size:
            return
        rows, legless = np.empty_like(muscular), np.empty(len(muscular), np.uint8)
        count = pick_swimmers(muscular, self.gait.owner, self.muscles.beating, rows, legless)
        if not count:
            return
        around = self.around
        feel_banks(rows[:count], legless[:count], self.body.bundle, self.segments.bundle, self.world.terrain.ground,
                   around.solids, around.solid_hash, around.bounds)  # fmt: skip
