"""Numbers of swimming without a grid: what stands for the water around the links of a species. [swimmer 4.2]

The reactive surrogate knows the water that links push aside and drag across and along them, apart for the body and for
limbs, and a trim of turns for what no local force can know: jets and whirls that limbs leave for each other. How the speed
ahead comes and goes is the same law as for recorded cycles. ``paludarium train --fit`` finds all numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...engine.pool import Pool, Rows, column
from ...engine.spec import number, text
from ..parameters import ParametersOf, parameter_columns, parameter_row

if TYPE_CHECKING:
    from ...engine.parts import Birth


@dataclass(frozen=True)
class SurrogateSpec:
    """The ``[surrogate]`` table. Body length and density of water are 1, seconds are those of the animal."""

    FORMER: ClassVar = frozenset({"straight_thrust", "turn_thrust", "glide_drag", "wake_mass", "start_drag"})
    """Keys of older versions."""

    added_mass: float = number(0.158, low=0.0, high=10.0, doc="of water per length of the body, across it [swimmer 2]")
    normal_drag: float = number(1.2, low=0.0, high=100.0, doc="Cn of the body, across it")
    tangential_drag: float = number(0.044, low=0.0, high=100.0, doc="Ct of the body, along it")
    limb_mass: float = number(0.1, low=0.0, high=10.0, doc="of water per length of what hangs at its sides")
    limb_normal_drag: float = number(2.0, low=0.0, high=100.0, doc="Cn of that")
    limb_tangential_drag: float = number(0.05, low=0.0, high=100.0, doc="Ct of that")
    turn_sway: float = number(0.0, low=-50.0, high=50.0, doc="trim of a full left turn, lengths/s^2 to the left")
    turn_moment: float = number(0.0, low=-200.0, high=200.0, doc="trim of a full left turn, rad/s^2 to the left")
    turn_drag: float = number(1.0, low=0.01, high=100.0, doc="trim of a full turn: factor of Cn")
    side_drag: float = number(0.5, low=0.0, high=1000.0, doc="to the side: share of the whole momentum lost per second")
    ahead_share: float = number(
        1.0, low=0.1, high=10.0, doc="of the recorded speed ahead: sway of links adds to it or takes from it"
    )
    first_stroke: float = number(0.3, low=0.0, high=1.0, doc="share of its speed that the first stroke from rest gives")
    build_up: float = number(2.0, unit="s", low=0.01, high=100.0, doc="in which the rest of its speed comes")
    coast_drag: float = number(1.0, low=0.001, high=1000.0, doc="per length: how soon a glide slows down")
    coast_rate: float = number(0.0, low=0.0, high=100.0, doc="per second: the same, for slow glides as for fast ones")
    effort_power: float = number(1.5, low=0.1, high=10.0, doc="of the effort that its speed goes with")
    wake_width: float = number(
        0.1, unit="lengths", low=0.0, high=10.0, doc="of the water around it that goes along when its window opens"
    )
    settle: float = number(0.5, unit="s", low=0.01, high=100.0, doc="in which a push dies away while a cycle plays")
    fitted_to: str = text("", doc="the fluid that these numbers were fitted to")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1


Surrogate = parameter_columns("Surrogate", SurrogateSpec, __name__)


class SurrogatePool(Pool):
    """One row per articulated swimmer, aligned with `CreaturePool`."""

    aligned = True
    format = 3  # with the numbers of the speed ahead

    parameters = column(np.float64, len(Surrogate), since=3, older=1.0, holds=ParametersOf(SurrogateSpec), fixed=True)


class SurrogateHandle:
    """What stands for the water around one swimmer: ``eel.surrogate.settle``."""

    __slots__ = ("pool", "rows")

    def __init__(self, pool: SurrogatePool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    @property
    def settle(self) -> float:
        """Seconds of the animal in which a push dies away."""
        return float(self.pool.view(self.rows, "parameters")[0, Surrogate.SETTLE])


def fill_surrogate(birth: Birth, spec: SurrogateSpec, pool: SurrogatePool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    write_surrogate(pool, rows.start, spec)


def write_surrogate(pool: SurrogatePool, row: int, spec: SurrogateSpec) -> None:
    """Update the numbers of one swimmer, also outside of any world."""
    pool.parameters[row] = parameter_row(spec)
