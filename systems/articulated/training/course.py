"""The course of a training: coarse water first, then finer water; group after group of joints. [Tan11 4.3] [swimmer 4.1]"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ....components.articulated.link_plan import plan_of
from ....components.articulated.manoeuvres import sines_of
from .bench import Water
from .objective import Score, Weights
from .search import GENERATIONS, POPULATION, SPREAD, Measure, Search, SearchError, SwimTask
from .variables import stages

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.species import Species

POLISH_SPREAD = 0.08
"""rad of the first draws around a gait that is good already."""
POLISH_SHARE = 0.2
"""Of the generations."""
MARGIN = 0.96
"""Of the bound of energy that a search may use: winners sit on it, and other water costs more. [swimmer 4.1]"""
TURN_START = -0.1
"""rad: offset of all joints that a search for a left turn begins with. [swimmer 4.3]"""
TURN_SPREAD = 0.2


class Phase(NamedTuple):
    """A part of a course: where, how long, how wide, and for which group of joints."""

    water: str
    generations: int
    spread: float
    group: str | None


@dataclass
class Course:
    """A whole training of one manoeuvre, generation by generation.

    Example::

        course = Course(world.species["eel"], "straight", seed=1)
        course.run(measure_on_cores)
        course.best, course.score
    """

    species: Species
    manoeuvre: str = "straight"
    seed: int = 1
    grid: str = "64x64"
    polish: str = "128x64"
    generations: int = 75
    population: int = POPULATION
    weights: Weights = Weights()
    best: Array | None = None
    score: Score | None = None
    history: list[float] = field(default_factory=list)  # best value of the running phase after each generation
    middle: list[float] = field(default_factory=list)  # and the median of each generation
    marks: list[tuple[int, str]] = field(default_factory=list)  # where phases begin, and their names
    redraws: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.generations <= GENERATIONS:
            raise SearchError(f"generations = {self.generations}: allowed are 1 to {GENERATIONS}")
        if self.manoeuvre not in ("straight", "turn_left", "turn_right"):
            raise SearchError(f"manoeuvre {self.manoeuvre!r}: in the plane allowed are straight, turn_left, turn_right")
        plan = plan_of(tuple(self.species.specs["links"]))
        if not plan.plane:
            raise SearchError(f"species {self.species.key!r} moves in space: allowed here are bodies in the plane")
        self.task = SwimTask.of_species(self.species, self.manoeuvre, Water.named(self.grid),
                                        replace(self.weights, bound=MARGIN * self.weights.bound))  # fmt: skip
        Water.named(self.polish)

    @property
    def phases(self) -> list[Phase]:
        """What is done one after the other."""
        groups = stages(self.task.variables().plan)
        last = round(POLISH_SHARE * self.generations) if self.generations > 4 else 0
        each = max((self.generations - last) // len(groups), 1)
        spread = TURN_SPREAD if self.task.turning else SPREAD
        found = [Phase(self.grid, each, spread, group) for group in groups]
        fine = self.grid if self.task.turning else self.polish  # a turn needs a window as wide as long
        return found + ([Phase(fine, last, POLISH_SPREAD, None)] if last else [])

    @property
    def settings(self) -> dict[str, Any]:
        """All that the result depends on."""
        from .... import __version__

        return {"made by": self.command, "version": __version__, "species": self.species.key, "manoeuvre": self.manoeuvre,
                "seed": self.seed, "grid": self.grid, "polish": self.polish, "generations": self.generations,
                "population": self.population, "bound": self.weights.bound, "links": repr(self.task.links),
                "start": self.start().tolist()}  # fmt: skip

    @property
    def command(self) -> str:
        """That does the same again."""
        bound = "" if self.weights.bound == Weights().bound else f" --bound {self.weights.bound:g}"
        return (f"paludarium train --species {self.species.key} --manoeuvre {self.manoeuvre} --seed {self.seed}"
                f" --grid {self.grid} --polish {self.polish} --generations {self.generations}{bound}")  # fmt: skip

    @property
    def pace(self) -> float:
        """Of the species: seconds of the animal per second of the world."""
        return float(self.species.specs["servo"].pace)

    @property
    def count(self) -> int:
        """Tries in all, if no phase ends early."""
        return sum(phase.generations for phase in self.phases) * self.population

    def start(self) -> Array:
        """(3, links) sines that a search begins with: nothing, or for a turn the straight stroke with all joints bent."""
        plan = self.task.variables().plan
        found = np.zeros((3, plan.count))
        if self.task.turning:
            straight = next(one for one in self.species.specs["manoeuvres"] if one.name == "straight")
            found = sines_of(straight, plan)
            reach = np.hypot(found[0], found[1])
            room = np.maximum(plan.limit - np.abs(TURN_START), 0.0)
            found[:2] *= np.minimum(1.0, room / np.maximum(reach, 1e-12))
            found[2, 1:] = np.where(plan.limit[1:] > np.abs(TURN_START), TURN_START, 0.0)
            found = self.task.variables().sines(self.task.variables().numbers(found))
        return found

    def run(self, measure: Measure, known: Mapping[int, Any] | None = None, note: Callable[[int, Any], None] | None = None,
            told: Callable[[Course], None] | None = None) -> None:  # fmt: skip
        """Run all phases; `told` hears of every generation."""
        self.best, self.score, first = self.start(), None, 0
        for place, phase in enumerate(self.phases):
            task = replace(self.task, water=Water.named(phase.water))
            search = Search(task, self.seed + 1000 * place, self.best, phase.spread, phase.group, self.population, first)
            self.marks.append((len(self.history), phase.water + (f" {phase.group}" if phase.group else "")))
            if place and self.best is not None:  # what was found stays, unless something better is, in this water
                search.best_score = task.score(self.best)
            while search.generation < phase.generations and not search.settled:
                search.run(measure, known, note)
                self.history.append(search.best_score.value)
                self.middle.append(search.middle[-1])
                self.best, self.score = search.best, search.best_score
                if told:
                    told(self)
            self.redraws += search.redraws
            first += phase.generations * self.population
