"""Spheres, cylinders and boxes to crawl over: plain frozen records, and the cells that find the nearest one fast."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .checks import (
    MOST_SHAPES,
    checked_bounds,
    checked_count,
    checked_number,
    checked_positive,
    checked_range,
    checked_seed,
    checked_vector,
)
from .ground_layout import BOX, CYLINDER, KIND_COLUMN, SHAPE_COLUMNS, SHAPE_FRAME, SPHERE
from .shape_cells_kernel import list_cells
from .terrain_error import TerrainError

Array = NDArray[np.float64]

CELLS_PER_SHAPE = 512  # finer cells shorten the lists, coarser ones fit the processor's cache
LARGEST_CELL_COUNT = 262_144
MOST_ENTRIES = 20_000_000  # of all cells' lists, 160 MB; only shapes that lie in one another need that many
MARGIN = 2.0  # units around the shapes that the cells cover: about where a creature's body and legs are
CYLINDER_STREAM = 2  # random stream of the seed, so that hills and logs of one seed differ


@dataclass(frozen=True)
class Sphere:
    """A ball: ``Sphere(center=(0, 0, 0), radius=15)``."""

    center: tuple[float, ...]
    radius: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", checked_vector(self.center, "sphere center"))
        object.__setattr__(self, "radius", checked_positive(self.radius, "sphere radius"))

    def row(self) -> Array:
        """The columns of the compiled query."""
        return _row(SPHERE, (*self.center, self.radius))

    def half_extents(self) -> Array:
        """Half the size of the upright box around it."""
        return np.full(3, self.radius)


@dataclass(frozen=True)
class Cylinder:
    """A log with flat ends, lying in any direction: ``Cylinder((0, 0, 0), axis=(1, 0, 0), length=3, radius=0.4)``."""

    center: tuple[float, ...]
    axis: tuple[float, ...]
    length: float
    radius: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", checked_vector(self.center, "cylinder center"))
        object.__setattr__(self, "axis", checked_vector(self.axis, "cylinder axis"))
        object.__setattr__(self, "length", checked_positive(self.length, "cylinder length"))
        object.__setattr__(self, "radius", checked_positive(self.radius, "cylinder radius"))
        if not 0.0 < np.linalg.norm(self.axis) < np.inf:
            raise TerrainError(f"cylinder axis is {self.axis}; allowed is any direction, not a zero vector")

    def row(self) -> Array:
        """The columns of the compiled query."""
        return _row(CYLINDER, (*self.center, *self._direction(), 0.5 * self.length, self.radius))

    def half_extents(self) -> Array:
        """Half the size of the upright box around it."""
        axis = self._direction()
        across = np.sqrt(np.maximum(1.0 - axis * axis, 0.0))
        return 0.5 * self.length * np.abs(axis) + self.radius * across

    def _direction(self) -> Array:
        axis = np.asarray(self.axis)
        return np.asarray(axis / np.linalg.norm(axis))


@dataclass(frozen=True)
class Box:
    """A block turned about the vertical: ``Box(center=(0, 0, 0.5), size=(2, 1, 1), yaw_deg=30)``."""

    center: tuple[float, ...]
    size: tuple[float, ...]
    yaw_deg: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", checked_vector(self.center, "box center"))
        object.__setattr__(self, "size", checked_vector(self.size, "box size"))
        object.__setattr__(self, "yaw_deg", checked_number(self.yaw_deg, "box yaw_deg"))
        if min(self.size) <= 0.0:
            raise TerrainError(f"box size is {self.size}; allowed are three numbers above 0")

    def row(self) -> Array:
        """The columns of the compiled query."""
        return _row(BOX, (*self.center, *(0.5 * side for side in self.size), *self._axes().ravel()))

    def half_extents(self) -> Array:
        """Half the size of the upright box around it."""
        return np.asarray(0.5 * np.asarray(self.size) @ np.abs(self._axes()))

    def _axes(self) -> Array:
        c, s = cos(radians(self.yaw_deg)), sin(radians(self.yaw_deg))
        return np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])


@dataclass(frozen=True)
class RandomCylinders:
    """``count`` logs lying at random in ``area`` (xmin, ymin, xmax, ymax), axes at height ``z``. [Fang15 Fig. 6.1]"""

    count: int
    area: tuple[float, ...]
    radius: tuple[float, ...] = (0.2, 0.6)
    length: tuple[float, ...] = (2.0, 6.0)
    z: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        checked_count(self.count, "count", most=MOST_SHAPES)
        object.__setattr__(self, "area", checked_bounds(self.area, "area"))
        object.__setattr__(self, "radius", checked_range(self.radius, "radius"))
        object.__setattr__(self, "length", checked_range(self.length, "length"))
        checked_positive(self.radius[0], "smallest radius")
        checked_positive(self.length[0], "smallest length")
        checked_number(self.z, "z")
        checked_seed(self.seed)

    def drawn(self) -> list[Cylinder]:
        """The logs themselves."""
        random = np.random.default_rng([self.seed, CYLINDER_STREAM])
        low_x, low_y, high_x, high_y = self.area
        low = [low_x, low_y, 0.0, self.length[0], self.radius[0]]
        high = [high_x, high_y, np.pi, self.length[1], self.radius[1]]
        rows = random.uniform(low, high, (self.count, 5)).tolist()
        return [Cylinder((x, y, self.z), (cos(turn), sin(turn), 0.0), long, thick) for x, y, turn, long, thick in rows]


Shape = Sphere | Cylinder | Box
ShapeSpec = Shape | RandomCylinders


def drawn_shapes(shapes: Sequence[ShapeSpec]) -> list[Shape]:
    """All shapes one by one, random sets written out."""
    single: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, RandomCylinders):
            single += shape.drawn()
        else:
            single.append(shape)
        if len(single) > MOST_SHAPES:
            raise TerrainError(f"there are {len(single)} shapes or more; allowed are at most {MOST_SHAPES}")
    return single


class ShapeCells(NamedTuple):
    """Shapes ready for packing: their columns, the frame of their grid, its size, and per cell who can be nearest."""

    rows: Array
    frame: Array
    cells: NDArray[np.int64]
    start: NDArray[np.int64]
    entries: NDArray[np.int64]


def no_shapes() -> ShapeCells:
    """A world without shapes."""
    nothing = np.zeros(0, dtype=np.int64)
    start = np.zeros(1, dtype=np.int64)
    return ShapeCells(np.zeros((0, SHAPE_COLUMNS)), np.zeros(SHAPE_FRAME), np.zeros(3, np.int64), start, nothing)


def arranged_shapes(shapes: Sequence[Shape]) -> ShapeCells:
    """Sort shapes into cells; each cell lists those that can be nearest to a point in it, so one look is exact."""
    if not shapes:
        return no_shapes()
    rows = np.array([shape.row() for shape in shapes])
    reach = np.array([shape.half_extents() for shape in shapes])
    low, high = (rows[:, :3] - reach).min(axis=0), (rows[:, :3] + reach).max(axis=0)
    corner, size = low - MARGIN, high - low + 2.0 * MARGIN
    edge = _cell_edge(size, len(shapes))
    cells = np.maximum(np.ceil(size / edge), 1.0).astype(np.int64)
    start = np.zeros(int(cells.prod()) + 1, dtype=np.int64)
    list_cells(rows.ravel(), len(shapes), corner, edge, cells, start, np.zeros(0, dtype=np.int64))
    start = np.cumsum(start)
    if start[-1] > MOST_ENTRIES:
        raise TerrainError(
            f"{len(shapes)} shapes lie so much in one another that {start[-1]} pairs of cell and shape are to be kept; "
            f"allowed are {MOST_ENTRIES}: use fewer shapes"
        )
    entries = np.zeros(int(start[-1]), dtype=np.int64)
    list_cells(rows.ravel(), len(shapes), corner, edge, cells, start, entries)
    return ShapeCells(rows, np.array([*corner, 1.0 / edge, *low, *high]), cells, start, entries)


def _cell_edge(size: Array, count: int) -> float:
    budget = min(CELLS_PER_SHAPE * count, LARGEST_CELL_COUNT)
    edge = float(np.cbrt(size.prod() / budget))
    while np.ceil(size / edge).prod() > 2 * budget:  # thin grids round up a lot
        edge *= 1.25
    return edge


def _row(kind: int, values: Sequence[float]) -> Array:
    row = np.zeros(SHAPE_COLUMNS)
    row[: len(values)] = values
    row[KIND_COLUMN] = kind
    return row
