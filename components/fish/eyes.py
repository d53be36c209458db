"""The eyes of a fish: one that sees nearly all around, and a nose for food. What they tell, a mind makes use of. [Tu99 6]"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.column_rules import BITS, ON_MAP, RowOf, Within
from ...engine.errors import PaludariumError
from ...engine.parts import SpecProblem
from ...engine.pool import Array, Pool, Rows, column
from ...engine.readings import Reading
from ...engine.spec import number
from ..parameters import ParametersOf, parameter_columns, parameter_row

if TYPE_CHECKING:
    from ...engine.parts import Birth

UNSEEN = 1e9
"""Units; the distance of what is not seen."""
KIN_LIST, OTHER_LIST = 24, 16
"""How many of its own kind, and of others, a fish keeps an eye on: the nearest."""
NEIGHBOURS = 8
"""Of its kind in sight that a fish swims with; more change nothing. [fish 3]"""
THREATS, MATES = 4, 3
NOBODY = -1

VIEWS = ("colour", "identity", "range")
"""Kinds of pictures of what a fish sees."""

_ROW = RowOf("CreaturePool", nobody=True)
_FAR = Within(0.0, UNSEEN)


@dataclass(frozen=True)
class EyeSpec:
    """The ``[eyes]`` table. Distances are in lengths of the fish that looks. [Tu99 6.3, 6.6]"""

    range: float = number(15.0, unit="lengths", low=0.1, high=200.0, doc="how far it sees in clear water")
    food_range: float = number(22.5, unit="lengths", low=0.0, high=300.0, doc="how far it smells food, all around")
    field: float = number(300.0, unit="deg", low=1.0, high=360.0, doc="what it sees of the full circle")
    visibility: float = number(0.0, low=0.0, high=20.0,
                               doc="how much farther than usual others see it; 0 is by its size against theirs")
    # the box around it that others had better not enter [Tu99 6.6.1]
    box_front: float = number(1.0, unit="lengths", low=0.0, high=10.0, doc="how far ahead it is wary of others")
    box_back: float = number(0.6, unit="lengths", low=0.0, high=10.0, doc="how far behind")
    box_side: float = number(0.4, unit="lengths", low=0.0, high=10.0, doc="how far to each side")
    box_height: float = number(0.4, unit="lengths", low=0.0, high=10.0, doc="how far above and below")
    box_formation: float = number(0.5, low=0.0, high=1.0, doc="what is left of the box in a school")
    rejoin: float = number(30.0, unit="lengths", low=0.0, high=300.0,
                           doc="how far it knows where more of its kind are, whatever is between")
    way: float = number(3.5, unit="lengths", low=0.5, high=20.0, doc="how far ahead it looks for a free way")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:
        if "springs" not in specs:
            raise SpecProblem("", "eyes without a fish's body", "a species that also has a [springs] table")
        if self.food_range < self.range:
            raise SpecProblem("food_range_lengths", self.food_range, "at least range_lengths: food is seen, too")


Eye = parameter_columns("Eye", EyeSpec, __name__)


class Flock(IntEnum):
    """Columns of `EyePool.flock`: the mean place of those of its kind beyond its neighbours, and how many they are."""

    X = 0
    Y = 1
    Z = 2
    COUNT = 3


class Alarm(IntEnum):
    """Columns of a threat that the game has put into the world; `EyePool.alarm` has all but the last."""

    X = 0
    Y = 1
    Z = 2
    STRENGTH = 3
    RADIUS = 4


class EyePool(Pool):
    """One row per fish, aligned with `CreaturePool`."""

    aligned = True
    format = 2

    take_image: Callable[..., Array] | None = None
    """Makes an image of what a fish sees, given its serial number; the systems of the fishes put it here. It must not hold
    the world: handles hold their pools, and esper holds the handles."""
    show: Callable[[int, str], Array] | None = None
    """The same as a picture of a kind for a panel."""

    parameters = column(np.float64, len(Eye), holds=ParametersOf(EyeSpec), fixed=True)
    # what may come into sight soon, nearest first; looked up anew every now and then
    kin = column(np.int32, KIN_LIST, fill=NOBODY, holds=_ROW)
    others = column(np.int32, OTHER_LIST, fill=NOBODY, holds=_ROW)
    flock = column(np.float64, len(Flock), holds=ON_MAP)
    # what is seen
    neighbours = column(np.int32, NEIGHBOURS, fill=NOBODY, holds=_ROW)  # of its kind, nearest first
    mates = column(np.int32, MATES, fill=NOBODY, holds=_ROW)  # of its kind and the other sex
    threats = column(np.int32, THREATS, fill=NOBODY, holds=_ROW)  # what may eat it
    threat_distance = column(np.float64, THREATS, fill=UNSEEN, holds=_FAR)
    alarm = column(np.float64, len(Alarm) - 1, holds=ON_MAP)  # the worst threat of the game, as it is felt
    prey = column(np.int32, fill=NOBODY, holds=_ROW)  # the cheapest to get
    prey_cost = column(np.float64, fill=UNSEEN, holds=_FAR)
    food = column(np.int32, 3, fill=NOBODY, holds=RowOf("FoodPool", nobody=True))  # nearest first
    food_distance = column(np.float64, 3, fill=UNSEEN, holds=_FAR)
    bait = column(np.int32, fill=NOBODY, holds=Within(-1, 2**31 - 1))  # of the scene; checked before each use
    bait_distance = column(np.float64, fill=UNSEEN, holds=_FAR)
    crowd = column(np.int32, fill=NOBODY, holds=_ROW)  # who is deepest in its box
    crowd_share = column(np.float64, holds=Within(0.0, 1.0))
    company = column(np.uint8, holds=BITS)  # how many of its kind are within three lengths
    # how much it has to turn so as not to meet another later, -1 to 1, left positive
    dodge = column(np.float64, since=2, holds=Within(-1.0, 1.0))
    # where it is
    brightness = column(np.float64, fill=0.5, holds=Within(-10.0, 10.0))
    temperature = column(np.float64, fill=0.5, holds=Within(-1000.0, 1000.0))
    surface = column(np.float64, holds=ON_MAP)
    bed = column(np.float64, holds=ON_MAP)


class Eyes:
    """The eyes of one fish: who and what it sees, as creature rows and distances.

    Example::

        fish.eyes.neighbours      # creature rows of the nearest of its kind in sight
        fish.eyes.threat          # (row, distance) of the nearest that eats it, or (-1, UNSEEN)
    """

    __slots__ = ("pool", "rows")

    def __init__(self, pool: EyePool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    @property
    def threat(self) -> tuple[int, float]:
        """Creature row and distance of the nearest that may eat it; (-1, `UNSEEN`) if there is none in sight."""
        return int(self._of("threats")[0]), float(self._of("threat_distance")[0])

    @property
    def prey(self) -> int:
        """Creature row of the prey that is cheapest to get, or -1."""
        return int(self._of("prey"))

    @property
    def food(self) -> tuple[int, float]:
        """Row of `FoodPool` and distance of the nearest food it sees or smells, or (-1, `UNSEEN`)."""
        return int(self._of("food")[0]), float(self._of("food_distance")[0])

    @property
    def neighbours(self) -> Array:
        """Creature rows of the nearest of its kind in sight."""
        return _named(self._of("neighbours"))

    @property
    def mates(self) -> Array:
        """Creature rows of the nearest of its kind and the other sex in sight."""
        return _named(self._of("mates"))

    @property
    def brightness(self) -> float:
        """How bright it is where it swims: 0 is dark, 1 is bright."""
        return float(self._of("brightness"))

    @property
    def temperature(self) -> float:
        """How warm the water is around it: 0 is cold, 1 is warm."""
        return float(self._of("temperature"))

    def image(self, size: int = 64, kind: str = "colour", side: str = "both", pan: float = 0.0, tilt: float = 0.0) -> Array:
        """What it sees, as (size, size, 3) bytes; with kind "range" (size, size) distances. See ``fish.eye_image``."""
        if self.pool.take_image is None:
            raise PaludariumError("this world has no fishes' systems yet that could make images")
        return self.pool.take_image(self._serial, size, kind, side, pan, tilt)

    def readings(self) -> list[Reading]:
        """What is in sight, and how the water is."""
        length = max(float(self._of("parameters")[Eye.RANGE]), 1e-9)
        (threat, distance), (food, near) = self.threat, self.food
        words = [f"{len(self.neighbours)} of its kind"]
        words += [word for word, seen in (("prey", self.prey >= 0), ("food", food >= 0)) if seen]
        told = [
            Reading("word", "sees", "sky", text=", ".join(words)),
            Reading("bar", "threat", "red", 1.0 / (1.0 + distance / length) if threat >= 0 else 0.0,
                    text=f"{distance:.1f}" if threat >= 0 else "-"),
            Reading("bar", "food", "green", 1.0 / (1.0 + near / length) if food >= 0 else 0.0,
                    text=f"{near:.1f}" if food >= 0 else "-"),
            Reading("bar", "light", "amber", self.brightness, text=f"{self.brightness:.2f}"),
            Reading("bar", "warmth", "pink", self.temperature, text=f"{self.temperature:.2f}"),
        ]  # fmt: skip
        if self.pool.show is not None:
            told.append(Reading("picture", "eye", look=partial(self.pool.show, self._serial), views=VIEWS))
        return told

    @property
    def _serial(self) -> int:
        self.pool.check(self.rows)
        return int(self.pool.owner[self.rows.start])

    def _of(self, name: str) -> Any:
        return self.pool.view(self.rows, name)[0]


def _named(rows: Array) -> Array:
    found: Array = rows[rows >= 0]
    return found


def fill_eyes(birth: Birth, spec: EyeSpec, pool: EyePool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    pool.parameters[rows.start] = parameter_row(spec)
    pool.surface[rows.start] = pool.bed[rows.start] = birth.at[2]
