"""Kinematic animals for tests of senses and brain: a head that moves exactly as told and one segment it tows.

The head is a unicycle (position and heading from speed and yaw rate); the second segment is a trailer hinged half way,
which gives the neck a bend as in a walking body. No legs, no physics: those tests come with the full animal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from paludarium.components.body import BodyPool
from paludarium.components.diet import DietPool, DietSpec
from paludarium.engine.creature import CreaturePool
from paludarium.engine.spatial_hash import hash_points
from paludarium.systems.brain import BrainColumns, Heads, ModeRegistry, run_brains
from paludarium.systems.feeding.eating_kernel import eat_food
from paludarium.systems.feeding.system import Food
from paludarium.systems.senses import Sense, capsules, hash_solids, no_solids, sense_row
from paludarium.systems.senses.antenna_kernel import move_antennae
from paludarium.systems.senses.clearance_kernel import look_ahead
from paludarium.systems.senses.food_kernel import FOOD_CELL_SIZE, smell_food
from paludarium.systems.senses.random_stream_kernel import seed_states
from paludarium.systems.senses.touch_kernel import touch_antennae

DT = 1.0 / 60.0
RIDE_HEIGHT = 1.0
HINGE = 1.0  # half the pitch of two segments
BODY_RADIUS = 0.6
OPEN_MAP = np.array([-np.inf, -np.inf, np.inf, np.inf])
LINKS = 12


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Few animals gain nothing from threads, and waiting threads are slow on a busy machine."""
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    yield
    numba.set_num_threads(before)


