"""The trails of a world: one grid over the map, saved and hashed with it."""

from __future__ import annotations

from math import ceil, exp, log
from typing import TYPE_CHECKING

import numpy as np

from ....engine.errors import SnapshotError
from ....engine.kernel_types import float32
from ....engine.threads import ThreadsFor
from .trail_field_kernel import STRONGEST, fade_trail, lay_trail

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.world import World

CELL = 0.5
"""Units, unless the map is so large that there would be more cells than that. [insect 7]"""
MOST_CELLS = 2**21
HALF_LIFE = 45.0
"""Seconds. [insect 7]"""
SPREAD = 0.01
"""Share that a cell gives to each neighbour in a tenth of a second. [insect 7]"""
FADE_TICKS = 6
"""Ticks from one fading to the next: ten per second."""


class Trails:
    """What ants have laid on the ground: ``world.resource(Trails).at([(3, 4)])``."""

    def __init__(self, world: World) -> None:
        self._world = world
        west, south, east, north = world.map.area.bounds
        cell = max(CELL, ((east - west) * (north - south) / MOST_CELLS) ** 0.5)
        self.frame = np.array([west, south, cell])
        shape = max(ceil((north - south) / cell), 1), max(ceil((east - west) / cell), 1)
        self.field: Array = np.zeros(shape, np.float32)
        self._other: Array = np.zeros(shape, np.float32)

    def at(self, points: Array) -> Array:
        """Strength (n,) of the trail at points (n, 2 or 3) of the map, 0 to 4."""
        places = np.floor((np.atleast_2d(np.asarray(points, float))[:, :2] - self.frame[:2]) / self.frame[2]).astype(int)
        inside = ((places >= 0) & (places < self.field.shape[::-1])).all(axis=1)
        strength = np.zeros(len(places))
        strength[inside] = self.field[places[inside, 1], places[inside, 0]]
        return strength

    def lay(self, rows: Array, amounts: Array, places: Array) -> None:
        """Add to the trail at places (n, 3)."""
        lay_trail(rows, amounts, places, self.field, self.frame)

    def fade(self, dt: float) -> None:
        """Let one tick pass."""
        if self._world.tick % FADE_TICKS == 0 and self.field.any():
            keep = float32(exp(-log(2.0) * FADE_TICKS * dt / HALF_LIFE))
            with ThreadsFor(self.field.size, 2**15, most=self._world.threads):
                fade_trail(self.field, self._other, keep, float32(SPREAD))
            self.field, self._other = self._other, self.field

    def state(self) -> dict[str, Array]:
        """Plain arrays from which `restore` continues."""
        return {"field": self.field}

    def restore(self, arrays: dict[str, Array]) -> None:
        """Take over what was saved."""
        field = arrays.get("field")
        if field is None or field.shape != self.field.shape or field.dtype != np.float32:
            raise SnapshotError(f"trails: allowed is a grid of {self.field.shape} numbers of 32 bits")
        if not ((field >= 0.0) & (field <= STRONGEST)).all():
            raise SnapshotError(f"trails: allowed are strengths from 0 to {float(STRONGEST):g}")
        self.field[:] = field
