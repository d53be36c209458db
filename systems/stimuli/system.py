"""StimulusSystem: what every head is drawn to or shrinks from; the brain mode `REACTION` does something about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.brain import BrainPool
from ...components.reactions import reaction_row
from ...engine.spatial_hash import hash_points
from ..feeding.food_web import FoodWeb
from ..row_selection import living_rows
from .attraction import Attraction
from .reaction_kernel import Ties, react
from .stimuli import Stimuli

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.species import Species
    from ...engine.world import World

CELL = 10.0
"""Units; animals see each other from about 15 units away."""


class StimulusSystem:
    """Update what every head is drawn to or shrinks from."""

    def __init__(self, world: World) -> None:
        self.world, self.stimuli = world, world.resource(Stimuli)
        self.creatures, self.brain = world.creature_pool, world.pool(BrainPool)
        self.food_web = world.resource(FoodWeb)
        self.attraction = world.resource(Attraction)
        self._rows_of: dict[str, tuple[Species, Array]] = {}
        self._table, self._version = np.zeros((0, 0)), (-1, -1)

    def process(self, dt: float) -> None:
        self.stimuli.age(dt)
        pool, relation = self.stimuli.pool, self.world.factions.table
        food_web = self.food_web.table()
        has_ties = bool((relation.size and relation.any()) or food_web.size)
        self.attraction.on = has_ties or bool(len(pool.spans))
        if not self.attraction.on:
            return
        rows, c = living_rows(self.brain, self.creatures), self.creatures
        self.attraction.make_room(c.capacity)
        everybody = np.ascontiguousarray(c.spans[:, 0] if has_ties else c.spans[:0, 0])
        hashed = hash_points(c.position[everybody], CELL)
        react(rows, self._reactions()[rows], c, Ties(relation, food_web, everybody), hashed, pool.live("position"),
              pool.live("kind"), pool.live("strength"), pool.live("radius"), self.attraction.aim,
              self.attraction.pull)  # fmt: skip

    def _reactions(self) -> Array:
        """Reaction rows by creature row, gathered anew after a birth, a death or a new kind."""
        version = (self.creatures.version, len(self.stimuli.kinds))
        if version != self._version:
            kinds = self.stimuli.kinds
            if version[1] != self._version[1]:
                self._rows_of.clear()
            self._table = np.zeros((self.creatures.capacity, reaction_row(None, kinds).size))
            for creature in self.world.creatures.values():
                key = creature.species.key
                known = self._rows_of.get(key)
                if known is None or known[0] is not creature.species:
                    known = (creature.species, reaction_row(creature.species.specs.get("reactions"), kinds))
                    self._rows_of[key] = known
                self._table[creature.row] = known[1]
            self._version = version
        return self._table
