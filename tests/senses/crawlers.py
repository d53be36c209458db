"""Kinematic animals for tests of senses and brain: a head that moves exactly as told and one segment it tows.

The head is a unicycle (position and heading from speed and yaw rate); the second segment is a trailer hinged half way,
which gives the neck a bend as in a walking body. No legs, no physics: those tests come with the full animal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from paludarium.components.antennae import AntennaPool, AntennaSpec
from paludarium.components.body import BodyPool
from paludarium.components.brain import BrainPool, BrainSpec
from paludarium.components.brain_modes import BrainMode
from paludarium.components.diet import DietPool, DietSpec
from paludarium.components.head_command import HeadCommandPool
from paludarium.components.parameters import parameter_row
from paludarium.components.segments import SegmentPool
from paludarium.components.vision import VisionPool, VisionSpec
from paludarium.engine.bundle import Packed
from paludarium.engine.creature import CreaturePool
from paludarium.engine.pool import Pool
from paludarium.engine.props import FoodPool
from paludarium.engine.spatial_hash import hash_points
from paludarium.systems.brain import ModeRegistry
from paludarium.systems.brain.brain_view import BrainPools, brain_columns
from paludarium.systems.brain.system import run_brains
from paludarium.systems.feeding.eating_kernel import eat_food
from paludarium.systems.feeding.system import Food
from paludarium.systems.senses import Sense, hash_solids, no_solids
from paludarium.systems.senses.sense_kernel import sense
from paludarium.systems.spatial_index.index import Around
from paludarium.tests.capsule_rows import capsules

Part = TypeVar("Part", bound=Pool)

DT = 1.0 / 60.0
RIDE_HEIGHT = 1.0
HINGE = 1.0  # half the pitch of two segments
BODY_RADIUS = 0.6
OPEN_MAP = np.array([-np.inf, -np.inf, np.inf, np.inf])
LINKS = 12
FOOD_CELL_SIZE = 10.0  # half the cut-off of the nose


def seed_states(generator, shape):
    """Draw starting states for rows from a generator."""
    return generator.integers(0, 2**64 - 1, size=shape, dtype=np.uint64, endpoint=True)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Few animals gain nothing from threads, and waiting threads are slow on a busy machine."""
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    yield
    numba.set_num_threads(before)


