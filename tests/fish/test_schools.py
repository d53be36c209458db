"""Schools: one that leads, and one direction."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.engine.props import FoodPool
from paludarium.lab.fish.survey import Survey
from paludarium.systems.sea.patches import PatchPool
from paludarium.tests.reproduction.fishes.ponds import LENGTH, TICKS, Watch, pool, prey, shoal

FAR = 20.0
"""Lengths from the school to where the leader is told to go."""
SETTLED = 8
"""Seconds after its birth in which a school finds together."""


def gone(seed: int, led: bool) -> float:
    """Lengths by which the middle of a school has come nearer to a place that one of them is told to go to."""
    world = World(seed=seed, map=pool(width=120, breadth=60))
    school = shoal(world, prey(world), 20, (0, 0, 4), 3.0, heading=np.pi / 2, seed=seed)
    rows, watch = np.array([fish.row for fish in school]), Watch(world)
    if led:
        front = school[int(np.argmax(watch.places(rows)[:, 1]))]
        front.follow_path([(FAR * LENGTH, 0.0, 4 * LENGTH), (2 * FAR * LENGTH, 0.0, 4 * LENGTH)])
    world.step(30 * TICKS)
    return float(np.median(watch.places(rows)[:, 0]))


@pytest.mark.parametrize("seeds", [(31,), pytest.param((32, 33, 34, 35, 36), marks=pytest.mark.slow)])
def test_a_school_follows_one_that_has_orders(seeds):
    for seed in seeds:
        assert gone(seed, led=True) > 0.6 * FAR
        assert gone(seed, led=True) - gone(seed, led=False) > 0.5 * FAR


def order_in_an_empty_reef(seed: int, seconds: float) -> float:
    """How well the headings of neighbours agree in the reef's school when nothing else lives there and nothing drifts."""
    world = World(seed=seed, map="reef")
    for creature in list(world.creatures.values()):
        if creature.species.key != "silverside":
            creature.despawn()
    patches, food = world.pool(PatchPool), world.pool(FoodPool)
    patches.wanted[: patches.end] = 0
    food.amount[: food.end] = 0.0
    world.step(SETTLED * TICKS)
    survey = Survey(world)
    survey.run(seconds)
    return float(survey.report()["silverside"]["polarisation"])


@pytest.mark.parametrize(("seeds", "seconds"), [((951,), 6.0),
                                                pytest.param((952, 953, 954), 60.0, marks=pytest.mark.slow)])  # fmt: skip
def test_an_undisturbed_school_swims_in_one_direction(seeds, seconds):
    assert min(order_in_an_empty_reef(seed, seconds) for seed in seeds) > 0.75
