"""FeedingSystem: food within reach of a head is eaten, and everybody who asked is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.antennae import AntennaPool
from ...components.body import BodyPool
from ...components.segments import SegmentPool
from ...engine.pool import Rows
from ...engine.props import FoodPool
from ..row_selection import living_rows
from ..senses.food_kernel import eat_food
from ..spatial_index.index import SpatialIndex

if TYPE_CHECKING:
    from ...engine.world import World


class FeedingSystem:
    """Update amounts of food, remove what is eaten up, emit ``ate``."""

    def __init__(self, world: World) -> None:
        self.world, self.creatures = world, world.creature_pool
        self.antennae, self.body = world.pool(AntennaPool), world.pool(BodyPool)
        self.segments, self.food = world.pool(SegmentPool), world.pool(FoodPool)
        self.around = world.resource(SpatialIndex)

    def process(self, dt: float) -> None:  # noqa: ARG002 - a system's signature
        food_rows = self.around.food_rows
        rows = living_rows(self.antennae, self.creatures)
        if not rows.size or not food_rows.size:
            return
        a, amount = self.antennae, self.food.amount[food_rows]
        winner = np.empty(food_rows.size, np.int64)
        eat_food(rows, a.parameters, self.segments.position, self.body.first_segment, self.food.position[food_rows],
                 amount, self.around.food_hash, winner, a.meal_food, a.meal)  # fmt: skip
        for item in np.flatnonzero(winner >= 0).tolist():
            row = int(food_rows[item])
            eater = int(winner[item])
            self.food.amount[row] = amount[item]
            creature = self.world.creatures[int(a.owner[eater])]
            self.world.emit("ate", creature, food=self.food.position[row].tolist(), amount=float(a.meal[eater]),
                            left=float(amount[item]))  # fmt: skip
            if amount[item] <= 0.0:
                self.food.release(Rows(row, row + 1, self.food.generation_of(row)))
                self.world.props.changed = True
