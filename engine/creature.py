"""A creature as the outside sees it: one entity, a few common columns, its parts as attributes, its verbs as methods."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np

from . import arguments
from .column_rules import FLAG, LONGEST, MOTION, ON_MAP, SERIAL, Codes, NameOf, Names, RowOf, Rule, Within
from .errors import PaludariumError, StaleHandleError, UnknownNameError, suggest
from .families import DEFAULT_FAMILY
from .gate import TICKING
from .pool import Array, MovedFrom, Pool, Rows, column
from .tiers import BUSH as BUSH
from .tiers import FOLLOW as FOLLOW
from .tiers import FULL as FULL
from .tiers import TIERS as TIERS
from .tiers import tier_index as tier_index

if TYPE_CHECKING:
    from .families import Family
    from .species import Species
    from .world import World

Kind = TypeVar("Kind")

LONGEST_NAME = 400
"""Characters of a creature's name."""
GOAL_KINDS = 7
"""How many kinds of orders there are; `GoalKind` names them."""


def _order(dtype: Any, *shape: int, name: str, fill: float = 0, holds: Rule | None = None) -> Any:
    """A column of the game's orders; they were the brain's own before."""
    return column(dtype, *shape, fill=fill, since=2, older=MovedFrom("BrainPool", name), holds=holds)


def _families(world: World) -> list[str]:
    return list(world.families) or [DEFAULT_FAMILY]


class CreaturePool(Pool):
    """One row per creature, whatever its family: what queries, cameras and games ask about first.

    The goal and drive columns are the orders of the game; every family obeys them in its own way.
    """

    format, single = 2, True

    position = column(np.float64, 3, holds=ON_MAP)
    velocity = column(np.float64, 3, holds=MOTION)
    heading = column(np.float64)
    reach = column(np.float64, holds=Within(0.0, LONGEST))  # no part is farther than this from `position`
    # nose to tail at rest
    length = column(np.float64, since=2, older=MovedFrom("CreaturePool", "reach"), fixed=True)
    tier = column(np.uint8, holds=Codes(len(TIERS)))
    faction = column(np.int32, holds=NameOf("FactionPool"))
    family = column(np.uint8, since=2, holds=Names(_families))  # number of the family, in the order of ``world.families``
    kind = column(np.int32, since=2, holds=NameOf("KindPool"))  # number of the species, see `Kinds`
    dead = column(np.uint8, since=2, older=MovedFrom("BodyPool", "dead"), holds=FLAG)  # a ragdoll: physics without control
    goal_kind = _order(np.uint8, name="goal_kind", holds=Codes(GOAL_KINDS))
    goal_position = _order(np.float64, 3, name="goal_position", holds=ON_MAP)
    # creature row of the one to follow or flee from
    goal_row = _order(np.int32, fill=-1, name="goal_row", holds=RowOf("CreaturePool", nobody=True))
    # its serial number: rows are used again, serials are not
    goal_serial = _order(np.int64, name="goal_serial", holds=SERIAL)
    goal_radius = _order(np.float64, fill=1.0, name="goal_radius")
    goal_speed = _order(np.float64, name="goal_speed")  # 0: the creature's own
    goal_done = _order(np.uint8, name="goal_done", holds=FLAG)
    drive = _order(np.float64, 3, name="drive")  # a player's speed, turn and climb


@dataclass(frozen=True, slots=True)
class Identity:
    """The esper component every creature has: ``world.creatures[identity.serial]`` is the creature itself.

    It names the creature instead of holding it: esper keeps components in module state, and a component that held
    its creature would keep a forgotten world alive for ever.
    """

    serial: int
    species: str


@dataclass(frozen=True)
class Attribute:
    """A property that a plugin adds to all creatures."""

    get: Callable[[Creature], Any]
    set: Callable[[Creature, Any], None] | None = None  # noqa: A003 - mirrors the words of `property`


