"""The motor centre of a fish: what its mind wants of the body, and what muscles and fins make of it. [Tu99 4.6] [fish 2]"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.column_rules import FLAG, Codes, Within
from ...engine.parts import SpecProblem
from ...engine.pool import Array, Pool, Rows, column
from ...engine.readings import Reading
from ...engine.spec import number, numbers
from ..parameters import ParametersOf, parameter_columns, parameter_row
from .topology import MUSCLE_SEGMENTS

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.parts import Birth

FASTEST_BEAT = 6.0
"""Beats of the tail per second of a fish's own time, at most: the swimming tables go to 5. [fish 2]"""


class Controller(IntEnum):
    """The motor controller that does most at the moment [Tu99 4.6]: ``Controller(1).name == 'TURN_LEFT'``."""

    SWIM = 0
    TURN_LEFT = 1
    TURN_RIGHT = 2
    GLIDE = 3
    ASCEND = 4
    DESCEND = 5
    BALANCE = 6
    BRAKE = 7
    BACKWARD = 8


CONTROLLER_WORDS = ("swim", "turn left", "turn right", "glide", "ascend", "descend", "balance", "brake", "backward")


@dataclass(frozen=True)
class MotorSpec:
    """The ``[motor]`` table: strokes, fins, and how the body is steered. Times are of a fish with `pace` 1. [fish 2]"""

    stroke: tuple[float, ...] = numbers((0.05, 0.25, 0.30), count=MUSCLE_SEGMENTS, low=0.0, high=0.55,
                                        doc="how much the muscles of the three segments shorten in a full beat")
    lag: tuple[float, ...] = numbers((-59.4, 0.0, 99.0), count=MUSCLE_SEGMENTS, unit="deg", low=-360.0, high=360.0,
                                     doc="how far each segment's beat is behind; the book has 0 and 180 for the last two")
    bend: tuple[float, ...] = numbers((0.4, 0.4, 0.4), count=MUSCLE_SEGMENTS, low=0.0, high=0.55,
                                      doc="how much they shorten in the sharpest turn; the book turns with the first two")
    beat_scale: float = number(1.0, low=0.3, high=3.0, doc="multiple of the usual beat rates (1.6 to 5 Hz)")
    top_speed: float = number(2.2, low=0.1, high=4.0, doc="fastest burst, lengths per second")
    fin_area: float = number(0.02, low=0.0, high=0.2, doc="of a pectoral fin, as a share of the length squared")
    rowing_speed: float = number(0.4, low=0.0, high=2.0, doc="lengths per second at which fins row by themselves")
    yaw_couple: float = number(0.02, low=0.0, high=0.2, doc="turning couple of fins that row against each other")
    backward_force: float = number(0.004, low=0.0, high=0.1, doc="backward force of rowing, in units of length cubed")
    turn_gain: float = number(2.5, low=0.0, high=20.0, doc="bend per radian between the wanted and the mean heading")
    turn_damping: float = number(0.35, low=0.0, high=5.0, doc="bend per rad/s of turning against it")
    heading_time: float = number(0.3, unit="s", low=0.02, high=5.0, doc="over which the swing of the head is averaged out")
    steepest: float = number(51.6, unit="deg", low=1.0, high=80.0, doc="steepest climb and dive")
    bank: float = number(0.5, low=0.0, high=1.5, doc="how far it leans into a full turn, radians")
    flop_rate: float = number(1.4, unit="per_s", low=0.0, high=10.0, doc="how often it flops on land")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:
        """A beat far above the body's own bending frequency folds it instead of driving it."""
        from .springs import blueprint_of

        springs = specs.get("springs")
        if springs is None:
            return
        own, fastest = blueprint_of(springs).bending, FASTEST_BEAT * self.beat_scale * springs.pace
        if fastest > SHARPEST_BEAT * own:
            most = SHARPEST_BEAT * own / (FASTEST_BEAT * springs.pace)
            raise SpecProblem("beat_scale", self.beat_scale, f"at most {most:.3g} for a body that bends by itself at "
                              f"{own:.3g} Hz; or a larger stiffness in [springs]")  # fmt: skip


SHARPEST_BEAT = 2.5
"""Fastest beat as a multiple of the body's lowest bending frequency, at rest and without the tone of a burst."""

Motor = parameter_columns("Motor", MotorSpec, __name__)


