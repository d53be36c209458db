"""Families: what makes a fish a fish. A plugin hands the record in; the engine stores it and never looks inside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import PaludariumError, PluginError, suggest
from .pool import Array, Rows

if TYPE_CHECKING:
    from .creature import Creature
    from .parts import Birth
    from .species import Species
    from .world import World

DEFAULT_FAMILY = "myriapod"
"""What a species file without ``family = ...`` is: the files that were written before there were others."""

MOST_FAMILIES = 256
"""Their number is stored in one byte."""

Tables = dict[str, Any]
Systems = str | Callable[["World"], Any]
"""A plugin: a module's name, or a function ``build(world)``."""


def _nothing(*_arguments: Any) -> None:
    """What a family does that has nothing to do."""


def _none_bound(_world: World, rows: Array) -> Array:
    return np.zeros(len(rows), np.bool_)


def _cannot(_creature: Creature, _offset: Array) -> bool:
    return False


def _always(_creature: Creature) -> bool:
    return True


def _anywhere(_world: World, _species: Species, _at: Array, _heading: float) -> bool:
    return True


def _alive(_creature: Creature) -> str:
    return "alive"


@dataclass(frozen=True)
class Family:
    """Everything the shared code needs to know about one kind of body.

    Example::

        world.add_family(Family(
            "ball", tables=frozenset({"ball"}), required=frozenset({"ball"}), systems=build_ball_systems,
            complete=lambda tables: {**tables, "segments": {"count": 1}, "body": {}}, place=place_ball,
        ))
    """

    name: str
    """What ``family = "..."`` in a species file says."""
    tables: frozenset[str]
    """Tables that belong to this family alone."""
    required: frozenset[str]
    """Those without which no species of it can be."""
    systems: Systems | None = None
    """What is installed when the first of them is born; a plugin may also give it later, see `Families.add_systems`."""
    complete: Callable[[Tables], Tables] = dict
    """Adds the tables that follow from those in the file: ``[segments]``, ``[body]``."""
    place: Callable[[Birth, Any, Rows], None] = _nothing
    """Fills the segments of a newborn, or raises `PlaceTakenError`."""
    suits: Callable[[World, Species, Array, float], bool] = _anywhere
    """Whether one of a group that is spread may be born at a point with a heading, if there is room elsewhere."""
    stun: Callable[[Creature], None] = _nothing
    """Called when one is pushed or killed: it lets go of ground and goals."""
    release: Callable[[Creature], None] = _nothing
    """Called when the game gives one back its own will."""
    carry: Callable[[Creature, Array], bool] = _cannot
    """Moves one by an offset in the plan view, onto the ground and at rest; False where it cannot stand there."""
    bound: Callable[[World, Array], Array] = _none_bound
    """Per creature row, whether it cannot do without full detail now."""
    obeys: Callable[[Creature], bool] = _always
    """Whether there is anything in it that orders can be given to."""
    doing: Callable[[Creature], str] = _alive
    """One word for status lines."""
    places: tuple[int, int] | None = None
    """How many a game shows at full and at bush detail if it says nothing; None for those that `TierPolicy` gives."""


OTHERWISE: dict[str, Callable[..., Any]] = {
    "stun": _nothing, "release": _nothing, "carry": _cannot, "bound": _none_bound, "obeys": _always, "doing": _alive,
}  # fmt: skip
"""What is done instead of a mod's functions once one of them has raised."""


def _answered_for(world: World, mod: str, family: Family) -> Family:
    """A mod's family whose functions take the mod out when they raise, instead of the tick that calls them."""
    guarded: dict[str, Any] = {name: _safely(world, mod, family, name) for name in OTHERWISE}
    return replace(family, **guarded)


def _safely(world: World, mod: str, family: Family, name: str) -> Callable[..., Any]:
    function = getattr(family, name)

    def call(*arguments: Any) -> Any:
        if mod in world.mods.failed:
            return OTHERWISE[name](*arguments)
        try:
            return function(*arguments)
        except Exception as problem:
            if isinstance(problem, PaludariumError) and not world.stepping:
                raise  # it refuses what the game asked for
            from .plugins import disable

            disable(world, mod, f"{name} of family {family.name}", problem)
            return OTHERWISE[name](*arguments)

    return call


UNREGISTERED = Family(DEFAULT_FAMILY, frozenset(), frozenset())
"""What animals are in a world that was built without the package's own plugins: nothing but their parts."""


class Families:
    """The families of one world, numbered in the order in which they were added.

    Example::

        world.families["myriapod"].tables
        list(world.families)
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._known: dict[str, Family] = {}
        self._systems: dict[str, tuple[Systems, str | None]] = {}  # plugin, and the mod that answers for it
        self.loaded: set[str] = set()
        """Families whose systems are in the tick."""

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, name: object) -> bool:
        return name in self._known or name == DEFAULT_FAMILY

    def __getitem__(self, name: str) -> Family:
        if name == DEFAULT_FAMILY and name not in self._known:
            return UNREGISTERED
        if name not in self._known:
            raise PluginError(f"no family is called {name!r}; {suggest(name, self._known)}")
        return self._known[name]

    def add(self, family: Family) -> None:
        """Make a family known. Tables are global: none may belong to two families."""
        if family.name in self._known:
            raise PluginError(f"a family called {family.name!r} is already in this world")
        if len(self._known) == MOST_FAMILIES:
            raise PluginError(f"family {family.name!r}: a world holds at most {MOST_FAMILIES} families")
        for table in family.tables:
            if (other := self.owner_of(table)) is not None:
                raise PluginError(f"family {family.name!r}: [{table}] belongs to the family {other!r} already")
        mod = self._world.building
        self._known[family.name] = family if mod is None else _answered_for(self._world, mod, family)
        if family.systems is not None:
            self.add_systems(family.name, family.systems)

    def add_systems(self, name: str, plugin: Systems) -> None:
        """Say which plugin brings the systems of a family."""
        self._systems[self[name].name] = (plugin, self._world.building)

    def owner_of(self, table: str) -> str | None:
        """The family that a table of species files belongs to; None for tables that any animal may have."""
        return next((family.name for family in self._known.values() if table in family.tables), None)

    def number(self, name: str) -> int:
        """The value of the family column."""
        return list(self._known).index(self[name].name) if name in self._known else 0

    def require(self, name: str) -> None:
        """Load the family's systems into the tick, once."""
        if name in self.loaded:
            return
        self.loaded.add(self[name].name)
        if name not in self._systems:
            return
        from .plugins import build_as

        plugin, mod = self._systems[name]
        try:
            build_as(self._world, plugin, mod)
        except BaseException:
            self.loaded.discard(name)
            raise

    def forget(self, names: set[str]) -> None:
        """Make families unknown again: those of a mod whose ``build`` has failed."""
        for name in names:
            self._known.pop(name, None)
            self._systems.pop(name, None)
            self.loaded.discard(name)
