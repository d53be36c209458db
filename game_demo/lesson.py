"""The swimming lesson: eight eels try gaits beside each other, in the water of the world, and learn from generation to
generation; a ninth shows the best gait so far. A plugin like any mod.

Everything happens in ticks, so a lesson is the same for the same seed. Its state are the scores: from these the search is
asked again what it had asked, and a saved lesson goes on where it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..components.articulated.links import LinkPool
from ..components.articulated.manoeuvres import ManoeuvrePool, write_sines
from ..components.articulated.servo import SwimPool
from ..engine.column_rules import COUNT, SERIAL
from ..engine.maps import Map
from ..engine.plugins import BUILT_IN
from ..engine.pool import Pool, column
from ..engine.schedule import Phase
from ..engine.world import World
from ..lab.articulated.training.objective import CYCLES, judge
from ..lab.articulated.training.search import Search, SwimTask
from ..lab.articulated.training.swim_trial_kernel import HEADING, TRACK, WORK, X, Y
from ..systems.articulated.fluid.windows import lay_out

if TYPE_CHECKING:
    from ..engine.creature import Creature
    from ..engine.pool import Array

PLUGIN = __name__
SPECIES = "eel"
PUPILS = 8
"""As many as there are fluid windows."""
GENERATIONS = 60
LANE = 9.0
"""Units between two lanes."""
START_X = -24.0
FIELD = 96.0
STRAIGHT = 0
MAP_NAME = "training"
PUPIL_NAMES, BEST_NAME = "pupil", "best so far"


class LessonPool(Pool):
    """One row: who learns, how long they have swum, and the score of every try so far."""

    single = True

    seed = column(np.int64, holds=COUNT)
    pupils = column(np.int64, PUPILS + 1, holds=SERIAL)
    ticks = column(np.int32, holds=COUNT)  # of the running try
    tries = column(np.int32, holds=COUNT)
    scores = column(np.float64, PUPILS * GENERATIONS)
    work = column(np.float64, PUPILS + 1)  # of each at the beginning of the try


class LessonSystem:
    """Update gaits and places of the pupils whenever a try is over."""

    def __init__(self, world: World) -> None:
        self.world, self.board = world, world.pool(LessonPool)
        self.swimmers, self.joints, self.gaits = world.pool(SwimPool), world.pool(LinkPool), world.pool(ManoeuvrePool)
        self._search: Search | None = None
        self._draws: list[Array] = []

    def _own_joints(self, row: int) -> slice:
        """Rows of the joints of one pupil."""
        first = int(self.swimmers.first_link[row])
        return slice(first, first + int(self.swimmers.link_count[row]))

    @property
    def started(self) -> bool:
        return bool(self.board.spans.size)

    @property
    def search(self) -> Search:
        """The search as it stands: told again what is known when a world was loaded."""
        if self._search is None:
            task = SwimTask.of_species(self.world.species[SPECIES], "straight")
            self._search = Search(task, int(self.board.seed[0]), population=PUPILS)
            known = self.board.scores[0, : int(self.board.tries[0])].reshape(-1, PUPILS)
            for scores in known:
                self._draws = self._search.ask()
                self._tell(scores)
            self._draws = self._search.ask()
        return self._search

    @property
    def best(self) -> list[float]:
        """The best score after each generation."""
        return self.search.history

    @property
    def over(self) -> bool:
        return int(self.board.tries[0]) >= PUPILS * GENERATIONS

    @property
    def try_ticks(self) -> int:
        """Of two cycles at the pace of the species."""
        species = self.world.species[SPECIES].specs
        return round(CYCLES * species["manoeuvres"][0].period / species["servo"].pace / self.world.clock.tick_seconds)

    def begin(self) -> None:
        """Put all pupils at the start with the next gaits."""
        search = self.search
        for place, creature in enumerate(self._pupils()):
            if creature is None or creature.dead:
                continue
            sines = search.sines_of(self._draws[place]) if place < PUPILS and not self.over else search.best
            assert sines is not None
            write_sines(self.gaits, int(self.swimmers.first_manoeuvre[creature.row]), sines)
            self._put(creature, place)
        self.board.ticks[0] = 0

    def process(self, dt: float) -> None:  # noqa: ARG002 - a system's signature
        if not self.started:
            return
        self.board.ticks[0] += 1
        if int(self.board.ticks[0]) <= self.try_ticks:
            return
        if not self.over:
            search, at = self.search, int(self.board.tries[0])
            scores = np.array([self._score(place, creature) for place, creature in enumerate(self._pupils()[:PUPILS])])
            self.board.scores[0, at : at + PUPILS] = scores
            self.board.tries[0] += PUPILS
            self._tell(scores)
            self._draws = search.ask()
            self.world.emit("generation", number=search.generation, best=search.history[-1])
        self.begin()

    def _tell(self, scores: Array) -> None:
        """Update the search by the scores of its last draws."""
        search = self._search
        assert search is not None
        first = search.generation * PUPILS
        search.learn(self._draws, {first + k: [float(value), 0.0, 0.0, 0.0, 0.0, 0.0] for k, value in enumerate(scores)})

    def _pupils(self) -> list[Creature | None]:
        return [self.world.creatures.get(int(serial)) for serial in self.board.pupils[0]]

    def _score(self, place: int, creature: Creature | None) -> float:
        """Of one try, from where the pupil has come in the world."""
        track = np.full((CYCLES, TRACK), np.nan)
        if creature is not None and not creature.dead:
            row, length = creature.row, float(self.swimmers.length[creature.row])
            own = self._own_joints(creature.row)
            mass, pace = float(self.joints.mass[own].sum()), float(self.swimmers.pace[row])
            x, y = start_of(place)
            track[:] = 0.0
            track[-1, X], track[-1, Y] = (self.swimmers.root[row, :2] - (x, y)) / length
            track[-1, HEADING] = self.swimmers.heading[row]
            track[-1, WORK] = (self.swimmers.work[row] - self.board.work[0, place]) / mass / (length * pace) ** 2
        return judge(track, 1.0, 0.0, turning=False, weights=self.search.task.weights).value

    def _put(self, creature: Creature, place: int) -> None:
        """A pupil at rest at its start, at the beginning of its stroke."""
        row, own = creature.row, self._own_joints(creature.row)
        x, y = start_of(place)
        creature.family.carry(creature, np.array([x, y]) - self.swimmers.root[row, :2])
        for name in ("angle", "rate", "wanted", "wanted_rate", "torque"):
            getattr(self.joints, name)[own] = 0.0
        self.swimmers.root[row] = x, y, 0.0
        for name in ("phase", "swum", "cycle_work", "steer", "wish_steer"):
            getattr(self.swimmers, name)[row] = 0.0
        self.swimmers.effort[row] = 1.0
        self.swimmers.told[row] = STRAIGHT
        self.board.work[0, place] = self.swimmers.work[row]
        lay_out(self.swimmers, self.joints, row)


def start_of(place: int) -> tuple[float, float]:
    """Where a pupil begins; the one that shows the best is in the middle."""
    lane = place - PUPILS // 2 if place < PUPILS // 2 else place - PUPILS // 2 + 1
    return START_X, LANE * (lane if place < PUPILS else 0)


def build(world: World) -> None:
    """Install the lesson; `start_lesson` puts the pupils in."""
    world.add_pool(LessonPool)
    world.events.declare("generation")
    world.add_system(LessonSystem, phase=Phase.LIVE)


def lesson_of(world: World) -> LessonSystem | None:
    """The lesson of a world, or None where there is none."""
    system = next((entry.system for entry in world.schedule if entry.name == LessonSystem.__name__), None)
    return system if isinstance(system, LessonSystem) and system.started else None


def start_lesson(seed: int) -> World:
    """A basin with lanes, eight pupils that know nothing, and one that shows the best.

    Example::

        world = start_lesson(seed=1)
        world.step(60)
        lesson_of(world).best
    """
    world = World(seed=seed, map=_basin(), precision="float32", plugins=[*BUILT_IN, PLUGIN])
    board = world.pool(LessonPool)
    board.claim(1, owner=0)
    board.seed[0] = seed
    for place in range(PUPILS + 1):
        pupil = world.spawn(SPECIES, at=start_of(place), heading=0.0)
        pupil.name = BEST_NAME if place == PUPILS else f"{PUPIL_NAMES} {place + 1}"
        board.pupils[0, place] = pupil.serial
    lesson = lesson_of(world)
    assert lesson is not None
    lesson.begin()
    return world


def _basin() -> Map:
    half = 0.5 * FIELD
    return Map.define(
        name=MAP_NAME, area={"width_u": FIELD, "height_u": FIELD}, terrain={"kind": "flat", "elevation": -6.0},
        light={"time": "day", "clarity": 8.0}, bed={"kind": "sand"},
        water=[{"bounds": [-half, -half, half, half], "level_u": 0.0, "cell_u": 1.5}],
    )  # fmt: skip
