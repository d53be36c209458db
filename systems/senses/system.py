"""SensorSystem: antennae feel about, touch and smell; heads look how far the way is free; swimmers see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...components.antennae import AntennaPool
from ...components.body import BodyPool
from ...components.brain import BrainPool
from ...components.head_command import HeadCommandPool
from ...components.segments import SegmentPool
from ...components.vision import VisionPool
from ...engine.bundle import repacked
from ...engine.props import FoodPool
from ..row_selection import in_turns, living_rows
from ..spatial_index.index import Herd, SpatialIndex
from .sense_kernel import sense
from .vision_kernel import look_about

if TYPE_CHECKING:
    from ...engine.world import World

LOOK_TICKS = 4
"""Ticks between two looks of one pair of eyes: 15 per second, several per beat; swimmers take turns."""


class SensorSystem:
    """Update antennae, contacts, smells, free paths and what eyes see."""

    def __init__(self, world: World) -> None:
        self.world, self.creatures, self.index = world, world.creature_pool, world.resource(SpatialIndex)
        self.bodies, self.segments, self.heads = world.pool(BodyPool), world.pool(SegmentPool), world.pool(HeadCommandPool)
        self.antennae, self.eyes, self.brains = world.pool(AntennaPool), world.pool(VisionPool), world.pool(BrainPool)
        self.food = world.pool(FoodPool)
        self._packed: Herd | None = None

    def process(self, dt: float) -> None:
        everybody = living_rows(self.antennae, self.creatures)
        for rows, ticks in in_turns(everybody, self.creatures.tier, self.world.tick) if everybody.size else ():
            sense(rows, self.bodies, self.segments, self.heads, self.antennae,
                  self.food, self.index.around, ticks * dt)  # fmt: skip
        rows = living_rows(self.eyes, self.creatures)
        rows = rows[rows % LOOK_TICKS == self.world.tick % LOOK_TICKS] if rows.size else rows
        if rows.size:
            look_about(rows, self.bodies, self.segments, self.brains, self.eyes,
                       self.food, self.index.around, self.world.water.arrays,
                       self.creatures, self._herd())  # fmt: skip

    def _herd(self) -> Herd:
        """All bodies of this tick, for those who look."""
        self._packed = repacked(self._packed, Herd(self.index.herd, self.index.herd_hash))
        return self._packed
