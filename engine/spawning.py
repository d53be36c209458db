"""Bringing creatures into a world: one, or a group of which either all find a place or none is there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import arguments, lifecycle
from .errors import PlaceTakenError, SpawnError
from .places import FARTHEST, PLACE_TRIES, Point, require_on_map, scattered
from .tiers import tier_name

if TYPE_CHECKING:
    from .creature import Creature
    from .world import World

MOST_AT_ONCE = 100_000
"""Creatures that one call may ask for, as many as a map file may."""


class Wanted(NamedTuple):
    """Who is to be born, and where."""

    species: str
    at: Point
    spread: float
    heading: float
    tier: str
    faction: str


def spawn(world: World, wanted: Wanted, count: int | None) -> Creature | list[Creature]:
    """One creature, or with `count` a list of them; if any of a group cannot be placed, none of it is.

    A call that is refused leaves no trace: no serial numbers, no random draws, no names, no events.
    """
    wanted = _checked(wanted)
    number = 1 if count is None else arguments.whole("count", count, 0, MOST_AT_ONCE, error=SpawnError)
    before = _Before(world)
    group: list[Creature] = []
    try:
        for _ in range(number):
            turned = wanted
            if count is not None and wanted.spread:
                turned = wanted._replace(heading=world.streams["spawn"].uniform(-math.pi, math.pi))
            group.append(_spawn_somewhere(world, turned))
    except BaseException:
        for creature in reversed(group):
            lifecycle.bury(world, creature)
        before.put_back(world)
        raise
    return group[0] if count is None else group


class _Before:
    """What a birth changes beside the rows of the newborn, to be put back if it fails."""

    def __init__(self, world: World) -> None:
        self.serial, self.streams, self.events = world.next_serial, world.streams.state(), len(world.events.queue)
        self.factions, self.kinds = len(world.factions), len(world.kinds)

    def put_back(self, world: World) -> None:
        world.next_serial = self.serial
        world.streams.rewind(self.streams)
        del world.events.queue[self.events :]
        world.factions.forget_since(self.factions)
        world.kinds.forget_since(self.kinds)


def _checked(wanted: Wanted) -> Wanted:
    """What was asked for, with every value of the kind it has to be."""
    def text(name: str, value: Any) -> str:
        return arguments.text(name, value, error=SpawnError)

    return wanted._replace(
        tier=tier_name(wanted.tier),
        at=arguments.vector("at", wanted.at, largest=FARTHEST, error=SpawnError),
        species=text("species", wanted.species), faction=text("faction", wanted.faction),
        spread=arguments.number("spread", wanted.spread, 0.0, FARTHEST, error=SpawnError),
        heading=arguments.number("heading", wanted.heading, error=SpawnError),
    )  # fmt: skip


def _spawn_somewhere(world: World, wanted: Wanted) -> Creature:
    """With a spread, places that are taken, or do not suit its kind, are drawn again."""
    for _ in range(PLACE_TRIES - 1 if wanted.spread else 0):
        place = scattered(world.streams, wanted.at, wanted.spread)
        if not _suits(world, wanted, place):
            continue
        try:
            return _spawn_at(world, wanted, place)
        except PlaceTakenError:
            continue
    return _spawn_at(world, wanted, scattered(world.streams, wanted.at, wanted.spread))


def _suits(world: World, wanted: Wanted, place: Point) -> bool:
    species = world.species[wanted.species]
    return world.families[species.family].suits(world, species, np.array(place, float), wanted.heading)


def _spawn_at(world: World, wanted: Wanted, at: Point) -> Creature:
    number = world.factions.number(wanted.faction) if wanted.faction else 0
    point = require_on_map(world, at, wanted.species)
    species = world.species[wanted.species]
    creature = lifecycle.give_birth(world, species, point, len(at) == 3, wanted.heading, wanted.tier)
    world.creature_pool.faction[creature.row] = number
    world.emit("born", creature)
    return creature
