"""Antennae and what they tell: touch and smell. One row per creature; side 0 is left. [Fang15 3.5, 3.6]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..engine.column_rules import BITS, ENDLESS, FLAG, ON_MAP
from ..engine.parts import Birth, SpecProblem
from ..engine.pool import Array, MovedFrom, Pool, Rows, column
from ..engine.readings import Reading
from ..engine.spec import integer, number
from .diet import OLD_BITE, OLD_HEIGHT, OLD_REACH
from .parameters import ParametersOf, parameter_columns, parameter_row

LEFT, RIGHT = 0, 1
"""Columns of what a head has or feels on both sides."""

FORWARD, BACKWARD = 0, 1
"""Columns of the free path."""

MOST_LINKS = 24
"""Links an antenna may have; fixes the width of the column that holds their joints."""

LONGEST_ANTENNA = 200.0
"""Units; each tick everything in a square of this size may have to be felt."""


@dataclass(frozen=True)
class AntennaSpec:
    """The ``[antennae]`` table: shape, motion, touch and smell."""

    # shape
    link_count: int = integer(12, low=1, high=MOST_LINKS, doc="links of each antenna")
    link_length: float = number(0.25, unit="u", low=0.001, high=100.0, doc="length of one link")
    link_radius: float = number(0.05, unit="u", low=0.001, high=10.0, doc="thickness for touch")
    root_x: float = number(0.4, unit="u", low=-100.0, high=100.0, doc="where it leaves the head, forward")
    root_y: float = number(0.25, unit="u", low=-100.0, high=100.0, doc="to the left; mirrored on the right")
    root_z: float = number(0.1, unit="u", low=-100.0, high=100.0, doc="up")
    # root motion
    root_speed: float = number(86.0, unit="deg_per_s", low=0.0, high=36000.0, doc="how fast the root feels about")
    retract_speed: float = number(229.0, unit="deg_per_s", low=0.0, high=36000.0, doc="how fast it draws back from a touch")
    theta_min: float = number(11.5, unit="deg", low=-180, high=180, doc="least angle outward")
    theta_max: float = number(51.5, unit="deg", low=-180, high=180, doc="largest angle outward")
    phi_min: float = number(-11.5, unit="deg", low=-90, high=90, doc="lowest angle")
    phi_max: float = number(28.5, unit="deg", low=-90, high=90, doc="highest angle")
    # travelling wave
    wave_theta: float = number(3.4, unit="deg", low=0.0, high=90.0, doc="sideways wave of each joint")
    wave_phi: float = number(2.3, unit="deg", low=0.0, high=90.0, doc="vertical wave of each joint")
    curl_theta: float = number(1.7, unit="deg", low=-90.0, high=90.0, doc="sideways rest bend of each joint")
    curl_phi: float = number(-1.15, unit="deg", low=-90.0, high=90.0, doc="vertical rest bend of each joint")
    wave_speed: float = number(540.0, unit="deg_per_s", low=0.0, high=36000.0, doc="phase speed of the wave")
    wave_lag: float = number(28.6, unit="deg", low=-180.0, high=180.0, doc="phase per link, root to tip")
    # touch
    wall_normal_z: float = number(0.3, low=-1.0, high=1.0, doc="ground steeper than this counts as a wall")
    # smell
    food_softening: float = number(0.5, unit="u", low=0.001, high=100.0, doc="nearer than this the smell no longer grows")
    food_cutoff: float = number(20.0, unit="u", low=0.1, high=200.0, doc="food farther away is not smelled")
    # look ahead
    head_clearance: float = number(0.6, unit="u", low=0.0, high=100.0,
                                   doc="the head keeps this distance from everything solid")
    look_range: float = number(4.0, unit="u", low=0.0, high=200.0, doc="how far the free path is followed")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:
        if "body" not in specs:
            raise SpecProblem("", "antennae without a body", "a species that also has a [body] table")
        for low, high in (("theta_min", "theta_max"), ("phi_min", "phi_max")):
            if getattr(self, low) > getattr(self, high):
                raise SpecProblem(f"{low}_deg", getattr(self, low), f"an angle not above {high}_deg")
        if self.link_count * self.link_length > LONGEST_ANTENNA:
            most = f"at most {LONGEST_ANTENNA / self.link_count:.3g} with link_count = {self.link_count}"
            raise SpecProblem("link_length_u", self.link_length, f"{most}: an antenna is at most {LONGEST_ANTENNA:g} u long")


Sense = parameter_columns("Sense", AntennaSpec, __name__)
SENSE_COLUMNS = len(Sense)


def without_eating(parameters: Array) -> Array:
    """Parameter rows of older saves, which also held what is in ``[diet]`` now."""
    return np.delete(parameters, (OLD_REACH, OLD_HEIGHT, OLD_BITE), axis=1)


class AntennaPool(Pool):
    """One row per creature, aligned with `CreaturePool`; columns hold left and right."""

    aligned = True
    format = 3

    parameters = column(np.float64, SENSE_COLUMNS, since=3, older=MovedFrom("AntennaPool", "parameters", without_eating),
                        holds=ParametersOf(AntennaSpec), fixed=True)
    angles = column(np.float64, 2, 2)  # root: theta outward, phi up
    target = column(np.float64, 2, 2)
    phase = column(np.float64, 2)
    retracting = column(np.uint8, 2, holds=FLAG)
    stream = column(np.uint64, 2, holds=BITS)  # state of the random draws
    # joints, root to tip, in world coordinates
    points = column(np.float64, 2, MOST_LINKS + 1, 3, holds=ON_MAP)
    contact = column(np.uint8, 2, holds=FLAG)
    contact_time = column(np.float64, 2)
    contact_normal = column(np.float64, 2, 3)
    contact_owner = column(np.int32, 2, holds=BITS)
    smell = column(np.float64, 2)
    # way the head can go forward and backward before something solid
    free_path = column(np.float64, 2, fill=np.inf, holds=ENDLESS)
    barrier = column(np.float64, 3)  # outward normal of what the head has met ahead, or zero


class Antennae:
    """The two antennae of one creature."""

    __slots__ = ("pool", "rows")

    def __init__(self, pool: AntennaPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    @property
    def points(self) -> Array:
        """(2, links + 1, 3) joints from root to tip."""
        links = int(self.pool.parameters[self.rows.start, Sense.LINK_COUNT])
        return self.pool.view(self.rows, "points")[0][:, : links + 1]

    @property
    def tip(self) -> Array:
        """(2, 3) where the two tips are."""
        tips: Array = self.points[:, -1]
        return tips

    @property
    def contact(self) -> Array:
        """(2,) bool: touching something."""
        return self.pool.view(self.rows, "contact")[0].view(np.bool_)

    @property
    def food(self) -> Array:
        """(2,) intensity of the smell of food at each tip."""
        return self.pool.view(self.rows, "smell")[0]

    def readings(self) -> list[Reading]:
        """How strongly each antenna smells food, or that it touches something."""
        told = []
        for name, smell, touching in zip(("left antenna", "right antenna"), self.food.tolist(), self.contact, strict=True):
            tone, text = ("red", "touch") if touching else ("green", f"{smell:.2f}")
            told.append(Reading("bar", name, tone, smell / (1.0 + smell), text=text))
        return told


def fill_antennae(birth: Birth, spec: AntennaSpec, pool: AntennaPool, rows: Rows) -> None:
    row, draw = rows.start, birth.world.streams["antennae"]
    pool.parameters[row] = parameter_row(spec)
    low, high = (spec.theta_min, spec.phi_min), (spec.theta_max, spec.phi_max)
    pool.angles[row] = draw.uniform(low, high, size=(2, 2))
    pool.target[row] = draw.uniform(low, high, size=(2, 2))
    pool.phase[row] = draw.uniform(0.0, 2.0 * np.pi, size=2)
    pool.stream[row] = draw.integers(0, 2**64, size=2, dtype=np.uint64)
    pool.free_path[row] = spec.look_range
