"""The servos of a swimmer, and where its root is: size, pace, stroke, steering and what it costs. [Tan11 3.2, 4.1]"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.column_rules import COUNT, FLAG, MOTION, Codes, SpanOf, Within
from ...engine.parts import SpecProblem
from ...engine.pool import Pool, Rows, column
from ...engine.readings import Reading
from ...engine.spec import flag, number
from .manoeuvres import MANOEUVRES, Manoeuvre

if TYPE_CHECKING:
    from ...engine.parts import Birth
    from ...engine.pool import Array

NO_WINDOW = -1
NO_ORDER = -1
"""The swimmer chooses its manoeuvre itself."""
VISCOSITY = 1e-6
"""m^2/s, kinematic, of water at 20 degrees."""
MOST_WINDOWS = 8
"""Fluid windows of a world at a time. [swimmer 5]"""
MOST_BOXES = 2
"""Boxes of water of a world at a time, for those that flap in space; their numbers follow those of the windows."""


@dataclass(frozen=True)
class ServoSpec:
    """The ``[servo]`` table: the size of the animal, and how its joints are driven."""

    length: float = number(6.0, unit="u", low=0.05, high=500.0, doc="of the body, nose to tail")
    real_length: float = number(
        0.3, unit="m", low=0.0, high=100.0, doc="of such an animal: it says how thick water is to it; 0: no friction"
    )
    pace: float = number(1.0, low=0.05, high=4.0, doc="seconds of the animal per second of the world")
    stiffness: float = number(25.0, low=0.1, high=1e5, doc="of a joint, in masses times lengths squared per s^2 [swimmer 2]")
    damping: float = number(0.03, unit="s", low=0.0, high=1.0, doc="of a joint, as a share of its stiffness")
    ramp: float = number(0.25, unit="s", low=0.0, high=10.0, doc="in which a stroke begins")
    blend: float = number(0.25, low=0.01, high=1.0, doc="share of a cycle in which one manoeuvre goes over into another")
    look_ahead: float = number(0.4, low=0.0, high=10.0, doc="body lengths ahead that it aims at on a path")
    steer_range: float = number(
        0.0,
        unit="deg",
        low=0.0,
        high=180.0,
        doc="heading error from which on it turns as it can; 0: by what its turn was measured at",
    )
    glides: bool = flag(False, doc="less effort is a longer glide after the same kick; else a smaller stroke")
    switches: bool = flag(False, doc="follows paths by switching between straight and full turns, as published [Tan11 5]")
    climb_speed: float = number(0.25, low=0.0, high=2.0, doc="body lengths per second up and down")
    swim_depth: float = number(0.0, unit="u", low=0.0, high=1000.0, doc="below the surface that it keeps; 0: half way down")
    air: float = number(60.0, unit="s", low=0.0, high=1e6, doc="how long it lives out of the water; 0 for ever")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:
        if not specs.get("links"):
            raise SpecProblem("", "servos without links", "a species that also has [[links]]")
        straight = next((one for one in specs.get("manoeuvres", ()) if one.name == "straight"), None)
        if self.glides and (straight is None or straight.glide_share == 0.0):
            raise SpecProblem("glides", True, "false for a straight stroke without glide_share: no glide could be longer")


class Tilt(IntEnum):
    """Columns of `SwimPool.tilt`, in radians: nose up, and left side up, of those that flap in space."""

    PITCH = 0
    ROLL = 1


class SwimPool(Pool):
    """One row per articulated swimmer, aligned with `CreaturePool`. Units and seconds of the world."""

    aligned = True
    format = 4
    # 2: without the columns "offset" and "previous_tier", which were always 0; 3: what it swam in a cycle, and "reynolds"
    # 4: with "glides"

    first_link = column(np.int32, holds=SpanOf("LinkPool", "link_count"))
    link_count = column(np.int32, holds=COUNT)
    first_manoeuvre = column(np.int32, holds=SpanOf("ManoeuvrePool", "manoeuvre_count"))
    manoeuvre_count = column(np.int32, holds=COUNT)
    # of the species and its size
    length = column(np.float64, fill=1.0, holds=Within(1e-3, 1e4), fixed=True)
    pace = column(np.float64, fill=1.0, holds=Within(0.05, 4.0), fixed=True)
    reynolds = column(np.float64, since=3, older=9e4, holds=Within(0.0, 1e12), fixed=True)  # at a length per second
    ramp = column(np.float64, holds=Within(0.0, 10.0), fixed=True)
    blend = column(np.float64, fill=0.25, holds=Within(0.01, 1.0), fixed=True)
    look_ahead = column(np.float64, fill=0.4, holds=Within(0.0, 10.0), fixed=True)
    steer_range = column(np.float64, holds=Within(0.0, pi), fixed=True)
    switches = column(np.uint8, holds=FLAG, fixed=True)
    glides = column(np.uint8, since=4, holds=FLAG, fixed=True)
    climb_speed = column(np.float64, fill=0.25, holds=Within(0.0, 2.0), fixed=True)
    swim_depth = column(np.float64, holds=Within(0.0, 1000.0), fixed=True)
    air = column(np.float64, fill=60.0, holds=Within(0.0, 1e6), fixed=True)
    plane = column(np.uint8, fill=1, holds=FLAG, fixed=True)  # it can swim in a fluid window
    # the root: its joint in the map and its angle, and how fast it moves against the water around it
    root = column(np.float64, 3, holds=Within(-1e7, 1e7))
    root_rate = column(np.float64, 3, holds=MOTION)
    stream = column(np.float64, 3, holds=MOTION)  # of the water around it
    height = column(np.float64, holds=Within(-1e6, 1e6))  # of the root, z
    climb = column(np.float64, holds=MOTION)
    tilt = column(np.float64, len(Tilt), holds=Within(-pi, pi))
    heading = column(np.float64, holds=Within(-1e7, 1e7))  # mean over its links, in masses [articulated-swimmers 7.12]
    wet = column(np.float64, fill=1.0, holds=Within(0.0, 1.0))  # share of it under water
    air_seconds = column(np.float64, holds=Within(0.0, 1e9))
    # the stroke
    phase = column(np.float64, holds=Within(0.0, 1.0))  # of the cycle
    swum = column(np.float64, holds=Within(0.0, 1e9))  # seconds since the stroke began
    effort = column(np.float64, holds=Within(-1.0, 1.0))  # share of the full stroke; negative: the wave runs forward
    steer = column(np.float64, holds=Within(-1.0, 1.0))  # between straight and the sharpest turn, left positive
    steered = column(np.float64, since=3, holds=Within(-1.0, 1.0))  # what it was in the tick before
    rise = column(np.float64, holds=Within(-1.0, 1.0))  # between level and the steepest pitch, up positive
    # effort, steering and rise that are wanted
    wish_effort = column(np.float64, holds=Within(-1.0, 1.0))
    wish_speed = column(np.float64, since=3, holds=MOTION)  # u/s, that the effort is for
    wish_steer = column(np.float64, holds=Within(-1.0, 1.0))
    wish_rise = column(np.float64, holds=Within(-1.0, 1.0))
    manoeuvre = column(np.uint8, holds=Codes(len(MANOEUVRES)))  # that does most now
    told = column(np.int8, fill=NO_ORDER, holds=Within(NO_ORDER, len(MANOEUVRES) - 1))  # that a game asked for
    announced = column(np.uint8, holds=Codes(len(MANOEUVRES)))  # that the game was told of last
    path_at = column(np.float64, holds=Within(0.0, 1e9))  # units along a path that it follows
    # what it swam against the water since this cycle began, x and y, and in how many seconds; the effort that this asks for
    went = column(np.float64, 2, since=3, holds=MOTION)
    went_seconds = column(np.float64, since=3, holds=Within(0.0, 1e9))
    effort_trim = column(np.float64, fill=1.0, since=3, holds=Within(0.1, 10.0))
    # what it costs: work of all servos, in total and in this cycle, and the mean power of the cycle before
    work = column(np.float64, holds=Within(-1e30, 1e30))
    cycle_work = column(np.float64, holds=Within(-1e30, 1e30))
    power = column(np.float64, holds=Within(-1e30, 1e30))
    # how it is simulated
    window = column(np.int32, fill=NO_WINDOW, holds=Within(NO_WINDOW, MOST_WINDOWS + MOST_BOXES - 1))
    failed = column(np.uint8, holds=FLAG)  # its fluid had to begin anew in this tick


class Servo:
    """The stroke of one swimmer.

    Example::

        eel.servo.phase           # 0..1 of the cycle
        eel.servo.power           # mean over the last cycle, per kg of water that it displaces: see docs/swimmers.md
    """

    __slots__ = ("pool", "rows")

    def __init__(self, pool: SwimPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    def _number(self, name: str) -> float:
        return float(self.pool.view(self.rows, name)[0])

    @property
    def phase(self) -> float:
        """Of the cycle, 0 to 1."""
        return self._number("phase")

    @property
    def effort(self) -> float:
        """Share of the full stroke."""
        return self._number("effort")

    @property
    def steer(self) -> float:
        """Between straight (0) and the sharpest turns (-1 right, 1 left)."""
        return self._number("steer")

    @property
    def power(self) -> float:
        """Mean work of the servos per second over the last cycle."""
        return self._number("power")

    @property
    def work(self) -> float:
        """Work of the servos since birth."""
        return self._number("work")

    @property
    def heading(self) -> float:
        """Mean direction of the links, rad."""
        return self._number("heading")

    @property
    def manoeuvre(self) -> Manoeuvre:
        """What it does most of."""
        return Manoeuvre(int(self.pool.view(self.rows, "manoeuvre")[0]))

    def readings(self) -> list[Reading]:
        """What it does, how hard, and where it steers."""
        return [
            Reading("word", "manoeuvre", "amber", text=self.manoeuvre.name.lower().replace("_", " ")),
            Reading("bar", "effort", "sky", abs(self.effort), text=f"{self.effort:.2f}"),
            Reading("bar", "steer", "moss", 0.5 + 0.5 * self.steer, text=f"{self.steer:+.2f}"),
        ]


def fill_servo(birth: Birth, spec: ServoSpec, pool: SwimPool, rows: Rows) -> None:
    """Where its links and manoeuvres begin, and the numbers of the species; its family has put the root somewhere."""
    row, none = rows.start, Rows(0, 0, 0)
    links, manoeuvres = birth.rows["links"], birth.rows.get("manoeuvres", none)
    pool.first_link[row], pool.link_count[row] = links.start, links.size
    pool.first_manoeuvre[row], pool.manoeuvre_count[row] = manoeuvres.start, manoeuvres.size
    write_servo(pool, row, spec)


def write_servo(pool: SwimPool, row: int, spec: ServoSpec) -> None:
    """Update the numbers of the species, also outside of any world; the size is that of the spec."""
    pool.pace[row], pool.length[row] = spec.pace, spec.length
    pool.reynolds[row] = spec.real_length**2 / VISCOSITY
    for name in ("ramp", "blend", "look_ahead", "steer_range", "glides", "switches", "climb_speed", "swim_depth", "air"):
        getattr(pool, name)[row] = getattr(spec, name)


def heading_of(angles: Array, masses: Array) -> float:
    """The mean angle of links, weighted by mass."""
    return float(np.average(angles, weights=masses))
