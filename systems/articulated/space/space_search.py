"""Strokes in space found by an evolution strategy, stage by stage: coarse water first, then finer. [Tan11 4.3]"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .space_bodies import load_body
from .space_trial import ENERGY_BOUND, Basin, Numbers, Score, tried

if TYPE_CHECKING:
    from ....engine.pool import Array
    from .space_bodies import Body

MOST_REDRAWS = 200
"""Of one sample that is beyond the limits of its joints; then its amplitudes are made smaller."""


@dataclass(frozen=True)
class Stage:
    """One search within a search."""

    cells: tuple[int, int, int]
    generations: int
    population: int
    sigma: float
    bound: float  # J/kg; below that of the judge, because finer water costs more [swimmer 4.1]
    groups: tuple[str, ...] = ()  # joints that are sought; all if empty


Report = Callable[[int, float], None]
"""Told after every generation: its number and the best objective so far."""
COARSE = Stage((48, 24, 24), 30, 16, 0.3, 0.45)
FINE_POLISH = Stage((64, 32, 32), 8, 12, 0.08, 0.475)


@dataclass(frozen=True)
class Found:
    """The best stroke of a search, and how it came about."""

    sines: Array  # (3, links)
    score: Score
    curve: tuple[float, ...]  # best objective after every generation
    trials: int
    redrawn: int


def search_stroke(
    body: Body, manoeuvre: str = "straight", *, lengths: float = 2.0, stages: tuple[Stage, ...] = (COARSE, FINE_POLISH),
    offsets: bool = False, start: Array | None = None, seed: int = 1, threads: int = 2,
    report: Report | None = None,
) -> Found:  # fmt: skip
    """The best stroke that an evolution strategy finds, from nothing or from `start`.

    Needs the extra ``train``. The result is the same for any number of threads.

    Example::

        found = search_stroke(load_body("fish_3d"), seed=1)
        found.score.distance          # body lengths in two cycles
    """
    best = np.zeros((3, body.plan.count)) if start is None else start.copy()
    curve: list[float] = []
    trials = redrawn = 0
    score = None
    with ThreadPoolExecutor(threads) as crew:
        for place, stage in enumerate(stages):
            task = _Task(body, manoeuvre, stage, Numbers(body.plan, offsets, stage.groups), Basin(stage.cells, lengths))
            best, score, wasted = _one_stage(task, best, seed + 100 * place, crew, curve, report)
            trials += stage.generations * stage.population + 1
            redrawn += wasted
    assert score is not None
    return Found(best, score, tuple(curve), trials, redrawn)


@dataclass(frozen=True)
class SpaceTask:
    """What one try in space is, for the search that bodies in the plane have too: `training.search.Search`.

    Example::

        search = Search(SpaceTask("fish_3d"), seed=1, population=31)
        search.run(measure_serially)
    """

    body: str
    manoeuvre: str = "straight"
    basin: Basin = Basin()
    bound: float = ENERGY_BOUND

    def variables(self, group: str | None = None) -> Numbers:
        """What is searched for; turns have offsets."""
        return Numbers(load_body(self.body).plan, self.manoeuvre != "straight", (group,) if group else ())

    def score(self, sines: Array) -> tuple[float, ...]:
        """Objective, distance, turn, deviation, work and overlap, as `training.objective.Score` has them."""
        found = tried(load_body(self.body), sines, self.basin, self.manoeuvre, self.bound)
        return found.objective, found.distance, found.turn, found.deviation, found.work, found.overlap


class _Task(NamedTuple):
    """What one stage has to find."""

    body: Body
    manoeuvre: str
    stage: Stage
    numbers: Numbers
    basin: Basin

    def score(self, sines: Array) -> Score:
        return tried(self.body, sines, self.basin, self.manoeuvre, self.stage.bound)

    def sample(self, strategy: Any, base: Array) -> tuple[Array, int]:
        """A draw within the limits of all joints, and how many were thrown away: they are never simulated. [Tan11 4.3]"""
        numbers, tries = strategy.ask(1)[0], 0
        while not self.numbers.feasible(self.numbers.sines(numbers, base)):
            tries += 1
            numbers = strategy.ask(1)[0] if tries < MOST_REDRAWS else 0.9 * numbers
        return numbers, tries


def _one_stage(
    task: _Task, base: Array, seed: int, crew: ThreadPoolExecutor, curve: list[float], report: Report | None
) -> tuple[Array, Score, int]:
    """The best stroke of one stage, its score and how many samples were redrawn."""
    import cma

    stage, best, redrawn = task.stage, base, 0
    options = {"popsize": stage.population, "seed": seed, "verbose": -9, "maxiter": stage.generations, "tolfun": 0.0,
               "tolx": 0.0, "tolfunhist": 0.0, "tolstagnation": 10**6, "CMA_diagonal": 0}  # fmt: skip
    strategy = cma.CMAEvolutionStrategy(task.numbers.numbers(base), stage.sigma, options)  # type: ignore[attr-defined]
    score = task.score(base)
    for _ in range(stage.generations):
        drawn = [task.sample(strategy, base) for _ in range(stage.population)]
        redrawn += sum(tries for _, tries in drawn)
        strokes = [task.numbers.sines(numbers, base) for numbers, _ in drawn]
        scores = list(crew.map(task.score, strokes))
        strategy.tell([numbers for numbers, _ in drawn], [one.objective for one in scores])
        first = min(range(len(scores)), key=lambda k: scores[k].objective)
        if scores[first].objective < score.objective:
            best, score = strokes[first], scores[first]
        curve.append(score.objective)
        if report is not None:
            report(len(curve), score.objective)
    return best, score, redrawn
