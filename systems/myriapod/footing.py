"""FootingSystem: tells the brains of myriapods how well the ground or the water carries them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...components.body import BodyPool
from ...components.brain import BrainPool
from ...components.myriapod.chain import ChainPool
from ...components.myriapod.chain_segments import ChainSegmentPool
from ...components.myriapod.gait import GaitPool
from ...components.myriapod.muscles import MusclePool
from ...components.segments import SegmentPool
from ...engine.pool import NO_OWNER
from ..row_selection import living_rows, rows_with
from .footing_kernel import feel_footing

if TYPE_CHECKING:
    from ...engine.world import World


class FootingSystem:
    """Update the footing of brains from standing legs and the water."""

    def __init__(self, world: World) -> None:
        self.bodies, self.segments = world.pool(BodyPool), world.pool(SegmentPool)
        self.brain, self.gait = world.pool(BrainPool), world.pool(GaitPool)
        self.muscles, self.chain, self.chained = world.pool(MusclePool), world.pool(ChainPool), world.pool(ChainSegmentPool)
        self.creatures = world.creature_pool

    def process(self, dt: float) -> None:  # noqa: ARG002 - a system's signature
        rows = rows_with(self.chain, living_rows(self.brain, self.creatures))
        feel_footing(rows, NO_OWNER, self.bodies, self.segments, self.chained, self.gait,
                     self.muscles, self.chain, self.brain)  # fmt: skip
