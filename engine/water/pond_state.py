"""Whether the saved state of a pond can be one: kernels believe cell sizes, depths and edges without asking."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .grid import DEEPEST, FASTEST_CURRENT, MOST_DROPS, WaterGrid
from .pond_layout import (
    BASE_X,
    BASE_Y,
    BED,
    CELL,
    CURRENT_X,
    CURRENT_Y,
    DEPTH,
    DRIVEN,
    DROPS,
    EDGE_KINDS,
    EDGE_NORTH,
    EDGE_WEST,
    FRAME_SLOTS,
    GRAVITY,
    HOLD_RATE,
    LEVEL,
    OF_LAND,
    OF_OBSTACLE,
    OWED,
    RAIN_DUE,
    RAIN_RATE,
    SHIFT_X,
    SHIFT_Y,
    SOLID,
    STATE_PLANES,
    U,
    V,
)
from .water_error import WaterError

GIVEN = (BASE_X, BASE_Y, CELL, GRAVITY, LEVEL, HOLD_RATE)
"""Slots of the frame that follow from map and terrain."""
ROUNDING = 1e-6
"""Share by which they may differ: other machines round otherwise."""
FASTEST, HIGHEST, MOST_OWED = 1e6, 1e7, 1e15
FARTHEST_SHIFT = 10**6
"""Cells that a pond may have followed a creature."""


def check_pond_state(grid: WaterGrid, numbers: NDArray[Any], slots: NDArray[Any], *, moving: bool) -> None:
    """Refuse a state that is not one of this pond; everything in it is checked before anything is taken over."""
    frame = numbers[:FRAME_SLOTS]
    planes = numbers[FRAME_SLOTS:].reshape(STATE_PLANES, *grid.fields.shape[1:])
    _within("numbers", numbers, -MOST_OWED, MOST_OWED)
    given = list(GIVEN)
    if not np.allclose(frame[given], grid.frame[given], rtol=ROUNDING, atol=ROUNDING):
        raise WaterError(f"cell, level or gravity are {frame[given]}; allowed are those of the map, {grid.frame[given]}")
    _within("rain", frame[[RAIN_RATE, RAIN_DUE]], 0.0, MOST_DROPS)
    _within("displaced water", frame[OWED], -MOST_OWED, MOST_OWED)
    _within("velocity", planes[[U, V]], -FASTEST, FASTEST)
    _within("depth", planes[DEPTH], 0.0, DEEPEST)
    _within("bed", planes[BED], -HIGHEST, HIGHEST)
    _within("edges", slots[EDGE_WEST : EDGE_NORTH + 1], 0, len(EDGE_KINDS) - 1)
    _within("drops", slots[DROPS], 0, 2**62)
    farthest = FARTHEST_SHIFT if moving else 0
    _within("shift", slots[[SHIFT_X, SHIFT_Y]], -farthest, farthest)
    _within("current", frame[DRIVEN], 0.0, 1.0)
    _within("current", frame[[CURRENT_X, CURRENT_Y]], -FASTEST_CURRENT, FASTEST_CURRENT)
    if not np.isin(planes[SOLID], (0.0, OF_LAND, OF_OBSTACLE)).all():
        raise WaterError("a cell is neither solid nor not; allowed is 0, 1 for land or 2 for an obstacle")


def _within(what: str, values: Any, low: float, high: float) -> None:
    bad = ~((np.asarray(values) >= low) & (np.asarray(values) <= high))
    if bad.any():
        value = np.asarray(values).reshape(-1)[int(np.argmax(bad))]
        raise WaterError(f"{what} of a pond is {value}; allowed is a number from {low:g} to {high:g}")
