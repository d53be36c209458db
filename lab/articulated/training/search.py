"""Searching for a gait: an evolution strategy over the sines of joints, each try a swim of some cycles. [Tan11 4.3, 6]

The strategy comes from the package `cma` (extra `train`). Draws beyond the limits of joints are drawn again before anything
is simulated. All is deterministic from the seed, whoever does the tries, so a search that was stopped goes on by asking
again and looking up what it knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ....components.articulated.manoeuvres import ManoeuvreSpec, warp_of
from ....engine.errors import PaludariumError
from .bench import ROW, TICK, Bench, Water
from .objective import NO_SCORE, Score, Weights, judge
from .steady import settle
from .variables import Variables

if TYPE_CHECKING:
    from ....components.articulated.links import LinkSpec
    from ....components.articulated.servo import ServoSpec
    from ....components.articulated.surrogate import SurrogateSpec
    from ....engine.pool import Array
    from .steady import Steady

POPULATION, POPULATION_IN_SPACE = 16, 31
"""[Tan11 6]"""
GENERATIONS = 100
"""At most. [Tan11 6]"""
SPREAD = 0.3
"""rad of the first draws around nothing. [swimmer 2]"""
SETTLED = 0.01
"""rad of spread at which a search ends. [articulated-swimmers 7.9]"""
MOST_REDRAWS = 1000
"""Of one draw; then it is drawn towards the mean, which is allowed."""
TURNS = ("turn_left", "turn_right")
IN_WINDOW, USUAL = Water(), Weights()


class SearchError(PaludariumError):
    """A gait cannot be searched for as asked."""


class Task(Protocol):
    """What one try is: a body, a water, a manoeuvre and how it is judged. It can be sent to other processes.

    Bodies in the plane have `SwimTask`, those that move in space `space.space_task.SpaceTask`.
    """

    @property
    def period(self) -> float: ...
    @property
    def weights(self) -> Weights: ...
    def variables(self, group: str | None = None) -> Variables: ...
    def score(self, sines: Array) -> Score: ...
    def steady(self, sines: Array, pace: float) -> Steady | None: ...


@dataclass(frozen=True)
class SwimTask:
    """A try in the plane: in a fluid window, or in water without a grid.

    Example::

        task = SwimTask.of_species(world.species["eel"], "straight")
        task.score(task.variables().sines(np.zeros(8)))
    """

    links: tuple[LinkSpec, ...]
    servo: ServoSpec
    surrogate: SurrogateSpec
    manoeuvre: str = "straight"
    period: float = 1.0
    water: Water = IN_WINDOW
    weights: Weights = USUAL

    @classmethod
    def of_species(cls, species: Any, manoeuvre: str, water: Water = IN_WINDOW,
                   weights: Weights = USUAL) -> SwimTask:  # fmt: skip
        """The task for a manoeuvre of a species, one unit long at a pace of 1."""
        specs = species.specs
        period = next((one.period for one in specs["manoeuvres"] if one.name == "straight"), 1.0)
        servo = replace(specs["servo"], length=1.0, pace=1.0)
        return cls(tuple(specs["links"]), servo, specs["surrogate"], manoeuvre, period, water, weights)

    @property
    def turning(self) -> bool:
        return self.manoeuvre in TURNS

    def variables(self, group: str | None = None) -> Variables:
        """What is searched for."""
        from ....components.articulated.link_plan import plan_of

        return Variables(plan_of(self.links), self.turning, group, not self.turning, self.weights.warped)

    def bench(self) -> Bench:
        """A swimmer to try gaits with; its first manoeuvre is straight swimming, its second the turn."""
        nothing = (0.0,) * (len(self.links) - 1)
        still = ManoeuvreSpec(name="straight", amplitude=nothing, phase=nothing, period=self.period)
        return Bench(self.links, self.servo, (still, replace(still, name="turn_left")), self.surrogate, self.water)

    def track(self, sines: Array, cycles: float = 0.0, bench: Bench | None = None) -> Array:
        """The track of a gait from rest, over as many cycles as are judged if not given."""
        bench = bench or self.bench()
        bench.teach("turn_left" if self.turning else "straight", sines)
        bench.begin(steer=1.0 if self.turning else 0.0)
        start = float(bench.swimmers.heading[ROW])
        track = bench.swim(round((cycles or self.weights.cycles) * self.period / TICK))
        track[:, 2] -= start
        return track

    def score(self, sines: Array, bench: Bench | None = None) -> Score:
        """How good a gait is. A right turn is a left one in the mirror."""
        bench = bench or self.bench()
        track = self.track(sines, bench=bench)
        if self.manoeuvre == "turn_right":
            track[:, 1:3] *= -1.0
        return judge(track, bench.mass, TICK, turning=self.turning, weights=self.weights)

    def steady(self, sines: Array, pace: float) -> Steady | None:
        """What a gait settles at, at a pace of 1; None if the water breaks then, or at the pace that is given."""
        name, steer = ("turn_left", 1.0) if self.turning else ("straight", 0.0)
        found = []
        for own in (pace, 1.0):
            bench = replace(self, servo=replace(self.servo, pace=own)).bench()
            bench.teach(name, sines)
            found.append(settle(bench, steer))
        return found[1] if found[0] is not None else None


@dataclass(frozen=True)
class Generation:
    """The tries of one generation as a job: pieces are numbered through all generations."""

    task: Task
    first: int
    sines: tuple[Any, ...]

    def measure(self, index: int) -> tuple[int, list[float]]:
        """One try."""
        return index, [float(value) for value in self.task.score(np.asarray(self.sines[index - self.first]))]


Measure = Callable[[Generation, list[int]], Iterator[tuple[int, Any]]]
"""Who does the tries: `lab.jobs.job.measure_on_cores`, or a cluster."""


@dataclass
class Search:
    """The state of a search between generations.

    Example::

        search = Search(task, seed=2)
        while search.generation < 20:
            search.run(measure_serially)
        search.best_score, search.best       # the sines
    """

    task: Task
    seed: int = 1
    start: Array | None = None  # (3, links) sines; nothing moves if not given
    spread: float = SPREAD
    group: str | None = None
    population: int = POPULATION
    first: int = 0  # number of the first piece of work
    generation: int = 0
    redraws: int = 0
    best: Array | None = None
    best_score: Score = NO_SCORE
    history: list[float] = field(default_factory=list)  # best value after each generation
    middle: list[float] = field(default_factory=list)  # median value of each generation

    def __post_init__(self) -> None:
        self.variables = self.task.variables(self.group)
        if not self.variables.count:
            raise SearchError(f"group {self.group!r}: it has no joint that could be varied")
        others = self.start if self.start is not None else self.variables.rest
        self.others = others
        self.strategy = strategy_of(self.variables.numbers(others), self.spread, self.population, self.seed)
        self.best = self.variables.sines(self.variables.numbers(others), others)

    def sines_of(self, draw: Array) -> Array:
        """(3, links) sines of a draw."""
        return self.variables.sines(draw[: self.variables.count], self.others)

    def ask(self) -> list[Array]:
        """The next draws, all of them within the limits."""
        found: list[Array] = []
        for x in self.strategy.ask():
            draw, tries = np.asarray(x), 0
            while not self.variables.feasible(self.sines_of(draw)):
                tries += 1
                draw = np.asarray(self.strategy.ask(1)[0])
                if tries > MOST_REDRAWS:
                    draw = self._pulled_in(draw)
                    break
            self.redraws += tries
            found.append(draw)
        return found

    def _pulled_in(self, draw: Array) -> Array:
        """A draw on the way back to the start, which is within the limits."""
        start = np.zeros(len(draw))
        start[: self.variables.count] = self.variables.numbers(self.others)
        for _ in range(60):
            draw = start + 0.8 * (draw - start)
            if self.variables.feasible(self.sines_of(draw)):
                return draw
        return start

    def run(self, measure: Measure, known: Mapping[int, Any] | None = None,
            note: Callable[[int, Any], None] | None = None) -> None:  # fmt: skip
        """Let one generation pass; tries that are `known` from before are not made again, new ones are told to `note`."""
        draws = self.ask()
        first = self.first + self.generation * self.population
        sines = [self.sines_of(x) for x in draws]
        job = Generation(self.task, first, tuple(one.tolist() for one in sines))
        indices = range(first, first + len(draws))
        scores: dict[int, Any] = {i: known[i] for i in indices if known and i in known}
        for index, value in measure(job, [i for i in indices if i not in scores]):
            if index not in scores:
                scores[index] = value
                if note:
                    note(index, value)
        self.learn(draws, scores)

    def learn(self, draws: list[Array], scores: Mapping[int, Any]) -> None:
        """Go on from the scores of the last draws, by the numbers of their pieces."""
        first = self.first + self.generation * self.population
        sines = [self.sines_of(x) for x in draws]
        values = [float(scores[i][0]) for i in range(first, first + len(draws))]
        self.strategy.tell([np.asarray(x) for x in draws], values)
        k = int(np.argmin(values))
        if values[k] < self.best_score.value:
            self.best, self.best_score = sines[k], Score(*scores[first + k])
        self.generation += 1
        self.history.append(self.best_score.value)
        self.middle.append(float(np.median(values)))

    def table(self) -> dict[str, Any]:
        """The best gait as keys of a ``[[manoeuvres]]`` table."""
        assert self.best is not None
        a, b, c = self.best[:, 1:]
        lists = {"amplitude_deg": np.hypot(a, b), "phase_deg": np.arctan2(b, a), "offset_deg": c}
        weights = self.task.weights
        speed = self.best_score.distance / ((1 if weights.settling else weights.cycles) * self.task.period)
        power, glide = warp_of(self.best)
        shares = {"power_share": power, "glide_share": glide} if self.variables.warps else {}
        own = {"period_s": self.task.period, **shares, "speed_lengths_per_s": speed}
        return {**{key: np.degrees(values).tolist() for key, values in lists.items()}, **own}

    @property
    def settled(self) -> bool:
        """Whether its draws hardly differ any more."""
        return float(self.strategy.sigma * np.max(self.strategy.sm.variances) ** 0.5) < SETTLED


def strategy_of(start: Array, spread: float, population: int, seed: int) -> Any:
    """A covariance matrix adaptation strategy with random numbers of its own. [Hansen]"""
    try:
        import cma.evolution_strategy
    except ImportError:
        raise SearchError("a search needs the extra: pip install 'paludarium[train]'") from None
    draw = np.random.Generator(np.random.PCG64(seed))
    options = {"popsize": population, "seed": np.nan, "randn": lambda *size: draw.standard_normal(size), "verbose": -9,
               "verb_log": 0}  # fmt: skip
    if len(start) == 1:  # the package wants two dimensions; the second means nothing
        start = np.append(start, 0.0)
    options["CMA_stds"] = np.ones(len(start))
    return cma.evolution_strategy.CMAEvolutionStrategy(np.asarray(start, np.float64), spread, options)


def measure_serially(job: Generation, indices: list[int]) -> Iterator[tuple[int, Any]]:
    """The tries one after the other, in this thread."""
    yield from (job.measure(index) for index in indices)
