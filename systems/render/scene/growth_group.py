"""Growths of one frame that are no part of the ground: what sways and floats."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....engine.growths import FLOATING, GROWTH_KINDS, KIND, RADIUS, X, Y

if TYPE_CHECKING:
    from ..creatures.sheet import Sheet, View

Array = NDArray[Any]

LIVELY = [GROWTH_KINDS.index(name) for name in ("anemone", *FLOATING, "reed")]
"""Kinds that are drawn anew in every frame."""
MOST_LEAN, HALF_LEAN = 0.5, 0.5
"""How far wind bends reed, in heights: at most, and at which force (weights of an ant) it is half of that."""
BEYOND = 5.0
"""Radii beside the view from which something of a growth may still be seen, or its shadow."""


@dataclass(frozen=True)
class GrowthGroup:
    """Rows of `growth_rows` at a time (s), in a wind as `Wind.now` tells it; other kinds than `LIVELY` are left out.

    Example::

        scene = Scene(ground, creatures=(GrowthGroup(growth_rows(world), world.time, world.weather.wind.now()),))
    """

    growths: Array
    time: float
    wind: Array | tuple[float, float] = (0.0, 0.0)

    def put(self, sheet: Sheet, n: int, view: View) -> int:
        """Fill rows of the sheet from row n on and return the next free one."""
        from .growth_kernel import build_growths

        rows = np.asarray(self.growths, dtype=np.float64)
        reach = BEYOND * rows[:, RADIUS] + 2.0
        seen = np.isin(rows[:, KIND], LIVELY)
        seen &= np.abs(rows[:, X] - view.center_x) < 0.5 * view.width / view.scale + reach
        seen &= np.abs(rows[:, Y] - view.center_y) < 0.5 * view.height / view.scale + reach
        if not seen.any():
            return n
        return int(build_growths(sheet, n, view, np.ascontiguousarray(rows[seen]), float(self.time), *self._lean()))

    def _lean(self) -> tuple[float, float]:
        """How far the wind bends reed now, in heights along x and y."""
        x, y = float(self.wind[0]), float(self.wind[1])
        share = MOST_LEAN / (HALF_LEAN + math.hypot(x, y))
        return share * x, share * y
