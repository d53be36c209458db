"""No animal is stranded: one that walks and swims gets away from any place on a map with water.

Places and headings are drawn all over the map, land, shore and water, so bodies begin in every mixture of wet, dry and
hanging segments. Each animal is told to go to a place far away and has to be two lengths of its body from where it began, as
the crow flies, within a minute. Without an order this would measure the random walk, which turns by up to 120 degrees at a
time: on dry land, too, it is not two lengths away after a minute. The shipped maps are large enough for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paludarium import World
from paludarium.engine.creature import Creature
from paludarium.engine.errors import PlaceTakenError
from paludarium.engine.maps import load_map, map_names

from .outcome import LOADED, Report, first_fault

SPECIES = ("giant_centipede", "robot")
"""Who both walks and swims."""
TOGETHER = 10
"""Animals in one world: its water costs more than they do."""
APART = 30.0
"""Units between two of them: they begin alone."""
LENGTHS, SECONDS = 2.0, 60
EDGE = 8.0
"""Units from the edge of the map to the nearest places and goals."""
MOST_DRAWS = 1000
BEYOND = 1.25
"""How much farther away than the wanted lengths a goal lies: animals slow down in front of it."""


class Start(NamedTuple):
    """An animal and where it began."""

    creature: Creature
    place: NDArray[np.float64]
    length: float

    def lengths(self) -> float:
        """How far it is from there, in lengths of its body."""
        return float(np.linalg.norm(self.creature.position[:2] - self.place)) / self.length

    def __str__(self) -> str:
        wet = "".join(str(int(flag)) for flag in self.creature.segments.submerged)
        return f"{self.creature.species.key} from {self.place.round(1)}, {self.creature.body_mode.name}, wet {wet}"


def wet_maps() -> list[str]:
    """The shipped maps with shores that are wide enough for two lengths of the longest animal: not those of fishes."""
    return [name for name in map_names() if load_map(name).water and load_map(name).light.clarity == 1.0]


def put_down(world: World, chance: np.random.Generator, count: int) -> list[Start]:
    """So many animals at random places with random headings, each on its way to a place far away."""
    west, south, east, north = world.terrain.bounds
    low, high = (west + EDGE, south + EDGE), (east - EDGE, north - EDGE)
    starts: list[Start] = []
    for _ in range(MOST_DRAWS):
        if len(starts) == count:
            break
        place, heading = chance.uniform(low, high), float(chance.uniform(-np.pi, np.pi))
        species = str(chance.choice(SPECIES))
        if any(np.linalg.norm(place - other.place) < APART for other in starts):
            continue
        try:
            creature = world.spawn(species, at=(float(place[0]), float(place[1])), heading=heading)
        except PlaceTakenError:
            continue
        length = float(np.linalg.norm(np.diff(creature.segments.position, axis=0), axis=1).sum())
        goals = chance.uniform(low, high, (MOST_DRAWS, 2))
        x, y = next(goal for goal in goals if np.linalg.norm(goal - place) > BEYOND * LENGTHS * length)
        creature.goto((float(x), float(y)))
        starts.append(Start(creature, place, length))
    return starts


def watch(world: World, starts: list[Start]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far each of them has come at most, in lengths, and after how many seconds it was far enough."""
    farthest, seconds = np.zeros(len(starts)), np.full(len(starts), np.inf)
    for second in range(SECONDS):
        world.step(world.tick_rate)
        farthest = np.maximum(farthest, [start.lengths() for start in starts])
        seconds = np.where((farthest >= LENGTHS) & np.isinf(seconds), second + 1.0, seconds)
        if np.isfinite(seconds).all():
            break
    return farthest, seconds


def run(seed: int, count: int, maps: Sequence[str] = ()) -> Report:
    """So many places on every map with water, or on those named."""
    report = Report("shores", seed)
    disturbed: list[object] = []
    for name in maps or wet_maps():
        slowest = 0.0
        for first in range(0, count, TOGETHER):
            world = World(seed=seed + first, map=name, populate=False)
            world.on("tissue_disturbed", disturbed.append)
            starts = put_down(world, np.random.default_rng([seed, first]), min(TOGETHER, count - first))
            farthest, seconds = watch(world, starts)
            for start, far, after in zip(starts, farthest, seconds, strict=True):
                stranded = f"stranded on {name}"
                report.add(LOADED if far >= LENGTHS else stranded, f"{start}: {far:.2f} lengths")
                slowest = max(slowest, float(after))
            report.add(first_fault(world) or LOADED, f"{name}, world {first}")
        report.figures[f"{name}: slowest s"] = slowest
    report.figures |= {"places on each map": count, "disturbed": len(disturbed)}
    return report
