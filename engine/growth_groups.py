"""Groups of growths that a map starts with: places that are free and wet, sizes that differ."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import PlaceTakenError
from .growth_tables import Corals, Lilies, Reeds
from .growths import COLOUR, CORALS, KIND, RADIUS, STREAM, X, Y, growth_rows
from .places import scattered

if TYPE_CHECKING:
    from .pool import Array
    from .world import World

TRIES = 60
"""For the place of one of them; after that it may touch others."""
CLOSEST = 0.92
"""Of both radii: so near do two of a group come."""
SMALLEST, LARGEST = 0.75, 1.25
"""Of the radius that a map says."""
REED_DEPTH = 0.8
"""Units of water in which reed still grows; it also grows so far above it."""


def grow_group(world: World, group: Corals | Lilies | Reeds) -> None:
    """Let all of a group grow where there is room."""
    stream = world.streams[STREAM]
    for place in range(group.count):
        radius = group.radius * float(stream.uniform(SMALLEST, LARGEST)) if group.count > 1 else group.radius
        if isinstance(group, Corals):
            at = _free_place(world, group, radius, _on_bed(world, radius), group.kind in CORALS)
            seed = group.seed + place if group.seed else None
            world.add_coral(group.kind, at, radius, colour=group.colour or None, seed=seed)
        elif isinstance(group, Lilies):
            kind = "lotus" if stream.random() < group.flowers else "lily"
            world.add_plant(kind, _free_place(world, group, radius, _on_bed(world, radius), False), radius)
        else:
            world.add_plant("reed", _free_place(world, group, radius, _at_shore(world), False), radius)


def _free_place(world: World, group: Any, radius: float, allowed: Callable[[Array], bool], on_bed: bool) -> Array:
    """A place of the group that is allowed, and away from all others of its kind of place if there is one."""
    rows, found = growth_rows(world), None
    others = rows[(rows[:, KIND] < len(CORALS)) == on_bed]
    for _ in range(TRIES if group.spread else 1):
        at = np.asarray(scattered(world.streams, group.at, group.spread), dtype=np.float64)
        if not allowed(at):
            continue
        found = at if found is None else found
        gap = np.hypot(others[:, X] - at[0], others[:, Y] - at[1]) - CLOSEST * (others[:, RADIUS] + radius)
        if not len(gap) or gap.min() > 0.0:
            return at
    if found is None:
        raise PlaceTakenError(f"({group.at[0]:g}, {group.at[1]:g}): there is no place for it in the water here")
    return found


def _on_bed(world: World, radius: float) -> Callable[[Array], bool]:
    """Whether a place lies in the water, and on the map."""
    west, south, east, north = world.map.area.bounds

    def allowed(at: Array) -> bool:
        if not (west <= at[0] <= east and south <= at[1] <= north):
            return False
        angles = np.arange(4) * (0.5 * math.pi)
        around = at + 0.5 * radius * np.column_stack([np.cos(angles), np.sin(angles)])
        return bool((world.water.depth(np.vstack([at[None], around])) > 0.0).all())

    return allowed


def _at_shore(world: World) -> Callable[[Array], bool]:
    """Whether a place lies in shallow water, or just above it."""
    west, south, east, north = world.map.area.bounds

    def allowed(at: Array) -> bool:
        if not (west <= at[0] <= east and south <= at[1] <= north):
            return False
        grids = world.water.grids
        if not grids:
            return True
        ground = float(world.terrain.height([at])[0])
        return any(abs(ground - grid.level) < REED_DEPTH for grid in grids)

    return allowed


def grow_all(world: World, told: Callable[[World, str, str, Any], Any]) -> None:
    """All groups of a map; `told` names the table of one that does not fit."""
    for name in ("corals", "lilies", "reeds"):
        for place, group in enumerate(getattr(world.map, name)):
            colour = getattr(group, "colour", "")
            key, value = ("colour", colour) if colour and not COLOUR.fullmatch(colour) else ("at_u", group.at)
            with told(world, f"{name} {place + 1}", key, value):
                grow_group(world, group)
