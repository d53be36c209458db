"""Fishes of a group are born where nothing is in the way of their bodies."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.tests.contact.meetings import tank

PILLARS = 40


@pytest.mark.parametrize("seed", [77, 501])
def test_bodies_are_whole_after_a_birth_in_the_coral_garden(seed):
    """With seed 77 a butterflyfish was born with its tail in a coral, and was torn five times within twenty ticks."""
    world = World(seed=seed, map="reef", precision="float32")
    torn = []
    world.on("tissue_disturbed", torn.append)
    world.step(30)
    assert not torn


def test_a_group_is_spread_between_pillars():
    world = tank(seed=3)
    places = world.streams["scene"].uniform(-25.0, 25.0, (PILLARS, 2))
    pillars = [world.add_obstacle("cylinder", tuple(place), 1.5, height=30.0) for place in places]
    school = world.spawn("butterflyfish", count=30, spread=15.0)
    feet = np.array([pillar.position[:2] for pillar in pillars])
    for fish in school:
        gaps = np.linalg.norm(fish.segments.position[:, None, :2] - feet, axis=-1) - 1.5
        assert gaps.min() > fish.segments.half_extents[:, 1].max()


def test_a_group_without_a_free_place_is_born_all_the_same():
    world = tank(seed=3)
    for x in range(-10, 11, 4):
        for y in range(-10, 11, 4):
            world.add_obstacle("cylinder", (float(x), float(y)), 1.9, height=30.0)
    assert len(world.spawn("clownfish", count=3, spread=1.0)) == 3
