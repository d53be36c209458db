"""The brain mode `FORAGE`: where an ant of a colony walks. What it takes up and stores is the business of `ColonySystem`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....components.antennae import AntennaPool
from ....components.brain import Brain, BrainPool
from ....components.head_command import HeadCommandPool
from ....components.insect.colony import NO_NEST, ColonyPool, NestPool
from ....components.insect.trunk import TrunkPool
from ....engine.bundle import packed
from ....engine.pool import NO_OWNER
from ....engine.props import FoodPool
from ....engine.spatial_hash import hash_points
from ....engine.threads import CREATURES_PER_THREAD, ThreadsFor
from ...brain.mode_registry import Wish
from ...spatial_index.index import SpatialIndex
from .forage_kernel import forage
from .trail_grid import Trails

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.spatial_hash import SpatialHash
    from ....engine.world import World

NEIGHBOUR_CELL = 3.0
"""Units: about as far as a worker looks for others."""


class ForageScene(NamedTuple):
    """What ants look at in one tick. Read-only for kernels."""

    doors: Array  # rows of all entrances
    food_rows: Array
    food_hash: SpatialHash
    herd: Array  # creature rows by item of the next hash
    herd_hash: SpatialHash  # where the others are; finer than that of the index, whose cells are as large as a centipede
    trails: Array
    frame: Array
    own_speed: Array  # of the ants that are asked, u/s


class ForageMode:
    """Sends ants to food, along trails and home."""

    def __init__(self, world: World) -> None:
        self.world, self.creatures = world, world.creature_pool
        self.colonies, self.nests, self.food = world.pool(ColonyPool), world.pool(NestPool), world.pool(FoodPool)
        self.trunks, self.heads, self.antennae = world.pool(TrunkPool), world.pool(HeadCommandPool), world.pool(AntennaPool)
        self.brains, self.index, self.trails = world.pool(BrainPool), world.resource(SpatialIndex), world.resource(Trails)

    def is_on(self) -> bool:
        """Whether there are any animals with a colony."""
        return len(self.colonies.spans) > 0

    def decide(self, _brain: object, rows: Array) -> Wish:
        """Where those of the rows walk that have a nest."""
        wants = (self.colonies.owner[rows] != NO_OWNER) & (self.colonies.nest[rows] != NO_NEST)
        chosen = np.ascontiguousarray(rows[wants])
        wish = np.zeros((rows.size, 2))
        if chosen.size:
            found = np.zeros((chosen.size, 2))
            with ThreadsFor(chosen.size, CREATURES_PER_THREAD, most=self.world.threads):
                forage(chosen, self.creatures, self.trunks, self.heads, self.antennae,
                       self.colonies, self.nests, self.food, self._scene(chosen), found,
                       self.world.clock.tick_seconds)  # fmt: skip
            wish[wants] = found
        return Wish(wants, wish[:, 0], wish[:, 1])

    def _scene(self, rows: Array) -> ForageScene:
        index, doors = self.index, np.ascontiguousarray(self.nests.spans[:, 0])
        others = hash_points(self.creatures.position[index.herd], NEIGHBOUR_CELL)
        return packed(ForageScene(doors, index.food_rows, index.food_hash, index.herd, others, self.trails.field,
                                  self.trails.frame, self.brains.parameters[rows, Brain.SPEED]))  # fmt: skip
