"""Swimmers that meet: the younger one passes below the older one instead of through it."""

import numba
import numpy as np
import pytest

from paludarium import Map, World
from paludarium.components.body import BodyPool
from paludarium.components.myriapod.chain_segments import ChainSegmentPool
from paludarium.components.segments import SegmentPool
from paludarium.engine.creature import CreaturePool
from paludarium.systems.myriapod.swim.passing_kernel import pass_below
from paludarium.systems.spatial_index.solids import SOLID_COLUMNS, SolidField, hash_solids

TICKS = 60
G = 9.8
WIDTH = 0.5  # half of it


def lone_push(at, other, rank=(0, 1), depth_below=10.0, speed=((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))):
    """The push on creature 1, one segment at a place, from a link of creature 0 between two points."""
    links = np.zeros((1, SOLID_COLUMNS))
    a, b = np.array(other)
    links[0, SolidField.X : SolidField.X + 3] = a
    links[0, SolidField.EXTENT_X : SolidField.EXTENT_X + 3] = b - a
    links[0, SolidField.RADIUS], links[0, SolidField.OWNER] = WIDTH, 0
    links[0, SolidField.KIND], links[0, SolidField.COS] = 3, 1.0
    creatures, bodies, segments, chained = CreaturePool(), BodyPool(), SegmentPool(), ChainSegmentPool()
    for pool, count in ((creatures, 2), (bodies, 2), (segments, 1), (chained, 1)):
        pool.claim(count, owner=1)
    creatures.velocity[:2], bodies.segment_count[:2] = speed, 1
    segments.position[0], segments.half_extents[0], segments.mass[0], chained.height[0] = at, WIDTH, 1.0, depth_below
    pass_below(np.array([1], np.int32), creatures, bodies, segments, chained,
               np.array(rank), links, hash_solids(links), G)  # fmt: skip
    return segments.push[0]


ACROSS = ((0.0, -1.0, 0.0), (0.0, 1.0, 0.0))  # a link along y


def test_push_is_straight_down_and_no_larger_than_its_share_of_the_weight():
    np.testing.assert_allclose(lone_push((0.3, 0.0, 0.0), ACROSS), (0, 0, -0.8 * G, 0, 0, 0), rtol=1e-12)


def test_push_ends_where_the_bodies_clear_each_other_and_where_the_bed_is():
    assert lone_push((0.0, 0.0, -1.05), ACROSS)[2] == pytest.approx(-30.0 * 0.05, rel=1e-9)  # 1.1 is clear
    assert not lone_push((0.0, 0.0, -1.11), ACROSS).any()
    assert not lone_push((0.0, 0.0, 1.2), ACROSS).any()  # it passes above
    assert lone_push((0.0, 0.0, 0.0), ACROSS, depth_below=0.6)[2] == pytest.approx(-30.0 * 0.1, rel=1e-9)
    assert not lone_push((0.0, 0.0, 0.0), ACROSS, depth_below=0.5).any()


def test_room_is_made_early_for_what_comes_nearer_and_late_for_what_does_not():
    place = (-2.5, 0.0, 0.0)  # a gap of 1.5, the ramp begins at 1
    assert not lone_push(place, ACROSS).any()
    coming, going = ((0.0, 0.0, 0.0), (2.0, 0.0, 0.0)), ((2.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    beside = ((0.0, 9.0, 0.0), (0.0, 9.0, 0.0))
    share = 1.0 - (1.5 - 0.7 * 2.0)
    expected = min(30.0 * 1.1 * share**2 * (3.0 - 2.0 * share), 0.8 * G)
    assert lone_push(place, ACROSS, speed=coming)[2] == pytest.approx(-expected, rel=1e-9)
    slower = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    share = 1.0 - (1.5 - 0.7)
    assert lone_push(place, ACROSS, speed=slower)[2] == pytest.approx(-30.0 * 1.1 * share**2 * (3.0 - 2.0 * share), rel=1e-9)
    assert not lone_push(place, ACROSS, speed=going).any()
    assert not lone_push(place, ACROSS, speed=beside).any()


@pytest.mark.parametrize("rank", [(1, 0), (1, 1), (np.iinfo(np.int64).max, 1)])
def test_only_the_younger_one_dives_and_nobody_under_what_does_not_swim(rank):
    assert not lone_push((0.3, 0.0, 0.0), ACROSS, rank=rank).any()
    assert lone_push((0.3, 0.0, 0.0), ACROSS, rank=(-1, 0)).any()  # under what drifts everybody does


def pool(seed=1):
    water = {"bounds": [-40, -40, 40, 40], "level_u": 4.0, "cell_u": 2.0}
    return World(seed=seed, map=Map.define(name="pool", area={"width_u": 80, "height_u": 80}, water=[water]))


def cross(without=(), threads=0):
    """Two swimmers on crossing courses: how deep they come into each other, how low they are, the hash of the end."""
    world = pool()
    if threads:
        numba.set_num_threads(threads)
    world.require_family("myriapod")
    for system in without:
        world.schedule.remove(system)
    old, young = world.spawn("swimmer", at=(-16.0, 0.0)), world.spawn("swimmer", at=(0.0, -16.0), heading=np.pi / 2)
    deepest, lowest = 0.0, {old: 9.0, young: 9.0}
    for _ in range(8 * TICKS):
        for swimmer in (old, young):
            swimmer.control(5.0, 0.0)
        world.step()
        a, b = old.segments.position, young.segments.position
        dx, dy, dz = np.moveaxis(np.abs(a[:, None] - b), -1, 0)
        deepest = max(deepest, float((1.0 - np.maximum(np.hypot(dx, dy), dz)).max()))
        for swimmer in (old, young):
            lowest[swimmer] = min(lowest[swimmer], float(swimmer.segments.position[:, 2].min()))
    return deepest, lowest[old], lowest[young], world


def test_crossing_swimmers_pass_one_below_the_other(record_property):
    through, *_ = cross(without=("PassingSystem", "PressingSystem"))
    stopped, *_ = cross(without=("PassingSystem",))
    deepest, old, young, world = cross()
    record_property("deepest without, by pressing alone, with", [round(depth, 2) for depth in (through, stopped, deepest)])
    assert through > 0.6
    assert stopped < 0.25
    assert deepest < 0.25  # half a radius
    assert old > 3.2  # it goes on along the surface, its middle half a unit below
    assert 0.4 < young < 2.8
    assert not world.pool(SegmentPool).push.any()


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two threads")
def test_passing_does_not_depend_on_the_number_of_threads():
    before = numba.get_num_threads()
    try:
        one, two = (cross(threads=threads)[3].state_hash() for threads in (1, 2))
    finally:
        numba.set_num_threads(before)
    assert one == two
