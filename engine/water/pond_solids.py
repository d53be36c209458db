"""Solid cells of a pond: land that pierces the surface, and obstacles that are put up and taken away. No water is lost."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .pond_bed import derive_planes
from .pond_layout import (
    BED,
    CELL,
    CLOSED,
    DEPTH,
    LEVEL,
    OF_LAND,
    OF_OBSTACLE,
    OWED,
    SILL_X,
    SILL_Y,
    SOLID,
    SURFACE,
    WET,
    U,
    V,
)

Array = NDArray[np.float64]

INNER = np.s_[1:-1, 1:-1]
"""All cells of a plane but the ring around."""


def fill_solids(fields: Array, frame: Array, kinds: Array) -> None:
    """Update which cells are solid, and why. What stood in them is owed to the pond, and nothing moves on their faces."""
    filled = kinds != 0.0
    frame[OWED] += float(fields[DEPTH][INNER][filled].sum()) * frame[CELL] ** 2
    fields[SOLID][INNER] = kinds
    fields[DEPTH][INNER][filled] = 0.0
    derive_planes(fields)
    for plane, sill in ((U, SILL_X), (V, SILL_Y)):
        fields[plane][fields[sill] >= CLOSED] = 0.0


def fill_obstacles(fields: Array, frame: Array, covered: NDArray[np.bool_]) -> bool:
    """Update the cells that obstacles fill, beside the land; returns whether that has changed.

    Where one was taken away the water stands as it does around, and the pond owes it.
    """
    before = fields[SOLID][INNER]
    kinds = np.where(before == OF_LAND, OF_LAND, np.where(covered, OF_OBSTACLE, 0.0))
    if np.array_equal(kinds, before):
        return False
    freed = (before == OF_OBSTACLE) & ~covered
    level = _level_around(fields, frame, freed)
    fill_solids(fields, frame, kinds)
    depth = np.maximum(level - fields[BED][INNER][freed], 0.0)
    fields[DEPTH][INNER][freed] = depth
    frame[OWED] -= float(depth.sum()) * frame[CELL] ** 2
    derive_planes(fields)
    return True


def _level_around(fields: Array, frame: Array, cells: NDArray[np.bool_]) -> float:
    """Mean elevation of the water beside some cells; where there is none, the pond's own level."""
    wide = np.pad(cells, 1)
    beside = wide[:-2, 1:-1] | wide[2:, 1:-1] | wide[1:-1, :-2] | wide[1:-1, 2:]
    wet = beside & ~cells & (fields[DEPTH][INNER] > WET)
    return float(fields[SURFACE][INNER][wet].mean()) if wet.any() else float(frame[LEVEL])
