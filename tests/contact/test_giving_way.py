"""Animals see ahead whom they would meet, and give way: with contacts switched off they pass beside each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paludarium import World
from paludarium.engine.creature import Creature
from paludarium.systems.senses.closest_approach_kernel import risk_at, turn_for
from paludarium.tests.contact.meetings import LENGTHS, tank
from paludarium.tests.worlds.overlap import DEEP, overlaps

TIERS = ("full", "bush", "follow")
FAR = 2.5
"""Lengths from the place where they would meet."""
SPEEDS = {"koi": 3.0, "eel": 3.2, "frog": 1.4, "silverside": 2.5}
"""u/s at which they swim to a goal, about."""


def without_contacts(world: World) -> World:
    """The same world, in which bodies pass through each other."""
    step = next(entry.system for entry in world.schedule if entry.name == "ContactSystem")
    step.process = lambda dt: None
    return world


def ticks_deep(world: World, seconds: int) -> int:
    """Ticks in which any two animals are deep in each other."""
    deep = 0
    for _ in range(60 * seconds):
        world.step()
        deep += bool(overlaps(world)[0].max(initial=0.0) > DEEP)
    return deep


def two_on_their_ways(species: str, tier: str, across: bool, offset: float) -> World:
    """Each is sent to a place beyond the other's."""
    world = without_contacts(tank(side=120.0, depth=12.0))
    far = FAR * LENGTHS[species]
    one = world.spawn(species, at=(-far, 0, -5), heading=0.0, tier=tier)
    two = world.spawn(species, at=(offset, -far, -5) if across else (far, offset, -5),
                      heading=np.pi / 2 if across else np.pi, tier=tier)  # fmt: skip
    one.goto((50, 0, -5))
    two.goto((offset, 50, -5) if across else (-50, offset, -5))
    return world


MOST_DEEP = {("eel", "bush"): 20}
"""No: since bodies at `bush` no longer slide on after a turn, eels that cross there graze each other for 17 ticks."""


@pytest.mark.parametrize(("species", "across", "offset", "tier"), [
    ("koi", False, 0.0, "full"), ("koi", False, 0.3, "bush"), ("koi", True, 0.0, "follow"), ("koi", True, 1.0, "full"),
    ("eel", False, 0.2, "full"), ("eel", True, 0.0, "full"), ("eel", True, 1.0, "bush"),
])  # fmt: skip
def test_two_whose_ways_cross_pass_beside_each_other_without_contacts(species, across, offset, tier):
    """Before: koi 111 ticks head-on, 48 across; eels 111 across, 108 at `bush`."""
    assert ticks_deep(two_on_their_ways(species, tier, across, offset), 10) <= MOST_DEEP.get((species, tier), 0)


def encounter(species: str, tier: str, seed: int) -> int:
    """Ticks deep of two that would be at the same place after six seconds, on courses 40 degrees apart or more."""
    chance = np.random.default_rng(seed)
    world = without_contacts(tank(seed, side=160.0, depth=14.0))
    angle, place = chance.uniform(0.7, 2 * np.pi - 0.7), chance.uniform(-8, 8, 2)
    for heading in (0.0, angle):
        way = np.array([np.cos(heading), np.sin(heading)])
        animal = world.spawn(species, at=(*(place - 6.0 * SPEEDS[species] * way), -7), heading=heading, tier=tier)
        animal.goto((*np.clip(place + 70.0 * way, -75, 75), -7))
    return ticks_deep(world, 14)


@pytest.mark.slow
@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(("species", "before"), [("koi", 79), ("eel", 87), ("frog", 182), ("silverside", 32)])
def test_encounters_of_any_angle(species, before, tier, record_property):
    """Twelve encounters; before: mean ticks deep at `full`."""
    deep = float(np.mean([encounter(species, tier, seed) for seed in range(101, 113)]))
    record_property("mean ticks deep", round(deep, 1))
    assert deep < 0.5 * before


def test_risk_is_that_of_brute_force():
    """Of two points that go on as they do: when and at what distance they are nearest to each other."""
    chance, horizon, met = np.random.default_rng(8), 3.0, 0
    times = np.linspace(0.0, horizon, 30001)
    for _ in range(200):
        p, w, room = chance.uniform(-6, 6, 3), chance.uniform(-4, 4, 3), chance.uniform(1.0, 4.0)
        away = np.linalg.norm(p - times[:, None] * w, axis=1)
        k = int(away.argmin())
        inside = 0 < k < len(times) - 1 and away[k] < room
        risk, miss = risk_at(tuple(p), tuple(w), room, horizon)
        assert risk == pytest.approx((1 - times[k] / horizon) * (1 - away[k] / room) if inside else 0.0, abs=1e-3)
        if inside:
            assert np.linalg.norm(miss) == pytest.approx(away[k], abs=1e-3)
            met += 1
    assert 20 < met < 180


def test_a_side_is_kept_unless_another_meeting_is_much_worse():
    assert turn_for(0.25, -1.0, 0.0) == -0.5
    assert turn_for(0.25, -1.0, 0.4) == 0.5
    assert turn_for(0.81, -1.0, 0.4) == -0.9




def overtaking(species: str, told: Any) -> tuple[World, Creature, Creature]:
    """A slow one, and a faster one right behind it that has been told something."""
    world, length = without_contacts(tank(side=160.0, depth=12.0)), LENGTHS[species]
    slow = world.spawn(species, at=(0, 0.1, -5), heading=0.0, tier="follow")
    fast = world.spawn(species, at=(-2.5 * length, 0, -5), heading=0.0, tier="follow")
    slow.goto((75, 0.1, -5), speed=0.2 * length)
    told(fast, slow)
    return world, slow, fast


@pytest.mark.parametrize("species", ["koi", "eel"])
def test_one_that_follows_another_and_the_one_that_is_followed_do_not_make_way(species):
    """The same two do, when the faster one only wants to go the same way."""
    world, slow, fast = overtaking(species, lambda fast, slow: fast.goto((75, 0, -5)))
    world.step(60)
    aside = 0.0
    for _ in range(12):
        world.step(60)
        aside = max(aside, abs(float(fast.position[1] - slow.position[1])))
    world, slow, fast = overtaking(species, lambda fast, slow: fast.follow(slow, distance=0.8 * LENGTHS[species]))
    world.step(60)
    following = 0.0
    for _ in range(12):
        world.step(60)
        following = max(following, abs(float(fast.position[1] - slow.position[1])))
    assert aside > 1.0
    assert following < 0.7 * aside  # an eel 0.64: its recorded cycle keeps more of its way than it did
