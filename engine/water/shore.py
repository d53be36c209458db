"""Whether the land holds a pond: where it does not, water stands as behind glass, and a map has to say that it means it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .pond import Pond
from .pond_bed import rest_level

if TYPE_CHECKING:
    from ..terrain.terrain import Terrain

SIDES = ("west", "south", "east", "north")
"""In the order of bounds."""


class OpenSide(NamedTuple):
    """A side of a pond along which its surface is higher than the land beside it."""

    side: str
    rise: float  # units from the lowest land there up to the surface


def open_sides(pond: Pond, terrain: Terrain, area: tuple[float, float, float, float]) -> Iterable[OpenSide]:
    """The sides within the area at which neither land nor the end of the map holds the water.

    Example::

        list(open_sides(Pond(bounds=(-5, -5, 5, 5), level=1.0), Terrain.flat(), (-20, -20, 20, 20)))  # all four, by 1.0
    """
    level = rest_level(pond, terrain)
    for place, side in enumerate(SIDES):
        outward = 1.0 if place >= 2 else -1.0
        if outward * (area[place] - pond.bounds[place]) < pond.cell:
            continue  # the end of the map
        inside, outside = (terrain.elevation(_along(pond, place, outward * step * pond.cell)) for step in (-0.5, 0.5))
        land = outside[inside < level]
        if land.size and land.min() < level:
            yield OpenSide(side, level - float(land.min()))


def _along(pond: Pond, place: int, offset: float) -> np.ndarray:
    """Points (n, 2) a cell apart along one side, moved outward by an offset."""
    columns, rows = pond.size
    axis, count = (1, rows) if place % 2 == 0 else (0, columns)
    points = np.full((count, 2), pond.bounds[place] + offset)
    points[:, axis] = pond.bounds[axis] + (np.arange(count) + 0.5) * pond.cell
    return points
