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
FULL = 20
"""So many without room one after the other, and the rest of the group stands where it may: looking on would take minutes."""
CLOSEST = 0.92
"""Of both radii: so near do two of a group come."""
SMALLEST, LARGEST = 0.75, 1.25
"""Of the radius that a map says."""
REED_DEPTH = 0.8
"""Units of water in which reed still grows; it also grows so far above it."""


def grow_group(world: World, group: Corals | Lilies | Reeds) -> None:
    """Let all of a group grow where there is room."""
    stream, without_room = world.streams[STREAM], 0
    for place in range(group.count):
        radius = group.radius * float(stream.uniform(SMALLEST, LARGEST)) if group.count > 1 else group.radius
        allowed = _at_shore(world) if isinstance(group, Reeds) else _on_bed(world, radius)
        kind = "reed"
        if isinstance(group, Lilies):
            kind = "lotus" if stream.random() < group.flowers else "lily"
        at, room = _free_place(world, group, radius, allowed, isinstance(group, Corals), without_room < FULL)
        without_room = 0 if room else without_room + 1
        if isinstance(group, Corals):
            seed = group.seed + place if group.seed else None
            world.add_coral(group.kind, at, radius, colour=group.colour or None, seed=seed)
        else:
            world.add_plant(kind, at, radius)


def _free_place(
    world: World, group: Any, radius: float, allowed: Callable[[Array], bool], on_bed: bool, apart: bool
) -> tuple[Array, bool]:
    """A place of the group that is allowed, away from all others of its kind of place if there is room, and whether it is.

    apart: look for such a one; otherwise the first that is allowed is taken.
    """
    rows, found, widest = growth_rows(world), None, -math.inf
    others = rows[(rows[:, KIND] < len(CORALS)) == on_bed]
    for _ in range(TRIES if group.spread else 1):
        at = np.asarray(scattered(world.streams, group.at, group.spread), dtype=np.float64)
        if not allowed(at):
            continue
        gaps = np.hypot(others[:, X] - at[0], others[:, Y] - at[1]) - CLOSEST * (others[:, RADIUS] + radius)
        gap = float(gaps.min(initial=math.inf))
        if gap > widest:
            found, widest = at, gap
        if gap > 0.0 or not apart:
            break
    if found is None:
        raise PlaceTakenError(f"({group.at[0]:g}, {group.at[1]:g}): there is no place for it in the water here")
    return found, widest > 0.0


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
