"""The brain mode `SHORE`: swimmers on land go back to the water, and some come ashore to sit there for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.articulated.ashore import Ashore, AshorePool
from ....components.articulated.links import LinkPool
from ....components.articulated.servo import SwimPool
from ....components.brain import BrainPool
from ....engine.growths import FLOATING, GROWTH_KINDS, GrowthPool
from ....engine.pool import NO_OWNER
from ....engine.threads import CREATURES_PER_THREAD, ThreadsFor
from ...body_surroundings import BodySurroundings, body_surroundings
from ...brain.mode_registry import Wish
from .errand_kernel import plan_shores

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.world import World


def leaves_of(world: World) -> Array:
    """(n, 4) leaves that float: x, y, radius and height."""
    pool = world.pool(GrowthPool)
    rows = pool.spans[:, 0]
    rows = rows[np.isin(pool.kind[rows], [GROWTH_KINDS.index(kind) for kind in FLOATING])]
    found: Array = np.column_stack([pool.position[rows, :2], pool.radius[rows], pool.position[rows, 2]])
    return np.ascontiguousarray(found)


class ShoreMode:
    """Leads swimmers to land and back to the water."""

    def __init__(self, world: World) -> None:
        self.world, self.creatures = world, world.creature_pool
        self.swimmers, self.links, self.ashore = world.pool(SwimPool), world.pool(LinkPool), world.pool(AshorePool)
        self.brains = world.pool(BrainPool)
        self._around: BodySurroundings | None = None

    def is_on(self) -> bool:
        """Whether any swimmer is on land, or may want to be there."""
        rows = self.ashore.spans[:, 0]
        ashore = self.ashore
        visits = ashore.parameters[rows, Ashore.SWIM_TIME] > 0.0
        return bool((visits | (ashore.grounded[rows] != 0) | (ashore.errand[rows] != 0)).any())

    def decide(self, _brain: object, rows: Array) -> Wish:
        """Where those of the rows go that are between water and land."""
        wants = self.ashore.owner[rows] != NO_OWNER
        chosen = np.ascontiguousarray(rows[wants])
        wishes = np.zeros((rows.size, 3))
        if chosen.size:
            around = self._around = body_surroundings(self.world, self._around)
            found = np.zeros((chosen.size, 3))
            with ThreadsFor(chosen.size, CREATURES_PER_THREAD, most=self.world.threads):
                plan_shores(chosen, self.brains, self.swimmers, self.links, self.ashore, leaves_of(self.world),
                            around, found, self.world.clock.tick_seconds)  # fmt: skip
            wishes[wants] = found
        return Wish(wishes[:, 0] > 0.0, wishes[:, 1], wishes[:, 2])
