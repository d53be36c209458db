"""BankSystem: bed, walls and obstacles stop the bodies of swimmers. Walkers are kept off them by the Targeter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..components.body import BodyPool
from ..components.gait import GaitPool
from ..components.muscles import MusclePool
from ..components.segments import SegmentPool
from .living import rows_with
from .surroundings import Surroundings
from .swim.bank_kernel import feel_banks

if TYPE_CHECKING:
    from ..engine.world import World


class BankSystem:
    """Update the contact planes of everything that swims."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.body, self.segments = world.pool(BodyPool), world.pool(SegmentPool)
        self.muscles, self.gait = world.pool(MusclePool), world.pool(GaitPool)
        self.around: Surroundings = world.resources["surroundings"]

    def process(self, dt: float) -> None:  # noqa: ARG002 - a system's signature
        rows = self.muscles.spans[:, 0]
        if not rows.size:
            return
        legless = ~np.isin(rows, rows_with(self.gait, rows))
        chosen = legless | (self.muscles.swimming[rows] != 0)
        if not chosen.any():
            return
        b, s, around = self.body, self.segments, self.around
        feel_banks(np.ascontiguousarray(rows[chosen]), legless[chosen].view(np.uint8), b.first_segment, b.segment_count,
                   s.position, s.half_extents, s.ground_point, s.ground_normal, s.height, self.world.terrain.ground,
                   around.solids, around.solid_hash, around.bounds)  # fmt: skip