def filled(kind: type[Part], count: int) -> Part:
    """A pool of exactly so many rows, all in use."""
    pool = kind(count)
    pool.claim(count, owner=1)
    return pool


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
        self.pools = BrainPools(
            creatures=filled(CreaturePool, n),
            bodies=filled(BodyPool, n),
            segments=filled(SegmentPool, 2 * n),
            heads=filled(HeadCommandPool, n),
            brains=filled(BrainPool, n),
            antennae=filled(AntennaPool, n),
            eyes=filled(VisionPool, n),
        )
        self.segments = self.pools.segments
        self.pools.bodies.first_segment[:], self.pools.bodies.segment_count[:] = 2 * np.arange(n), 2
        self.pools.bodies.trailing[:] = 1
        self.segments.position[0::2, :2] = plan
        self.segments.position[:, 2] = RIDE_HEIGHT
        self.tow()
        self.pools.brains.parameters[:], self.pools.brains.mode[:] = parameter_row(BrainSpec()), BrainMode.RANDOM_WALK
        self.pools.brains.stream[:] = seed_states(generator, n)
        self.pools.eyes.parameters[:] = parameter_row(VisionSpec())
        self.brain = brain_columns(self.pools)
        self.modes = ModeRegistry()
        feelers = self.antennae = self.pools.antennae
        feelers.parameters[:] = parameter_row(AntennaSpec())
        feelers.stream[:] = seed_states(generator, (n, 2))
        feelers.angles[:] = np.stack((generator.uniform(0.2, 0.9, (n, 2)), generator.uniform(-0.2, 0.5, (n, 2))), axis=-1)
        feelers.target[:] = feelers.angles
        feelers.phase[:] = generator.uniform(0.0, 2.0 * np.pi, (n, 2))
        food = np.asarray(self.food, dtype=np.float64).reshape(-1, 3)
        self.food_pool = filled(FoodPool, len(food))
        self.food_pool.position[:], self.food_pool.amount[:] = food, 1.0
        bodies = self.bodies()
        self.around = Packed(Around(
            solids=self.solids, solid_hash=hash_solids(self.solids), bodies=bodies, body_hash=hash_solids(bodies),
            food_rows=np.arange(len(food), dtype=np.int32), food_hash=hash_points(food, FOOD_CELL_SIZE), bounds=self.bounds,
        ))  # fmt: skip
        self.winner, self.diets = np.full(len(food), -1, np.int64), filled(DietPool, n)
        diet = DietSpec()
        self.diets.reach[:], self.diets.height[:], self.diets.bite[:] = diet.reach, diet.height, diet.bite
        self.eaten: list[int] = []

    @property
    def plan(self) -> NDArray[np.float64]:
        """Head positions in the plan view."""
        return self.segments.position[0::2, :2]

    @property
    def time(self) -> float:
        return self.tick * DT

    @property
    def points(self) -> NDArray[np.float64]:
        """Joints of all antennae, root to tip."""
        return self.antennae.points[:, :, : LINKS + 1]

    def bodies(self) -> NDArray[np.float64]:
        """The two segments of every crawler as one capsule."""
        if not self.see_bodies:
            return no_solids()
        return capsules(self.segments.position[1::2], self.segments.position[0::2], BODY_RADIUS, self.rows)

    def sense(self) -> None:
        """Antennae, touch, the look ahead and smell, in this order."""
        bodies = self.bodies()
        self.around.replace(bodies=bodies, body_hash=hash_solids(bodies))
        sense(self.rows, self.pools.bodies, self.segments, self.pools.heads, self.antennae,
              self.food_pool, self.around, DT)  # fmt: skip

    def step(self) -> None:
        """One tick: sense, think, move, eat."""
        self.sense()
        run_brains(self.modes, self.pools, self.rows, DT)
        self.heading += self.brain.yaw_rate * DT
        direction = np.stack((np.cos(self.heading), np.sin(self.heading)), axis=1)
        forward = self.brain.speed[:, None] > 0.0
        way = np.where(forward, self.pools.heads.way[:, :2], direction)  # as the Targeter does
        self.segments.position[0::2, :2] += DT * (self.brain.speed[:, None] * way)
        # The trailer's heading follows the motion of the hinge across it.
        bend = self.heading - self.tow_heading
        across = self.brain.speed * np.sin(bend) - HINGE * self.brain.yaw_rate * np.cos(bend)
        self.tow_heading += across / HINGE * DT
        self.tow()
        pools, food = self.pools, self.food_pool
        pools.creatures.position[: self.count] = self.segments.position[pools.bodies.first_segment[self.rows]]
        lying = Food(food.position, food.amount.copy(), food.kind, self.around.food_hash)
        eat_food(self.rows, self.diets, pools.creatures, lying, self.winner, food.amount)
        self.eaten += np.flatnonzero(self.winner >= 0).tolist()
        self.tick += 1

    def tow(self) -> None:
        """Put the trailers behind the heads and write all orientations."""
        for offset, heading in ((0, self.heading), (1, self.tow_heading)):
            self.segments.orientation[offset::2, 0] = np.cos(heading / 2.0)
            self.segments.orientation[offset::2, 3] = np.sin(heading / 2.0)
        hinge = self.plan - HINGE * np.stack((np.cos(self.heading), np.sin(self.heading)), axis=1)
        behind = np.stack((np.cos(self.tow_heading), np.sin(self.tow_heading)), axis=1)
        self.segments.position[1::2, :2] = hinge - HINGE * behind

    def run(self, seconds: float) -> Crawlers:
        """Step for a while."""
        for _ in range(round(seconds / DT)):
            self.step()
        return self

    def no_antennae(self) -> Crawlers:
        self.antennae.parameters[:, Sense.LINK_COUNT] = 0
        return self
