"""The weather of a world: wind, rain, light and the time of day. ``world.weather`` is read by all families.

Where a new kind of weather goes, say fog:

1. ``[fog]`` of a map: a table here beside `Breeze` and `Light`, its name in `maps.TABLES` and in `maps.Map`.
2. What it is like now: a class here beside `Wind` with ``state`` and ``restore``, an attribute of `Weather`, and its name in
   `Weather.states`, so that it is hashed and saved.
3. What a game calls: a function here beside `set_wind`, with its name in `CALLS`; recordings write it down.
4. Who feels it: a system asks ``world.weather.fog`` once per tick and hands numbers to its kernels, as
   ``systems/insect/walk/system.py`` does with the wind.
5. What a map starts with: ``populate`` in ``engine/places.py``, beside ``[wind]``.
6. What it looks like: ``systems/render/scene/light.py``. What the page of maps says of it: ``game_demo/maps_command.py``.

Rain is kept by the ponds it falls on and brightness by the sea (``[climate]``), as parts of their state; both are asked and
set here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from . import arguments
from .errors import SnapshotError
from .spec import choice, number
from .water.grid import MOST_DROPS

if TYPE_CHECKING:
    from collections.abc import Callable

    from .pool import Array
    from .roles import StateOwner
    from .world import World

DAYLIGHT = {"day": 1.0, "dusk": 0.45, "night": 0.12}
"""Brightness at the surface by the time of day of the map."""
TIMES_OF_DAY = tuple(DAYLIGHT)
STRONGEST_WIND = 20.0
"""Weights of an ant; all of those that walk on their usual feet are blown away by that."""
SLOWEST_GUST = 1000.0
"""Seconds."""
HEAVIEST_RAIN = 100.0
"""Drops per second and square unit; a downpour has 0.03."""
CALLS = ("set_wind", "set_rain", "set_time_of_day")
"""Names of the functions below that are methods of every world."""
DIRECTION, STRENGTH, GUSTS, PERIOD = range(4)
LOWEST, HIGHEST = np.array([-4.0, 0.0, 0.0, 0.1]), np.array([4.0, STRONGEST_WIND, 1.0, SLOWEST_GUST])
"""What a save may hold of the wind; directions are within half a turn."""


@dataclass(frozen=True)
class Breeze:
    """``[wind]``: what small walkers lean into, in weights of the animal."""

    direction: float = number(0.0, unit="deg", low=-360.0, high=360.0, doc="where it blows to; 0 is east, 90 north")
    strength: float = number(0.0, low=0.0, high=STRONGEST_WIND, doc="its force, in weights of the animal")
    gusts: float = number(0.0, low=0.0, high=1.0, doc="share of the strength that comes and goes")
    period: float = number(4.0, unit="s", low=0.1, high=SLOWEST_GUST, doc="from one gust to the next")


@dataclass(frozen=True)
class Light:
    """``[light]``: the time of day, and how far light goes in water."""

    time: str = choice("day", *TIMES_OF_DAY, doc="the light the renderer uses")
    clarity: float = number(1.0, low=0.1, high=100.0, doc="how clear water is: 1 hides a bed 4 units down, 6 one at 24")


class Wind:
    """The wind of one world, the same everywhere; ``world.weather.wind``.

    Example::

        wind = world.weather.wind
        if wind.blows:
            force = mass * gravity * wind.now()
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._numbers = np.array([0.0, 0.0, 0.0, 4.0])
        self._when_it_ends: list[Callable[[], None]] = []

    def set(self, direction: float, strength: float, gusts: float, period: float) -> None:  # noqa: A003 - as in `set_wind`
        """Let it blow from now on; see `set_wind`."""
        self._numbers[:] = (
            math.remainder(arguments.number("set_wind(direction)", direction), math.tau),
            arguments.number("set_wind(strength)", strength, 0.0, STRONGEST_WIND),
            arguments.number("set_wind(gusts)", gusts, 0.0, 1.0),
            arguments.number("set_wind(period)", period, 0.1, SLOWEST_GUST),
        )
        if not self.blows:
            for let_go in self._when_it_ends:
                let_go()

    def on_end(self, let_go: Callable[[], None]) -> None:
        """Call something whenever a game ends the wind: bodies that keep its force let go of it."""
        self._when_it_ends.append(let_go)

    @property
    def blows(self) -> bool:
        """Whether there is any."""
        return bool(self._numbers[STRENGTH] > 0.0)

    @property
    def direction(self) -> float:
        """Where it blows to, in radians; 0 is east."""
        return float(self._numbers[DIRECTION])

    @property
    def strength(self) -> float:
        """Its mean force, in weights of the animal it blows at."""
        return float(self._numbers[STRENGTH])

    @property
    def gusts(self) -> float:
        """Share of the strength that comes and goes."""
        return float(self._numbers[GUSTS])

    @property
    def period(self) -> float:
        """Seconds from one gust to the next."""
        return float(self._numbers[PERIOD])

    def now(self, at: float | None = None) -> Array:
        """(3,) force on an ant, in its own weights: now, or at a time in seconds since the start.

        Its size is strength * (1 + gusts * sin(2 pi t / period)).
        """
        time = self._world.time if at is None else at
        direction, strength, gusts, period = self._numbers
        blows = strength * (1.0 + gusts * math.sin(math.tau * time / period))
        return np.array([blows * math.cos(direction), blows * math.sin(direction), 0.0])

    def state(self) -> dict[str, Array]:
        """Plain arrays from which `restore` continues."""
        return {"numbers": self._numbers}

    def restore(self, arrays: dict[str, Array]) -> None:
        """Take over what was saved."""
        numbers = arrays.get("numbers")
        if numbers is None or numbers.shape != (4,) or numbers.dtype != np.float64:
            raise SnapshotError("wind: allowed are four numbers of 64 bits")
        if not ((numbers >= LOWEST) & (numbers <= HIGHEST)).all():
            raise SnapshotError("wind: allowed is what set_wind takes")
        self._numbers[:] = numbers


