"""Pools with fishes in them, measured in lengths of the smaller ones, and what is counted there."""

from __future__ import annotations

from typing import Any

import numpy as np

from paludarium import Map, World
from paludarium.components.diet import DietPool
from paludarium.components.fish.eyes import EyePool
from paludarium.components.fish.intentions import Intention
from paludarium.components.fish.mind import MindPool
from paludarium.components.fish.motor import MotorPool
from paludarium.components.fish.springs import FishBodyPool
from paludarium.engine.creature import Creature
from paludarium.engine.pool import Array

LENGTH = 2.0
"""Units, of the fishes that are hunted; their hunters are three times as long. [fish 3]"""
TICKS = 60
LINK = 3.0
"""Lengths between two of one group."""
DITHERING = 0.2
"""Seconds; a shorter spell of an intention is none. [fish 3]"""


def pool(width: float = 60, breadth: float = 40, depth: float = 8, pillars: Any = (), **tables: Any) -> Map:
    """A pool of these sizes in lengths; pillars are (x, y, radius) and reach above the water, or have a height."""
    w, b = width * LENGTH, breadth * LENGTH
    cell = 0.5 * LENGTH if len(pillars) else 2.0 * LENGTH  # coarse cells beside a pillar are dry, and fishes fall in them
    water = {"bounds": [-w / 2, -b / 2, w / 2, b / 2], "level_u": depth * LENGTH, "cell_u": cell}
    obstacles = [{"kind": "cylinder", "at_u": [p[0] * LENGTH, p[1] * LENGTH], "radius_u": p[2] * LENGTH,
                  "height_u": (p[3] if len(p) > 3 else depth + 1) * LENGTH} for p in pillars]  # fmt: skip
    return Map.define(name="pool", area={"width_u": w, "height_u": b}, water=[water], obstacles=obstacles, **tables)


def prey(world: World, key: str = "minnow", *, length: float = 1.0, eyes: Any = None, diet: Any = None, spread: float = 0.0,
         **mind: Any) -> str:  # fmt: skip
    """A fish that is hunted, schools, and eats plankton."""
    eats = {"eats": ["plankton"], "reach_u": 0.15 * LENGTH, "height_u": 0.15 * LENGTH, "appetite": 8, **(diet or {})}
    return world.define_species(key, family="fish", name=key, eyes=eyes or {},
                                springs={"length_u": length * LENGTH, "size_spread": spread},
                                mind={"kind": "prey", "schooling": True, **mind}, diet=eats)  # fmt: skip


def hunter(world: World, key: str = "hunter", *, length: float = 3.0, eyes: Any = None, diet: Any = None,
           **mind: Any) -> str:  # fmt: skip
    """A fish that hunts minnows."""
    size = length * LENGTH
    eats = {"eats": ["minnow"], "reach_u": 0.12 * size, "height_u": 0.12 * size, "appetite": 4, **(diet or {})}
    return world.define_species(key, family="fish", name=key, springs={"length_u": size}, eyes=eyes or {},
                                mind={"kind": "predator", **mind}, diet=eats)  # fmt: skip


def courter(world: World, key: str = "courter", **mind: Any) -> str:
    """A pacifist that eats plankton."""
    return prey(world, key, kind="pacifist", schooling=False, **mind)


def ready_to_court(watch: Watch, females: list[Creature], males: list[Creature]) -> None:
    """Fed and full of libido, with these sexes."""
    for fish in (*females, *males):
        watch.minds.habits[fish.row] = 1 if fish in females else 0
        watch.minds.eaten[fish.row], watch.minds.since_meal[fish.row] = 8.0, 0.0
        watch.minds.since_mating[fish.row] = READY


READY = 130.0
"""Seconds since the last mating after which a fed fish is full of libido, at the rate that shipped species have."""


def at(x: float, y: float, z: float) -> tuple[float, float, float]:
    """A place in units from one in lengths."""
    return x * LENGTH, y * LENGTH, z * LENGTH


