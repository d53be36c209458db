"""What a picture remembers or makes up: footprints that fade, fireflies after sunset. Nothing of it is part of the world."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
        self._next = 0
        self._key: object = None
        self._stood: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)

    def see(self, time: float, key: object, standing: NDArray[np.bool_], tips: Array, headings: Array) -> None:
        """Note the feet that stand now and did not before. A new `key` says that rows mean other legs than before."""
        if key == self._key and standing.shape == self._stood.shape:
            legs = np.flatnonzero(standing & ~self._stood)
        else:
            legs = np.zeros(0, dtype=np.int64)
        if legs.size:
            spots, first = np.unique(_spots(tips[legs]), return_index=True)
            legs = legs[first][:MOST_PRINTS]
            self._rows[np.isin(_spots(self._rows), spots), 3] = -np.inf
            places = (self._next + np.arange(legs.size)) % MOST_PRINTS
            self._rows[places, :2], self._rows[places, 2], self._rows[places, 3] = tips[legs, :2], headings[legs], time
            self._next = int(self._next + legs.size) % MOST_PRINTS
        if time < self._rows[:, 3].max(initial=-np.inf):
            self._rows[:, 3] = -np.inf  # the world was set back in time
        self._key, self._stood = key, standing.copy()

    def rows(self, time: float) -> Array:
        """(n, 4) x, y, heading and strength, 1 when fresh."""
        strength = 1.0 - (time - self._rows[:, 3]) / PRINT_SECONDS
        shown = strength > 0.0
        return np.column_stack([self._rows[shown, :3], strength[shown]])


def _spots(points: Array) -> NDArray[np.complex128]:
    """The print cell of every point as one number."""
    cells = np.floor(points[:, :2] / PRINT_CELL)
    spots: NDArray[np.complex128] = cells[:, 0] + 1j * cells[:, 1]
    return spots


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
