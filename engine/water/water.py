"""All the water of a world: any number of ponds in one pair of arrays."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import arguments
from ..errors import shortened
from ..terrain.checks import checked_points
from ..terrain.terrain import Terrain
from ..threads import POINTS_PER_THREAD, ThreadsFor
from .current_kernel import add_velocity
from .grid import COURANT, MOST_SUBSTEPS, WaterGrid
from .pond import Pond
from .pond_bed import bed_of, cell_centers, derive_planes, rest_level
from .pond_layout import (
    AT,
    BASE_X,
    BASE_Y,
    BED,
    CELL,
    COLUMNS,
    DEPTH,
    EDGE_EAST,
    EDGE_KINDS,
    EDGE_NORTH,
    EDGE_SOUTH,
    EDGE_WEST,
    FIRST_POND,
    FRAME_SLOTS,
    GRAVITY,
    HOLD_RATE,
    INDEX_SLOTS,
    LEVEL,
    PLANES,
    RAIN_RATE,
    ROWS,
    SEED,
    SOLID,
    STATE_PLANES,
    WaterArrays,
)
from .pond_state import check_pond_state
from .sample_kernel import sample_points
from .water_error import WaterError

Array = NDArray[np.float64]

STANDARD_GRAVITY = 9.8
"""u/s^2 with one unit the length of a centipede's segment, as in the source publications."""
USUAL_STEP = 1.0 / 60.0  # s; what depth and cell size are checked against
SEED_BITS = 64
POND_STRIDE = 0x9E3779B97F4A7C15  # keeps the rain of two ponds apart


