"""SensorSystem: antennae feel about, touch and smell; heads look how far the way is free; swimmers see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.antennae import MOST_LINKS, AntennaPool
from ...components.body import BodyPool
from ...components.brain import BrainPool
from ...components.head_command import HeadCommandPool
from ...components.segments import SegmentPool
from ...components.vision import OUT_OF_SIGHT, VisionPool
from ...engine.props import FoodPool
from ..row_selection import in_turns, living_rows
from ..spatial_index.index import SpatialIndex
from .antenna_kernel import move_antennae
from .clearance_kernel import look_ahead
from .food_kernel import smell_food
from .touch_kernel import touch_antennae
from .vision_kernel import look_about

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World

NO_STEEP_GROUND = np.zeros((0, 2, MOST_LINKS + 1, 4))
"""Antennae feel obstacles and bodies; steep ground is climbed, not avoided."""


LOOK_TICKS = 4
"""Ticks between two looks of one pair of eyes: 15 per second, several per beat; swimmers take turns."""


class SensorSystem:
    """Update antennae, contacts, smells and free paths."""

    def __init__(self, world: World) -> None:
        self.antennae, self.body = world.pool(AntennaPool), world.pool(BodyPool)
        self.segments, self.food = world.pool(SegmentPool), world.pool(FoodPool)
        self.around = world.resource(SpatialIndex)
        self.vision, self.brain, self.head = world.pool(VisionPool), world.pool(BrainPool), world.pool(HeadCommandPool)
        self.world, self.creatures = world, world.creature_pool

    def process(self, dt: float) -> None:
        self.around.refresh()
        for rows, ticks in in_turns(living_rows(self.antennae, self.creatures), self.creatures.tier, self.world.tick):
            self._sense(rows, ticks * dt)
        self._look(living_rows(self.vision, self.creatures))

    def _look(self, rows: Array) -> None:
        """Eyes serve in the water only: on land the antennae are the better guide. [Fang15 5.5]"""
        turn = rows[rows % LOOK_TICKS == self.world.tick % LOOK_TICKS] if rows.size else rows
        if not turn.size:
            return
        v, s, around = self.vision, self.segments, self.around
        v.food[turn] = v.alert[turn] = OUT_OF_SIGHT
        afloat = np.ascontiguousarray(turn[self.brain.afloat[turn] != 0])
        look_about(afloat, v.parameters, s.position, s.orientation, self.body.first_segment,
                   self.food.position[around.food_rows], self.food.amount[around.food_rows], around.food_hash,
                   around.solids, around.solid_hash, around.bodies, around.body_hash, around.bounds,
                   self.world.water.arrays, v.food, v.alert)  # fmt: skip

    def _sense(self, rows: Array, dt: float) -> None:
        a, s, around, first = self.antennae, self.segments, self.around, self.body.first_segment
        move_antennae(rows, a.parameters, s.position, s.orientation, first, a.angles, a.target, a.phase, a.retracting,
                      a.stream, a.points, dt)  # fmt: skip
        touch_antennae(rows, a.parameters, s.position, s.orientation, first, a.points, around.solids, around.solid_hash,
                       around.bodies, around.body_hash, around.bounds, NO_STEEP_GROUND, a.angles, a.target, a.retracting,
                       a.contact, a.contact_time, a.contact_normal, a.contact_owner, dt)  # fmt: skip
        # Bodies are climbed over, so only what stands fast closes the way.
        look_ahead(rows, a.parameters, s.position, s.orientation, first, around.solids, around.solid_hash,
                   around.nothing, around.nothing_hash, around.bounds, a.free_path, a.barrier, self.head.way)  # fmt: skip
        amount = self.food.amount[around.food_rows]
        smell_food(rows, a.parameters, a.points, self.food.position[around.food_rows], amount, amount, around.food_hash,
                   a.smell)  # fmt: skip
