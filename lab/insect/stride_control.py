"""The sample problem of the controller table: which 27 numbers carry a resting trunk over a way in half a cycle? [Guo15 6.2]

Departures to the side and up are measured from a smooth way to the goal; the printed ones are from the pose at rest,
which no sideways or rising way can keep.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import cos, sin
from typing import Any, NamedTuple

import numpy as np

from ...components.insect.oscillators import CONTROLS, JOINTS, OscillatorSpec
from ...engine.bundle import packed
from ...engine.pool import Array
from .ant_leg_kernel import DAMPING_SHARE
from .ant_model import GRAVITY, AntModel, tables_of
from .stride_kernel import (
    BODY,
    FELL,
    LITERAL_TORQUE,
    MUSCLES,
    SUM_BACK,
    SUM_SIDE,
    SUM_STRETCHED,
    SUMS,
    TIMED,
    sample_problem,
    solve_by_shooting,
)

ACTUATORS = {"timed": TIMED, "literal": LITERAL_TORQUE, "muscles": MUSCLES}
UTOPIA, NADIR = (0.000095, 0.00010, 0.0), (1.583, 5.576, 27.720)
"""Of the errors of place, of the side and of going back. [Guo15 6.2.1]"""
WEIGHTS = (0.6, 0.2, 0.2)
LEAST_WAY = 0.25
"""mm that misses are measured by when the way itself is shorter."""
SHOTS = 3
FAILED = 0.05
"""Objective from which on a cell of the table has no controller."""
PERFECT = sum(weight * -low / (high - low) for weight, low, high in zip(WEIGHTS, UTOPIA, NADIR, strict=True))
"""Objective of a try without any error."""
WORST = 1e3
"""Objective of a try that fell, and the largest of all."""


class Drive(NamedTuple):
    """How joints are driven, as kernels take it."""

    step: float
    rate: float
    sigma: float
    damping: float
    gravity_x: float
    gravity_z: float
    seconds: float  # of a stance
    form: int


def drive_of(oscillators: OscillatorSpec, actuator: str = "timed", slope: float = 0.0, sigma: float = 1.0) -> Drive:
    """Numbers for the kernels; `slope` (rad) turns gravity. [Guo15 eq. 5.28]"""
    return packed(Drive(oscillators.step, oscillators.rate, sigma, DAMPING_SHARE, GRAVITY * sin(slope), GRAVITY * cos(slope),
                        oscillators.half_cycle, ACTUATORS[actuator]))  # fmt: skip


class Outcome(NamedTuple):
    """One try of a sample problem."""

    objective: float
    miss: float  # mm between where the trunk is and where it should be
    fell: bool
    stretched: int  # leg-steps out of reach
    terms: tuple[float, float, float]  # normalised: place, side, back
    end: Array  # (8,)


@dataclass(frozen=True)
class StrideProblem:
    """A way (mm) that the trunk is to go in half a cycle, on the legs of a tripod.

    Example::

        problem = StrideProblem((1.875, 0.0, 0.0))
        problem.judge(problem.shoot()).objective
    """

    way: tuple[float, float, float]
    ant: AntModel = AntModel()
    oscillators: OscillatorSpec = OscillatorSpec()
    actuator: str = "timed"
    slope: float = 0.0  # rad
    weights: tuple[float, float, float] = WEIGHTS
    stiffness: tuple[float, ...] = field(default=())
    damping: tuple[float, ...] = field(default=())

    @cached_property
    def gains(self) -> Array:
        """(2, 9) stiffness and damping of the joints."""
        stiff = np.array(self.stiffness or (self.oscillators.stiffness,) * JOINTS, np.float64)
        return np.array([stiff, np.array(self.damping) if self.damping else self.oscillators.damping_time * stiff])

    @cached_property
    def drive(self) -> Drive:
        """Numbers for the kernels."""
        return drive_of(self.oscillators, self.actuator, self.slope)

    def shoot(self, shots: int = SHOTS) -> Array:
        """(27,) from the closed form, and so many corrections of the aim; zeros where it falls at once."""
        controls, body, sums = np.zeros(CONTROLS), np.zeros(BODY), np.zeros(SUMS)
        solve_by_shooting(
            np.array(self.way, np.float64), self.gains, shots, self.drive, tables_of(self.ant), controls, body, sums
        )
        return controls

    def judge(self, controls: Array) -> Outcome:
        """What these numbers do. [Guo15 6.2.1]"""
        body, sums = np.zeros(BODY), np.zeros(SUMS)
        way = np.array(self.way, np.float64)
        fell = sample_problem(np.asarray(controls, np.float64), self.gains, way, self.drive, tables_of(self.ant), body,
                              sums) == FELL  # fmt: skip
        aim = np.array([0.0, 0.0, self.ant.height]) + 0.5 * way
        miss = float(np.linalg.norm(body[:3] - aim))
        errors = (miss / max(float(np.linalg.norm(way)), LEAST_WAY)) ** 2, float(sums[SUM_SIDE]), float(sums[SUM_BACK])
        terms = tuple((error - low) / (high - low) for error, low, high in zip(errors, UTOPIA, NADIR, strict=True))
        objective = sum(weight * term for weight, term in zip(self.weights, terms, strict=True))
        if fell or not np.isfinite(objective):
            return Outcome(WORST, miss, True, int(sums[SUM_STRETCHED]), terms, body)  # type: ignore[arg-type]
        return Outcome(min(float(objective), WORST), miss, False, int(sums[SUM_STRETCHED]), terms, body)  # type: ignore[arg-type]

    def objective(self, controls: Any) -> float:
        """As optimisers want it."""
        return self.judge(np.asarray(controls)).objective
