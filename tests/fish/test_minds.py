"""Minds of fishes in a world: orders, threats of the game, mods, bait, saves, threads and what panels are told."""

from __future__ import annotations

from math import hypot, pi

import numba
import numpy as np
import pytest

from paludarium import World
from paludarium.components.fish.intentions import Intention
from paludarium.engine.errors import SpeciesError
from paludarium.systems.brain.mode_registry import Wish
from paludarium.systems.fish.mind.intention_registry import Intentions
from paludarium.tests.reproduction.fishes.ponds import (
    LENGTH,
    TICKS,
    Watch,
    add_plankton,
    at,
    courter,
    hunter,
    pool,
    prey,
    shoal,
)


def reef(seed: int = 1) -> World:
    world = World(seed=seed, map=pool(pillars=[(0, 0, 2), (10, 6, 1)]))
    key = prey(world)
    shoal(world, key, 40, (-12, 0, 4), 6.0, heading=0.0, seed=seed)
    shoal(world, courter(world, libido_per_s=0.075), 8, (12, -8, 4), 5.0, seed=seed)
    for x in (-20.0, 20.0):
        world.spawn(hunter(world) if x < 0 else "hunter", at=at(x, 12, 4))
    random = np.random.default_rng(seed)
    for _ in range(60):
        add_plankton(world, *random.uniform((-28, -18, 1), (28, 18, 7)))
    return world


def test_minds_do_the_same_with_any_number_of_threads():
    hashes, before = [], numba.get_num_threads()
    try:
        for threads in (1, 2):
            numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
            world = reef()
            world.step(150)
            hashes.append(world.state_hash())
    finally:
        numba.set_num_threads(before)
    assert hashes[0] == hashes[1]


def test_a_saved_shoal_goes_on_as_it_would_have(tmp_path):
    world = reef()
    world.step(90)
    world.save(tmp_path / "reef.palu")
    world.step(60)
    loaded = World.load(tmp_path / "reef.palu")
    loaded.step(60)
    assert loaded.state_hash() == world.state_hash()


def lone(**mind: object) -> tuple[World, object, Watch]:
    world = World(seed=1, map=pool())
    return world, world.spawn(prey(world, schooling=False, **mind), at=at(0, 0, 4)), Watch(world)


def test_orders_come_before_urges():
    world, fish, watch = lone()
    fish.goto(at(8, 3, 5))
    world.step(20 * TICKS)
    assert fish.mind.intention is Intention.CONTROL
    assert np.linalg.norm(watch.fishes.centre[fish.row] - at(8, 3, 5)) < 1.6 * LENGTH
    fish.goto((0.0, 0.0))  # without a height: at its own
    height = watch.fishes.centre[fish.row, 2]
    world.step(20 * TICKS)
    assert hypot(*watch.fishes.centre[fish.row, :2]) < 1.6 * LENGTH
    assert abs(watch.fishes.centre[fish.row, 2] - height) < 1.0 * LENGTH
    fish.control(speed=1.5, turn=0.6)
    world.step(4 * TICKS)
    assert watch.motors.yaw_rate[fish.row] > 0.2
    fish.control(speed=1.5, climb=0.7)
    world.step(3 * TICKS)
    assert watch.fishes.velocity[fish.row, 2] > 0.2
    fish.release()
    world.step(2 * TICKS)
    assert fish.mind.intention is not Intention.CONTROL


def test_a_fish_follows_and_flees_when_it_is_told():
    world, fish, watch = lone()
    other = world.spawn("minnow", at=at(6, 0, 4))
    other.control(0.5 * LENGTH)
    fish.follow(other, distance=2 * LENGTH)
    world.step(15 * TICKS)
    assert watch.gaps(np.array([fish.row, other.row]))[0, 1] < 4.0
    fish.flee_from(other, radius=8 * LENGTH)
    world.step(8 * TICKS)
    assert watch.gaps(np.array([fish.row, other.row]))[0, 1] > 4.0


@pytest.mark.parametrize("kind", ["prey", "predator", "pacifist"])
def test_everybody_flees_from_threats_of_the_game(kind):
    world, fish, watch = lone(kind=kind)
    world.add_stimulus("threat", at=(1.0 * LENGTH, 0.0), radius=8 * LENGTH)
    modes = set()
    for _ in range(5 * TICKS):
        world.step()
        modes.add(fish.mind.intention)
    assert Intention.ESCAPE in modes
    assert hypot(*(watch.fishes.centre[fish.row, :2] - (LENGTH, 0.0))) > 2.5 * LENGTH


def test_a_mods_intention_overrules_weaker_ones():
    world, fish, watch = lone()
    world.step(5)

    def bask(minds, rows):
        everybody = np.ones(rows.size)
        return Wish(wants=everybody > 0.0, speed=everybody, yaw_rate=-0.8 * everybody, climb=0.2)

    number = world.resource(Intentions).add("bask", priority=35.0, decide=bask)
    world.step(3 * TICKS)
    assert int(watch.minds.mode[fish.row]) == number == fish.mind.intention
    assert fish.doing == "bask"
    assert watch.motors.yaw_rate[fish.row] < 0.0
    assert any(reading.text == "bask" for reading in fish.mind.readings())


def test_minds_and_eyes_tell_panels_how_they_are():
    world = reef()
    world.step(60)
    fish = next(iter(world.creatures.values()))
    names = {reading.name for part in (fish.mind, fish.eyes) for reading in part.readings()}
    assert {"hunger", "libido", "fear", "intention", "drawn to", "sees", "threat", "food", "light", "warmth"} <= names
    assert "schooling" in fish.mind.habits
    assert set(fish.mind.preferences) == {"left", "right", "forward", "backward", "ascend", "descend"}
    assert 0.0 <= fish.mind.hunger <= 1.0
    assert fish.eyes.neighbours.size > 0


def test_bait_is_bitten_by_one_who_is_hungry():
    world, fish, _ = lone(born_hungry=True)
    told = []
    hook = world.add_hook(at=(5 * LENGTH, 1 * LENGTH), depth=4 * LENGTH)
    world.on("hooked", told.append)
    for _ in range(20):
        world.step(TICKS)
    assert [event.creature for event in told] == [fish]
    assert hook.hooked


def test_a_mind_needs_eyes_and_sensible_numbers():
    world = World(seed=1, map=pool())
    with pytest.raises(SpeciesError, match="food_near_lengths"):
        prey(world, food_near_lengths=3.0)
    with pytest.raises(SpeciesError, match="kind"):
        prey(world, kind="sleeper")


def test_fishes_stay_in_shallow_water_and_between_bed_and_surface():
    world = World(seed=1, map=pool(width=30, breadth=20, depth=0.8))
    key, watch = courter(world), Watch(world)
    for k in range(5):
        world.spawn(key, at=(3.0 * k - 6.0, 0.0), heading=k * pi / 3)
    heights = []
    for _ in range(25 * TICKS // 4):
        world.step(4)
        heights.append(watch.fishes.centre[watch.rows(), 2] / (0.8 * LENGTH))
    assert np.min(heights) > 0.1
    assert np.max(heights) < 0.95
    assert (np.abs(watch.places(watch.rows())[:, :2]) < (15.0, 10.0)).all()