class MotorPool(Pool):
    """One row per fish, aligned with `CreaturePool`. The first group is what a mind, a game or a player writes."""

    aligned = True

    parameters = column(np.float64, len(Motor), holds=ParametersOf(MotorSpec), fixed=True)
    stroke = column(np.float64, MUSCLE_SEGMENTS, holds=Within(0.0, 0.55), fixed=True)
    lag = column(np.float64, MUSCLE_SEGMENTS, holds=Within(-2.0 * pi, 2.0 * pi), fixed=True)
    bend_share = column(np.float64, MUSCLE_SEGMENTS, holds=Within(0.0, 0.55), fixed=True)
    # what is wanted
    wish = column(np.float64, 3, holds=Within(-2.0, 2.0))  # direction in world axes, of length 1; 0: hold the present one
    wish_speed = column(np.float64, holds=Within(0.0, 10.0))  # lengths per second
    brake = column(np.uint8, holds=FLAG)
    backward = column(np.float64, holds=Within(0.0, 1.0))  # rate of rowing backward
    reflex = column(np.uint8, holds=FLAG)  # bends as fast as it can
    gape = column(np.float64, holds=Within(0.0, 1.0))  # how wide the mouth is open
    # what is done
    controller = column(np.uint8, holds=Codes(len(Controller)))
    phase = column(np.float64, holds=Within(-1e3, 1e3))  # of the beat, radians
    beat = column(np.float64, fill=1.6, holds=Within(0.0, 100.0))  # Hz
    effort = column(np.float64, holds=Within(0.0, 3.0))  # share of the full stroke
    bend = column(np.float64, holds=Within(-1.0, 1.0))  # left is positive
    tone = column(np.float64, fill=1.0, holds=Within(0.5, 3.0))  # factor on stiffness
    gamma = column(np.float64, 2, fill=pi / 2, holds=Within(0.0, pi))  # angles of the left and the right pectoral fin
    fin_phase = column(np.float64, holds=Within(-1e3, 1e3))  # of their beat, for the picture
    # what it remembers
    heading = column(np.float64, 2, holds=Within(-2.0, 2.0))  # cosine and sine of the mean heading
    yaw_rate = column(np.float64, holds=Within(-1e3, 1e3))  # mean, rad/s
    angles = column(np.float64, 3, holds=Within(-4.0, 4.0))  # yaw, pitch and roll a tick ago
    trim = column(np.float64, holds=Within(-1.0, 1.0))  # lengths/s to ask for beyond what the table says
    side = column(np.int8, holds=Within(-1, 1))  # that it turns to when what it wants lies straight behind


class MotorHandle:
    """The motor centre of one fish.

    Example::

        fish.motor.controller      # <Controller.SWIM: 0>
    """

    __slots__ = ("pool", "rows")

    def __init__(self, pool: MotorPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    @property
    def controller(self) -> Controller:
        """The controller that does most at the moment."""
        return Controller(int(self.pool.view(self.rows, "controller")[0]))

    @property
    def beat(self) -> float:
        """Beats of the tail per second."""
        return float(self.pool.view(self.rows, "beat")[0])

    @property
    def effort(self) -> float:
        """Share of the full stroke."""
        return float(self.pool.view(self.rows, "effort")[0])

    @property
    def bend(self) -> float:
        """How far it bends into a turn, -1 to 1, left positive."""
        return float(self.pool.view(self.rows, "bend")[0])

    @property
    def fins(self) -> Array:
        """(2,) angles of the left and the right pectoral fin: pi / 2 is neutral, more lifts, pi brakes."""
        return self.pool.view(self.rows, "gamma")[0]

    def readings(self) -> list[Reading]:
        """Which controller is at work, and how hard."""
        return [
            Reading("word", "motor", "sky", text=CONTROLLER_WORDS[self.controller]),
            Reading("bar", "stroke", "amber", min(self.effort, 1.0), text=f"{self.beat:.1f} Hz"),
            Reading("cells", "fins", "blue", values=np.clip(self.fins / pi, 0.0, 1.0)),
        ]


def renew_motor(creature: Creature, spec: MotorSpec, pool: MotorPool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    """Strokes of the species."""
    write_motor(pool, rows.start, spec)


def write_motor(pool: MotorPool, row: int, spec: MotorSpec) -> None:
    """Update the numbers of one motor centre."""
    pool.parameters[row] = parameter_row(spec)
    pool.stroke[row], pool.lag[row], pool.bend_share[row] = spec.stroke, spec.lag, spec.bend


def fill_motor(birth: Birth, spec: MotorSpec, pool: MotorPool, rows: Rows) -> None:
    row = rows.start
    write_motor(pool, row, spec)
    forward = np.cos(birth.heading), np.sin(birth.heading)
    pool.wish[row, :2] = pool.heading[row] = forward
    pool.angles[row, 0] = np.arctan2(forward[1], forward[0])
    pool.phase[row] = birth.world.streams["beat"].uniform(0.0, 2.0 * pi)
