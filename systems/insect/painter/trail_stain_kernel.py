"""Trails that many feet have worn: the ground is a little darker there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ...render.creatures.emit_kernel import put_link
from ...render.creatures.primitive_fields import CONTACT, GROUND_LAYER
from ...render.creatures.sheet import Skin
from ..colony.trail_field_kernel import CELL, SOUTH, WEST

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from ...render.creatures.sheet import Sheet, View

DARKEST = 0.42
FULL = 0.9  # strength of a trail that is two thirds as dark as any
FAINTEST = 0.06  # strength from which on anything is seen
FEWEST_PIXELS = 5.0  # between two stains: where cells are smaller, some are taken together
WIDTH = 0.95  # of the way between two stains


@kernel(refcount=False)
def mean_of(field: Array, first_row: int, first_column: int, step: int) -> float:
    """Return the mean of a square of cells."""
    total, count = 0.0, 0
    for j in range(first_row, min(first_row + step, field.shape[0])):
        for i in range(first_column, min(first_column + step, field.shape[1])):
            total, count = total + field[j, i], count + 1
    return total / max(count, 1)


@kernel()
def put_stains(sheet: Sheet, n: int, view: View, field: Array, frame: Array) -> int:
    """Update the sheet with the worn ground in view; return the next free row."""
    nothing, cell = f32(0.0), frame[CELL]
    step = max(int(math.ceil(FEWEST_PIXELS / (cell * view.scale))), 1)
    half_w, half_h = 0.5 * view.width / view.scale + step * cell, 0.5 * view.height / view.scale + step * cell
    rows, columns = field.shape
    i0 = max(int((view.center_x - half_w - frame[WEST]) / cell) // step * step, 0)
    j0 = max(int((view.center_y - half_h - frame[SOUTH]) / cell) // step * step, 0)
    i1, j1 = int((view.center_x + half_w - frame[WEST]) / cell) + 1, int((view.center_y + half_h - frame[SOUTH]) / cell) + 1
    for j in range(j0, min(j1, rows), step):
        for i in range(i0, min(i1, columns), step):
            strength = mean_of(field, j, i, step)
            if strength < FAINTEST:
                continue
            dark = DARKEST * (1.0 - math.exp(-(strength - FAINTEST) / FULL))
            at = (frame[WEST] + (i + 0.5 * step) * cell, frame[SOUTH] + (j + 0.5 * step) * cell, 0.0)
            skin = Skin(nothing, nothing, nothing, nothing, nothing, f32(dark))
            wide = WIDTH * step * cell
            n = put_link(sheet, n, view, CONTACT, GROUND_LAYER, 0.0, at, at, (wide, wide), skin)
    return n
