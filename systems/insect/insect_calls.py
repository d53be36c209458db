"""What a game can do with insects beside what it can do with all animals: nests, loads, and what they hold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...components.insect.colony import ColonyPool, NestPool
from ...components.insect.tripods import LEFT_TRIPOD, RIGHT_TRIPOD, TripodPool
from ...components.insect.trunk import TrunkPool
from ...components.legs import LegPool
from ...engine import arguments
from ...engine.errors import PaludariumError
from ...engine.growths import HEIGHT, KIND, RADIUS, ROW_FIELDS, SEED, X, Z
from ...engine.pool import Array, Rows
from ...engine.props import Prop
from ..render.scene.seabed import NEST_MOUND

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.world import World
    from .colony.system import ColonySystem

MOST_ENTRANCES = 32
MOUND, RING = 2.7, 0.42
"""Radius and height of the earth around an entrance, in its radii, as it is drawn."""


@dataclass(frozen=True)
class Nest:
    """A nest with its entrances.

    Example::

        nest = world.add_nest((0, 0), entrances=3)
        world.step(3600)
        print(nest.stored, nest.loads)
    """

    pool: NestPool
    rows: tuple[Rows, ...]
    number: int

    @property
    def entrances(self) -> Array:
        """(n, 3) where they are."""
        return np.array([self.pool.view(row, "position")[0] for row in self.rows])

    @property
    def stored(self) -> float:
        """Amount of food that was brought here."""
        return float(sum(self.pool.view(row, "stored")[0] for row in self.rows))

    @property
    def loads(self) -> int:
        """Pieces that were brought here."""
        return int(sum(self.pool.view(row, "loads")[0] for row in self.rows))


def add_nest(world: World, at: Any, entrances: int = 1, spread: float = 2.5, radius: float = 0.8) -> Nest:
    """Dig a nest; ants that are born later belong to the nearest one. Several entrances lie on a ring around the place.

    Example::

        nest = world.add_nest((10, 4), entrances=3, spread=3)
    """
    count = arguments.whole("add_nest(entrances)", entrances, 1, MOST_ENTRANCES)
    spread = arguments.number("add_nest(spread)", spread, 0.0, 1000.0)
    radius = arguments.number("add_nest(radius)", radius, 0.01, 100.0)
    middle = world.require_on_map(at, "a nest")
    places = [middle]
    if count > 1:
        turns = [math.tau * place / count for place in range(count)]
        ring = [middle[:2] + spread * np.array([math.cos(turn), math.sin(turn)]) for turn in turns]
        places = [world.require_on_map(place, "an entrance") for place in ring]
    pool = world.pool(NestPool)
    number = int(pool.nest[pool.spans[:, 0]].max()) + 1 if len(pool.spans) else 0
    rows = []
    for place in places:
        row = pool.claim(1, owner=0)
        pool.position[row.start], pool.radius[row.start], pool.nest[row.start] = place, radius, number
        rows.append(row)
    colonies = world.pool(ColonyPool)
    strays = colonies.spans[:, 0]
    colonies.nest[strays[colonies.nest[strays] < 0]] = number
    return Nest(pool, tuple(rows), number)


def mound_rows(nests: NestPool) -> Array:
    """Entrances as the picture of the ground takes them: a hole in a ring of earth."""
    rows = np.zeros((len(nests.spans), ROW_FIELDS))
    if len(rows):
        rows[:, KIND], rows[:, X : Z + 1] = NEST_MOUND, nests.live("position")
        rows[:, RADIUS], rows[:, HEIGHT] = MOUND * nests.live("radius"), RING * nests.live("radius")
        rows[:, SEED] = 1 + 7 * nests.spans[:, 0]
    return rows


def carry(creature: Creature, prop: Prop) -> None:
    """Take a piece of food between the jaws and bring it home.

    Example::

        ant.carry(world.add_food((3, 4), amount=0.3))
    """
    row = _member(creature)
    if not isinstance(prop, Prop) or prop.pool is not creature.world.props.food or not prop.exists:
        raise PaludariumError(f"carry: {prop!r} is no piece of food of this world")
    drop(creature)
    _colony_of(creature).hold(row, prop.rows.start)


def drop(creature: Creature) -> None:
    """Open the jaws: what was held lies on the ground. Nothing happens to one that holds nothing."""
    row = _member(creature)
    _colony_of(creature).drop(row)


def stop(creature: Creature) -> None:
    """Stand still with all feet down, whatever it is about, until `go`: the sigma of the source. [Guo15 5.2.2]

    Example::

        ant.stop()
        world.step(60)
        ant.go()
    """
    creature.world.pool(TrunkPool).halted[_insect(creature, "be stopped")] = 1


def go(creature: Creature) -> None:
    """Go on with what it was about before `stop`. Nothing happens to one that was not stopped."""
    creature.world.pool(TrunkPool).halted[_insect(creature, "go")] = 0


def _insect(creature: Creature, what: str) -> int:
    if "trunk" not in creature.rows:
        raise PaludariumError(f"{creature.name} cannot {what}: allowed are insects")
    return creature.row


def _colony_of(creature: Creature) -> ColonySystem:
    return cast("ColonySystem", creature.world.schedule["ColonySystem"].system)


def _member(creature: Creature) -> int:
    if "colony" not in creature.rows or creature.dead:
        raise PaludariumError(f"{creature.name} carries nothing: allowed are living animals of a colony")
    return creature.row


def load_of(creature: Creature) -> float:
    """What it carries on its back and in its jaws, in its own masses."""
    if "trunk" not in creature.rows:
        return 0.0
    trunks, row = creature.world.pool(TrunkPool), creature.row
    return float(trunks.load[row] + trunks.jaw_load[row])


def set_load(creature: Creature, masses: float) -> None:
    """Put so many of its own masses on its back, up to the `strength` of its species."""
    trunks, row = creature.world.pool(TrunkPool), _insect(creature, "be loaded")
    trunks.load[row] = arguments.number("load", masses, 0.0, float(trunks.strength[row]))


def triangle_of(creature: Creature) -> Array | None:
    """(3, 3) fore, middle and hind foot of the tripod that stands; None for animals without tripods."""
    if "tripods" not in creature.rows:
        return None
    stands = creature.world.pool(TripodPool).stands[creature.row]
    left = stands[list(LEFT_TRIPOD)].sum() >= stands[list(RIGHT_TRIPOD)].sum()
    legs = LEFT_TRIPOD if left else RIGHT_TRIPOD
    feet: Array = creature.world.pool(LegPool).tip[creature.rows["legs"].start + np.array(legs)]
    return feet.copy()


def add_insect_calls(world: World) -> None:
    """Give worlds and creatures what is defined here."""
    world.add_call("add_nest", add_nest)
    nests = world.pool(NestPool)
    world.picture.add_growths(nests, lambda: mound_rows(nests))
    world.add_verb("carry", carry)
    world.add_verb("drop", drop)
    world.add_verb("stop", stop)
    world.add_verb("go", go)
    world.add_attribute("load", load_of, set_load)
    world.add_attribute("triangle", triangle_of)
