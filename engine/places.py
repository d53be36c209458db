"""Places: points on the ground, points spread over a disc, and whether a disc touches a body."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import arguments
from .errors import MapError, PlaceTakenError, SpawnError, SpeciesError
from .pool import Array
from .rng import Streams
from .roles import Capsules
from .terrain import Terrain
from .terrain.drop_kernel import highest_surface
from .terrain.ground_kernel import NO_FLOOR, ground_elevation

if TYPE_CHECKING:
    from .maps import Inhabitants
    from .world import World

Point = Sequence[float] | npt.NDArray[Any]

PLACE_TRIES = 64
"""Places drawn for each member of a spread group before it counts as having no room."""

FARTHEST = 1e6
"""Units; no place in a world is farther from its middle."""

HIGHEST_SPAWN = 1000.0
"""Units; where the search for ground begins on maps without a floor, such as a ball to walk around."""


def point_on_ground(terrain: Terrain, at: Point, name: str = "at", error: arguments.Error = SpawnError) -> Array:
    """(x, y) or (x, y, z) as a finite (3,) point; without z the ground's own height is taken. Errors call it by `name`."""
    point = arguments.vector(name, at, largest=FARTHEST, error=error)
    if point.size == 3:
        return point
    x, y = point.tolist()
    elevation = ground_elevation(terrain.ground, x, y)
    if elevation <= NO_FLOOR:  # no floor here: what a drop of rain would hit
        elevation = highest_surface(terrain.ground, x, y, HIGHEST_SPAWN)
        if elevation <= NO_FLOOR:
            raise PlaceTakenError(f"{name} = ({x:g}, {y:g}): there is no ground below this point")
    return np.array([x, y, elevation])


def scattered(streams: Streams, at: Point, spread: float) -> Point:
    """A point of the disc of radius `spread` around a place, all equally likely; the place itself without a spread."""
    if not spread:
        return at
    point = np.asarray(at, dtype=np.float64)
    stream = streams["spawn"]
    radius = spread * math.sqrt(stream.random())
    angle = stream.uniform(-math.pi, math.pi)
    offset = np.array([radius * math.cos(angle), radius * math.sin(angle), 0.0])
    return np.asarray(point + offset[: point.size])


def populate(world: World) -> None:
    """Put everything into a world that its map starts with."""
    for place, things in enumerate(world.map.obstacles):
        with _told_by_map(world, f"obstacles {place + 1}", "at_u", things.at):
            for at in _places_on_map(world, things.at, things.spread, things.count):
                world.add_obstacle(things.kind, at, things.radius, size=things.size, height=things.height,
                                   heading=things.heading)  # fmt: skip
    for place, food in enumerate(world.map.food):
        with _told_by_map(world, f"food {place + 1}", "at_u", food.at):
            for at in _places_on_map(world, food.at, food.spread, food.count):
                world.add_food(at, food.amount)
    for place, patch in enumerate(world.map.plankton):
        with _told_by_map(world, f"plankton {place + 1}", "at_u", patch.at):
            world.add_plankton(patch.count, patch.at, patch.spread, patch.box, patch.depth, patch.amount, patch.regrow)
    for place, weed in enumerate(world.map.seaweed):
        with _told_by_map(world, f"seaweed {place + 1}", "at_u", weed.at):
            world.add_seaweed(weed.at, weed.clusters, weed.leaves, weed.height, weed.spread)
    for place, vent in enumerate(world.map.bubbles):
        with _told_by_map(world, f"bubbles {place + 1}", "at_u", vent.at):
            world.add_bubbles(vent.at, vent.count, vent.spread, vent.rise, vent.size)
    if world.map.corals or world.map.lilies or world.map.reeds:
        from .growth_groups import grow_all

        grow_all(world, _told_by_map)
    wind = world.map.wind
    if wind.strength:
        world.set_wind(wind.direction, wind.strength, wind.gusts, wind.period)
    for place, nest in enumerate(world.map.nests):
        with _told_by_map(world, f"nests {place + 1}", "at_u", nest.at):
            world.add_nest(nest.at, nest.entrances, nest.spread, nest.radius)
    for place, group in enumerate(world.map.creatures):
        table = f"creatures {place + 1}"
        with _told_by_map(world, table, "species", group.species):
            world.species[group.species]
        with _told_by_map(world, table, "at_u", group.at):
            at = _start_of(world, group)
            world.spawn(group.species, at, group.heading, count=group.count, spread=group.spread, tier=group.tier)


def _start_of(world: World, group: Inhabitants) -> Point:
    """Where a group starts: (x, y), or with an elevation that the map gives itself or as a depth below the water."""
    if math.isnan(group.depth):
        return group.at
    if len(group.at) == 3:
        raise SpawnError(f"depth_u = {group.depth:g}: allowed is either a depth or an at_u of three numbers")
    surface = float(world.water.surface([group.at])[0])
    if math.isnan(surface):
        raise SpawnError(f"depth_u = {group.depth:g}: allowed is a place in the water")
    return (*group.at, surface - group.depth)


@contextmanager
def _told_by_map(world: World, table: str, key: str, value: Any) -> Iterator[None]:
    """What cannot be put into the world is a mistake of its map, and named as such."""
    try:
        yield
    except (SpawnError, SpeciesError) as problem:
        raise MapError(world.map.file, table, key, value, f"what fits into this world: {problem}") from problem


def require_on_map(world: World, at: Point, what: str) -> Array:
    """`point_on_ground`, or an error when the place is beyond the map's edge."""
    point = point_on_ground(world.terrain, at)
    west, south, east, north = world.map.area.bounds
    if not (west <= point[0] <= east and south <= point[1] <= north):
        raise PlaceTakenError(
            f"{what} at ({point[0]:g}, {point[1]:g}) is off the map {world.map.name!r}: "
            f"allowed is x from {west:g} to {east:g} and y from {south:g} to {north:g}"
        )
    return point


def touches(body: Capsules, center: Array, radius: float) -> bool:
    """Whether a disc touches one of the capsules of a body in plan view."""
    start, along = body.start[:, :2], (body.end - body.start)[:, :2]
    offset = center - start
    length_squared = np.maximum((along**2).sum(axis=1), np.finfo(np.float64).tiny)  # two points may coincide
    share = np.clip((offset * along).sum(axis=1) / length_squared, 0.0, 1.0)
    gap = offset - share[:, None] * along
    return bool((np.hypot(gap[:, 0], gap[:, 1]) <= body.radius + radius).any())


def _places_on_map(world: World, at: Point, spread: float, count: int) -> Iterator[Point]:
    west, south, east, north = world.map.area.bounds
    for _ in range(count):
        place = scattered(world.streams, at, spread)
        for _ in range(PLACE_TRIES):
            if not spread or (west <= place[0] <= east and south <= place[1] <= north):
                break
            place = scattered(world.streams, at, spread)
        yield place
