"""Numbers of swimming without a grid: what stands for the water around the links of a species. [swimmer 4.2]

The reactive surrogate knows the water that links push aside and drag across and along them, apart for the body and for
limbs, and a trim per manoeuvre for what no local force can know: jets and whirls that limbs leave for each other.
``paludarium train --fit`` finds all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.pool import Pool, Rows, column
from ...engine.spec import number, text
from ..parameters import ParametersOf, parameter_columns, parameter_row

if TYPE_CHECKING:
    from ...engine.parts import Birth


@dataclass(frozen=True)
class SurrogateSpec:
    """The ``[surrogate]`` table. Body length and density of water are 1, seconds are those of the animal."""

    added_mass: float = number(0.158, low=0.0, high=10.0, doc="of water per length of the body, across it [swimmer 2]")
    normal_drag: float = number(1.2, low=0.0, high=100.0, doc="Cn of the body, across it")
    tangential_drag: float = number(0.044, low=0.0, high=100.0, doc="Ct of the body, along it")
    limb_mass: float = number(0.1, low=0.0, high=10.0, doc="of water per length of what hangs at its sides")
    limb_normal_drag: float = number(2.0, low=0.0, high=100.0, doc="Cn of that")
    limb_tangential_drag: float = number(0.05, low=0.0, high=100.0, doc="Ct of that")
    straight_thrust: float = number(0.0, low=-50.0, high=50.0, doc="trim of straight swimming, lengths/s^2 forward")
    turn_thrust: float = number(0.0, low=-50.0, high=50.0, doc="trim of a full turn, lengths/s^2 forward")
    turn_sway: float = number(0.0, low=-50.0, high=50.0, doc="trim of a full left turn, lengths/s^2 to the left")
    turn_moment: float = number(0.0, low=-200.0, high=200.0, doc="trim of a full left turn, rad/s^2 to the left")
    turn_drag: float = number(1.0, low=0.01, high=100.0, doc="trim of a full turn: factor of Cn")
    glide_drag: float = number(1.0, low=0.001, high=100.0, doc="factor of all drag while no stroke beats")
    wake_mass: float = number(0.0, low=0.0, high=100.0, doc="of water that goes along with the body, in its own masses")
    start_drag: float = number(
        1.0, low=0.001, high=1000.0, doc="of a recorded cycle, per length: how soon its speed is reached"
    )
    coast_drag: float = number(
        1.0, low=0.001, high=1000.0, doc="of a recorded cycle, per length: how soon a glide slows down"
    )
    settle: float = number(0.5, unit="s", low=0.01, high=100.0, doc="in which a push dies away while a cycle plays")
    fitted_to: str = text("", doc="the fluid that these numbers were fitted to")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1


Surrogate = parameter_columns("Surrogate", SurrogateSpec, __name__)


class SurrogatePool(Pool):
    """One row per articulated swimmer, aligned with `CreaturePool`."""

    aligned = True
    format = 2  # with the numbers of glides and starts

    parameters = column(np.float64, len(Surrogate), since=2, older=1.0, holds=ParametersOf(SurrogateSpec), fixed=True)


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
