"""Bodies of all families and at all tiers press against each other, and are not deep in each other for long."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.benchmarks.insect_scenes import foragers
from paludarium.components.body import Answer, BodyPool
from paludarium.components.insect.colony import NestPool
from paludarium.components.insect.trunk import TrunkPool
from paludarium.components.segments import SegmentPool
from paludarium.engine.pool import Array
from paludarium.tests.contact.meetings import fastest, mean_deep_share, plain, school, tank, ticks_deep
from paludarium.tests.worlds.overlap import deep_share

TIERS = (("full", "full"), ("bush", "bush"), ("follow", "follow"), ("full", "follow"))


@pytest.mark.parametrize("tiers", TIERS)
@pytest.mark.parametrize(("species", "across", "offset"), [
    (("koi", "koi"), False, 0.0), (("koi", "koi"), True, 0.0), (("eel", "eel"), False, 0.2), (("eel", "eel"), True, 0.0),
])  # fmt: skip
def test_two_that_are_driven_at_each_other_are_never_deep_in_each_other(species, across, offset, tiers):
    """Before: koi 65 to 143 ticks of 600, eels 101 to 122. One out of sight moves by two ticks at once: 4 ticks."""
    assert ticks_deep(species, tiers, across, offset) <= (0 if tiers[0] == tiers[1] else 4)


SEEDS = [pytest.param(seed, 15, marks=pytest.mark.slow) for seed in (1, 2, 3, 4)]


@pytest.mark.parametrize(("seed", "seconds"), [(1, 5), *SEEDS])
def test_a_school_with_shark_and_turtle(seed, seconds):
    """Before: 3.4 % of the animals."""
    world = school(seed)
    disturbed: list[object] = []
    world.on("tissue_disturbed", disturbed.append)
    world.step(300)
    assert mean_deep_share(world, seconds) < 0.005
    assert not disturbed


@pytest.mark.parametrize(("count", "seeds", "skip", "seconds", "most"), [
    (200, (1,), 5, 6, 0.03),
    (1000, (1,), 5, 3, 0.08),
    pytest.param(200, (1, 2, 3, 4, 5), 5, 55, 0.03, marks=pytest.mark.slow),
    pytest.param(1000, (1, 2, 3), 5, 25, 0.08, marks=pytest.mark.slow),
])  # fmt: skip
def test_ants_on_trails(count, seeds, skip, seconds, most):
    """Before: 4 to 11 % of 200, 23 to 25 % of 1,000; 66 loads of 200 ants in a minute, mean of five seeds, as now."""
    loads = []
    for seed in seeds:
        world = foragers(count, seed)
        world.step(60 * skip)
        assert mean_deep_share(world, seconds, every=30) < most
        assert np.bincount(world.pool(TrunkPool).live("mode"))[1:].sum() < 0.02 * count  # none of them is thrown
        loads.append(int(world.pool(NestPool).live("loads").sum()))
    if seconds == 55:
        assert np.mean(loads) > 0.9 * 66


@pytest.mark.parametrize(("seed", "seconds"), [(1, 6), *SEEDS[:3]])
def test_a_centipede_walks_through_ants(seed, seconds):
    """It moves as fast as without them: segments that hang between led ones are not pushed."""
    world, chance = plain(seed), np.random.default_rng(seed)
    centipede = world.spawn("giant_centipede", at=(-25, 0), heading=0.0)
    for _ in range(60):
        world.spawn("worker_ant", at=chance.uniform((-20, -6), (20, 6)), heading=chance.uniform(-3, 3))
    most, shares = 0.0, []
    for tick in range(60 * seconds):
        centipede.control(2.0)
        world.step()
        most = max(most, float(np.linalg.norm(centipede.segments.velocity, axis=1).max()))
        if tick > 60 and tick % 10 == 0:
            shares.append(deep_share(world))
    assert np.mean(shares) < 0.01
    assert most < 3.0


@pytest.mark.parametrize("tier", ["full", "bush", "follow"])
@pytest.mark.parametrize(("species", "count"), [("silverside", 12), ("koi", 4), ("eel", 3), ("worker_ant", 4)])
def test_those_born_inside_each_other_come_apart_without_a_jump(species, count, tier):
    world, chance = (plain() if species == "worker_ant" else tank()), np.random.default_rng(1)
    disturbed: list[object] = []
    world.on("tissue_disturbed", disturbed.append)
    for _ in range(count):
        at = chance.uniform(-0.25, 0.25, 2)
        where = at if species == "worker_ant" else (*at, -8.0)
        animal = world.spawn(species, at=where, heading=chance.uniform(-3, 3), tier=tier)
    world.step()
    assert deep_share(world) > 0.5
    most = 0.0
    for _ in range(59):
        world.step()
        most = max(most, fastest(world))
    if (species, tier) == ("silverside", "follow"):  # of a dozen stiff bodies a pair takes longer in one seed of six
        assert deep_share(world) <= 2 / count
        world.step(60)
    assert deep_share(world) == 0.0
    assert most < 5.0 * animal.length
    assert not disturbed


class Watched:
    """A world whose pushes are looked at right after the contact step."""

    def __init__(self, world: World) -> None:
        self.world, self.forces = world, np.zeros((0, 3))
        step = next(entry.system for entry in world.schedule if entry.name == "ContactSystem")
        process = step.process

        def watched(dt: float) -> None:
            process(dt)
            self.forces = world.pool(SegmentPool).live("press").copy()

        step.process = watched


def total(forces: Array) -> Array:
    """The sum, and no more than the rounding of a sum of so many numbers."""
    return np.asarray(forces.sum(axis=0) / max(float(np.abs(forces).max(initial=0.0)), 1e-12))


def test_of_two_bodies_one_feels_minus_what_the_other_feels_to_the_last_bit():
    world = tank()
    eels = [world.spawn("eel", at=(-5, 0, -8)), world.spawn("eel", at=(5, 0.3, -8), heading=np.pi)]
    watched, pressed = Watched(world), 0
    for _ in range(240):
        for eel in eels:
            eel.control(4.0)
        world.step()
        one, two = (world.pool(SegmentPool).press[eel.rows["segments"].slice] for eel in eels)
        if np.count_nonzero(one.any(axis=1)) == 1 == np.count_nonzero(two.any(axis=1)):  # one contact: no sum is rounded
            pressed += 1
            assert (one.sum(axis=0) == -two.sum(axis=0)).all()
    assert pressed > 0
    assert watched.forces.shape[1] == 3


def test_all_forces_together_are_none():
    world = school(3)
    world.spawn("frog", at=(0, 0, -6))
    watched, largest = Watched(world), 0.0
    for _ in range(120):
        world.step()
        largest = max(largest, float(np.abs(watched.forces).max()))
        np.testing.assert_allclose(total(watched.forces), 0.0, atol=1e-12)
    assert largest > 0.01


@pytest.mark.parametrize("build", [lambda: school(2), lambda: foragers(120, 2)])
def test_any_number_of_threads_gives_the_same(build):
    hashes = set()
    for threads in (1, 2, 4):
        world = build()
        world.threads = threads
        world.step(90)
        hashes.add(world.state_hash())
    assert len(hashes) == 1


def test_who_neither_presses_nor_is_pressed():
    world = tank()
    one, two = (world.spawn("koi", at=(x, 0, -8), heading=0.0) for x in (0.0, 1.0))
    answers = world.pool(BodyPool).answer
    answers[two.row] = Answer.NONE
    world.step()
    assert not one.segments.contacts.any()
    assert not two.segments.contacts.any()


def test_those_bound_to_each_other_do_not_press():
    def contacts(bound: bool) -> int:
        world = tank()
        one, two = (world.spawn("eel", at=(x, 0, -8), heading=0.0) for x in (0.0, 1.0))
        if bound:
            world.pool(BodyPool).bond[two.row] = one.serial
        world.step()
        return int(one.segments.contacts.sum() + two.segments.contacts.sum())

    assert contacts(False) > 0
    assert contacts(True) == 0


def test_the_dead_are_pressed():
    world = tank()
    dead, koi = world.spawn("koi", at=(0, 0, -8)), world.spawn("koi", at=(-14, 0.3, -8), heading=0.0)
    dead.kill()
    before, touched = dead.position[:2].copy(), 0
    for _ in range(240):
        koi.control(6.0)
        world.step()
        touched += int(dead.segments.contacts.max() > 0)
    assert touched > 0
    assert dead.position[0] - before[0] > 0.5


def test_a_hit_throws_an_ant_at_any_tier():
    for tier in ("full", "bush", "follow"):
        world = plain()
        ant = world.spawn("worker_ant", at=(0, 0), tier=tier)
        world.step()
        ant.push((0.0, 15.0 * float(ant.segments.mass.sum()), 9.0 * float(ant.segments.mass.sum())), segment=1)
        world.step(30)
        assert ant.position[1] > 1.0, tier


def test_a_fish_in_the_distance_is_moved_by_a_push():
    for tier in ("bush", "follow"):
        ways = []
        for strength in (0.0, 60.0):
            world = tank()
            koi = world.spawn("koi", at=(0, 0, -8), heading=0.0, tier=tier)
            world.step(2)
            for _ in range(30):
                koi.push((0.0, strength * float(koi.segments.mass[1]) / 60.0, 0.0), segment=1)
                world.step()
            ways.append(koi.position[1])
        assert ways[1] - ways[0] > 0.05, tier


def aside_of_a_centipede(tier: str, ants: int) -> float:
    """How far its middle is led aside by ants that stand beside it, against none, on its way straight on."""
    world = plain(2)
    centipede = world.spawn("giant_centipede", at=(-10, 0), heading=0.0, tier=tier)
    for k in range(ants):
        world.spawn("worker_ant", at=(-22.0 + 1.2 * k, 0.9), heading=0.0)
    for _ in range(90):
        centipede.control(2.0)
        world.step()
    return float(np.abs(centipede.segments.position[2:-2, 1]).max())


def test_a_centipede_out_of_sight_gives_way_to_what_presses_against_it():
    """Before, at `follow`: to none."""
    assert aside_of_a_centipede("follow", 10) > aside_of_a_centipede("follow", 0) + 0.02
