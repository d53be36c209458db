"""What the many-legged of the forest floor, the rainy pond and the tide pool do by themselves."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import pytest

from paludarium import BodyMode, BrainMode, World
from paludarium.components.leg_states import LegState
from paludarium.components.segments import SegmentPool
from paludarium.tests.reproduction.myriapoda.measures import Track, follow

LIVES = [(11, 14.0)] + [pytest.param(seed, 60.0, marks=pytest.mark.slow) for seed in (101, 202, 303)]
"""Seed and seconds."""


@dataclass
class Life:
    """Of all animals of a forest floor, and the track of one centipede, from the third second on."""

    track: Track
    modes: set[tuple[str, int]] = field(default_factory=set)
    far: dict[str, float] = field(default_factory=dict)  # largest way from where each began, the least of each kind
    meals: Counter[str] = field(default_factory=Counter)


@lru_cache(maxsize=1)
def floor(seed: int, seconds: float) -> Life:
    """Let a forest floor live."""
    world, modes, meals = World(seed=seed, map="forest_floor"), set(), Counter()
    world.on("ate", lambda told: meals.update([told.creature.species.key]))
    world.step(180)
    start = {serial: one.position[:2].copy() for serial, one in world.creatures.items()}
    far = dict.fromkeys(start, 0.0)

    def look():
        if world.tick % 30 == 0:
            for serial, one in world.creatures.items():
                modes.add((one.species.key, int(one.brain.mode)))
                far[serial] = max(far[serial], float(np.hypot(*(one.position[:2] - start[serial]))))

    centipede = next(one for one in world.creatures.values() if one.species.key == "giant_centipede")
    track = follow(world, centipede, seconds, look)
    least: dict[str, float] = {}
    for serial, way in far.items():
        key = world.creatures[serial].species.key
        least[key] = min(least.get(key, np.inf), way)
    return Life(track, modes, least, meals)


@pytest.mark.parametrize(("seed", "seconds"), LIVES)
def test_a_wave_of_steps_runs_along_a_centipede_of_the_forest_floor(seed, seconds, record_property):
    """Each leg lands soon after the one ahead of it; legs stand for most of the time, and standing feet do not slip."""
    track = floor(seed, seconds).track
    stands = track.state == LegState.STANCE
    slip = float(np.abs(np.diff(track.tip, axis=0))[stands[1:] & stands[:-1]].max())
    record_property("in order, stance, adjusting, slip", f"{track.in_order():.2f}, {track.share(LegState.STANCE):.2f}, "
                                                         f"{track.share(LegState.ADJUST):.2f}, {slip:.1e}")  # fmt: skip
    assert track.in_order() > 0.9
    assert track.share(LegState.STANCE) > 0.6
    assert track.share(LegState.SB1) + track.share(LegState.SB2) < 0.1
    assert slip < 1e-9


@pytest.mark.parametrize(("seed", "seconds"), LIVES)
def test_links_of_a_centipede_of_the_forest_floor_keep_their_length(seed, seconds, record_property):
    """Over its hills and in its own turns by less than a tenth, as in the check on hills."""
    worst = floor(seed, seconds).track.worst_link()
    record_property("largest change", round(worst, 3))
    assert worst < 0.1


@pytest.mark.parametrize(("seed", "seconds"), LIVES)
def test_animals_of_the_forest_floor_wander_avoid_smell_and_eat(seed, seconds, record_property):
    """All four bodies walk by the same controller and come away from where they were, and food is eaten."""
    found = floor(seed, seconds)
    record_property("least way of a kind, u", {key: round(way, 1) for key, way in found.far.items()})
    record_property("meals", dict(found.meals))
    assert set(found.far) == {"giant_centipede", "stone_centipede", "millipede", "pauropod"}
    assert min(found.far.values()) > 8.0
    assert {BrainMode.RANDOM_WALK, BrainMode.AVOIDANCE, BrainMode.TROPHOTROPISM} <= {mode for _, mode in found.modes}
    assert sum(found.meals.values()) >= 2


PONDS = [(11, 10.0)] + [pytest.param(seed, 60.0, marks=pytest.mark.slow) for seed in (101, 202, 303)]


@dataclass
class Pond:
    """Of the swimmers of the rainy pond."""

    level: np.ndarray  # (t,) spread of the surface where it is deep
    speed: np.ndarray  # (swimmers,) mean, u/s
    order: float  # share of neighbours of whom the rear one swings later
    behind: float  # speed of the water at swimmers, u/s
    meals: int
    modes: set[int]


@lru_cache(maxsize=1)
def pond(seed: int, seconds: float) -> Pond:
    """Let a rainy pond live."""
    world, meals = World(seed=seed, map="rainy_pond"), []
    world.on("ate", lambda told: meals.append(told) if told.creature.species.key == "swimmer" else None)
    world.step(120)
    swimmers = [one for one in world.creatures.values() if one.species.key == "swimmer"]
    modes, bends, ways, level, water = set(), [], np.zeros(len(swimmers)), [], []
    before = np.zeros((len(swimmers), 2))
    segments = world.pool(SegmentPool)
    for tick in range(round(seconds * 60)):
        if tick % 60 == 0:
            before = np.array([one.segments.position[:, :2].mean(axis=0) for one in swimmers])
        world.step()
        if tick % 60 == 59:
            after = np.array([one.segments.position[:, :2].mean(axis=0) for one in swimmers])
            ways += np.hypot(*(after - before).T)
            grid = world.water.grids[0]
            level.append(float((grid.depth + grid.bed)[grid.depth > 2.0].std()))
            modes |= {int(one.body_mode) for one in swimmers}
        if tick % 2 == 0:
            row = []
            for one in swimmers:
                place = one.segments.position[:, :2]
                along = np.array([np.cos(one.heading), np.sin(one.heading)])
                off = place - place.mean(axis=0)
                row.append(off[:, 1] * along[0] - off[:, 0] * along[1])
                here = one.rows["segments"].slice
                water.append(float(np.hypot(*segments.water_velocity[here, :2].T).mean()))
            bends.append(row)
    found = np.array(bends)
    return Pond(np.array(level), ways / seconds, wave_order(found), float(np.mean(water)), len(meals), modes)


def wave_order(found: np.ndarray) -> float:
    """Share of neighbouring joints whose rear one bends later, of (t, swimmers, segments) places across."""
    bend = np.diff(found, n=2, axis=2)
    later = []
    for one in np.moveaxis(bend, 1, 0):
        one = one - one.mean(axis=0)
        for front, rear in zip(one.T[:-1], one.T[1:], strict=True):
            lags = range(-10, 11)
            match = [np.dot(front[10:-10], rear[10 + lag : len(rear) - 10 + lag]) for lag in lags]
            later.append(lags[int(np.argmax(match))] > 0)
    return float(np.mean(later))


@pytest.mark.parametrize(("seed", "seconds"), PONDS)
def test_swimmers_of_the_rainy_pond_swim_by_a_wave_from_head_to_tail(seed, seconds, record_property):
    """They swim, each at more than a unit per second; joints bend later the farther back they are."""
    found = pond(seed, seconds)
    record_property("u/s", np.round(found.speed, 2).tolist())
    record_property("rear joints that bend later", round(found.order, 2))
    assert BodyMode.IN_WATER in found.modes
    assert found.speed.min() > 1.0
    assert found.order > 0.8


@pytest.mark.parametrize(("seed", "seconds"), PONDS)
def test_rain_and_swimmers_move_the_water_of_the_rainy_pond(seed, seconds, record_property):
    """Its surface is never flat, stays within a tenth of its depth, and water goes along with a swimmer."""
    found = pond(seed, seconds)
    record_property("spread of the surface, u; water at swimmers, u/s", f"{found.level.mean():.3f}, {found.behind:.2f}")
    assert 0.0005 < found.level.min()
    assert found.level.max() < 0.3
    assert found.behind > 0.05


@pytest.mark.slow
@pytest.mark.parametrize("seed", [101, 202, 303])
def test_swimmers_of_the_rainy_pond_find_food(seed):
    """Six of them in a minute: a meal at least."""
    assert pond(seed, 60.0).meals >= 1
