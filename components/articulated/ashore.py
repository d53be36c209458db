"""What a swimmer does out of the water: it hops, crawls or wriggles back, or lies there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.column_rules import FLAG, ON_MAP, Codes, Within
from ...engine.parts import SpecProblem
from ...engine.pool import Pool, Rows, column
from ...engine.readings import Reading
from ...engine.spec import choice, number, numbers
from ..parameters import ParametersOf, parameter_columns, parameter_row
from .link_plan import MOST_LINKS, plan_of

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.parts import Birth

WAYS = ("lie", "hop", "crawl", "wriggle")


class Way(IntEnum):
    """How a swimmer moves on land: ``Way(1).name == 'HOP'``."""

    LIE = 0
    HOP = 1
    CRAWL = 2
    WRIGGLE = 3


class Errand(IntEnum):
    """What a swimmer is about between water and land, while no game tells it anything."""

    SWIM = 0  # it is in the water and lives there
    ASHORE = 1  # it is on its way to a shore or a lily pad
    SIT = 2  # it sits there for a while
    BACK = 3  # it is on its way back to the water


@dataclass(frozen=True)
class AshoreSpec:
    """The ``[ashore]`` table. Lengths are body lengths; poses have one angle per joint, as links come."""

    way: str = choice("lie", *WAYS, doc="how it moves on land")
    speed: float = number(0.05, unit="lengths_per_s", low=0.0, high=10.0, doc="mean speed there")
    turn: float = number(60.0, unit="deg_per_s", low=0.0, high=720.0, doc="mean turning speed there")
    stride: float = number(0.3, unit="lengths", low=0.01, high=10.0, doc="of a hop, or of one wave of limbs or body")
    leap: float = number(0.3, unit="lengths", low=0.01, high=10.0, doc="height of a hop")
    swing: float = number(25.0, unit="deg", low=0.0, high=90.0, doc="amplitude of joints that crawl or wriggle")
    rest: tuple[float, ...] = numbers((), unit="deg", low=-180.0, high=180.0, doc="pose of joints that sit; 0 if not given")
    stretch: tuple[float, ...] = numbers((), unit="deg", low=-180.0, high=180.0, doc="pose of a hop; 0 if not given")
    swim_time: float = number(0.0, unit="s", low=0.0, high=1e6, doc="mean time until it wants ashore; 0: it never does")
    sit_time: float = number(0.0, unit="s", low=0.0, high=1e6, doc="mean time that it sits there")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:
        if not specs.get("links"):
            raise SpecProblem("", "a way on land without links", "a species that also has [[links]]")
        plan = plan_of(tuple(specs["links"]))
        for key, values in (("rest_deg", self.rest), ("stretch_deg", self.stretch)):
            if values and len(values) != plan.joints:
                raise SpecProblem(key, [*np.degrees(values)], f"{plan.joints} numbers, one per joint, or none")
        if self.swim_time > 0.0 and self.way == "lie":
            raise SpecProblem("swim_time_s", self.swim_time, "0 for an animal that only lies on land")


Ashore = parameter_columns("Ashore", AshoreSpec, __name__)


class AshorePool(Pool):
    """One row per articulated swimmer, aligned with `CreaturePool`. Units and seconds of the world."""

    aligned = True
    format = 2  # older saves have none of it: `renew_ashore` writes what the species says

    parameters = column(np.float64, len(Ashore), holds=ParametersOf(AshoreSpec), fixed=True)
    rest = column(np.float64, MOST_LINKS, holds=Within(-pi, pi), fixed=True)
    stretch = column(np.float64, MOST_LINKS, holds=Within(-pi, pi), fixed=True)
    grounded = column(np.uint8, holds=FLAG)  # too little of it is in the water to swim
    flying = column(np.uint8, holds=FLAG)  # in a hop
    clock = column(np.float64, holds=Within(0.0, 1e9))  # s since the last hop ended
    wave = column(np.float64, holds=Within(0.0, 1.0))  # phase of crawling and wriggling
    spin = column(np.float64, holds=Within(-100.0, 100.0))  # rad/s of a hop
    errand = column(np.uint8, holds=Codes(len(Errand)))
    due = column(np.float64, holds=Within(0.0, 1e9))  # s until the errand is over
    aim = column(np.float64, 3, holds=ON_MAP)  # where an errand leads
    aimed = column(np.uint8, holds=FLAG)  # there is such a place


class AshoreHandle:
    """What one swimmer does on land.

    Example::

        frog.ashore.way           # "hop"
        frog.ashore.grounded      # whether it is on land
        frog.ashore.errand        # Errand.SIT
    """

    __slots__ = ("pool", "rows")

    def __init__(self, pool: AshorePool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    @property
    def way(self) -> str:
        """How it moves on land."""
        return WAYS[int(self.pool.view(self.rows, "parameters")[0, Ashore.WAY])]

    @property
    def grounded(self) -> bool:
        """Whether too little of it is in the water to swim."""
        return bool(self.pool.view(self.rows, "grounded")[0])

    @property
    def flying(self) -> bool:
        """Whether it is in a hop."""
        return bool(self.pool.view(self.rows, "flying")[0])

    @property
    def errand(self) -> Errand:
        """What it is about."""
        return Errand(int(self.pool.view(self.rows, "errand")[0]))

    def readings(self) -> list[Reading]:
        """Its errand, while it has one."""
        errand = self.errand
        return [] if errand is Errand.SWIM else [Reading("word", "shore", "sky", text=errand.name.lower())]


def fill_ashore(birth: Birth, spec: AshoreSpec, pool: AshorePool, rows: Rows) -> None:
    """Numbers and poses of the species; the first wish for land comes after a while of its own."""
    write_ashore(spec, pool, rows)
    pool.due[rows.start] = spec.swim_time * birth.world.streams["swimmer shores"].uniform(0.3, 1.3)


def renew_ashore(creature: Creature, spec: AshoreSpec, pool: AshorePool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    """Numbers and poses of the species, for a swimmer of a save; what it is about stays."""
    write_ashore(spec, pool, rows)


def write_ashore(spec: AshoreSpec, pool: AshorePool, rows: Rows) -> None:
    """Update the numbers and poses of the species."""
    row = rows.start
    pool.parameters[row] = parameter_row(spec)
    for name in ("rest", "stretch"):
        values = getattr(spec, name)
        getattr(pool, name)[row] = 0.0
        getattr(pool, name)[row, 1 : 1 + len(values)] = values
