"""Tuning the oscillators alone: 45 numbers, three objectives, an evolution strategy; and other optimisers beside it.
[Guo15 5.3]

Numbers are shift, middle and swing of nine joints, and the logarithms of their stiffness and damping. As printed the
objectives are least for an ant that stands still: a walk that gets less than half of the wanted way is counted as a fall.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from ...components.insect.oscillators import CONTROLS, JOINTS, OscillatorSpec
from ...engine.pool import Array
from .ant_leg_kernel import angles_of
from .ant_model import TRIPODS, AntModel
from .stride_control import StrideProblem
from .stride_kernel import SUM_SIDE, SUM_TORQUE, SUM_WORK, SUM_YAW
from .table_training import TrainingError
from .walker import Walk, walk_on_oscillators

NUMBERS = 5 * JOINTS
WEIGHTS = (0.5, 0.2, 0.3)
"""Of the work per way, of torques beyond their limit, of departures from the pose. [Guo15 5.3.3]"""
FALL = 1e3
LEAST_PROGRESS = 0.5
WORK_UNIT = 1e6
"""(g mm^2/s^2)^2 that work is counted in."""
SOFT = 4.0e3
"""g mm^2/s^2: stiffness of the joints of a first guess by hand, a tenth of what carries the trunk well."""


@dataclass(frozen=True)
class GaitProblem:
    """A walk of so many strides on oscillators alone.

    Example::

        problem = GaitProblem()
        found = tune(problem, problem.hand_made, evaluations=3000)
    """

    way: tuple[float, float, float] = (1.875, 0.0, 0.0)
    strides: int = 8
    ant: AntModel = AntModel()
    oscillators: OscillatorSpec = OscillatorSpec()
    weights: tuple[float, float, float] = WEIGHTS
    utopia: tuple[float, float, float] = (0.0, 0.0, 0.0)
    nadir: tuple[float, float, float] = (1.0, 1.0, 1.0)

    @property
    def hand_made(self) -> Array:
        """A first guess: legs swing to and fro about the rest pose, joints are soft, nothing is made up for the weight."""
        numbers, ant = np.zeros(NUMBERS), self.ant
        for i, leg in enumerate(TRIPODS[0]):
            (x, y), side = ant.template[leg] - ant.anchors[leg], 1.0 if leg < 3 else -1.0
            links = (ant.coxa, ant.femur[leg % 3], ant.lower[leg % 3])
            numbers[9 + 3 * i : 12 + 3 * i] = angles_of(x, y, -ant.height, side, *links)[:3]
            numbers[18 + 3 * i] = 0.3
        numbers[27:36], numbers[36:45] = np.log(SOFT), np.log(SOFT * self.oscillators.damping_time)
        return numbers

    @property
    def closed_form(self) -> Array:
        """The guess of the sample problem, with the usual gains."""
        stiff = self.oscillators.stiffness
        gains = [np.log(stiff)] * JOINTS + [np.log(stiff * self.oscillators.damping_time)] * JOINTS
        return np.concatenate([StrideProblem(self.way, self.ant, self.oscillators).shoot(), gains])

    def walk(self, numbers: Array, strides: int | None = None) -> tuple[Walk, Array]:
        """The walk of 45 numbers."""
        numbers = np.asarray(numbers, np.float64)
        gains = np.exp(np.clip(numbers[CONTROLS:], 0.0, 20.0)).reshape(2, JOINTS)
        return walk_on_oscillators(numbers[:CONTROLS], strides or self.strides, self.way, gains=gains, ant=self.ant,
                                   oscillators=self.oscillators)  # fmt: skip

    def errors(self, numbers: Array) -> tuple[Array, float]:
        """(3,) work per way, torques, departures [Guo15 eq. 5.8-5.10]; and a penalty for falls and for standing still."""
        walk, sums = self.walk(numbers)
        way = float(walk.end[0])
        found = np.array([sums[SUM_WORK] / WORK_UNIT / max(way, 0.1), sums[SUM_TORQUE], sums[SUM_SIDE] + sums[SUM_YAW]])
        short = max(LEAST_PROGRESS - way / (self.strides * self.way[0]), 0.0)
        penalty = FALL * (1.0 - walk.strides / self.strides) + (10.0 * short if np.isfinite(short) else FALL)
        return (found if np.isfinite(found).all() else np.full(3, FALL)), penalty

    def objective(self, numbers: Any) -> float:
        """The weighted sum of the normalised errors, and the penalty."""
        errors, penalty = self.errors(np.asarray(numbers))
        shares = (errors - np.array(self.utopia)) / (np.array(self.nadir) - np.array(self.utopia))
        return float(np.dot(self.weights, shares) + penalty)


@dataclass(frozen=True)
class Tuned:
    """The result of an optimiser."""

    numbers: Array
    objective: float
    evaluations: int
    history: Array  # best objective after each evaluation


def tune(problem: Any, start: Array, evaluations: int, seed: int = 1, step: float = 0.1, population: int = 20) -> Tuned:
    """An evolution strategy with covariance on anything with ``objective``. Needs the extra `train`."""
    try:
        import cma.evolution_strategy
    except ImportError:
        raise TrainingError("an evolution strategy needs the extra: pip install 'paludarium[train]'") from None
    record = _Record(problem.objective)
    options = {"maxfevals": evaluations, "popsize": population, "seed": seed, "verbose": -9, "verb_log": 0, "tolfun": 1e-12}
    strategy = cma.evolution_strategy.CMAEvolutionStrategy(np.asarray(start, np.float64), step, options)
    while not strategy.stop() and len(record.history) < evaluations:
        tries = strategy.ask()
        strategy.tell(tries, [record(x) for x in tries])
    return record.result()


def compare_optimisers(problem: Any, start: Array, evaluations: int, seed: int = 1) -> dict[str, Tuned]:
    """The evolution strategy beside simplex, truncated Newton and Powell, each with the same number of tries. [Guo15
    Fig. 5.6]"""
    try:
        from scipy.optimize import minimize
    except ImportError:
        raise TrainingError("other optimisers need the extra: pip install 'paludarium[train]'") from None
    found = {"CMA": tune(problem, start, evaluations, seed)}
    for name, word in (("simplex", "maxfev"), ("truncated Newton", "maxfun"), ("Powell", "maxfev")):
        method = {"simplex": "Nelder-Mead", "truncated Newton": "TNC", "Powell": "Powell"}[name]
        record = _Record(problem.objective, evaluations)
        try:
            minimize(record, np.asarray(start, np.float64), method=method, options={word: evaluations})
        except _EnoughError:
            pass
        found[name] = record.result()
    return found


def scan_weights(
    problem: GaitProblem, start: Array, evaluations: int, samples: int = 5, seed: int = 1
) -> list[tuple[Any, float]]:
    """Weights of a simplex with the optimum at each, best first. [Guo15 5.3.3]"""
    found = []
    for i, j in product(range(samples), repeat=2):
        if i + j <= samples - 1:
            m, t = i / (samples - 1), j / (samples - 1)
            weights = (m, t, 1.0 - m - t)
            found.append((weights, tune(replace(problem, weights=weights), start, evaluations, seed).objective))
    return sorted(found, key=lambda pair: pair[1])


def _nothing() -> list[float]:
    return []


class _EnoughError(Exception):
    """The budget of an optimiser is spent."""


class _Record:
    """An objective that remembers its best try."""

    def __init__(self, objective: Any, most: int = 10**9) -> None:
        self.objective, self.most, self.history = objective, most, _nothing()
        self.best, self.numbers = float("inf"), np.zeros(0)

    def __call__(self, x: Any) -> float:
        if len(self.history) >= self.most:
            raise _EnoughError
        value = float(self.objective(x))
        if value < self.best:
            self.best, self.numbers = value, np.array(x, np.float64)
        self.history.append(self.best)
        return value

    def result(self) -> Tuned:
        return Tuned(self.numbers, self.best, len(self.history), np.array(self.history))
