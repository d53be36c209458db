"""Walking on without a head: every segment's own nerves (ganglia) keep its legs in step; nothing steers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.column_rules import ENDLESS, SERIAL, RowOf, Within
from ...engine.parts import Birth, SpecProblem
from ...engine.pool import MovedFrom, Pool, Rows, column
from ...engine.readings import Reading
from ...engine.spec import number
from ..antennae import SENSE_COLUMNS, AntennaSpec, without_eating
from ..head_command import HeadCommandPool
from ..parameters import ParametersOf, parameter_row

if TYPE_CHECKING:
    from ...engine.creature import Creature

NOBODY = -1
"""No creature has this serial number."""

SLOWEST = 1e-9
"""u/s; spares a panel the division by zero where a body was never meant to walk."""


@dataclass(frozen=True)
class GangliaSpec:
    """The ``[ganglia]`` table: an animal without a head goes straight on for a while. Cut-off rears have it."""

    speed: float = number(2.0, unit="u_per_s", low=0.0, high=100.0, doc="of a fresh body without a head")
    seconds: float = number(30.0, unit="s", low=0.0, high=1e6, doc="how long it goes on before it rests")
    fading: float = number(10.0, unit="s", low=0.01, high=1e6, doc="over the last of these it slows down")
    acceleration: float = number(8.0, unit="u_per_s2", low=0.01, high=10000.0, doc="largest change of speed")
    stand_share: float = number(0.5, low=0.0, high=1.0, doc="share of standing legs above which it walks again")
    fall_share: float = number(0.25, low=0.0, high=1.0, doc="and below which it stops walking")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:
        if "gait" not in specs and "muscles" not in specs:
            raise SpecProblem("", "ganglia without gait or muscles", "a species that also has a [gait] or [muscles] table")
        if "brain" in specs:
            raise SpecProblem("", "ganglia beside a brain", "one of [brain] and [ganglia]: only one can lead the body")
        if self.fall_share > self.stand_share:
            raise SpecProblem("fall_share", self.fall_share, "a share not above stand_share")


class GangliaPool(Pool):
    """One row per creature without a head, aligned with `CreaturePool`."""

    aligned = True
    format = 3

    wanted_speed = column(np.float64, fixed=True)  # u/s of a fresh one
    seconds_left = column(np.float64)
    limits = column(np.float64, 4, holds=Within(0.0), fixed=True)  # fading seconds, acceleration, stand share, fall share
    leader = column(np.int64, fill=NOBODY, holds=SERIAL)  # serial number of the front half, until the two are apart
    leader_row = column(np.int32, fill=NOBODY, holds=RowOf("CreaturePool", nobody=True))
    # of these only clearance and look range are used
    senses = column(np.float64, SENSE_COLUMNS, since=3, older=MovedFrom("GangliaPool", "senses", without_eating),
                    holds=ParametersOf(AntennaSpec), fixed=True)
    free_path = column(np.float64, 2, holds=ENDLESS)
    barrier = column(np.float64, 3)


class Ganglia:
    """The nerves of one body without a head."""

    __slots__ = ("head", "pool", "rows")

    def __init__(self, head: HeadCommandPool, pool: GangliaPool, rows: Rows) -> None:
        self.head, self.pool, self.rows = head, pool, rows

    @property
    def seconds_left(self) -> float:
        """How long it still walks."""
        return float(self.pool.view(self.rows, "seconds_left")[0])

    @property
    def speed(self) -> float:
        """Speed of the foremost segment in u/s."""
        self.pool.check(self.rows)
        return float(self.head.speed[self.rows.start])

    def readings(self) -> list[Reading]:
        """How fast it goes on without a head, and how long it still will."""
        wanted, fading = (float(self.pool.view(self.rows, name)[0].flat[0]) for name in ("wanted_speed", "limits"))
        return [
            Reading("curve", "speed", "sky", self.speed / max(wanted, self.speed, SLOWEST), text=f"{self.speed:.2f}"),
            Reading("bar", "strength left", "amber", self.seconds_left / fading, text=f"{self.seconds_left:.0f} s"),
        ]


def fill_ganglia(birth: Birth, spec: GangliaSpec, pool: GangliaPool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    start_ganglia(pool, rows.start, spec)


def renew_ganglia(creature: Creature, spec: GangliaSpec, pool: GangliaPool, rows: Rows) -> None:  # noqa: ARG001 - as all
    """Numbers of the species."""
    write_ganglia(pool, rows.start, spec)


def start_ganglia(pool: GangliaPool, row: int, spec: GangliaSpec) -> None:
    """Write the start values of one row."""
    write_ganglia(pool, row, spec)
    pool.seconds_left[row] = spec.seconds


def write_ganglia(pool: GangliaPool, row: int, spec: GangliaSpec) -> None:
    """Update the numbers of one body without a head."""
    pool.wanted_speed[row] = spec.speed
    pool.limits[row] = (spec.fading, spec.acceleration, spec.stand_share, spec.fall_share)
    pool.senses[row] = parameter_row(AntennaSpec())
