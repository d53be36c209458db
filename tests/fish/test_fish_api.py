"""Everything a game can do with a centipede works with a fish: each call with what it changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paludarium import World
from paludarium.components.fish.intentions import Intention
from paludarium.components.fish.motor import Controller
from paludarium.engine.replay import Recording, replay
from paludarium.tests.reproduction.fishes.ponds import LENGTH, TICKS, Watch, at, pool, prey


def lone(**mind: Any) -> tuple[World, Any, Watch]:
    world = World(seed=1, map=pool())
    return world, world.spawn(prey(world, schooling=False, **mind), at=at(0, 0, 4)), Watch(world)


def test_goto_reaches_points_above_and_below():
    world, fish, watch = lone()
    for place in (at(7, 4, 6.5), at(-4, 5, 1.5)):
        fish.goto(place)
        world.step(16 * TICKS)
        assert np.linalg.norm(watch.fishes.centre[fish.row] - place) < 1.6 * LENGTH


def test_follow_path_goes_from_point_to_point_and_begins_again():
    world, fish, watch = lone()
    points = [at(6, 0, 5), at(6, 6, 3), at(0, 6, 4)]
    fish.follow_path(points, loop=True)
    order: list[int] = []
    for _ in range(60 * TICKS // 4):
        world.step(4)
        near = [k for k, point in enumerate(points) if np.linalg.norm(watch.fishes.centre[fish.row] - point) < 1.6 * LENGTH]
        if near and (not order or order[-1] != near[0]):
            order.append(near[0])
    assert order[:4] == [0, 1, 2, 0]


@pytest.mark.parametrize(("climb", "sign"), [(0.8, 1.0), (-0.8, -1.0)])
def test_a_driven_fish_climbs_dives_turns_and_backs_up(climb, sign):
    world, fish, watch = lone()
    fish.control(speed=1.5, climb=climb)
    world.step(2 * TICKS)
    assert sign * watch.fishes.velocity[fish.row, 2] > 0.25
    fish.control(speed=1.5, turn=0.6 * sign)
    world.step(3 * TICKS)
    assert sign * watch.motors.yaw_rate[fish.row] > 0.2
    fish.control(speed=-0.8)
    world.step(3 * TICKS)
    assert watch.fishes.velocity[fish.row] @ watch.fishes.axes[fish.row, 0] < -0.1
    assert fish.motor.controller is Controller.BACKWARD


def test_a_push_gives_its_impulse():
    world, fish, watch = lone()
    fish.control(0.0)
    world.step(3 * TICKS)
    before = watch.fishes.velocity[fish.row].copy()
    fish.push((0.0, 0.0, 0.02), segment=1)
    world.step()
    gained = watch.fishes.velocity[fish.row] - before
    other = World(seed=1, map=pool())
    twin = other.spawn(prey(other, schooling=False), at=at(0, 0, 4))
    twin.control(0.0)
    other.step(3 * TICKS + 1)
    gained -= Watch(other).fishes.velocity[twin.row] - before  # what it would have done anyway
    assert gained[2] > 0.0
    assert gained[2] > 5.0 * np.abs(gained[:2]).max()


def test_the_dead_say_why_and_rise_with_their_belly_up():
    world = World(seed=1, map=pool(depth=6))
    fish, watch, told = world.spawn(prey(world, schooling=False), at=at(0, 0, 4)), Watch(world), []
    world.on("died", told.append)
    world.step(2 * TICKS)
    fish.kill(cause="net")
    fish.kill(cause="net")
    world.step(14 * TICKS)
    assert [(event.creature, event.cause) for event in told] == [(fish, "net")]
    assert fish.dead
    np.testing.assert_allclose(fish.springs.contraction, 1.0, atol=1e-9)  # its muscles rest
    assert watch.fishes.centre[fish.row, 2] > 5.5 * LENGTH
    assert np.linalg.norm(watch.fishes.velocity[fish.row]) < 0.3 * LENGTH


def test_near_and_hit_find_fishes_by_their_bodies():
    world, fish, _ = lone()
    other = world.spawn("minnow", at=at(5, 0, 4))
    world.step(4)
    assert world.near(at(0, 0, 4), 2 * LENGTH) == [fish]
    assert world.near(at(0, 0, 4), 8 * LENGTH) == [fish, other]
    assert world.hit(tuple(fish.nodes.position.mean(axis=0))) == [fish]
    assert world.hit(at(2.5, 0, 4)) == []
    ray = world.raycast(at(-4, 0, 4), at(9, 0, 4), radius=0.1 * LENGTH)
    assert ray is not None
    assert ray.creature is fish


def test_what_is_attached_swims_along():
    world, fish, watch = lone()
    lamp = fish.attach("lamp", segment=0, offset=(0.0, 0.0, 0.5))
    start = lamp.pose.position.copy()
    fish.control(speed=1.5)
    world.step(3 * TICKS)
    assert np.linalg.norm(lamp.pose.position - start) > LENGTH
    assert np.linalg.norm(lamp.pose.position - watch.fishes.centre[fish.row]) < LENGTH
    fish.despawn()
    assert not lamp.exists


def test_enemies_of_another_faction_are_fled_from_and_friends_are_not():
    fled = {}
    for relation in ("hostile", "allied"):
        world, fish, _ = lone()
        other = world.spawn("minnow", at=at(3, 0, 4), heading=3.1)
        fish.faction, other.faction = "red", "blue"
        world.set_relation("red", "blue", relation)
        modes = set()
        for _ in range(3 * TICKS):
            world.step()
            modes.add(fish.mind.intention)
        fled[relation] = Intention.ESCAPE in modes
        assert world.near(fish, 100.0, faction="blue") == [other]
    assert fled == {"hostile": True, "allied": False}


def test_orders_are_saved_and_replayed(tmp_path):
    world = World(seed=3, map=pool())
    recording = Recording(world)
    key = prey(world)
    one, two, three = (world.spawn(key, at=at(x, 0, 4)) for x in (-4, 0, 4))
    one.goto(at(6, 5, 3))
    two.follow_path([at(4, 4, 4), at(-4, 4, 4)], loop=True)
    three.control(speed=1.0, turn=0.3, climb=0.2)
    world.step(60)
    one.push((0.0, 0.01, 0.0))
    two.flee_from(one, radius=4 * LENGTH)
    world.step(30)
    world.save(tmp_path / "half.npz")
    three.kill(cause="test")
    world.step(60)
    recording.save(tmp_path / "run.jsonl")
    assert replay(tmp_path / "run.jsonl").state_hash() == world.state_hash()
    loaded = World.load(tmp_path / "half.npz")
    loaded.creatures[three.serial].kill(cause="test")
    loaded.step(60)
    assert loaded.state_hash() == world.state_hash()
