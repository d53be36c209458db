"""The course of a training: coarse water first, then finer water; group after group of joints. [Tan11 4.3] [swimmer 4.1]"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ....components.articulated.link_plan import plan_of, rest_frames
from ....components.articulated.manoeuvres import sines_of
from ..space.wing_beat import WING_BEAT, hinges_of
from .bench import IN_PLAY, Water
from .objective import OBJECTIVES, Score, Weights, can_be_a_score
from .search import GENERATIONS, POPULATION, POPULATION_IN_SPACE, SPREAD, TURNS, Measure, Search, SearchError, SwimTask
from .variables import stages

if TYPE_CHECKING:
    from ....components.articulated.link_plan import BodyPlan
    from ....components.articulated.manoeuvres import ManoeuvreSpec
    from ....engine.pool import Array
    from ....engine.species import Species
    from ..space.space_task import SpaceTask

POLISH_SPREAD = 0.08
"""rad of the first draws around a gait that is good already."""
POLISH_SHARE = 0.2
"""Of the generations."""
MARGIN = 0.96
"""Of the bound of energy that a search may use: winners sit on it, and other water costs more. [swimmer 4.1]"""
COARSE_MARGIN = 0.9
"""The same in the coarse box of bodies in space. [swimmer 4.1]"""
TURN_START = -0.1
"""rad: offset of all joints that a search for a left turn begins with. [swimmer 4.3]"""
TURN_SPREAD = 0.2
INNER_BEAT, OUTER_BEAT = 0.4, 1.3
"""Of the straight stroke of paired limbs, on both sides of a turn that a search in space begins with."""
PITCH_BEAT = 0.7
"""Of the straight stroke that a search for a pitch begins with: joints need room to hold to one side."""
BEAT_SHARE, BEAT_SPREAD, JOINT_SPREAD = 0.4, 0.1, 0.1
"""Of the generations of a stroke of wings, which vary their beat as a whole; rad of the first draws, and of single joints
then."""
LEAST_BOX, MOST_BOX = 1.2, 6.0
"""Body lengths of a box. [Tan11 6]"""


class Phase(NamedTuple):
    """A part of a course: where, how long, how wide, and for which group of joints."""

    water: str
    generations: int
    spread: float
    group: str | None


def is_deep(grid: str) -> bool:
    """Whether a grid has three sides: bodies in the plane can be trained in space, too."""
    return grid.count("x") == 2


@dataclass(frozen=True)
class Plane:
    """How bodies in the plane are trained: in a square window; straight strokes are polished in a long fine one."""

    species: Species
    manoeuvre: str
    margin: float = MARGIN
    grid, polish, generations, population = "64x64", "128x64", 75, POPULATION

    def task(self, water: str, weights: Weights) -> SwimTask:
        """A try in some water."""
        if self.manoeuvre not in ("straight", *TURNS):
            raise SearchError(f"manoeuvre {self.manoeuvre!r}: in the plane allowed are straight, turn_left, turn_right")
        return SwimTask.of_species(self.species, self.manoeuvre, Water.named(water), weights)

    def played(self, water: str, weights: Weights) -> SwimTask:  # noqa: ARG002 - windows of the game are all alike
        """The task in which the result is measured: in the windows of the game."""
        return SwimTask.of_species(self.species, self.manoeuvre, IN_PLAY, weights)

    def fine(self, grid: str, polish: str) -> str:
        """Where the end of a search swims: a turn needs a window as wide as long."""
        return polish if self.manoeuvre == "straight" else grid

    def bent(self, straight: Array, plan: BodyPlan, *, warped: bool = False) -> Array:
        """A straight stroke with all joints bent a little: where the search for a turn begins; or, warped, as it is."""
        found = straight.copy()
        if warped:
            return found
        reach = np.hypot(found[0], found[1])
        room = np.maximum(plan.limit - np.abs(TURN_START), 0.0)
        found[:2] *= np.minimum(1.0, room / np.maximum(reach, 1e-12))
        found[2, 1:] = np.where(plan.limit[1:] > np.abs(TURN_START), TURN_START, 0.0)
        return found


@dataclass(frozen=True)
class Space:
    """How bodies in space are trained: in a coarse box, polished in that of the publication."""

    species: Species
    manoeuvre: str
    lengths: float
    margin: float = COARSE_MARGIN
    grid, polish, generations, population = "48x24x24", "64x32x32", 40, POPULATION_IN_SPACE

    def task(self, water: str, weights: Weights) -> SpaceTask:
        """A try in some water."""
        from ..space.space_task import SpaceTask
        from ..space.space_trial import Basin

        period = period_of(self.species)
        return SpaceTask.of_species(self.species, self.manoeuvre, Basin.named(water, self.lengths, period), weights)

    def played(self, water: str, weights: Weights) -> SpaceTask:
        """The task in which the result is measured: in the fine box; the game plays what is recorded there."""
        return self.task(water, weights)

    def fine(self, grid: str, polish: str) -> str:  # noqa: ARG002 - all manoeuvres have room in a box
        """Where the end of a search swims."""
        return polish

    def bent(self, straight: Array, plan: BodyPlan, *, warped: bool = False) -> Array:  # noqa: ARG002 - as in the plane
        """Where the search for a turn begins: limbs of the inner side beat less and those of the outer side more; a body
        without limbs bends, as in the plane; one that is to pitch begins with its straight stroke."""
        if self.manoeuvre != "turn_left":
            return straight * PITCH_BEAT
        paired = plan.other != np.arange(plan.count)
        if not paired.any():
            return Plane(self.species, self.manoeuvre).bent(straight, plan)
        joints, _ = rest_frames(plan)
        found = straight.copy()
        found[:2, paired] *= np.where(joints[paired, 1] > 0.0, INNER_BEAT, OUTER_BEAT)
        reach = np.hypot(found[0], found[1])
        found[:2] *= np.minimum(1.0, plan.limit / np.maximum(reach, 1e-12))
        return found


def period_of(species: Species) -> float:
    """Seconds of a cycle of the straight stroke, at a pace of 1."""
    return next((float(one.period) for one in species.specs["manoeuvres"] if one.name == "straight"), 1.0)


@dataclass
class Course:
    """A whole training of one manoeuvre, generation by generation; what is not given is as usual for such a body.

    Example::

        course = Course(world.species["eel"], "straight", seed=1)
        course.run(measure_on_cores)
        course.best, course.score
    """

    species: Species
    manoeuvre: str = "straight"
    seed: int = 1
    grid: str = ""
    polish: str = ""
    generations: int = 0
    population: int = 0
    weights: Weights = Weights()
    lengths: float = 0.0  # of a box in space, in body lengths
    given: ManoeuvreSpec | None = None  # a stroke to begin with
    given_by: str = ""  # its file or name
    best: Array | None = None
    score: Score | None = None
    history: list[float] = field(default_factory=list)  # best value of the running phase after each generation
    middle: list[float] = field(default_factory=list)  # and the median of each generation
    marks: list[tuple[int, str]] = field(default_factory=list)  # where phases begin, and their names
    redraws: int = 0

    def __post_init__(self) -> None:
        plan = plan_of(tuple(self.species.specs["links"]))
        self.kind: Plane | Space
        if plan.plane and not is_deep(self.grid):
            self.kind = Plane(self.species, self.manoeuvre)
        else:
            from ....systems.articulated.space.space_body import box_lengths

            self.lengths = self.lengths or box_lengths(plan)
            if not LEAST_BOX <= self.lengths <= MOST_BOX:
                raise SearchError(f"box of {self.lengths:g} body lengths: allowed are {LEAST_BOX:g} to {MOST_BOX:g}")
            self.kind = Space(self.species, self.manoeuvre, self.lengths)
        for name in ("grid", "polish", "generations", "population"):
            setattr(self, name, getattr(self, name) or getattr(self.kind, name))
        if not 1 <= self.generations <= GENERATIONS:
            raise SearchError(f"generations = {self.generations}: allowed are 1 to {GENERATIONS}")
        self.task = self.task_in(self.grid)
        self.task_in(self.polish)

    def task_in(self, water: str) -> SwimTask | SpaceTask:
        """A try in some water; winners sit on the bound of energy, so that of a search is below that of the judge."""
        margin = self.kind.margin if water == self.grid else MARGIN
        return self.kind.task(water, replace(self.weights, bound=margin * self.weights.bound))

    @property
    def played(self) -> SwimTask | SpaceTask:
        """The task in which the result is measured."""
        return self.kind.played(self.kind.fine(self.grid, self.polish), self.weights)

    @property
    def phases(self) -> list[Phase]:
        """What is done one after the other."""
        groups = stages(self.task.variables().plan, warped=self.weights.warped)
        last = round(POLISH_SHARE * self.generations) if self.generations > 4 else 0
        each = max((self.generations - last) // len(groups), 1)
        spread = TURN_SPREAD if self.task.turning or self.given is not None else SPREAD
        found = [Phase(self.grid, each, spread, group) for group in groups]
        fine = self.kind.fine(self.grid, self.polish)
        if self.beats:
            whole = max(round(BEAT_SHARE * self.generations), 1)
            joints = Phase(self.grid, max(each - whole, 1), JOINT_SPREAD, None)
            found = [Phase(self.grid, whole, BEAT_SPREAD, WING_BEAT), joints]
        return found + ([Phase(fine, last, POLISH_SPREAD, None)] if last else [])

    @property
    def beats(self) -> bool:
        """Whether wings are to find their beat as a whole first: a straight stroke that is given time to settle."""
        plan = plan_of(tuple(self.species.specs["links"]))
        first = self.manoeuvre == "straight" and self.weights.settling > 0
        return first and isinstance(self.kind, Space) and bool(hinges_of(plan))

    @property
    def settings(self) -> dict[str, Any]:
        """All that the result depends on."""
        from .... import __version__

        return {"made by": self.command, "version": __version__, "species": self.species.key, "manoeuvre": self.manoeuvre,
                "seed": self.seed, "grid": self.grid, "polish": self.polish, "generations": self.generations,
                "population": self.population, "weights": asdict(self.weights), "lengths": self.lengths,
                "links": repr(self.task.links), "start": self.start().tolist()}  # fmt: skip

    @property
    def command(self) -> str:
        """That does the same again."""
        names = {"bound": "bound", "work": "work", "deviation": "straightness", "collision": "collision"}
        usual = OBJECTIVES[self.weights.name]
        own = {words: getattr(self.weights, name) for name, words in names.items()
               if getattr(self.weights, name) != getattr(usual, name)}  # fmt: skip
        weights = f" --objective {self.weights.name}" + "".join(f" --{name} {value:g}" for name, value in own.items())
        box = f" --box {self.lengths:g}" if self.lengths else ""
        box += f" --start {self.given_by}" if self.given_by else ""
        return (f"paludarium train --species {self.species.key} --manoeuvre {self.manoeuvre} --seed {self.seed}"
                f" --grid {self.grid} --polish {self.polish} --generations {self.generations}{weights}{box}")  # fmt: skip

    @property
    def pace(self) -> float:
        """Of the species: seconds of the animal per second of the world."""
        return float(self.species.specs["servo"].pace)

    @property
    def count(self) -> int:
        """Tries in all, if no phase ends early."""
        return sum(phase.generations for phase in self.phases) * self.population

    def fits(self, index: int, value: Any) -> bool:
        """Whether this can be the score of a try; those of each phase are judged by its own bound of energy."""
        if not index < self.count:
            return False
        return can_be_a_score(value, self._weights[index // self.population], turning=self.task.turning)

    @cached_property
    def _weights(self) -> list[Weights]:
        """Of every generation."""
        return [self.task_in(phase.water).weights for phase in self.phases for _ in range(phase.generations)]

    def start(self) -> Array:
        """(3, links) sines that a search begins with: nothing, or for a turn something near the straight stroke."""
        variables = self.task.variables()
        found = variables.rest
        if self.given is not None:
            found = variables.sines(variables.numbers(sines_of(self.given, variables.plan)), found)
        elif self.task.turning:
            straight = next((one for one in self.species.specs["manoeuvres"] if one.name == "straight"), None)
            if straight is None:
                raise SearchError(f"species {self.species.key!r} cannot swim straight yet: train that manoeuvre first")
            found = self.kind.bent(sines_of(straight, variables.plan), variables.plan, warped=self.weights.warped)
            found = variables.sines(variables.numbers(found), found)
        return found

    def run(self, measure: Measure, known: Mapping[int, Any] | None = None, note: Callable[[int, Any], None] | None = None,
            told: Callable[[Course], None] | None = None) -> None:  # fmt: skip
        """Run all phases; `told` hears of every generation."""
        self.best, self.score, first = self.start(), None, 0
        for place, phase in enumerate(self.phases):
            task = self.task_in(phase.water)
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
