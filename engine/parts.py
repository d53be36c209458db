"""Parts: what a creature can have. A part is a table in the species file, rows in a pool, and a handle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from .creature import CreaturePool
from .errors import PluginError, suggest
from .pool import Pool, Rows

if TYPE_CHECKING:
    from .creature import Creature
    from .families import Family
    from .species import Species
    from .world import World

Kind = TypeVar("Kind")


class SpecProblem(Exception):
    """Raised by a spec's ``check`` when keys contradict each other; the loader adds file and table."""

    def __init__(self, key: str, value: Any, allowed: str) -> None:
        super().__init__(key, value, allowed)
        self.key, self.value, self.allowed = key, value, allowed


@dataclass
class Birth:
    """Everything a part may look at while it fills the rows of one new creature."""

    world: World
    serial: int
    species: Species
    at: npt.NDArray[np.float64]  # (3,); on the ground unless `in_air`
    in_air: bool  # the caller gave a height
    heading: float
    tier: str
    rows: dict[str, Rows]

    def spec(self, part: str, kind: type[Kind]) -> Kind:
        """The species' spec of a part, typed."""
        spec = self.species.specs[part]
        assert isinstance(spec, kind), f"{part} is {type(spec).__name__}, not {kind.__name__}"
        return spec

    def has(self, part: str) -> bool:
        """Whether the species has a part."""
        return part in self.rows

    @property
    def family(self) -> Family:
        """The family of the newborn."""
        return self.world.families[self.species.family]


Fill = Callable[[Birth, Any, Any, Rows], None]
"""fill(birth, spec, pool, rows): write the start values of the claimed rows."""

Renew = Callable[["Creature", Any, Any, Rows], None]
"""renew(creature, spec, pool, rows): write what follows from the species into the fixed columns, as a birth does."""


@dataclass(frozen=True)
class Part:
    """One registered part: the table name, the spec read from it, its pool, its handle and how rows are filled."""

    name: str
    spec: type
    pool: type[Pool]
    handle: Callable[[Any, Rows], Any]
    fill: Fill
    required: bool = False
    repeated: bool = False
    """Written several times in a species file, ``[[links]]``; its spec is then a tuple of specs."""
    renew: Renew | None = None
    """Called for every creature that is loaded: a save tells what has happened to it, its species what it is."""
    mod: str | None = None
    """Which mod brought it; None for the package itself."""
    beside: str | None = None
    """The part whose rows it has too, if its pool is beside the pool of that one: ``creature`` for aligned pools."""

    def place(self, rows: Mapping[str, Rows]) -> int | None:
        """Where its rows of a creature have to begin, given the rows of the parts before it; None: anywhere."""
        return None if self.beside is None else rows[self.beside].start


def part_of(parts: Mapping[str, Part], pool: str) -> str:
    """The part whose rows are in the pool of this name."""
    if pool == CreaturePool.__name__:
        return "creature"
    for part in parts.values():
        if part.pool.__name__ == pool:
            return part.name
    raise PluginError(f"no part has its rows in {pool}; {suggest(pool, [part.pool.__name__ for part in parts.values()])}")