class Weather:
    """Wind, rain, light and time of day of one world; ``world.weather``.

    Example::

        world.weather.wind.now(), world.weather.rain, world.weather.time_of_day, world.weather.brightness
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self.wind = Wind(world)

    @property
    def states(self) -> dict[str, StateOwner]:
        """What of it is hashed and saved by itself, under which names."""
        return {"wind": self.wind}

    @property
    def rain(self) -> float:
        """Drops per second and square unit, the mean of all ponds; 0 in a world without any."""
        grids = self._world.water.grids
        area = sum(grid.area for grid in grids)
        return sum(grid.rain_rate for grid in grids) / area if area else 0.0

    @property
    def light(self) -> Light:
        """Time of day and clearness of the water, as the map has them now."""
        return self._world.map.light

    @property
    def time_of_day(self) -> str:
        """One of `TIMES_OF_DAY`."""
        return self._world.map.light.time

    @property
    def daylight(self) -> float:
        """How bright this time of day is where nothing takes light away, 0 to 1."""
        return DAYLIGHT[self.time_of_day]

    @property
    def brightness(self) -> float:
        """How bright it is at the surface of the water, 0 to 1: of the time of day, or as `set_climate` says.

        ``world.sea.brightness(points)`` has shade and depth taken off.
        """
        return self._world.sea.light


def set_wind(world: World, direction: float = 0.0, strength: float = 0.0, gusts: float = 0.0, period: float = 4.0) -> None:
    """Let wind blow toward a direction (radians, 0 is east), with a strength in weights of the animal; 0 ends it.

    Insects lean into it, lower their bodies, and lose their feet when it is too much. Gusts add and take up to that share.

    Example::

        world.set_wind(direction=1.57, strength=1.0, gusts=0.5, period=3.0)
    """
    world.weather.wind.set(direction, strength, gusts, period)


def set_rain(world: World, drops: float = 0.0) -> None:
    """Let it rain on all ponds, in drops per second and square unit; 0 ends it. Land without ponds stays dry.

    Example::

        world.set_rain(0.03)        # a downpour
    """
    rate = arguments.number("set_rain(drops)", drops, 0.0, HEAVIEST_RAIN)
    for grid in world.water.grids:
        grid.rain_rate = min(rate * grid.area, MOST_DROPS)


def set_time_of_day(world: World, time: str) -> None:
    """Day, dusk or night from now on, for the picture and for what eyes see; it is saved with the world.

    Fishes feel the brightness of the water, which `set_climate` changes.

    Example::

        world.set_time_of_day("dusk")
    """
    chosen = arguments.choice("set_time_of_day(time)", time, TIMES_OF_DAY)
    source = {**world.map.source, "light": {**world.map.source.get("light", {}), "time": chosen}}
    world.map = replace(world.map, light=replace(world.map.light, time=chosen), source=source)


def begin(world: World) -> Weather:
    """Give a new world its weather, and the calls that change it."""
    made = Weather(world)
    for name in CALLS:
        world.add_call(name, globals()[name])
    for name, owner in made.states.items():
        world.add_state(name, owner)
    return made
