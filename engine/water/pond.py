"""A pond as plain data: the [[water]] tables of a map file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from ..errors import MapError
from ..spec import choice, flag, number, numbers, read_table
from .pond_layout import EDGE_KINDS
from .water_error import WaterError

DEFAULT_CELL = 0.4  # units, the spacing of the source's 200 x 200 grid [Fang15 App. B]
LEAST_CELLS = 3  # along each side: two edges and something between them
MOST_CELLS = 4_000_000  # of all ponds of a map; a pond of 2000 x 2000 cells holds 420 MB
MOST_PONDS = 100
LEAST_CELL = 0.01  # units
LARGEST_NUMBER = 1.0e6  # units; as for terrain, beyond it steps of a cell are lost in rounding
NOT_GIVEN = math.nan


@dataclass(frozen=True)
class Pond:
    """Still water before the world begins: where it is, how high it stands, what its edges do.

    Give either the level of the surface or the depth over the lowest ground in the bounds. Water fills every cell whose
    ground is lower than the level; the rest is shore.

    Example::

        Pond(bounds=(-10, -10, 10, 10), level=1.5, edge_west="absorbing", rain=20)
    """

    bounds: tuple[float, ...] = numbers(count=4, doc="west, south, east, north; in units")
    level: float = number(NOT_GIVEN, unit="u", low=-LARGEST_NUMBER, high=LARGEST_NUMBER, doc="elevation of the surface")
    depth: float = number(NOT_GIVEN, unit="u", low=0.0, high=LARGEST_NUMBER, above=True,
                          doc="instead of a level: water over the lowest ground")
    cell: float = number(DEFAULT_CELL, unit="u", low=LEAST_CELL, high=1000.0, doc="edge of a grid cell")
    edge_west: str = choice("reflecting", *EDGE_KINDS, doc="what waves do at this side")
    edge_east: str = choice("reflecting", *EDGE_KINDS, doc="what waves do at this side")
    edge_south: str = choice("reflecting", *EDGE_KINDS, doc="what waves do at this side")
    edge_north: str = choice("reflecting", *EDGE_KINDS, doc="what waves do at this side")
    rain: float = number(0.0, unit="per_s", low=0.0, high=10_000.0, doc="drops on the whole pond")
    level_hold: float = number(0.0, unit="per_s", low=0.0, high=100.0, doc="how fast the mean surface returns to the level")
    current: tuple[float, ...] = numbers((0.0, 0.0), count=2, unit="u_per_s", low=-20.0, high=20.0,
                                         doc="the water flows east and north so fast; along absorbing sides only")
    moving: bool = flag(False, doc="whether the grid follows a creature")

    def __post_init__(self) -> None:
        for item in fields(self):
            self._check(item.name, getattr(self, item.name), item.metadata["rule"])
        west, south, east, north = self.bounds
        if not (west < east and south < north):
            raise WaterError(f"bounds are {tuple(self.bounds)}; allowed is west < east and south < north")
        if math.isnan(self.level) == math.isnan(self.depth):
            raise WaterError("a pond needs either level_u or depth_u, and not both")
        columns, rows = self.size
        if min(columns, rows) < LEAST_CELLS or columns * rows > MOST_CELLS:
            raise WaterError(
                f"cell_u = {self.cell} makes {columns} x {rows} cells; "
                f"allowed are at least {LEAST_CELLS} per side and at most {MOST_CELLS} in all"
            )

    def _check(self, name: str, value: Any, rule: Any) -> None:
        if rule.kind == "choice" and value not in rule.options:
            raise WaterError(f"{name} is {value!r}; allowed is {rule.allowed}")
        if rule.kind == "numbers":
            if len(value) != rule.length or not all(abs(item) <= LARGEST_NUMBER for item in value):
                raise WaterError(f"{name} is {value!r}; allowed is {rule.allowed} up to {LARGEST_NUMBER:g}")
        if rule.kind == "number" and not (name in ("level", "depth") and math.isnan(value)):
            low_enough = value > rule.low if rule.above else value >= rule.low
            if not (low_enough and value <= rule.high):
                raise WaterError(f"{name} is {value!r}; allowed is {rule.allowed}")

    @property
    def size(self) -> tuple[int, int]:
        """Cells to the east and to the north; the last ones may reach beyond the bounds by less than a cell."""
        west, south, east, north = self.bounds
        across, along = (east - west) / self.cell, (north - south) / self.cell
        return math.ceil(across - ROUNDING), math.ceil(along - ROUNDING)


ROUNDING = 1.0e-9  # cells; 20 / 0.4 shall be 50 cells, however it rounds


def read_ponds(tables: Any, file: str) -> tuple[Pond, ...]:
    """The ponds of a map file; every problem is a `MapError` that names the table.

    Example::

        read_ponds([{"bounds": [-10, -10, 10, 10], "level_u": 1.5, "rain_per_s": 20}], "tide_pool.toml")
    """
    if not isinstance(tables, (list, tuple)):
        raise MapError(file, "water", "", tables, "a list of tables, written as [[water]]")
    if len(tables) > MOST_PONDS:
        raise MapError(file, "water", "", f"{len(tables)} ponds", f"at most {MOST_PONDS} of them")
    ponds = tuple(_read_pond(table, file, f"water {place + 1}") for place, table in enumerate(tables))
    cells = sum(math.prod(pond.size) for pond in ponds)
    if cells > MOST_CELLS:
        raise MapError(file, "water", "", f"{cells} cells in {len(ponds)} ponds", f"at most {MOST_CELLS} in all ponds")
    return ponds


def _read_pond(table: Any, file: str, name: str) -> Pond:
    try:
        return read_table(Pond, table, file, name, MapError)
    except WaterError as problem:
        shown = dict(table) if isinstance(table, Mapping) else table
        raise MapError(file, name, "", shown, str(problem)) from problem
