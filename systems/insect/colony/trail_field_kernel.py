"""Trails on the ground as a grid: they fade and spread; ants add to them and feel them. [insect 7]"""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

from numba import prange

from ....engine.kernel import kernel
from ....engine.kernel_types import float32

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

STRONGEST = float32(4.0)  # of a cell: more is not felt [insect 7]
WEST, SOUTH, CELL = range(3)  # of the frame of a field: its corner, and how wide a cell is
FAINTEST = float32(1e-4)  # what is weaker is gone


@kernel(refcount=False)
def feel_trail(field: Array, frame: Array, x: float, y: float) -> float:
    """Return the strength of the trail at a point; 0 beyond the edge."""
    i, j = int(floor((x - frame[WEST]) / frame[CELL])), int(floor((y - frame[SOUTH]) / frame[CELL]))
    if i < 0 or j < 0 or j >= field.shape[0] or i >= field.shape[1]:
        return 0.0
    return float(field[j, i])


@kernel()
def lay_trail(rows: Array, amounts: Array, places: Array, field: Array, frame: Array) -> None:
    """Update the trail by what the listed ants lay at their places, one after the other."""
    west, south, cell = frame[WEST], frame[SOUTH], frame[CELL]
    for r in range(rows.size):
        i, j = int(floor((places[r, 0] - west) / cell)), int(floor((places[r, 1] - south) / cell))
        if 0 <= i < field.shape[1] and 0 <= j < field.shape[0]:
            field[j, i] = min(field[j, i] + float32(amounts[r]), STRONGEST)


@kernel(parallel=True)
def fade_trail(field: Array, out: Array, keep: float, spread: float) -> None:
    """Update `out` to the trail a while later: each cell keeps a share, and gives some of it to its four neighbours."""
    rows, columns = field.shape
    for j in prange(rows):
        south, north = max(j - 1, 0), min(j + 1, rows - 1)
        for i in range(columns):
            west, east = max(i - 1, 0), min(i + 1, columns - 1)
            around = field[south, i] + field[north, i] + field[j, west] + field[j, east]
            value = keep * (field[j, i] + spread * (around - float32(4.0) * field[j, i]))
            out[j, i] = value if value > FAINTEST else float32(0.0)
