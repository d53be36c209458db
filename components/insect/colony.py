"""Life in a colony: a nest, what an ant carries and where it goes with it. [Guo15 5.4.2] [insect 7]"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.column_rules import BITS, ON_MAP, Codes, RowOf, Within
from ...engine.parts import SpecProblem
from ...engine.pool import Array, MovedFrom, Pool, Rows, column
from ...engine.readings import Reading
from ...engine.spec import number, texts
from ..diet import DietPool, food_bits
from ..parameters import ParametersOf, parameter_columns, parameter_row

if TYPE_CHECKING:
    from ...engine.parts import Birth

NO_NEST = -1


class Errand(IntEnum):
    """What an ant of a colony is about: ``Errand(1).name == 'HOMEWARD'``."""

    SEARCH = 0  # wanders, or follows a trail away from the nest
    HOMEWARD = 1  # carries something home and lays the trail
    HAUL = 2  # pulls at a piece that is too heavy for one
    GREET = 3  # stands and feels another one with its antennae
    ALARM = 4  # runs to where one of its colony was killed


ERRAND_TONES = (("search", "faint"), ("homeward", "amber"), ("haul", "green"), ("greet", "sky"), ("alarm", "red"))


@dataclass(frozen=True)
class ColonySpec:
    """The ``[colony]`` table. Distances are in lengths of the trunk, times in seconds."""

    carries: tuple[str, ...] = texts(("fruit", "carrion"), doc="kinds of food that are carried home")
    bite: float = number(0.2, low=0.001, high=1000.0, doc="amount that one takes along")
    weight: float = number(3.0, low=0.0, high=100.0, doc="of an amount of 1, in masses of the animal")
    sight: float = number(1.5, unit="lengths", low=0.1, high=50.0, doc="from where on it goes straight to food")
    smell: float = number(0.87, unit="lengths", low=0.1, high=20.0, doc="how far ahead the antennae feel for a trail")
    spread: float = number(34.4, unit="deg", low=1.0, high=90.0, doc="and how far aside")
    trail: float = number(0.8, unit="per_s", low=0.0, high=100.0, doc="how much trail a loaded ant lays")
    follow: float = number(2.6, unit="per_s", low=0.0, high=100.0, doc="how sharply it turns along a trail")
    wander: float = number(1.6, low=0.0, high=10.0, doc="how much the heading of a searching ant varies, rad per root s")
    patience: float = number(120.0, unit="s", low=1.0, high=100000.0, doc="how long it searches before it goes home")
    greet_chance: float = number(0.1, low=0.0, high=1.0, doc="share of oncoming ants that it stops for")
    greet_min: float = number(0.4, unit="s", low=0.0, high=100.0, doc="shortest time that they feel each other")
    greet_max: float = number(1.0, unit="s", low=0.0, high=100.0, doc="longest time")
    greet_rest: float = number(6.0, unit="s", low=0.0, high=1000.0, doc="until it stops for another one")
    keep_right: float = number(1.7, low=0.0, high=20.0, doc="how sharply it gives way to the right")
    alarm_time: float = number(6.0, unit="s", low=0.0, high=1000.0, doc="how long it looks for what killed a nest mate")
    guard: float = number(0.0, unit="lengths", low=0.0, high=100.0,
                          doc="how far from its nest one walks that guards it; 0 is one that searches for food")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:
        if "brain" not in specs:
            raise SpecProblem("", "a colony of animals without brains", "a species that also has a [brain] table")
        if self.greet_min > self.greet_max:
            raise SpecProblem("greet_min_s", self.greet_min, "a time not above greet_max_s")


Colony = parameter_columns("Colony", ColonySpec, __name__)


def without_guards(parameters: Array) -> Array:
    """Parameters of saves in which no insect guarded anything."""
    return np.column_stack([parameters, np.zeros(len(parameters))])


class NestPool(Pool):
    """One row per entrance of a nest; entrances of one nest have the same number."""

    single = True

    position = column(np.float64, 3, holds=ON_MAP)
    radius = column(np.float64, fill=1.0, holds=Within(1e-3, 1e4))
    nest = column(np.int32, holds=Within(0, 1_000_000))
    stored = column(np.float64, holds=Within(0.0))  # amount that was brought to this entrance
    loads = column(np.int64, holds=Within(0, 2**60))  # and how many pieces


class ColonyPool(Pool):
    """One row per animal of a colony, aligned with `CreaturePool`."""

    aligned = True
    format = 3  # 2 is without the columns "entrance", "carried_amount" and "met", which were never read

    parameters = column(np.float64, len(Colony), since=3, older=MovedFrom("ColonyPool", "parameters", without_guards),
                        holds=ParametersOf(ColonySpec), fixed=True)  # fmt: skip
    carries = column(np.uint64, holds=BITS, fixed=True)  # one bit per kind of food
    nest = column(np.int32, fill=NO_NEST, holds=Within(-1, 1_000_000))  # its number
    errand = column(np.uint8, holds=Codes(len(Errand)))
    before = column(np.uint8, holds=Codes(len(Errand)))  # what it goes back to after a greeting
    carried = column(np.int32, fill=-1, holds=RowOf("FoodPool", nobody=True))  # row of what it holds in its jaws
    trips = column(np.int32, holds=Within(0, 2**30))  # loads brought home
    veer = column(np.float64, holds=Within(-100.0, 100.0))  # rad/s by which a searching one turns as chance has it
    side = column(np.int8, holds=Within(-1, 1))  # to which it goes around what is in its way, left is 1
    detour = column(np.float64, holds=Within(0.0, 1e3))  # seconds that it still keeps to that side
    # seconds that it still searches before it goes home
    patience = column(np.float64, since=2, older=MovedFrom("ColonyPool", "timer"), holds=Within(0.0, 1e9))
    # seconds that a greeting, an alarm or disinterest in food lasts
    pause = column(np.float64, since=2, holds=Within(0.0, 1e9))
    rest = column(np.float64, holds=Within(0.0, 1e9))  # seconds until it may greet again
    alarm_at = column(np.float64, 3, holds=ON_MAP)
    stream = column(np.uint64, holds=BITS)
    # what happened in this tick, for the system to settle: rows, or -1
    wants_food = column(np.int32, fill=-1, holds=RowOf("FoodPool", nobody=True))
    wants_store = column(np.int32, fill=-1, holds=RowOf("NestPool", nobody=True))
    meets = column(np.int32, fill=-1, holds=RowOf("CreaturePool", nobody=True))


class ColonyHandle:
    """An animal as one of many.

    Example::

        ant.colony.errand         # <Errand.HOMEWARD: 1>
        ant.colony.trips
    """

    __slots__ = ("pool", "rows")

    def __init__(self, pool: ColonyPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    @property
    def errand(self) -> Errand:
        """What it is about."""
        return Errand(int(self.pool.view(self.rows, "errand")[0]))

    @property
    def nest(self) -> int | None:
        """The number of its nest, None for a stray."""
        number_ = int(self.pool.view(self.rows, "nest")[0])
        return None if number_ == NO_NEST else number_

    @property
    def trips(self) -> int:
        """Loads that it has brought home."""
        return int(self.pool.view(self.rows, "trips")[0])

    def readings(self) -> list[Reading]:
        """Its errand over time, and how many loads it has brought home."""
        return [Reading("strip", "errand", values=[int(self.errand)], states=ERRAND_TONES),
                Reading("word", "loads", "amber", text=str(self.trips))]  # fmt: skip


def fill_colony(birth: Birth, spec: ColonySpec, pool: ColonyPool, rows: Rows) -> None:
    """A newborn belongs to the nearest nest, if there is one."""
    row, world = rows.start, birth.world
    pool.parameters[row] = parameter_row(spec)
    pool.carries[row] = food_bits(world, birth.species.key, spec.carries)
    pool.patience[row] = spec.patience * world.streams["colony"].uniform(0.5, 1.0)
    pool.stream[row] = world.streams["colony"].integers(0, 2**64, dtype=np.uint64)
    world.pool(DietPool).gape[row] = 0  # food is carried home, not eaten on the way
    nests = world.pool(NestPool)
    doors = nests.spans[:, 0]
    if len(doors):
        nearest = doors[np.argmin(((nests.position[doors, :2] - birth.at[:2]) ** 2).sum(axis=1))]
        pool.nest[row] = nests.nest[nearest]
