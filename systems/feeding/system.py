"""FeedingSystem: food and prey within reach of a mouth are eaten, and the game is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...components.diet import DietPool
from ...engine.pool import Rows
from ...engine.props import PLANKTON, FoodPool
from ..row_selection import living_rows
from ..spatial_index.index import SpatialIndex
from .eating_kernel import catch_prey, digest, eat_food, pick_eaters, swallow
from .food_web import FoodWeb

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.spatial_hash import SpatialHash
    from ...engine.world import World


class Food(NamedTuple):
    """All food that lies about, in the order of its hash. Read-only."""

    position: Array
    amount: Array
    kind: Array
    hashed: SpatialHash


class FeedingSystem:
    """Update amounts of food and meals, remove what is eaten up, emit ``ate``."""

    def __init__(self, world: World) -> None:
        self.world, self.creatures = world, world.creature_pool
        self.diet, self.food = world.pool(DietPool), world.pool(FoodPool)
        self.around, self.food_web = world.resource(SpatialIndex), world.resource(FoodWeb)

    def process(self, dt: float) -> None:
        rows = living_rows(self.diet, self.creatures)
        if not rows.size:
            return
        digest(rows, self.diet, dt)
        if self.around.food_rows.size:
            self._eat_food(rows, self.around.food_rows, self.around.food_hash)
        if self.world.props.drifting:
            self._eat_plankton(rows)
        food_web = self.food_web.table()
        if food_web.size:
            self._eat_prey(rows, food_web)

    def _eat_plankton(self, rows: Array) -> None:
        """What drifts in the water is looked up for those alone who eat such food, and have not eaten in this tick."""
        chosen = np.empty_like(rows)
        rows = chosen[: pick_eaters(rows, self.diet, PLANKTON, chosen)]
        if rows.size and self.around.adrift.rows.size:
            self._eat_food(rows, *self.around.adrift)

    def _eat_food(self, rows: Array, food_rows: Array, hashed: SpatialHash) -> None:
        pool = self.food
        food = Food(pool.position[food_rows], pool.amount[food_rows], pool.kind[food_rows], hashed)
        winner, left = np.empty(food_rows.size, np.int64), np.empty(food_rows.size)
        eat_food(rows, self.diet, self.creatures, food, winner, left)
        for item in np.flatnonzero(winner >= 0).tolist():
            row, eater = int(food_rows[item]), int(winner[item])
            pool.amount[row] = left[item]
            creature = self.world.creatures[int(self.diet.owner[eater])]
            self.world.emit("ate", creature, food=pool.position[row].tolist(), amount=float(food.amount[item] - left[item]),
                            left=float(left[item]))  # fmt: skip
            if left[item] <= 0.0:
                pool.release(Rows(row, row + 1, pool.generation_of(row)))
                self.world.props.changed = True

    def _eat_prey(self, rows: Array, food_web: Array) -> None:
        """Prey is swallowed whole: it dies, and leaves at the end of the tick."""
        caught = np.empty(rows.size, np.int64)
        catch_prey(rows, self.diet, self.creatures, food_web, self.around.bodies, self.around.body_hash, caught)
        taken: set[int] = set()
        for item in np.flatnonzero(caught >= 0).tolist():
            eater, prey = int(rows[item]), int(caught[item])
            if prey in taken or eater in taken:
                continue  # another creature was quicker, or it has just been eaten itself
            taken.add(prey)
            creature = self.world.creatures[int(self.creatures.owner[eater])]
            victim = self.world.creatures[int(self.creatures.owner[prey])]
            amount = float(self.creatures.length[prey])
            swallow(eater, amount, self.diet)
            self.world.emit("died", victim, cause="eaten", by=creature.serial)
            self.world.emit("ate", creature, food=victim.position.tolist(), amount=amount, left=0.0, prey=victim.name)
            victim.despawn()
