"""The one compiled water query, for use inside other kernels."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

import numpy as np
from numba import prange

from ..kernel import kernel
from ..kernel_types import int64
from .pond_layout import (
    AT,
    BASE_X,
    BASE_Y,
    BED,
    CELL,
    COLUMNS,
    DEPTH,
    FIRST_POND,
    FRAME_SLOTS,
    INDEX_SLOTS,
    ROWS,
    SHIFT_X,
    SHIFT_Y,
    WET,
    U,
    V,
    WaterArrays,
    WaterAt,
)

if TYPE_CHECKING:
    from ..kernel_types import Array

__all__ = ["WaterArrays", "sample_points", "sample_water"]

POINTS_PER_CHUNK = 256  # points; about ten microseconds of work


@kernel(refcount=False)
def face_value(numbers: Array, plane: int, rows: int, columns: int, x: float, y: float) -> float:
    """Return a plane bilinearly at (x, y) in its own samples; both are inside the plane."""
    i, j = min(int(floor(x)), columns - 2), min(int(floor(y)), rows - 2)
    a, b = x - i, y - j
    p = plane + j * columns + i
    south = (1.0 - a) * numbers[p] + a * numbers[p + 1]
    north = (1.0 - a) * numbers[p + columns] + a * numbers[p + columns + 1]
    return (1.0 - b) * south + b * north


@kernel(refcount=False)
def level_and_bed(numbers: Array, first: int, rows: int, columns: int, x: float, y: float) -> tuple[float, float]:
    """Return surface and bed at (x, y) in cell centres; dry cells have no say in the surface."""
    i, j = min(int(floor(x)), columns - 2), min(int(floor(y)), rows - 2)
    a, b = x - i, y - j
    size = rows * columns
    weight, surface, bed = 0.0, 0.0, 0.0
    for corner in range(4):
        step_i, step_j = corner & 1, corner >> 1
        p = first + (j + step_j) * columns + i + step_i
        w = (a if step_i else 1.0 - a) * (b if step_j else 1.0 - b)
        bed += w * numbers[p + BED * size]
        if numbers[p + DEPTH * size] > WET:
            weight, surface = weight + w, surface + w * (numbers[p + BED * size] + numbers[p + DEPTH * size])
    return surface / weight, bed


@kernel(refcount=False)
def sample_pond(numbers: Array, indices: Array, slot: int, x: float, y: float) -> WaterAt:
    """Return (surface, depth, u, v) of the pond at a slot of `indices`, NaN and zeros where dry."""
    frame, rows, columns = indices[slot + AT], indices[slot + ROWS], indices[slot + COLUMNS]
    first, size, cell = frame + FRAME_SLOTS, rows * columns, numbers[frame + CELL]
    gx = (x - numbers[frame + BASE_X]) / cell - indices[slot + SHIFT_X]
    gy = (y - numbers[frame + BASE_Y]) / cell - indices[slot + SHIFT_Y]
    if not (gx >= 0.0 and gx <= columns - 2 and gy >= 0.0 and gy <= rows - 2):  # NaN fails it, too
        return WaterAt(np.nan, 0.0, 0.0, 0.0)
    i, j = min(int(floor(gx)), columns - 3) + 1, min(int(floor(gy)), rows - 3) + 1
    if not numbers[first + DEPTH * size + j * columns + i] > WET:
        return WaterAt(np.nan, 0.0, 0.0, 0.0)
    center_x, center_y = min(max(gx + 0.5, 1.0), columns - 2.0), min(max(gy + 0.5, 1.0), rows - 2.0)
    surface, bed = level_and_bed(numbers, first, rows, columns, center_x, center_y)
    if not surface > bed:
        return WaterAt(np.nan, 0.0, 0.0, 0.0)
    u = face_value(numbers, first + U * size, rows, columns, gx + 1.0, center_y)
    v = face_value(numbers, first + V * size, rows, columns, center_x, gy + 1.0)
    return WaterAt(surface, surface - bed, u, v)


@kernel(refcount=False)
def sample_water(water: WaterArrays, x: float, y: float) -> WaterAt:
    """Return (surface, depth, u, v) of the water at a point of the plan view.

    Dry places, and those outside every pond, have the surface NaN and depth and velocity 0; so has a NaN coordinate.
    Where ponds overlap, the first one that is wet answers.
    """
    for pond in range(water.indices[0]):
        surface, depth, u, v = sample_pond(water.numbers, water.indices, FIRST_POND + INDEX_SLOTS * pond, x, y)
        if depth > 0.0:
            return WaterAt(surface, depth, u, v)
    return WaterAt(np.nan, 0.0, 0.0, 0.0)


@kernel()
def sample_range(water: WaterArrays, points: Array, first: int, last: int, samples: Array) -> None:
    """Update rows first..last - 1 of samples (surface, depth, u, v) from points."""
    for row in range(first, last):
        surface, depth, u, v = sample_water(water, points[row, 0], points[row, 1])
        samples[row, 0], samples[row, 1], samples[row, 2], samples[row, 3] = surface, depth, u, v


@kernel(parallel=True)
def sample_points(water: WaterArrays, points: Array, samples: Array) -> None:
    """Update samples (surface, depth, u, v) from points."""
    chunks = (points.shape[0] + POINTS_PER_CHUNK - 1) // POINTS_PER_CHUNK
    for c in prange(chunks):
        first = int64(c) * POINTS_PER_CHUNK
        sample_range(water, points, first, min(first + POINTS_PER_CHUNK, points.shape[0]), samples)