class Water:
    """The ponds of a world, stepped and asked together. Without ponds everything is dry.

    `arrays` goes to kernels that call `sample_kernel.sample_water`. The future depends on `state` alone.

    Example::

        >>> from paludarium.engine.terrain import Terrain
        >>> water = Water([Pond(bounds=(-10, -10, 10, 10), level=1.0)], Terrain.flat())
        >>> water.step(1 / 60)
        >>> water.depth([(0.0, 0.0), (50.0, 0.0)])
        array([1., 0.])
    """

    def __init__(
        self, ponds: Iterable[Pond], terrain: Terrain, gravity: float = STANDARD_GRAVITY, seed: int = 0
    ) -> None:
        self.ponds = tuple(ponds)
        self.terrain = terrain
        if not 0.0 <= gravity <= LARGEST_GRAVITY:
            raise WaterError(f"gravity is {gravity!r}; allowed is a number from 0 to {LARGEST_GRAVITY:g}")
        self.arrays = _allocate(self.ponds)
        self.grids = [WaterGrid(terrain, *_views(self.arrays, place)) for place in range(len(self.ponds))]
        for place, (pond, grid) in enumerate(zip(self.ponds, self.grids, strict=True)):
            _fill(grid, pond, terrain, gravity, (seed + place * POND_STRIDE) % 2**SEED_BITS)

    def step(self, dt: float, bodies: ArrayLike | None = None, legs: ArrayLike | None = None) -> None:
        """Advance every pond; see `WaterGrid.step`."""
        for grid in self.grids:
            grid.step(dt, bodies, legs)

    def follow(self, at: ArrayLike) -> None:
        """Let every moving pond come one cell nearer to a creature; see `WaterGrid.follow`."""
        try:
            x, y = np.asarray(at, dtype=np.float64)[:2].tolist()
        except (TypeError, ValueError, IndexError, OverflowError):
            raise WaterError(f"follow({shortened(at)}): allowed is an (x, y) or (x, y, z)") from None
        for pond, grid in zip(self.ponds, self.grids, strict=True):
            if pond.moving:
                grid.follow((x, y))

    def splash(self, at: ArrayLike, radius: float, height: float) -> None:
        """Disturb the water around a point in whatever pond is there; see `WaterGrid.splash`."""
        arguments.vector("splash(at)", at, error=WaterError)
        arguments.number("splash(radius)", radius, 0.0, above=True, error=WaterError)
        arguments.number("splash(height)", height, error=WaterError)
        for grid in self.grids:
            grid.splash(at, radius, height)

    def set_current(self, velocity: ArrayLike, at: ArrayLike | None = None) -> None:
        """Let the water flow with a mean velocity (x, y) in u/s; (0, 0) brings it to rest again within some seconds.

        `at` names the pond by a point in it; without it all ponds flow. A current comes in and goes out through absorbing
        sides, so both ends of its way have to be such ones.

        Example::

            >>> from paludarium.engine.terrain import Terrain
            >>> river = Pond(bounds=(-10, -4, 10, 4), level=1.0, edge_west="absorbing", edge_east="absorbing")
            >>> water = Water([river], Terrain.flat())
            >>> water.set_current((0.5, 0.0))
            >>> for _ in range(600):
            ...     water.step(1 / 60)
            >>> water.velocity([(0.0, 0.0)]).round(2)
            array([[0.5, 0. ]])
        """
        chosen = self.grids
        if at is not None:
            x, y = arguments.vector("set_current(at)", at, error=WaterError)[:2].tolist()
            chosen = [grid for grid in self.grids if grid.covers(x, y)]
        if not chosen:
            raise WaterError(f"set_current(at={shortened(at)}): there is no pond; allowed is a point in one")
        for grid in chosen:
            grid.check_current(velocity)  # all before the first is changed
        for grid in chosen:
            grid.set_current(velocity)

    # -- questions ------------------------------------------------------------------------------------------------

    def surface(self, points: ArrayLike) -> Array:
        """Elevation of the surface at points (n, 2) or (n, 3); NaN where it is dry."""
        return self._sample(points)[:, 0]

    def depth(self, points: ArrayLike) -> Array:
        """Depth of the water at points (n, 2) or (n, 3); 0 where it is dry."""
        return self._sample(points)[:, 1]

    def velocity(self, points: ArrayLike) -> Array:
        """Horizontal velocity (n, 2) of the water at points (n, 2) or (n, 3); 0 where it is dry."""
        return self._sample(points)[:, 2:]

    def _sample(self, points: ArrayLike) -> Array:
        array = checked_points(points, (2, 3))
        samples = np.zeros((array.shape[0], 4))
        with ThreadsFor(array.shape[0], POINTS_PER_THREAD):
            sample_points(self.arrays, array, samples)
        return samples

    # -- saving ---------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, NDArray[Any]]:
        """Plain arrays from which `restore` continues exactly."""
        pieces = [self.arrays.numbers[piece] for piece in self._state_slices()]
        return {"numbers": np.concatenate([np.zeros(0), *pieces]), "indices": self.arrays.indices.copy()}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Continue from a state of water with the same ponds."""
        if {"numbers", "indices"} - state.keys():
            raise WaterError("the state has no numbers or no indices; allowed is one that a world has saved")
        numbers = np.asarray(state["numbers"], dtype=np.float64)
        indices = np.asarray(state["indices"], dtype=np.int64)
        slices = self._state_slices()
        fixed = _fixed_slots(self.arrays.indices)
        size = sum(piece.stop - piece.start for piece in slices)
        if numbers.shape != (size,) or indices.shape != self.arrays.indices.shape:
            raise WaterError(f"a state of {numbers.size} numbers does not fit; allowed is one of {size} from the same ponds")
        if not np.array_equal(indices[fixed], self.arrays.indices[fixed]):
            raise WaterError("the state belongs to other ponds; allowed is one saved from the same ponds")
        start = 0
        for place, (piece, grid) in enumerate(zip(slices, self.grids, strict=True)):
            content = numbers[start : start + piece.stop - piece.start]
            slots = indices[FIRST_POND + INDEX_SLOTS * place :][:INDEX_SLOTS]
            check_pond_state(grid, content, slots, moving=self.ponds[place].moving)
            start += piece.stop - piece.start
        self.arrays.indices[:] = indices
        start = 0
        for piece, grid in zip(slices, self.grids, strict=True):
            length = piece.stop - piece.start
            self.arrays.numbers[piece] = numbers[start : start + length]
            start += length
            derive_planes(grid.fields)

    def _state_slices(self) -> list[slice]:
        pieces = []
        for place, grid in enumerate(self.grids):
            at = int(self.arrays.indices[FIRST_POND + INDEX_SLOTS * place + AT])
            cells = grid.fields.shape[1] * grid.fields.shape[2]
            pieces.append(slice(at, at + FRAME_SLOTS + STATE_PLANES * cells))
        return pieces


LARGEST_GRAVITY = 1000.0
"""Units/s^2, as in map files."""


def _allocate(ponds: tuple[Pond, ...]) -> WaterArrays:
    indices = np.zeros(FIRST_POND + INDEX_SLOTS * len(ponds), dtype=np.int64)
    indices[0] = len(ponds)
    at = 0
    for place, pond in enumerate(ponds):
        columns, rows = (cells + 2 for cells in pond.size)
        slot = FIRST_POND + INDEX_SLOTS * place
        indices[slot + AT], indices[slot + ROWS], indices[slot + COLUMNS] = at, rows, columns
        at += FRAME_SLOTS + PLANES * rows * columns
    return WaterArrays(np.zeros(at), indices)


def _fixed_slots(indices: NDArray[np.int64]) -> NDArray[np.int64]:
    """The slots that follow from the ponds alone."""
    ponds = FIRST_POND + INDEX_SLOTS * np.arange(indices[0])
    return np.concatenate([[0], (ponds[:, None] + [AT, ROWS, COLUMNS]).ravel()]).astype(np.int64)


def _views(arrays: WaterArrays, place: int) -> tuple[Array, Array, NDArray[np.int64]]:
    """Frame, planes and counters of one pond."""
    slot = FIRST_POND + INDEX_SLOTS * place
    counters = arrays.indices[slot : slot + INDEX_SLOTS]
    at, rows, columns = counters[[AT, ROWS, COLUMNS]].tolist()
    start = at + FRAME_SLOTS
    fields = arrays.numbers[start : start + PLANES * rows * columns].reshape(PLANES, rows, columns)
    return arrays.numbers[at:start], fields, counters


def _fill(grid: WaterGrid, pond: Pond, terrain: Terrain, gravity: float, seed: int) -> None:
    """Update a fresh grid: still water at the pond's level over the terrain."""
    level = rest_level(pond, terrain)
    grid.frame[[BASE_X, BASE_Y, CELL, GRAVITY]] = pond.bounds[0], pond.bounds[1], pond.cell, gravity
    grid.frame[[LEVEL, RAIN_RATE, HOLD_RATE]] = level, pond.rain, pond.level_hold
    edges = (pond.edge_west, pond.edge_east, pond.edge_south, pond.edge_north)
    grid.counters[[EDGE_WEST, EDGE_EAST, EDGE_SOUTH, EDGE_NORTH]] = [EDGE_KINDS.index(edge) for edge in edges]
    grid.counters[SEED] = np.uint64(seed).astype(np.int64)
    columns, rows = grid.size
    bed, solid = bed_of(terrain, cell_centers(*grid.origin, grid.cell, columns, rows), level)
    grid.fields[BED] = np.pad(bed.reshape(rows, columns), 1, mode="edge")
    grid.fields[SOLID, 1:-1, 1:-1] = solid.reshape(rows, columns)
    grid.set_surface(level)
    grid.set_current(pond.current)
    add_velocity(grid.fields, *grid.current)
    deepest = float(grid.fields[DEPTH].max())
    needed = USUAL_STEP * math.sqrt(2.0 * gravity * deepest) / (pond.cell * COURANT)
    if deepest <= 0.0:
        raise WaterError(f"a pond with level {level:g} has no wet cell; shapes fill all of it")
    if needed > MOST_SUBSTEPS:
        deepest_allowed = (MOST_SUBSTEPS * pond.cell * COURANT / USUAL_STEP) ** 2 / (2.0 * gravity)
        raise WaterError(
            f"water {deepest:g} units deep is too deep for cells of {pond.cell:g}; "
            f"allowed are {deepest_allowed:g} units, or larger cells"
        )
