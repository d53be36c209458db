"""Twenty bodies of 35 units in a pen of 60 x 60: nobody is inside anybody, and everybody gets on."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from paludarium import Map, World
from paludarium.components.myriapod.chain_segments import ChainSegmentPool, Lift
from paludarium.components.segments import SegmentPool
from paludarium.examples import crowd
from paludarium.tests.world.scaling import scaled_tables

STUCK = 20.0  # s


def assert_finite(world: World) -> None:
    for pool in world.pools.values():
        for name, values in pool.arrays():
            assert values.dtype.kind != "f" or np.isfinite(values).all(), name


def measured(world: World, seconds: float) -> dict[str, float]:
    figures = crowd.measure(world, seconds)
    assert_finite(world)
    return figures


def test_a_crowd_does_not_sink_into_itself():
    """The short form: the walking study's simple rule had deep overlaps 92 % of the time; the issue asks for under 1 %.

    Links: the digest's C20 asks for 10 %; on backs ours stay within it but for single moments.
    """
    figures = measured(crowd.build_world(seed=2, tier="bush"), seconds=20.0)
    assert figures["deep_share"] < 0.01
    assert figures["longest_stuck_s"] < STUCK
    assert figures["highest"] > 2.0
    assert figures["link_999"] < 0.10


def test_a_crowd_that_nobody_sees_hardly_sinks_into_itself():
    """They feel backs only now and then; before they did at all, two of them overlapped all the time."""
    figures = measured(crowd.build_world(seed=2, tier="follow"), seconds=30.0)
    assert figures["deep_share"] < 0.20
    assert figures["longest_stuck_s"] < STUCK
    assert figures["link_999"] < 0.10


@pytest.mark.slow
@pytest.mark.parametrize("tier", ["bush", "full"])
@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5, 11, 12, 13, 14, 15])
def test_a_crowd_does_not_sink_into_itself_for_five_minutes(seed, tier):
    figures = measured(crowd.build_world(seed=seed, tier=tier), seconds=300.0)
    assert figures["deep_share"] < 0.01
    assert figures["longest_stuck_s"] < STUCK
    assert figures["link_999"] < 0.10


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_crowd_of_all_sizes_gets_along_between_rocks(seed):
    species = ("giant_centipede", "pauropod", "pauropod", "millipede")
    world = crowd.build_world(seed=seed, count=12, tier="bush", species=species, rocks=9)
    figures = measured(world, seconds=120.0)
    assert figures["deep_share"] < 0.01
    assert figures["longest_stuck_s"] < STUCK


def test_the_younger_climbs_over_the_older_who_does_not_notice():
    """One crossing at full detail. C20's band, 10 % of the link length, holds on the way over."""
    world = World(seed=3)
    older = world.spawn("stone_centipede", at=(10, 0), heading=0.0)
    younger = world.spawn("stone_centipede", at=(-8, -6), heading=np.pi / 2)
    older.control(0.0)
    younger.control(2.0)
    highest = longest = 0.0
    for _ in range(60):
        world.step(12)
        assert crowd.deepest_overlap(world) < crowd.DEEP_SHARE
        highest = max(highest, float(younger.segments.position[:, 2].max()))
        longest = max(longest, float(np.abs(crowd.link_errors(world)).max()))
        assert older.segments.position[:, 2].max() < 1.1
    assert highest > 2.0
    assert younger.position[1] > 15.0
    assert longest < 0.10


@pytest.mark.parametrize("size", [0.5, 2.0])
def test_animals_of_another_size_do_exactly_alike(size):
    """All lengths, speeds and gravity in proportion: every pose is in proportion too, to the last bit or nearly so.

    Powers of two scale without rounding, so what differs could only come from a rule with a length of its own.
    """
    poses = []
    for scale in (1.0, size):
        pen = Map.define(name="pen", area={"width_u": 60.0 * scale, "height_u": 60.0 * scale},
                         physics={"gravity_u_per_s2": 9.8 * scale})  # fmt: skip
        world = World(seed=4, map=pen)
        world.species.define("scaled", scaled_tables(world, "stone_centipede", scale))
        for place in range(4):
            heading = np.pi / 2 * place
            x, y = -12.0 * np.cos(heading), -12.0 * np.sin(heading)
            world.spawn("scaled", at=(scale * (x + 10 * np.cos(heading)), scale * (y + 10 * np.sin(heading))),
                        heading=heading, tier="bush")  # fmt: skip
        world.step(240)
        segments = world.pool(SegmentPool)
        assert world.pool(ChainSegmentPool).live("lift")[:, Lift.HEIGHT].max() > 0.5 * scale
        poses.append(segments.live("position") / scale)
    np.testing.assert_allclose(poses[1], poses[0], atol=1e-6)


@pytest.mark.parametrize("tier", ["bush", "follow"])
def test_the_same_crowd_on_one_and_on_all_threads_is_the_same(tier):
    hashes = []
    for threads in (1, numba.config.NUMBA_NUM_THREADS):
        numba.set_num_threads(threads)
        world = crowd.build_world(seed=5, count=8, tier=tier)
        world.step(300)
        hashes.append(world.state_hash())
    assert hashes[0] == hashes[1]


def test_an_animal_that_is_no_longer_seen_stays_on_the_back_it_was_on_until_that_is_gone():
    world = World(seed=3)
    older = world.spawn("stone_centipede", at=(10, 0), heading=0.0)
    older.control(0.0)
    younger = world.spawn("stone_centipede", at=(-8, -4), heading=np.pi / 2)
    younger.control(2.0)
    world.step(300)
    lift = world.pool(ChainSegmentPool).lift[younger.rows["segments"].slice, Lift.HEIGHT]
    assert lift.max() > 1.0
    younger.tier = "follow"
    younger.control(0.0)
    world.step(60)
    lift = world.pool(ChainSegmentPool).lift[younger.rows["segments"].slice, Lift.HEIGHT]
    assert lift.max() > 1.0
    older.despawn()
    world.step(84)  # a second, and the ticks until its next turn
    lift = world.pool(ChainSegmentPool).lift[younger.rows["segments"].slice, Lift.HEIGHT]
    assert lift.max() < 0.01
