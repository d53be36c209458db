"""A world stays sound: pushes have a limit, nobody stays beyond the edge, and no number that is none stays in a pool."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from paludarium import Map, PaludariumError, World
from paludarium.components.brain import BrainPool
from paludarium.components.legs import LegPool
from paludarium.components.myriapod.tissue import TissuePool
from paludarium.components.segments import SegmentPool
from paludarium.engine.errors import SpawnError
from paludarium.engine.props import FoodPool
from paludarium.systems.orders.orders import FARTHEST_PUSHED
from paludarium.systems.safety.system import ROUND, TURNS

MISHAPS = ("push_limited", "went_wrong", "brought_back", "lost")


def heard(world: World) -> list:
    events: list = []
    for kind in MISHAPS:
        world.on(kind, events.append)
    return events


def is_finite(world: World) -> bool:
    return all(pool.is_sound(0, pool.end) for pool in world.pools.values())


@pytest.fixture
def world() -> World:
    return World(seed=4)


@pytest.mark.parametrize("impulse", [1e9, 1e29, -1e30])
def test_a_push_is_limited_with_an_event_and_hurts_nothing(world, impulse):
    events = heard(world)
    pushed, other = world.spawn("stone_centipede"), world.spawn("pauropod", at=(0.0, 20.0))
    for segment in (0, 4, 4):
        pushed.push((impulse, impulse, abs(impulse)), segment)
    force = np.linalg.norm(world.pool(SegmentPool).push[pushed.rows["segments"].slice, :3], axis=1)
    reached = force * world.clock.tick_seconds**2 / pushed.segments.mass  # way in a tick
    assert reached.max() == pytest.approx(FARTHEST_PUSHED * 1.0)  # segments are a unit long
    world.step(300)
    assert [event.kind for event in events if event.kind == "push_limited"] == ["push_limited"] * 3
    assert events[0].creature is pushed
    assert (events[0].segment, events[1].segment, events[0].asked[0]) == (0, 4, impulse)
    assert not [event for event in events if event.kind == "went_wrong"]
    assert pushed.alive
    assert other.alive
    assert is_finite(world)
    assert world.creature_pool.reach[pushed.row] < 2.0 * pushed.length


def test_a_push_within_the_limit_is_as_it_was(world):
    events = heard(world)
    pushed = world.spawn("pauropod")
    pushed.push((3.0, -4.0, 12.0), 2)
    push = world.pool(SegmentPool).push[pushed.rows["segments"].start + 2, :3]
    assert push.tolist() == (np.array([3.0, -4.0, 12.0]) / world.clock.tick_seconds).tolist()
    world.step(2)
    assert events == []


def test_what_is_thrown_over_the_wall_comes_back(world):
    events = heard(world)
    west, south, east, north = world.map.area.bounds
    thrown = world.spawn("pauropod", at=(east - 3.0, 0.0), heading=0.0)
    for _ in range(20):
        thrown.push((600.0, 0.0, 100.0), 0)
        thrown.push((600.0, 0.0, 100.0), 8)
        world.step()
    world.step(120)
    back = [event for event in events if event.kind == "brought_back"]
    assert back
    assert all(event.creature is thrown for event in back)
    assert (thrown.segments.position[:, 0] < east).any()
    assert is_finite(world)


def test_whoever_walks_out_of_an_open_map_may_stay_but_is_not_lost_for_ever():
    world = World(seed=1, map=Map.define(area={"width_u": 20, "height_u": 20, "edge": "open"}))
    events = heard(world)
    near, far = world.spawn("pauropod", at=(9.0, 0.0)), world.spawn("pauropod", at=(0.0, 0.0))
    for creature, way in ((near, 15.0), (far, 80.0)):
        creature.family.carry(creature, np.array([way, 0.0]))
    world.step(8)
    assert [(event.kind, event.creature) for event in events] == [("brought_back", far)]
    assert far.position[0] < 40.0
    assert near.position[0] > 20.0


def test_who_falls_past_every_ground_leaves_with_an_event():
    ball = Map.define(terrain={"kind": "shapes", "shapes": [{"kind": "sphere", "center": [0, 0, 0], "radius": 6}]})
    world = World(seed=1, map=ball)
    events = heard(world)
    falling = world.spawn("pauropod")
    world.pool(SegmentPool).position[falling.rows["segments"].slice, 2] -= 30_000.0
    world.step(8)
    assert [(event.kind, event.serial, event.name) for event in events] == [("lost", falling.serial, falling.name)]
    assert not falling.alive


@pytest.mark.parametrize("pool, column, within", [
    (SegmentPool, "position", 1), (SegmentPool, "velocity", 1), (TissuePool, "muscle_phase", TURNS),
    (BrainPool, "memory", TURNS), (LegPool, "angles", TURNS), (SegmentPool, "mass", TURNS), (LegPool, "links", ROUND + 1),
    (BrainPool, "parameters", ROUND + 1),
])  # fmt: skip
@pytest.mark.parametrize("value", [np.nan, -np.inf])
@pytest.mark.parametrize("tier", ["full", "follow"])
def test_a_number_that_is_none_takes_its_creature_out_and_nobody_else(world, pool, column, within, value, tier):
    events = heard(world)
    bad, good = world.spawn("stone_centipede", tier=tier), world.spawn("stone_centipede", at=(0.0, 30.0))
    if tier == "follow" and pool is not SegmentPool:
        within = ROUND + 1
    world.step(3)
    part = {SegmentPool: "segments", TissuePool: "tissue", BrainPool: "brain", LegPool: "legs"}[pool]
    row = bad.rows[part].stop - 1
    getattr(world.pool(pool), column)[row : row + 1].flat[0] = value
    ticks = 0
    while bad.alive and ticks < within:
        world.step()
        ticks += 1
    assert not bad.alive, ticks
    wrong = [event for event in events if event.kind == "went_wrong"]
    assert [(event.name, event.serial) for event in wrong] == [(bad.name, bad.serial)]
    assert "not finite" in wrong[0].reason or "torn" in wrong[0].reason
    assert good.alive
    world.step(ROUND)
    assert is_finite(world)
    assert len(world.creatures) == 1


def test_food_that_is_nowhere_is_taken_away(world):
    events = heard(world)
    world.spawn("pauropod", at=(0.0, 30.0))
    apples = [world.add_food((x, 0.0)) for x in (1.0, 2.0)]
    world.pool(FoodPool).amount[apples[0].rows.start] = np.nan
    world.step(ROUND)
    assert [apple.exists for apple in apples] == [False, True]
    assert [event.name for event in events] == ["FoodPool"]


def test_what_nobody_owns_raises_no_alarm(world):
    events = heard(world)
    gone, _ = world.spawn("pauropod"), world.spawn("pauropod", at=(0.0, 20.0))
    rows = gone.rows["segments"]
    gone.despawn()
    world.pool(SegmentPool).position[rows.start] = np.nan
    world.step(2 * ROUND)
    assert events == []
    assert is_finite(world)


def test_the_same_mishaps_happen_after_loading(world, tmp_path):
    bad = world.spawn("stone_centipede")
    world.spawn("pauropod", at=(0.0, 30.0))
    world.step(7)
    world.save(tmp_path / "world.palu")
    loaded = World.load(tmp_path / "world.palu")
    row = bad.row
    for one in (world, loaded):
        one.pool(BrainPool).memory[row, 0] = np.nan
        one.step(ROUND + 1)
    assert loaded.state_hash() == world.state_hash()
    assert len(loaded.creatures) == 1


@pytest.mark.parametrize("options", [
    {"kind": "cylinder", "radius": 1e6}, {"kind": "sphere", "radius": 1e29}, {"kind": "box", "size": (4000.0, 1.0)},
    {"kind": "box", "size": (1.0, 1e9)}, {"kind": "cylinder", "radius": 1.0, "height": 1e9},
])  # fmt: skip
def test_an_obstacle_too_large_for_the_index_is_refused_when_it_is_put_up(world, options):
    before = world.state_hash()
    with pytest.raises(SpawnError, match="at most 1536 u in plan"):
        world.add_obstacle(at=(0.0, 0.0), **options)
    assert world.state_hash() == before
    world.step(2)


def test_many_large_obstacles_are_refused_together(world):
    for _ in range(8):
        world.add_obstacle("box", (0.0, 0.0), size=(1500.0, 1500.0))
    with pytest.raises(SpawnError, match="fewer or smaller"):
        world.add_obstacle("box", (0.0, 0.0), size=(1500.0, 1500.0))
    assert len(world.props.obstacles.spans) == 8
    world.step(1)


@pytest.mark.parametrize("at", [(1e300, 0.0), (0.0, 0.0, 1e300), (0.0, 0.0, -1e7)])
def test_places_out_of_this_world_are_refused(world, at):
    with pytest.raises(PaludariumError, match="1e\\+06"):
        world.add_food(at)


def test_a_heap_of_animals_at_one_point_stays_finite_and_moves_alike_with_any_numbers_of_threads():
    hashes = []
    for threads in (1, 2):
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        world = World(seed=1)
        world.spawn("pauropod", count=80, at=(0.0, 0.0), tier="bush")
        world.step(12)
        assert is_finite(world)
        hashes.append(world.state_hash())
    assert hashes[0] == hashes[1]


@pytest.mark.parametrize("ticks_before", range(4))
def test_a_body_all_of_which_is_torn_apart_leaves_in_the_next_tick(world, ticks_before):
    """No capsule of it is anywhere, and the index of bodies goes on: it was an error in every tick."""
    events, torn = heard(world), world.spawn("pauropod")
    other = world.spawn("pauropod", at=(0.0, 20.0))
    world.step(ticks_before)
    here = torn.rows["segments"].slice
    world.pool(SegmentPool).position[here, 0] += 5000.0 * np.arange(here.stop - here.start)
    world.step(1)
    assert [(event.kind, event.serial) for event in events] == [("went_wrong", torn.serial)]
    world.step(5)
    assert other.in_world
