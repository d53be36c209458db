"""Eyes of swimmers: a fan that looks for food and a fan, in two halves, that looks for what lies in the way. [Fang15 5.5]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..engine.column_rules import Within
from ..engine.parts import Birth, SpecProblem
from ..engine.pool import Array, Pool, Rows, column
from ..engine.readings import Reading
from ..engine.spec import integer, number
from .parameters import ParametersOf, parameter_columns, parameter_row

DISTANCE, BEARING = 0, 1
"""Columns of the nearest food that is seen."""

OUT_OF_SIGHT = 1e9
"""Units; the distance of what is not seen."""

MOST_RAYS = 32
"""Rays of one half of the alert fan."""

NEAREST = 1e-9
"""Units; spares a panel the division by zero where a fan has no length."""


@dataclass(frozen=True)
class VisionSpec:
    """The ``[vision]`` table. Fans open forward from the head, in the plane of the map; they serve while it swims.

    The source draws both fans and gives no sizes; these are the digest's. [myriapoda 1.14]
    """

    # food fan
    food_range: float = number(30.0, unit="u", low=0.0, high=500.0, doc="how far food is seen")
    food_angle: float = number(60.0, unit="deg", low=0.0, high=180.0, doc="half opening of the food fan")
    # alert fan
    alert_range: float = number(12.0, unit="u", low=0.0, high=200.0, doc="how far walls and shores are seen")
    alert_angle: float = number(35.0, unit="deg", low=0.0, high=180.0, doc="half opening of the alert fan")
    rays: int = integer(8, low=1, high=MOST_RAYS, doc="lines of sight in each half of it")
    body_range: float = number(4.0, unit="u", low=0.0, high=200.0, doc="how near others may come before it turns away")
    least_depth: float = number(0.8, unit="u", low=0.0, high=1000.0,
                                doc="shallower water counts as a wall; 0 sees no shores")
    retreat_range: float = number(2.0, unit="u", low=0.0, high=1000.0,
                                  doc="nose this near to a wall on both sides: it swims backward")
    retreat_time: float = number(2.5, unit="s", low=0.0, high=1000.0, doc="for this long")
    # what it does about food
    hunt_speed: float = number(1.5, low=0.0, high=10.0, doc="multiple of the brain's speed when food is first seen")
    slow_range: float = number(15.0, unit="u", low=0.001, high=1000.0,
                               doc="nearer than this to the food it slows down in proportion")
    slowest: float = number(0.3, low=0.0, high=1.0, doc="share of the hunting speed that is left at the food")
    turn_slowing: float = number(0.6, low=0.0, high=1.0, doc="share of speed given up when the food lies straight behind")
    steer_gain: float = number(0.64, unit="per_s", low=0.0, high=60.0, doc="turning speed per angle to the food")
    steer_time: float = number(0.3, unit="s", low=0.001, high=1000.0, doc="over which the swing of the head is averaged out")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:
        if "brain" not in specs:
            raise SpecProblem("", "vision without a brain", "a species that also has a [brain] table")


Vision = parameter_columns("Vision", VisionSpec, __name__)
VISION_COLUMNS = len(Vision)


class VisionPool(Pool):
    """One row per creature, aligned with `CreaturePool`."""

    aligned = True
    format = 2

    parameters = column(np.float64, VISION_COLUMNS, holds=ParametersOf(VisionSpec), fixed=True)
    food = column(np.float64, 2, fill=OUT_OF_SIGHT)  # distance and bearing (left positive) of the nearest food in the fan
    alert = column(np.float64, 2, fill=OUT_OF_SIGHT)  # distance of the nearest thing in the left and right half
    # how much to turn so as not to meet another swimmer later, -1 to 1, left positive
    dodge = column(np.float64, since=2, holds=Within(-1.0, 1.0))


class VisionHandle:
    """The eyes of one creature."""

    __slots__ = ("pool", "rows")

    def __init__(self, pool: VisionPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    @property
    def food(self) -> Array:
        """(2,) distance and bearing (radians, left positive) of the nearest food in sight, or `OUT_OF_SIGHT`."""
        return self.pool.view(self.rows, "food")[0]

    @property
    def alert(self) -> Array:
        """(2,) distance to the nearest thing in the way in the left and the right half; `OUT_OF_SIGHT` where free."""
        return self.pool.view(self.rows, "alert")[0]

    def readings(self) -> list[Reading]:
        """How near the nearest food in sight is, and how near what lies in the way to the left and to the right."""
        spec, distance = self.pool.view(self.rows, "parameters")[0], float(self.food[0])
        seen, alert_range = distance <= spec[Vision.FOOD_RANGE], max(float(spec[Vision.ALERT_RANGE]), NEAREST)
        near = 1.0 - distance / max(float(spec[Vision.FOOD_RANGE]), NEAREST) if seen else 0.0
        return [
            Reading("bar", "sees food", "green", near, text=f"{distance:.1f}" if seen else "-"),
            Reading("cells", "in the way", "red", values=np.clip(1.0 - self.alert / alert_range, 0.0, 1.0)),
        ]


def fill_vision(birth: Birth, spec: VisionSpec, pool: VisionPool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    pool.parameters[rows.start] = parameter_row(spec)
    pool.food[rows.start] = pool.alert[rows.start] = OUT_OF_SIGHT
