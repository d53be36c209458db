"""Wind over the ground: what small walkers lean into. Saved and hashed with the world."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...components.insect.trunk import TrunkPool
from ...engine import arguments
from ...engine.errors import SnapshotError
from ...engine.maps import SLOWEST_GUST, STRONGEST_WIND

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World

DIRECTION, STRENGTH, GUSTS, PERIOD = range(4)


class Wind:
    """The wind of one world: ``world.resource(Wind).now()``."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._numbers = np.array([0.0, 0.0, 0.0, 4.0])

    def set(self, direction: float, strength: float, gusts: float, period: float) -> None:  # noqa: A003 - as in `set_wind`
        """Let it blow from now on; see `set_wind`."""
        self._numbers[:] = (
            math.remainder(arguments.number("set_wind(direction)", direction), math.tau),
            arguments.number("set_wind(strength)", strength, 0.0, STRONGEST_WIND),
            arguments.number("set_wind(gusts)", gusts, 0.0, 1.0),
            arguments.number("set_wind(period)", period, 0.1, SLOWEST_GUST),
        )

    @property
    def blows(self) -> bool:
        """Whether there is any."""
        return bool(self._numbers[STRENGTH] > 0.0)

    def now(self) -> Array:
        """(3,) force on an ant, in its own weights."""
        direction, strength, gusts, period = self._numbers
        blows = strength * (1.0 + gusts * math.sin(math.tau * self._world.time / period))
        return np.array([blows * math.cos(direction), blows * math.sin(direction), 0.0])

    def state(self) -> dict[str, Array]:
        """Plain arrays from which `restore` continues."""
        return {"numbers": self._numbers}

    def restore(self, arrays: dict[str, Array]) -> None:
        """Take over what was saved."""
        numbers = arrays.get("numbers")
        low, high = np.array([-4.0, 0.0, 0.0, 0.1]), np.array([4.0, STRONGEST_WIND, 1.0, SLOWEST_GUST])
        if numbers is None or numbers.shape != (4,) or numbers.dtype != np.float64:
            raise SnapshotError("wind: allowed are four numbers of 64 bits")
        if not ((numbers >= low) & (numbers <= high)).all():
            raise SnapshotError("wind: allowed is what set_wind takes")
        self._numbers[:] = numbers


def set_wind(world: World, direction: float = 0.0, strength: float = 0.0, gusts: float = 0.0, period: float = 4.0) -> None:
    """Let wind blow toward a direction (radians, 0 is east), with a strength in weights of an ant; 0 ends it.

    Insects lean into it, lower their bodies, and lose their feet when it is too much. Gusts add and take up to that share.

    Example::

        world.set_wind(direction=1.57, strength=1.0, gusts=0.5, period=3.0)
    """
    wind = world.resource(Wind)
    wind.set(direction, strength, gusts, period)
    if not wind.blows:
        world.pool(TrunkPool).force[:] = 0.0
