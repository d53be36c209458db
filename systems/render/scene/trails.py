"""What a picture remembers or makes up: footprints that fade, fireflies after sunset. Nothing of it is part of the world."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .footprint_kernel import fade, tread

Array = NDArray[np.float64]

MOST_PRINTS = 1500
PRINT_SECONDS = 25.0
"""How long a footprint takes to fade."""

PRINT_CELL = 0.36
"""Units; feet that come down in the same cell tread the same print anew. Legs step where the leg ahead of them stood."""

CELL = 7.0
"""Units between the places around which fireflies wander."""

MOST_FIREFLIES = 160
WANDER = 3.0
"""Units a firefly strays from its place."""

FLIGHT_HEIGHT = 1.5
"""Units above the ground, about the height of the grass."""


class Footprints:
    """The latest places where feet came down.

    Example::

        prints = Footprints()
        prints.see(world.time, key=1, standing=legs.state == STANCE, tips=tips, headings=headings)
        rows = prints.rows(world.time)          # x, y, heading, strength
    """

    def __init__(self) -> None:
        self._rows = np.zeros((MOST_PRINTS, 4))  # x, y, heading, time
        self._rows[:, 3] = -np.inf
        self._cells = np.zeros((MOST_PRINTS, 2))
        self._next = 0
        self._key: object = None
        self._stood: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)

    def see(self, time: float, key: object, standing: NDArray[np.bool_], tips: Array, headings: Array) -> None:
        """Note the feet that stand now and did not before. A new `key` says that rows mean other legs than before."""
        legs = self.fresh(key, standing)
        self.tread(time, tips[legs], headings[legs])

    def fresh(self, key: object, standing: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The legs that stand now and did not when this was asked before."""
        legs = np.zeros(0, dtype=np.int64)
        if key == self._key and standing.shape == self._stood.shape:
            legs = np.flatnonzero(standing & ~self._stood)
        self._key, self._stood = key, standing.copy()
        return legs

    def tread(self, time: float, points: Array, headings: Array) -> None:
        """Leave prints where feet have come down."""
        count = len(points)
        self._next = tread(np.ascontiguousarray(points), headings, float(time), PRINT_CELL, np.empty((count, 2)),
                           np.empty(count, np.int64), self._rows, self._cells, self._next)  # fmt: skip

    def rows(self, time: float) -> Array:
        """(n, 4) x, y, heading and strength, 1 when fresh."""
        shown = np.empty((MOST_PRINTS, 4))
        return shown[: fade(self._rows, float(time), PRINT_SECONDS, shown)]


def fireflies(bounds: tuple[float, float, float, float], time: float) -> Array:
    """(n, 4) x, y, z and brightness of the fireflies in a rectangle of the world; the same time gives the same ones."""
    if not np.isfinite(bounds).all():
        return np.zeros((0, 4))
    west, south, east, north = bounds
    across, along = np.arange(west // CELL, east // CELL + 1), np.arange(south // CELL, north // CELL + 1)
    if across.size * along.size > 4 * MOST_FIREFLIES:
        return np.zeros((0, 4))  # from so far above they cannot be seen
    i, j = (axis.ravel() for axis in np.meshgrid(across, along))
    dice = [_random(i, j, salt) for salt in range(6)]
    here = dice[0] < 0.5
    turn = [2.0 * np.pi * die[here] + time * (0.25 + 0.4 * dice[5][here]) for die in dice[1:5]]
    x = (i[here] + dice[1][here]) * CELL + WANDER * (np.sin(turn[0]) + 0.4 * np.sin(2.3 * turn[2]))
    y = (j[here] + dice[2][here]) * CELL + WANDER * (np.cos(turn[1]) + 0.4 * np.sin(1.9 * turn[3]))
    pulse = np.maximum(np.sin(2.7 * turn[2]) + 0.35, 0.0) / 1.35
    return np.column_stack([x, y, np.full(x.size, FLIGHT_HEIGHT), pulse])[:MOST_FIREFLIES]


def _random(i: Array, j: Array, salt: int) -> Array:
    """Numbers in 0..1 that belong to lattice places."""
    value = np.sin(i * 127.1 + j * 311.7 + salt * 74.7) * 43758.5453
    fraction: Array = value - np.floor(value)
    return fraction
