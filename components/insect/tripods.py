"""Six legs and their timing: phases, stride, swing, and the triangles that feet stand on. [Guo15 4.2, 7] [insect 2-4]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.column_rules import FLAG, ON_MAP, Within
from ...engine.pool import Array, Pool, Rows, column
from ...engine.readings import Reading
from ...engine.spec import number
from ..parameters import parameter_columns, parameter_row
from .trunk import LEGS, TrunkSpec

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.parts import Birth

LEFT_TRIPOD = (0, 3, 4)
"""Rows of the legs that stand together: left fore, right middle, left hind."""
RIGHT_TRIPOD = (1, 2, 5)

STRIDE_VARIETY, MOST_VARIETY = 0.06, 0.15
"""How much strides of individuals differ from those of their species: standard deviation, and the most. A choice of ours."""


@dataclass(frozen=True)
class TripodSpec:
    """The ``[tripods]`` table: stride and timing, in millimetres and seconds of the animal."""

    stride: float = number(3.0, unit="mm", low=0.01, high=1000.0, doc="of an animal that hardly moves")
    stride_time: float = number(0.1, unit="s", low=0.0, high=10.0, doc="stride that each mm/s adds, in mm")
    swing_time: float = number(0.11, unit="s", low=0.005, high=10.0, doc="of a leg, whatever the speed")
    shortest_stance: float = number(0.5, low=0.2, high=0.95, doc="least share of a cycle that a foot stands")
    longest_stance: float = number(0.84, low=0.2, high=0.97, doc="largest share: a wave of single legs")
    coupling: float = number(3.0, unit="per_s", low=0.0, high=100.0, doc="how strongly legs keep time with each other")
    lift: float = number(0.5, unit="mm", low=0.0, high=100.0, doc="how high a foot is swung")
    top_speed: float = number(40.0, unit="mm_per_s", low=0.1, high=10000.0, doc="fastest walk")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1


Tripod = parameter_columns("Tripod", TripodSpec, __name__)


class TripodPool(Pool):
    """One row per insect, aligned with `CreaturePool`. Parameters are in world units and seconds."""

    aligned = True
    format = 2

    parameters = column(np.float64, len(Tripod), holds=Within(0.0, 1e9), fixed=True)
    stride_share = column(np.float64, fill=1.0, since=2, older=1.0, holds=Within(0.5, 2.0))  # its strides, of the species'
    phase = column(np.float64, LEGS, holds=Within(0.0, 1.0))  # of the cycle: a foot stands first, then swings
    rates = column(np.float64, LEGS, holds=Within(0.0, 1e6))  # of the phases, 1/s, in this tick
    stands = column(np.uint8, LEGS, fill=1, holds=FLAG)
    planned = column(np.uint8, LEGS, holds=FLAG)  # its foothold was looked for once more in the middle of the swing
    target = column(np.float64, LEGS, 3, holds=ON_MAP)  # where a swinging foot goes
    progress = column(np.float64, LEGS, holds=Within(0.0, 1.0))  # of the swing
    duty = column(np.float64, fill=0.5, holds=Within(0.0, 1.0))  # share of a cycle that feet stand now
    stretched = column(np.uint8, LEGS, holds=FLAG)  # a leg that could not reach its foot in this tick


class TripodHandle:
    """The timing of one insect's legs.

    Example::

        ant.tripods.phase         # (6,) L1 R1 L2 R2 L3 R3, 0 to 1
    """

    __slots__ = ("pool", "rows")

    def __init__(self, pool: TripodPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    @property
    def phase(self) -> Array:
        """(6,) of the cycle of each leg."""
        return self.pool.view(self.rows, "phase")[0]

    @property
    def stands(self) -> Array:
        """(6,) bool: the foot is on the ground."""
        return self.pool.view(self.rows, "stands")[0].view(np.bool_)

    @property
    def duty(self) -> float:
        """Share of a cycle that feet stand: half is a tripod, more a wave."""
        return float(self.pool.view(self.rows, "duty")[0])

    def readings(self) -> list[Reading]:
        """Phases of the legs, and how many of them stand at a time."""
        gait = "tripod" if self.duty < 0.6 else "four feet" if self.duty < 0.75 else "wave"
        return [Reading("word", "gait", "amber", text=gait), Reading("cells", "phases", "violet", values=self.phase)]


def renew_tripods(creature: Creature, spec: TripodSpec, pool: TripodPool, rows: Rows) -> None:
    """Stride and timing of the species."""
    write_tripods(pool, rows.start, spec, creature.species.specs["trunk"])


def write_tripods(pool: TripodPool, row: int, spec: TripodSpec, trunk: TrunkSpec) -> None:
    """Turn millimetres and seconds of the animal into those of the world."""
    u, pace = trunk.scale, trunk.pace
    changed = {"stride": u * spec.stride, "stride_time": spec.stride_time / pace, "swing_time": spec.swing_time / pace,
               "coupling": spec.coupling * pace, "lift": u * spec.lift, "top_speed": u * spec.top_speed * pace}  # fmt: skip
    pool.parameters[row] = parameter_row(spec, **changed)


def fill_tripods(birth: Birth, spec: TripodSpec, pool: TripodPool, rows: Rows) -> None:
    """All feet are down at first."""
    row = rows.start
    write_tripods(pool, row, spec, birth.spec("trunk", TrunkSpec))
    draw = birth.world.streams["insect legs"]
    pool.phase[row] = (np.array([0.0, 0.5, 0.5, 0.0, 0.0, 0.5]) + draw.uniform(0.0, 1.0)) % 1.0
    pool.phase[row] = np.minimum(pool.phase[row], 0.45)
    pool.target[row] = birth.at
    variety = np.clip(birth.world.streams["insect strides"].normal(0.0, STRIDE_VARIETY), -MOST_VARIETY, MOST_VARIETY)
    pool.stride_share[row] = 1.0 + variety


