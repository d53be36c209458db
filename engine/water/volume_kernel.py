"""Keeping the amount of water: what bodies displaced is spread over the pond, and the mean level can be held."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kernel import kernel
from .pond_layout import BED, CELL, DEPTH, HOLD_RATE, LEVEL, OWED, SURFACE

if TYPE_CHECKING:
    from ..kernel_types import Array

DEEP = 0.05  # units; only cells deeper than this take part, so that spreading never moves a shore line
PAYBACK_SECONDS = 0.25  # how long displaced water takes to reach the whole pond; slow enough to raise no ripples
SMALL_DEBT = 1.0e-9  # units; paid at once
LARGEST_CHANGE = 0.25  # of `DEEP`, per step


@kernel()
def mean_of_deep(fields: Array, sums: Array) -> tuple[int, float]:
    """Update `sums` (scratch of one row); return how many cells are deep and their mean surface."""
    count = 0
    sums[:] = 0.0
    for j in range(1, fields.shape[1] - 1):
        depth, surface = fields[DEPTH, j], fields[SURFACE, j]
        for i in range(1, sums.size - 1):
            deep = depth[i] > DEEP
            count += deep
            sums[i] += surface[i] if deep else 0.0
    return count, sums.sum() / max(count, 1)


@kernel()
def settle_level(fields: Array, frame: Array, sums: Array, dt: float) -> None:
    """Update depth and surface of deep cells, and the owed volume: payback, and the return of the mean to the level."""
    if frame[OWED] == 0.0 and frame[HOLD_RATE] == 0.0:
        return
    count, mean = mean_of_deep(fields, sums)
    if count == 0:
        return
    area = frame[CELL] * frame[CELL]
    owed = frame[OWED] / (count * area)
    paid = owed * min(1.0, dt / PAYBACK_SECONDS) if abs(owed) > SMALL_DEBT else owed
    paid = min(max(paid, -LARGEST_CHANGE * DEEP), LARGEST_CHANGE * DEEP)
    held = (frame[LEVEL] - owed - mean) * min(1.0, dt * frame[HOLD_RATE])
    held = min(max(held, -LARGEST_CHANGE * DEEP), LARGEST_CHANGE * DEEP) if frame[HOLD_RATE] > 0.0 else 0.0
    frame[OWED] = frame[OWED] - paid * (count * area) if paid != owed else 0.0
    for j in range(1, fields.shape[1] - 1):
        bed, depth, surface = fields[BED, j], fields[DEPTH, j], fields[SURFACE, j]
        for i in range(1, sums.size - 1):
            d = depth[i] + (paid + held if depth[i] > DEEP else 0.0)
            depth[i] = d
            surface[i] = bed[i] + d