def add_plankton(world: World, *place: float) -> Any:
    """One piece of food that stays where it is; the place is in lengths."""
    return world.add_food(at(*place), kind="plankton")


def shoal(world: World, key: str, count: int, middle: tuple[float, float, float], spread: float,
          heading: float | None = None, tier: str = "full", seed: int = 0) -> list[Creature]:  # fmt: skip
    """Fishes in a disc, all in about one direction or in any."""
    random, fishes = np.random.default_rng(seed), []
    for _ in range(count):
        angle, far = random.uniform(0, 2 * np.pi), spread * np.sqrt(random.uniform())
        place = (middle[0] + far * np.cos(angle), middle[1] + far * np.sin(angle), middle[2] + random.uniform(-1.0, 1.0))
        facing = random.uniform(-np.pi, np.pi) if heading is None else heading + random.uniform(-0.3, 0.3)
        fishes.append(world.spawn(key, at=at(*place), heading=facing, tier=tier))
    return fishes


class Watch:
    """Short names for what is measured of the fishes of a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.minds, self.eyes = world.pool(MindPool), world.pool(EyePool)
        self.fishes, self.motors, self.diets = world.pool(FishBodyPool), world.pool(MotorPool), world.pool(DietPool)

    def rows(self, key: str | None = None) -> Array:
        rows: Array = self.minds.spans[:, 0].copy()
        return rows if key is None else rows[self.world.creature_pool.kind[rows] == self.world.kinds.number(key)]

    def places(self, rows: Array) -> Array:
        """(n, 3) in lengths."""
        return np.asarray(self.fishes.centre[rows] / LENGTH)

    def gaps(self, rows: Array) -> Array:
        """(n, n) distances in lengths, infinite to oneself."""
        places = self.places(rows)
        gaps = np.linalg.norm(places[:, None] - places[None], axis=2)
        np.fill_diagonal(gaps, np.inf)
        return np.asarray(gaps)

    def headings(self, rows: Array) -> Array:
        headings = self.motors.heading[rows]
        return np.asarray(headings / np.linalg.norm(headings, axis=1, keepdims=True))

    def polarisation(self, rows: Array) -> float:
        return float(np.linalg.norm(self.headings(rows).mean(axis=0)))

    def groups(self, rows: Array) -> list[Array]:
        """Rows of each group, the largest first."""
        near, label = self.gaps(rows) < LINK, np.full(len(rows), -1)
        for start in range(len(rows)):
            if label[start] < 0:
                label[start], queue = start, [start]
                while queue:
                    for other in np.flatnonzero(near[queue.pop()] & (label < 0)).tolist():
                        label[other] = start
                        queue.append(other)
        found = [rows[label == k] for k in np.unique(label)]
        return sorted(found, key=len, reverse=True)


class Spells:
    """How long intentions last, and how time is shared among them."""

    def __init__(self, watch: Watch) -> None:
        self.watch, self.now = watch, {}  # type: tuple[Watch, dict[int, tuple[int, float]]]
        self.lengths: list[tuple[int, float]] = []
        self.time = np.zeros(len(Intention))

    def note(self) -> None:
        """Call it once in every tick."""
        minds, time = self.watch.minds, self.watch.world.time
        for row in self.watch.rows().tolist():
            mode, serial = int(minds.mode[row]), int(minds.owner[row])
            known = self.now.get(serial)
            self.time[mode] += 1
            if known is None or known[0] != mode:
                if known is not None:
                    self.lengths.append((known[0], time - known[1]))
                self.now[serial] = (mode, time)

    @property
    def short_share(self) -> float:
        """Share of spells that are shorter than a fifth of a second."""
        return float(np.mean([length < DITHERING for _, length in self.lengths])) if self.lengths else 0.0

    def share(self, intention: Intention) -> float:
        return float(self.time[intention] / max(self.time.sum(), 1.0))
