"""Half in, half out: animals whose body is in the water, on the ground and in the air at once find a way on."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import BodyMode, World
from paludarium.components.myriapod.chain_segments import ChainSegmentPool
from paludarium.engine.creature import Creature
from paludarium.tests.reproduction.myriapoda.test_amphibious import round_pool

TICKS = 60
RADIUS = 16.0


def wading(share: float) -> tuple[World, Creature]:
    """A robot on its way into a pool, so much of it in the water."""
    world = World(seed=1, map=round_pool(RADIUS))
    robot = world.spawn("robot", at=(-RADIUS - 3.0, 0.0))
    robot.control(3.0)
    for _ in range(12 * TICKS):
        world.step()
        if robot.segments.submerged.mean() >= share:
            return world, robot
    raise AssertionError("it never got so far")


def check_dynamics(world: World, creature: Creature) -> None:
    """Nothing under water is led but one end of the body."""
    led = world.pool(ChainSegmentPool).kinematic[creature.rows["segments"].slice] != 0
    assert not (led & creature.segments.submerged)[1:-1].any()


def test_animal_that_lies_across_an_island_with_head_and_tail_in_the_water_gets_off_it():
    """It was put down with a part of its middle over the water, fell, and stayed in AIR_TO_WATER with nothing led and
    nothing beating. Measured: at its goal after 12.5 s."""
    world = World(seed=5, map="tide_pool", populate=False)
    animal = world.spawn("giant_centipede", at=(-1, -7), heading=2.82)
    animal.goto((-28, 2))
    modes = set()
    for _ in range(15):
        world.step(TICKS)
        modes.add(animal.body_mode)
        check_dynamics(world, animal)
    assert np.hypot(*(animal.position[:2] - (-28, 2))) < 3.0
    assert BodyMode.AIR_TO_WATER not in modes


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_animal_that_has_waded_in_so_far_walks_out_again_backward(share):
    world, robot = wading(share)
    robot.control(-2.0)
    fastest = 0.0
    for _ in range(20 * TICKS):
        world.step()
        fastest = max(fastest, float(np.linalg.norm(robot.segments.velocity, axis=1).max()))
        check_dynamics(world, robot)
        if robot.body_mode == BodyMode.ON_GROUND:
            break
    assert robot.body_mode == BodyMode.ON_GROUND
    assert robot.segments.position[-1, 0] < -RADIUS
    assert fastest < 9.0


def test_legs_do_not_fold_a_front_that_does_not_get_on():
    """A wall in the water, and a player who drives on. Measured: it slides along the wall, no block is disturbed; when legs
    followed at the ordered speed, 23."""
    world = World(seed=1, map=round_pool(RADIUS))
    world.add_obstacle("box", at=(-4.0, 0.0), size=(2.0, 40.0), height=12.0)
    robot = world.spawn("robot", at=(-RADIUS - 3.0, 0.0))
    robot.control(3.0)
    disturbed: list[object] = []
    world.on("tissue_disturbed", disturbed.append)
    for _ in range(15):
        world.step(TICKS)
        assert np.linalg.norm(np.diff(robot.segments.position, axis=0), axis=1).min() > 1.5
    assert robot.position[0] < -4.0
    assert not disturbed


def test_tail_beyond_the_edge_of_the_map_is_not_thrown_when_the_head_wades_in():
    """The edge stops swimmers. Taken for a wall by the dry tail behind one, it threw its segments: 13 blocks disturbed."""
    world = World(seed=1, map="rainy_pond", populate=False)
    north = world.terrain.bounds[3]
    animal = world.spawn("giant_centipede", at=(0.0, north - 8.0), heading=0.4 - np.pi / 2)
    animal.goto((0.0, 0.0))
    disturbed: list[object] = []
    world.on("tissue_disturbed", disturbed.append)
    world.step(8 * TICKS)
    assert animal.segments.submerged[0]
    assert animal.segments.position[-1, 1] > north + 5.0
    world.step(3 * TICKS)
    assert not disturbed


def test_last_segments_on_the_beach_are_drawn_by_a_swimmer_and_lead_it_when_it_goes_back():
    """Held there behind a body that beats they were bent until tissue broke: 24 of the 42 reports of a soak's tide pool."""
    world, robot = wading(0.85)
    pool, here = world.pool(ChainSegmentPool), robot.rows["segments"].slice
    dry = ~robot.segments.submerged
    assert dry[-1]
    assert not pool.kinematic[here][dry].any()
    robot.control(-2.0)
    for _ in range(2 * TICKS):
        world.step()
        if robot.body_mode != BodyMode.IN_WATER and pool.kinematic[here][-1] and not robot.segments.submerged[-1]:
            return
    raise AssertionError("its tail never led it")


def test_animal_that_walks_along_a_flat_shore_turns_into_the_pond_and_swims_over():
    """Half of it in the water from the start, and the goal on the other side. Without a head that leads its short wet front
    was pushed along the shore for a minute, bent toward the goal."""
    world = World(seed=93, map="rainy_pond", populate=False)
    animal = world.spawn("giant_centipede", at=(-31.44, -46.24), heading=-0.3)
    animal.goto((-47.3, 71.9))
    for _ in range(50):
        world.step(TICKS)
        if animal.position[1] > 20.0:
            break
    assert animal.position[1] > 20.0


def test_load_of_a_wading_animal_goes_on_as_if_it_had_never_been_saved(tmp_path):
    world, robot = wading(0.5)
    assert robot.body_mode == BodyMode.GROUND_TO_WATER
    world.save(tmp_path / "wading.palu")
    copy = World.load(tmp_path / "wading.palu")
    for each in (world, copy):
        each.step(2 * TICKS)
    assert copy.state_hash() == world.state_hash()


def test_turn_of_a_wet_head_bends_the_body_to_that_side():
    turned = []
    for turn in (0.5, -0.5):
        world, robot = wading(0.4)
        robot.control(3.0, turn)
        world.step(4 * TICKS)
        turned.append(robot.heading)
    assert turned[0] > 0.2
    assert turned[1] < -0.2