class Creature:
    """A living thing in a world. Parts are attributes (``c.legs.state``), verbs are methods (``c.goto((3, 4))``).

    Arrays read from it are read-only views, valid until the next step. It does not keep its world: a game that drops a
    world gets its memory back even if it has kept some creatures, and these raise `StaleHandleError` then.

    Example::

        centipede = world.spawn("giant_centipede", at=(0, 0))
        world.step(60)
        print(centipede.position, centipede.segments.position.shape)
    """

    __slots__ = ("__weakref__", "entity", "name", "parts", "rows", "serial", "species", "world_ref")

    world_ref: weakref.ref[World]
    serial: int
    species: Species
    rows: dict[str, Rows]
    name: str
    parts: dict[str, Any]
    entity: int

    def __init__(self, world: World, serial: int, species: Species, rows: dict[str, Rows]) -> None:
        set_slot = object.__setattr__  # past our own __setattr__, which looks for what plugins have added
        set_slot(self, "world_ref", weakref.ref(world))
        set_slot(self, "serial", serial)
        set_slot(self, "species", species)
        set_slot(self, "rows", rows)
        set_slot(self, "name", f"{species.name} {serial}")
        set_slot(self, "parts", {})
        set_slot(self, "entity", 0)

    def __reduce__(self) -> NoReturn:
        raise PaludariumError(f"{self.name} is neither copied nor pickled: allowed is world.creatures[creature.serial]")

    def __repr__(self) -> str:
        return f"<{self.name}{'' if self.in_world else ', gone'}>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in Creature.__slots__:
            raise AttributeError(name)
        if name in self.parts:
            return self.parts[name]
        world = self.world
        if name in world.attributes:
            return world.attributes[name].get(self)
        if name in world.verbs:
            return self._verb(name)
        known = {*self.parts, *world.attributes, *world.verbs, "position", "heading", "velocity", "tier", "alive", "dead",
                 "in_world"}
        raise UnknownNameError(f"{self.name} has no part, attribute or verb {name!r}; {suggest(name, known)}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in Creature.__slots__:
            object.__setattr__(self, name, arguments.text("name", value, LONGEST_NAME) if name == "name" else value)
            return
        if self.world.recorder is not None:
            self.world.recorder(self, name, value)
        if name in ("tier", "faction"):
            object.__setattr__(self, name, value)
            return
        attribute = self.world.attributes.get(name)
        if attribute is None or attribute.set is None:
            raise UnknownNameError(f"{name!r} of a creature cannot be set; use its verbs")
        attribute.set(self, value)

    def __dir__(self) -> list[str]:
        world = self.world_ref()
        added = () if world is None else (*world.attributes, *world.verbs)
        return sorted({*super().__dir__(), *self.parts, *added})

    @property
    def world(self) -> World:
        """The world it was born in; raises `StaleHandleError` once the game has dropped that world."""
        world = self.world_ref()
        if world is None:
            raise StaleHandleError(f"{self.name}: its world is gone; keep the World as long as you use its creatures")
        return world

    @property
    def in_world(self) -> bool:
        """True until the creature has been removed from its world; a dead body is still there, see ``c.dead``.

        Example::

            if creature.in_world and not creature.dead:
                creature.goto((3, 4))
        """
        world = self.world_ref()
        return world is not None and world.creatures.get(self.serial) is self

    @property
    def alive(self) -> bool:
        """The older name of `in_world`: True for a dead body, too, while it lies in the world."""
        return self.in_world

    @property
    def row(self) -> int:
        """The creature's row in `CreaturePool`; raises `StaleHandleError` once it is gone."""
        return self._current.start

    @property
    def position(self) -> Array:
        """(3,) where its head is."""
        return self.world.creature_pool.view(self._current, "position")[0]

    @property
    def velocity(self) -> Array:
        """(3,) velocity of its head in u/s."""
        return self.world.creature_pool.view(self._current, "velocity")[0]

    @property
    def heading(self) -> float:
        """Radians, counter-clockwise from east, of the head."""
        return float(self.world.creature_pool.heading[self.row])

    @property
    def length(self) -> float:
        """Units from nose to tail at rest."""
        return float(self.world.creature_pool.length[self.row])

    @property
    def dead(self) -> bool:
        """True for a ragdoll: its body is still there, nothing moves it from within."""
        return bool(self.world.creature_pool.dead[self.row])

    @property
    def family(self) -> Family:
        """What kind of animal it is: how it is built, placed and moved."""
        return self.world.families[self.species.family]

    @property
    def doing(self) -> str:
        """One word for status lines: ``wander``, ``turn left``, ``dead``."""
        return "dead" if self.dead else self.family.doing(self)

    @property
    def tier(self) -> str:
        """``full``, ``bush`` or ``follow``; may be set at any time between ticks."""
        return TIERS[int(self.world.creature_pool.tier[self.row])]

    @tier.setter
    def tier(self, value: str) -> None:
        self.world.creature_pool.tier[self.row] = tier_index(value)

    @property
    def faction(self) -> str:
        """The name of its faction, "" for none; ``world.set_relation`` sets how two factions stand to each other."""
        return self.world.factions.name(int(self.world.creature_pool.faction[self.row]))

    @faction.setter
    def faction(self, value: str) -> None:
        row = self.row
        self.world.creature_pool.faction[row] = self.world.factions.number(arguments.text("faction", value))

    def part(self, kind: type[Kind]) -> Kind:
        """The handle of a part by its class, for code that wants static types."""
        for handle in self.parts.values():
            if isinstance(handle, kind):
                return handle
        raise PaludariumError(f"{self.name} has no {kind.__name__}")

    def distance_to(self, point: Any) -> float:
        """Plan-view distance from the head to a point or another creature."""
        target = point.position if isinstance(point, Creature) else arguments.vector("distance_to(point)", point)
        return math.hypot(float(target[0]) - self.position[0], float(target[1]) - self.position[1])

    def despawn(self) -> None:
        """Take the creature out of the world: at once between ticks, at the end of the tick during one."""
        self.world.despawn(self)

    @property
    def _current(self) -> Rows:
        if self.world.creatures.get(self.serial) is not self:
            raise StaleHandleError(f"{self.name} has left the world: this handle is stale")
        return self.rows["creature"]

    def _verb(self, name: str) -> Callable[..., Any]:
        """A verb as a method. It looks its world up when it is called: one that is kept keeps no world, either."""

        def call(*arguments: Any, **options: Any) -> Any:
            world = self.world
            return world.gate.run(f"creature.{name}", TICKING, partial(world.verbs[name], self, *arguments, **options))

        return call