@dataclass
class Crawlers:
    """Some crawlers and their little world: ``Crawlers([[0, 0]], [0.0], seed=1).run(5.0)``."""

    start: object
    headings: object
    seed: int = 1
    solids: NDArray[np.float64] = field(default_factory=no_solids)
    food: object = ()
    bounds: NDArray[np.float64] = field(default_factory=lambda: OPEN_MAP.copy())
    see_bodies: bool = False

    def __post_init__(self) -> None:
        plan = np.asarray(self.start, dtype=np.float64).reshape(-1, 2)
        n = len(plan)
        generator = np.random.default_rng(self.seed)
        self.count = n
        self.rows = np.arange(n, dtype=np.int32)
        self.heading = np.array(self.headings, dtype=np.float64).reshape(n)
        self.tow_heading = self.heading.copy()
        self.tick = 0
        self.heads = Heads(
            position=np.zeros((2 * n, 3)),
            orientation=np.zeros((2 * n, 4)),
            first_segment=2 * np.arange(n, dtype=np.int32),
            segment_count=np.full(n, 2, np.int32),
        )
        self.heads.position[0::2, :2] = plan
        self.heads.position[:, 2] = RIDE_HEIGHT
        self.tow()
        self.parameters = np.tile(sense_row(), (n, 1))
        self.brain = BrainColumns.allocate(n, seed_states(generator, n))
        self.modes = ModeRegistry()
        self.antenna_stream = seed_states(generator, (n, 2))
        self.angles = np.stack((generator.uniform(0.2, 0.9, (n, 2)), generator.uniform(-0.2, 0.5, (n, 2))), axis=-1)
        self.target = self.angles.copy()
        self.phase = generator.uniform(0.0, 2.0 * np.pi, (n, 2))
        self.retracting = np.zeros((n, 2), np.uint8)
        self.points = np.zeros((n, 2, LINKS + 1, 3))
        self.contact_time = np.zeros((n, 2))
        self.contact_owner = np.full((n, 2), -1, np.int32)
        self.ground = np.empty((0, 2, LINKS + 1, 4))
        self.solid_hash = hash_solids(self.solids)
        self.food_position = np.asarray(self.food, dtype=np.float64).reshape(-1, 3)
        self.food_strength = np.ones(len(self.food_position))
        self.food_amount = np.ones(len(self.food_position))
        self.food_hash = hash_points(self.food_position, FOOD_CELL_SIZE)
        self.way = np.zeros((n, 3))
        self.winner = np.full(len(self.food_position), -1, np.int32)
        self.creatures, self.diets, self.body_rows = CreaturePool(), DietPool(), BodyPool()
        for pool in (self.creatures, self.diets, self.body_rows):
            pool.claim(n, owner=1)
        diet = DietSpec()
        self.diets.reach[:], self.diets.height[:], self.diets.bite[:] = diet.reach, diet.height, diet.bite
        self.eaten: list[int] = []

    @property
    def plan(self) -> NDArray[np.float64]:
        """Head positions in the plan view."""
        return self.heads.position[0::2, :2]

    @property
    def time(self) -> float:
        return self.tick * DT

    def bodies(self) -> NDArray[np.float64]:
        """The two segments of every crawler as one capsule."""
        if not self.see_bodies:
            return no_solids()
        return capsules(self.heads.position[1::2], self.heads.position[0::2], BODY_RADIUS, self.rows)

    def sense(self) -> None:
        """Antennae, touch, smell and the look ahead, in this order."""
        p, h, senses = self.parameters, self.heads, self.brain.senses
        pose = (h.position, h.orientation, h.first_segment)
        bodies = self.bodies()
        near = (self.solids, self.solid_hash, bodies, hash_solids(bodies), self.bounds)
        food = (self.food_position, self.food_strength, self.food_amount, self.food_hash)
        move_antennae(self.rows, p, *pose, self.angles, self.target, self.phase, self.retracting, self.antenna_stream,
                      self.points, DT)  # fmt: skip
        touch_antennae(self.rows, p, *pose, self.points, *near, self.ground, self.angles, self.target, self.retracting,
                       senses.contact, self.contact_time, senses.contact_normal, self.contact_owner, DT)  # fmt: skip
        smell_food(self.rows, p, self.points, *food, senses.smell)
        look_ahead(self.rows, p, *pose, *near, senses.free_path, senses.barrier, self.way)

    def step(self) -> None:
        """One tick: sense, think, move, eat."""
        self.sense()
        run_brains(self.modes, self.brain, self.heads, self.rows, DT)
        self.heading += self.brain.yaw_rate * DT
        direction = np.stack((np.cos(self.heading), np.sin(self.heading)), axis=1)
        forward = self.brain.speed[:, None] > 0.0
        velocity = self.brain.speed[:, None] * np.where(forward, self.way[:, :2], direction)  # as the Targeter does
        self.heads.position[0::2, :2] += DT * velocity
        # The trailer's heading follows the motion of the hinge across it.
        bend = self.heading - self.tow_heading
        across = self.brain.speed * np.sin(bend) - HINGE * self.brain.yaw_rate * np.cos(bend)
        self.tow_heading += across / HINGE * DT
        self.tow()
        self.creatures.position[: len(self.rows)] = self.heads.position[self.heads.first_segment]
        kind, left = np.zeros(len(self.food_amount), np.uint8), np.empty(len(self.food_amount))
        food = Food(self.food_position, self.food_amount, kind, self.food_hash)
        eat_food(self.rows, self.diets.bundle, self.creatures.bundle, self.body_rows.bundle, food, self.winner, left)
        self.food_amount[:] = left
        self.eaten += np.flatnonzero(self.winner >= 0).tolist()
        self.tick += 1

    def tow(self) -> None:
        """Put the trailers behind the heads and write all orientations."""
        for offset, heading in ((0, self.heading), (1, self.tow_heading)):
            self.heads.orientation[offset::2, 0] = np.cos(heading / 2.0)
            self.heads.orientation[offset::2, 3] = np.sin(heading / 2.0)
        hinge = self.plan - HINGE * np.stack((np.cos(self.heading), np.sin(self.heading)), axis=1)
        behind = np.stack((np.cos(self.tow_heading), np.sin(self.tow_heading)), axis=1)
        self.heads.position[1::2, :2] = hinge - HINGE * behind

    def run(self, seconds: float) -> Crawlers:
        """Step for a while."""
        for _ in range(round(seconds / DT)):
            self.step()
        return self

    def no_antennae(self) -> Crawlers:
        self.parameters[:, Sense.LINK_COUNT] = 0
        return self
