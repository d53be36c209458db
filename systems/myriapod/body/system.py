"""FEMSystem: the dynamics of all bodies, each at its own tier of detail, and the exact poses of standing legs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.body import BodyPool
from ....components.legs import LegPool
from ....components.myriapod.chain import ChainPool
from ....components.myriapod.chain_segments import ChainSegmentPool
from ....components.myriapod.construction.assembly import settle_tissue
from ....components.myriapod.gait import GaitPool
from ....components.myriapod.tissue import TissuePool
from ....components.segments import SegmentPool
from ....engine.creature import FULL, TIERS
from ....engine.threads import BODIES_PER_THREAD, ThreadsFor
from ...row_selection import by_sight
from ...summary_kernel import clear_pushes, summarise_bodies
from ..gait.stance_pose_kernel import pose_stance_legs
from .follow_tier_kernel import step_follow
from .full_tier_kernel import step_full
from .joint_tier_kernel import step_joint_tier
from .scratch_layout import scratch_width
from .tier_choice_kernel import sort_by_tier

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.world import World

GROUND_STIFFNESS = 2000.0
"""1/s^2 per corner and unit mass: a resting box sinks in by a thousandth of its size. [numerics 3]"""
GROUND_DAMPING = 40.0
"""1/s per corner and unit mass: bodies do not bounce."""
SLIP_SPEED = 0.05
"""u/s below which friction grows linearly, so that resting bodies do not chatter."""


class FEMSystem:
    """Update the state of all segments and tissue over one tick."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.creatures, self.body = world.creature_pool, world.pool(BodyPool)
        self.segments, self.chained = world.pool(SegmentPool), world.pool(ChainSegmentPool)
        self.tissue = world.pool(TissuePool)
        self.gait, self.legs, self.chain = world.pool(GaitPool), world.pool(LegPool), world.pool(ChainPool)
        self.contact = np.array([GROUND_STIFFNESS, GROUND_DAMPING, SLIP_SPEED])
        self._scratch = np.zeros((0, 0), dtype=world.precision)

    def process(self, dt: float) -> None:
        rows = np.ascontiguousarray(self.chain.spans[:, 0])
        b, s, chain = self.body, self.segments, self.chain
        body, blocks = (b, chain, s), self.tissue
        tier, order, ends = np.empty(rows.size, np.uint8), np.empty_like(rows), np.zeros(len(TIERS), np.int64)
        most_segments, most_blocks, changed = sort_by_tier(rows, self.creatures, *body, blocks, tier, order, ends)
        if changed:
            other = tier != chain.previous_tier[rows]
            self._change_tiers(rows[other], tier[other])
        scratch = self._scratch_for(rows.size, scratch_width(most_segments, most_blocks))
        first = 0
        with ThreadsFor(rows.size, BODIES_PER_THREAD, most=self.world.threads):
            for step, end in zip((step_full, step_joint_tier, step_follow), ends.tolist(), strict=True):
                if end > first:
                    step(order[first:end], *body, self.chained, blocks, self.contact, dt, scratch)
                first = end
        self.tissue.lengths_before[: self.tissue.end] = self.tissue.lengths[: self.tissue.end]
        clear_pushes(rows, b, s)
        seen, _ = by_sight(np.ascontiguousarray(self.gait.spans[:, 0]), self.creatures.tier)  # others are a tick behind
        pose_stance_legs(seen, b, s, self.legs)
        summarise_bodies(rows, b, s, self.creatures)
        self._report_disturbed()

    def _scratch_for(self, count: int, width: int) -> Array:
        """One scratch row per creature, wide enough for the longest; kept between ticks."""
        if self._scratch.shape[0] < count or self._scratch.shape[1] < width:
            self._scratch = np.zeros((2 * count, width), dtype=self.world.precision)
        return self._scratch

    def _change_tiers(self, changed: Array, tiers: Array) -> None:
        """Hand bodies over between tiers: frames keep pose and velocity, tissue starts between them."""
        for row, tier in zip(changed.tolist(), tiers.tolist(), strict=True):
            creature = self.world.creatures[int(self.body.owner[row])]
            if tier == FULL and "tissue" in creature.rows:
                settle_tissue(self.segments, self.tissue, creature.rows["tissue"])
            self.chain.previous_tier[row] = tier

    def _report_disturbed(self) -> None:
        """Tell the game which creature's tissue had to be untangled; nothing is repaired in silence."""
        tissue = self.tissue
        for row in np.flatnonzero(tissue.disturbed[: tissue.end]).tolist():
            creature = self.world.creatures.get(int(tissue.owner[row]))
            if creature is not None:
                self.world.emit("tissue_disturbed", creature, block=row - creature.rows["tissue"].start,
                                cause=int(tissue.disturbed[row]))  # fmt: skip
