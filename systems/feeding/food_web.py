"""The food web: which species eat which. Derived from the diets of those that live, so nothing of it is saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ...components.diet import DietSpec
    from ...engine.pool import Array
    from ...engine.world import World

NO_TIE, EATS, EATEN_BY, KIN = range(4)
"""Values of the table; of two that would eat each other the one that is asked about eats."""


class FoodWeb:
    """The table of one world: ``world.resource(FoodWeb).table()[kind, other kind]``."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._version = -1
        self._table: Array = np.zeros((0, 0), np.int8)

    def table(self) -> Array:
        """(kinds, kinds) int8, made anew after a birth or a death; empty while nothing that lives eats anything else."""
        version = self._world.creature_pool.version
        if version != self._version:
            self._table, self._version = self._made(), version
        return self._table

    def _made(self) -> Array:
        species = {creature.species.key: creature.species for creature in self._world.creatures.values()}
        prey = {key: self._prey_of(kind.specs.get("diet")) for key, kind in species.items()}
        if not any(names & {*species, *(other.family for other in species.values())} for names in prey.values()):
            return np.zeros((0, 0), np.int8)
        count, number = len(self._world.kinds), self._world.kinds.number
        table = np.full((count, count), NO_TIE, np.int8)
        for key in species:
            table[number(key), number(key)] = KIN
            for other, kind in species.items():
                if other != key and {other, kind.family} & prey[key]:
                    table[number(key), number(other)] = EATS
                    if table[number(other), number(key)] == NO_TIE:
                        table[number(other), number(key)] = EATEN_BY
        return table

    def _prey_of(self, diet: DietSpec | None) -> set[str]:
        """The species and families that a diet names."""
        known = self._world.props.food_kinds
        return {name for name in diet.eats if known.find(name) < 0} if diet is not None else set()
