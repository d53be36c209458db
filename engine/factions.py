"""Factions: which creatures belong together, and their relations. Names for the game, small numbers for kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import arguments
from .column_rules import Codes, Text
from .errors import ArgumentError, PaludariumError, one_of
from .name_table import NameTable
from .pool import Array, Pool, column

if TYPE_CHECKING:
    from .world import World

MOST_FACTIONS = 64
"""Factions one world can hold; fixes the width of the table of relations."""
NAME_BYTES = 40
"""Longest name of a faction, in UTF-8."""

RELATIONS = ("neutral", "hostile", "allied")
"""What two factions can be to each other; the table holds the index."""
HOSTILE, ALLIED = RELATIONS.index("hostile"), RELATIONS.index("allied")

NO_FACTION = ""
"""The name behind number 0: creatures that are in no faction."""


class FactionPool(Pool):
    """One row per faction, in the order in which they were first named; row 0 stands for no faction."""

    single, packed, most_rows = True, True, MOST_FACTIONS

    name = column(np.uint8, NAME_BYTES, holds=Text())  # UTF-8, padded with zeros
    relation = column(np.int8, MOST_FACTIONS, holds=Codes(len(RELATIONS)))  # index into RELATIONS, by the other's row


class Factions:
    """The factions of one world. They are saved with it.

    Example::

        world.set_relation("red", "blue", "hostile")
        world.spawn("pauropod", faction="red")
    """

    def __init__(self, world: World) -> None:
        self._pool = world.add_pool(FactionPool)
        self._names = NameTable(self._pool, "faction")

    def __len__(self) -> int:
        return len(self._names)

    def number(self, name: str) -> int:
        """The number of a faction; a new name founds it."""
        if isinstance(name, str) and self.find(name) >= 0:
            return self.find(name)
        self._names.check(name)
        if len(self) == MOST_FACTIONS:
            raise PaludariumError(f"faction = {name!r}: a world holds at most {MOST_FACTIONS} factions")
        if not len(self):
            self._pool.claim(1, owner=0)  # the row of those without a faction
        return self._names.number(name)

    def find(self, name: str) -> int:
        """The number of a faction, or -1 if it has not been named yet."""
        return self._names.find(name) if name else 0

    def known(self, name: str) -> int:
        """The number of a faction that has been named, or an error."""
        number = self.find(arguments.text("faction", name))
        if number < 0:
            known = [self.name(row) for row in range(1, len(self))]
            raise ArgumentError(f"faction = {name!r}: allowed is {one_of(name, known)}; set_relation makes one known, too")
        return number

    def forget_since(self, count: int) -> None:
        """Make factions unknown again that were founded after so many."""
        self._names.forget_since(count)

    def name(self, number: int) -> str:
        """The name behind a value of the faction column."""
        return self._names.name(number) if number else NO_FACTION

    def set_relation(self, one: str, other: str, relation: str, *, both: bool = True) -> None:
        """Say what `other` is to `one`, and unless `both` is false also the other way round."""
        arguments.choice("relation", relation, RELATIONS)
        arguments.flag("both", both)
        for name in (one, other):
            self._names.check(name)
        if len({name for name in (one, other) if self.find(name) < 0}) + max(len(self), 1) > MOST_FACTIONS:
            raise PaludariumError(f"relation of {one!r} and {other!r}: a world holds at most {MOST_FACTIONS} factions")
        first, second = self.number(one), self.number(other)
        self._pool.relation[first, second] = RELATIONS.index(relation)
        if both:
            self._pool.relation[second, first] = RELATIONS.index(relation)

    def relation(self, one: str, other: str) -> str:
        """What `other` is to `one`: ``neutral``, ``hostile`` or ``allied``."""
        first, second = self.find(one), self.find(other)
        known = len(self) > 0 and min(first, second) >= 0
        return RELATIONS[int(self._pool.relation[first, second])] if known else RELATIONS[0]

    @property
    def table(self) -> Array:
        """(factions, MOST_FACTIONS) int8: ``table[a, b]`` is what b is to a, as an index into `RELATIONS`."""
        return self._pool.relation[: self._pool.end]
