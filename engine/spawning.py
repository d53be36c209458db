"""Bringing creatures into a world: one, or a group of which either all find a place or none is there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from . import lifecycle
from .errors import PlaceTakenError, SpawnError
from .places import PLACE_TRIES, Point, require_on_map, scattered

if TYPE_CHECKING:
    from .creature import Creature
    from .world import World


class Wanted(NamedTuple):
    """Who is to be born, and where."""

    species: str
    at: Point
    spread: float
    heading: float
    tier: str
    faction: str


def spawn(world: World, wanted: Wanted, count: int | None) -> Creature | list[Creature]:
    """One creature, or with `count` a list of them; if any of a group cannot be placed, none of it is."""
    if (count is not None and count < 0) or not 0.0 <= wanted.spread < math.inf:
        raise SpawnError(f"count = {count}, spread = {wanted.spread}: allowed are finite numbers, 0 or more")
    if count is None:
        return _spawn_somewhere(world, wanted)
    group: list[Creature] = []
    try:
        for _ in range(count):
            turn = world.streams["spawn"].uniform(-math.pi, math.pi) if wanted.spread else wanted.heading
            group.append(_spawn_somewhere(world, wanted._replace(heading=turn)))
    except BaseException:
        for creature in group:
            lifecycle.bury(world, creature)
        raise
    return group


def _spawn_somewhere(world: World, wanted: Wanted) -> Creature:
    """With a spread, places that are taken are drawn again."""
    for _ in range(PLACE_TRIES - 1 if wanted.spread else 0):
        try:
            return _spawn_at(world, wanted, scattered(world.streams, wanted.at, wanted.spread))
        except PlaceTakenError:
            continue
    return _spawn_at(world, wanted, scattered(world.streams, wanted.at, wanted.spread))


def _spawn_at(world: World, wanted: Wanted, at: Point) -> Creature:
    if not math.isfinite(wanted.heading):
        raise SpawnError(f"heading = {wanted.heading!r}: allowed is a finite angle in radians")
    number = world.factions.number(wanted.faction) if wanted.faction else 0
    point = require_on_map(world, at, wanted.species)
    species = world.species[wanted.species]
    creature = lifecycle.give_birth(world, species, point, len(at) == 3, wanted.heading, wanted.tier)
    world.creature_pool.faction[creature.row] = number
    world.emit("born", creature)
    return creature
