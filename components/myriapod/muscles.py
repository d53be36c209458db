"""Muscles: the rest lengths of the soft blocks as a swimming controller drives them. [Fang15 5.1, 5.4]"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.column_rules import FLAG
from ...engine.parts import Birth, SpecProblem
from ...engine.pool import Array, MovedFrom, Pool, Rows, column
from ...engine.readings import Reading
from ...engine.spec import choice, number, numbers, profiles
from ..parameters import ParametersOf, parameter_columns, parameter_row
from .chain import ChainPool
from .tissue import TissuePool

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from .tissue import TissueSpec

LINE_POINTS = 6
"""Points of the line of least energy: speed, frequency and phase shift at each."""
PUBLISHED = {"controller": "wave", "activation": "root", "steering": "weaker_side"}
"""The controller exactly as published: one clock, signals whose squares add up to one, turns by a weaker side.
[Fang15 5.4; myriapoda E-13]"""


@dataclass(frozen=True)
class MuscleSpec:
    """The ``[muscles]`` table. The defaults swim: 12 unit segments, 11 unit blocks, the source's tissue.

    The line gives the frequency and the phase shift that cost least at each speed; between its points both are
    interpolated, below the first the body bends less, beyond the last it does its best.
    """

    profile: str = profiles("steady", published=PUBLISHED,
                            doc="defaults that turn as told, or the controller as published: one clock, root, weaker side")
    controller: str = choice("wave", "wave", "oscillators", doc="one clock for the whole body, or a chain of coupled ones")
    activation: str = choice("root", "root", "smooth", doc="s = sqrt((1 +- sin)/2), the source's, or (1 +- sin)/2")
    steering: str = choice("bend", "bend", "weaker_side", doc="turns by a mean bend of the body, or as the source's do")
    shortest: float = number(0.5, low=0.2, high=1.0, doc="rest length of a side at signal 0, as a share of the block's own")
    longest: float = number(1.0, low=0.2, high=1.2, doc="and at signal 1")
    slowest_beat: float = number(0.3, unit="per_s", low=0.0, high=30.0, doc="lowest frequency")
    fastest_beat: float = number(3.0, unit="per_s", low=0.01, high=30.0, doc="highest frequency")
    least_shift: float = number(18.0, unit="deg", low=0.0, high=180.0, doc="smallest phase shift from block to block")
    most_shift: float = number(99.0, unit="deg", low=0.0, high=180.0, doc="largest")
    line_speed: tuple[float, ...] = numbers((2.0, 3.0, 4.0, 5.0, 6.0, 7.0), count=LINE_POINTS, unit="u_per_s", low=0.0,
                                            high=100.0, doc="swimming speeds, rising")  # fmt: skip
    line_frequency: tuple[float, ...] = numbers((0.51, 0.61, 0.88, 1.15, 1.41, 1.70), count=LINE_POINTS, unit="per_s",
                                                low=0.0, high=30.0, doc="frequency of least energy at each")  # fmt: skip
    line_shift: tuple[float, ...] = numbers((63.5, 61.0, 66.5, 69.5, 72.0, 72.0), count=LINE_POINTS, unit="deg", low=0.0,
                                            high=180.0, doc="phase shift of least energy at each")  # fmt: skip
    turn_radius: float = number(7.3, unit="u", low=0.01, high=1000.0, doc="bend: radius of the tightest turn")
    fastest_turn: float = number(17.0, unit="deg_per_s", low=0.0, high=3600.0,
                                 doc="bend: no beat is raised for a faster turn than this")
    turn_gain: float = number(2.0, unit="s", low=0.0, high=1000.0,
                              doc="weaker_side: weakening of the inner side per wanted rad/s")
    weakest_side: float = number(0.5, low=0.0, high=1.0, doc="weaker_side: least strength of the inner side")
    turn_time: float = number(0.3, unit="s", low=0.001, high=1000.0,
                              doc="time constant of the bend, or of the sides' strength")
    change_time: float = number(0.3, unit="s", low=0.001, high=1000.0, doc="time constant of frequency, shift and amplitude")
    ramp_time: float = number(1.0, unit="s", low=0.001, high=1000.0,
                              doc="from straight to the first bend, and back on leaving the water")
    prepare: float = number(0.1, low=0.0, high=1.0,
                            doc="share of the bend that wet blocks take while legs carry all others; it grows to all of it")
    lift: float = number(0.3, low=0.0, high=0.5, doc="share by which tops shorten to hold wet parts level on a bank")
    coupling: float = number(30.0, unit="per_s", low=0.0, high=60.0, doc="pull of neighbouring oscillators on each other")
    amplitude_gain: float = number(20.0, unit="per_s", low=0.1, high=100.0, doc="how fast an oscillator's amplitude settles")
    stiffening: float = number(0.0, low=0.0, high=10.0, doc="rise of the tissue's stiffness at full contraction, as a share")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:
        if "tissue" not in specs or "body" not in specs:
            raise SpecProblem("", "muscles without tissue or body", "a species that also has [tissue] and [body] tables")
        if self.stiffening > 0.0 and self.shortest >= 1.0:
            raise SpecProblem("stiffening", self.stiffening, "0 where muscles cannot contract")
        if self.shortest >= self.longest:
            raise SpecProblem("shortest", self.shortest, "a length below longest")
        if self.shortest < specs["tissue"].shortest_muscle:
            raise SpecProblem("shortest", self.shortest, "at least the tissue's shortest_muscle, or steps are too long")
        if any(later <= earlier for earlier, later in zip(self.line_speed, self.line_speed[1:], strict=False)):
            raise SpecProblem("line_speed_u_per_s", list(self.line_speed), "rising speeds")
        for low, high, unit in (("slowest_beat", "fastest_beat", "per_s"), ("least_shift", "most_shift", "deg")):
            if getattr(self, low) > getattr(self, high):
                raise SpecProblem(f"{low}_{unit}", getattr(self, low), f"a number not above {high}_{unit}")


Muscle = parameter_columns("Muscle", MuscleSpec, __name__)
MUSCLE_COLUMNS = len(Muscle)


def muscle_line(spec: MuscleSpec) -> Array:
    """(3, points) speeds, frequencies and phase shifts of least energy."""
    return np.array([spec.line_speed, spec.line_frequency, spec.line_shift])


class Line(IntEnum):
    """Rows of `MusclePool.line`: speed in units per second, frequency in 1/s, phase shift in rad."""

    SPEED = 0
    FREQUENCY = 1
    SHIFT = 2


class Drive(IntEnum):
    """Columns of `MusclePool.drive`: frequency in 1/s, phase shift in rad, amplitude 0..1."""

    FREQUENCY = 0
    SHIFT = 1
    AMPLITUDE = 2


class MusclePool(Pool):
    """One row per creature, aligned with `CreaturePool`. State per block is in `TissuePool`."""

    aligned = True
    format = 2

    parameters = column(np.float64, MUSCLE_COLUMNS, holds=ParametersOf(MuscleSpec), fixed=True)
    line = column(np.float64, len(Line), LINE_POINTS, fixed=True)
    drive = column(np.float64, len(Drive))  # as it is now
    strength = column(np.float64, 2, fill=1.0)  # of the left and the right side; their difference is the mean bend
    lame = column(np.float64, 2, fixed=True)  # mu and lambda of the tissue at rest
    # the wave runs in what is wet: from the moment a block is under water until no segment is
    beating = column(np.uint8, since=2, older=MovedFrom("MusclePool", "swimming"), holds=FLAG)


class Muscles:
    """The muscles of one creature."""

    __slots__ = ("chain", "pool", "rows", "tissue")

    def __init__(self, tissue: TissuePool, chain: ChainPool, pool: MusclePool, rows: Rows) -> None:
        self.tissue, self.chain, self.pool, self.rows = tissue, chain, pool, rows

    @property
    def length(self) -> Array:
        """(n - 1, 2) rest lengths of the left and the right side of each block, as shares of its own."""
        self.pool.check(self.rows)
        first = int(self.chain.first_block[self.rows.start])
        lengths: Array = self.tissue.lengths[first : first + int(self.chain.block_count[self.rows.start]), :2]
        lengths.flags.writeable = False
        return lengths

    @property
    def swimming(self) -> bool:
        """What is under water of the body beats: a block has been in the water and the last segment has not left it yet."""
        return bool(self.pool.view(self.rows, "beating")[0])

    @property
    def frequency(self) -> float:
        """Beats per second."""
        return float(self.pool.view(self.rows, "drive")[0, Drive.FREQUENCY])

    @property
    def phase_shift(self) -> float:
        """Radians from block to block."""
        return float(self.pool.view(self.rows, "drive")[0, Drive.SHIFT])

    def readings(self) -> list[Reading]:
        """How fast it beats, and how tense each side of each block is."""
        spec = self.pool.view(self.rows, "parameters")[0]
        beats, fastest = self.frequency if self.swimming else 0.0, float(spec[Muscle.FASTEST_BEAT])
        told = [Reading("bar", "beats per s", "red", beats / fastest, text=f"{beats:.2f}" if beats else "-")]
        longest, shortest = float(spec[Muscle.LONGEST]), float(spec[Muscle.SHORTEST])
        tension = np.clip((longest - self.length) / (longest - shortest), 0.0, 1.0)
        for side, name in enumerate(("left muscles", "right muscles")):
            told.append(Reading("cells", name, "pink", values=tension[:, side]))
        return told


def renew_muscles(creature: Creature, spec: MuscleSpec, pool: MusclePool, rows: Rows) -> None:
    """Numbers of the species."""
    write_muscles(pool, rows.start, spec, creature.species.specs["tissue"])


def write_muscles(pool: MusclePool, row: int, spec: MuscleSpec, tissue: TissueSpec) -> None:
    """Update the numbers of the muscles of one body."""
    pool.parameters[row], pool.line[row], pool.lame[row] = parameter_row(spec), muscle_line(spec), tissue.lame


def fill_muscles(birth: Birth, spec: MuscleSpec, pool: MusclePool, rows: Rows) -> None:
    row = rows.start
    write_muscles(pool, row, spec, birth.species.specs["tissue"])
    pool.drive[row] = (spec.line_frequency[0], spec.line_shift[0], 0.0)
