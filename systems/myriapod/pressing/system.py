"""PressingSystem: bodies that meet press against each other with equal and opposite forces (docs/crowds.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.body import BodyPool
from ....components.myriapod.chain import ChainPool
from ....components.myriapod.chain_segments import ChainSegmentPool
from ....components.myriapod.headless_walk import GangliaPool
from ....components.segments import SegmentPool
from ....engine.creature import FOLLOW
from ....engine.threads import CREATURES_PER_THREAD, ThreadsFor
from ...spatial_index.index import SpatialIndex
from ..gait.climbing_order import climbing_order
from .pressing_kernel import MOST_LINKS, find_contacts, leave_out_heaps, press_bodies

if TYPE_CHECKING:
    from ....engine.world import World


class PressingSystem:
    """Update the forces of bodies on each other, as they were at the beginning of this tick."""

    def __init__(self, world: World) -> None:
        self.body, self.segments, self.chain = world.pool(BodyPool), world.pool(SegmentPool), world.pool(ChainPool)
        self.chained, self.headless = world.pool(ChainSegmentPool), world.pool(GangliaPool)
        self.creatures = world.creature_pool
        self.around = world.resource(SpatialIndex)
        self._partners, self._counts = np.zeros((0, MOST_LINKS), np.int32), np.zeros(0, np.int32)

    def process(self, dt: float) -> None:  # noqa: ARG002 - a system's signature
        rows = np.ascontiguousarray(self.chain.spans[:, 0])
        if not rows.size:
            return
        around, body, segments = self.around, self.body, self.segments
        places, capsules, hashed = around.places, around.bodies, around.body_hash
        takes_part, presses = np.zeros(self.body.capacity, np.uint8), np.zeros(self.body.capacity, np.uint8)
        takes_part[rows] = (self.body.linked[rows] != 0) & (self.creatures.tier[rows] != FOLLOW)
        if self._counts.size < len(capsules):
            self._counts = np.zeros(2 * len(capsules), np.int32)
            self._partners = np.zeros((self._counts.size, MOST_LINKS), np.int32)
        order = climbing_order(self.creatures, self.headless)
        with ThreadsFor(rows.size, CREATURES_PER_THREAD):
            leave_out_heaps(rows, body, places, capsules, hashed, around.herd, around.herd_hash, takes_part, presses)
            find_contacts(rows, body, segments, order, places, capsules, hashed, around.herd, around.herd_hash, presses,
                          self._partners, self._counts)  # fmt: skip
            press_bodies(rows, body, segments, self.chained, places, capsules, self._partners, self._counts)
