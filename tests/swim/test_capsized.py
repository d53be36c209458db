"""Animals that have been turned over in the water: they come ashore in one piece, on their feet, and on their way."""

from __future__ import annotations

from math import cos, sin

import numpy as np
import pytest

from paludarium import BodyMode, World
from paludarium.components.body import BodyPool
from paludarium.components.myriapod.chain import ChainPool
from paludarium.components.myriapod.chain_segments import ChainSegmentPool
from paludarium.components.myriapod.construction.assembly import settle_tissue
from paludarium.components.myriapod.muscles import MusclePool
from paludarium.components.myriapod.tissue import Side, TissuePool
from paludarium.components.segments import SegmentPool
from paludarium.engine.creature import Creature
from paludarium.systems.myriapod.gait.support_kernel import leads_in_water
from paludarium.systems.myriapod.swim.hold_up_kernel import level_one
from paludarium.tests.reproduction.myriapoda.test_amphibious import round_pool
from paludarium.tests.swim.test_wading import wading

TICKS = 60
ON_ITS_BACK = np.array([0.0, 1.0, 0.0, 0.0])


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Quaternions one after the other, the right one first."""
    w, v = a[..., :1], a[..., 1:]
    return np.concatenate([w * b[..., :1] - (v * b[..., 1:]).sum(-1, keepdims=True),
                           w * b[..., 1:] + b[..., :1] * v + np.cross(v, b[..., 1:])], axis=-1)  # fmt: skip


def turned_over(heading: float) -> tuple[World, Creature]:
    """A robot in the middle of a pool, turned over as a whole, on its way to the shore."""
    world = World(seed=1, map=round_pool(40.0))
    robot = world.spawn("robot", at=(-5.0, 0.0), heading=heading)
    segments, here = world.pool(SegmentPool), robot.rows["segments"].slice
    axis = np.array([cos(heading), sin(heading), 0.0])
    middle = segments.position[here].mean(axis=0)
    apart = segments.position[here] - middle
    segments.position[here] = middle + 2.0 * np.outer(apart @ axis, axis) - apart
    segments.orientation[here] = product(np.array([0.0, *axis]), segments.orientation[here])
    settle_tissue(segments, world.pool(TissuePool), robot.rows["tissue"])
    robot.control(4.0)
    return world, robot


def upright(creature: Creature) -> np.ndarray:
    _, x, y, _ = creature.segments.orientation.T
    return 1.0 - 2.0 * (x * x + y * y)


@pytest.mark.parametrize("heading", [0.0, 0.5])
def test_swimmer_on_its_back_comes_ashore_on_its_feet_and_on_its_way(heading):
    """Measured with ten headings: no report, and 0.0 went on to (72, 14). When pitch was taken about the own y axis, 22
    reports in two of ten, and the head was turned about where it came ashore: 0.0 got to (39, -29)."""
    world, robot = turned_over(heading)
    disturbed: list[object] = []
    world.on("tissue_disturbed", disturbed.append)
    world.step(3 * TICKS)
    assert upright(robot).max() < -0.9, "nothing rights a swimmer in the water"
    for _ in range(20):
        world.step(TICKS)
        if robot.body_mode == BodyMode.ON_GROUND:
            break
    assert not disturbed
    assert upright(robot)[0] > 0.9
    assert robot.position[0] > 40.0


def test_level_keeping_of_a_body_on_its_back_is_that_of_one_on_its_feet_with_top_and_bottom_exchanged():
    """It did the same to both, so that what was to be held level was bent ever farther up or down."""
    world, robot = wading(0.5)
    chains, blocks, muscles = world.pool(ChainPool), world.pool(TissuePool), world.pool(MusclePool)
    segments, mine, here = world.pool(SegmentPool), robot.rows["tissue"].slice, robot.rows["segments"].slice
    row = np.int64(robot.rows["body"].start)
    found = []
    for over in (False, True):
        blocks.lengths[mine] = 1.0
        if over:
            segments.orientation[here] = product(segments.orientation[here], ON_ITS_BACK)
        level_one(row, False, chains, segments, blocks, muscles, 1.0 / TICKS)
        found.append(blocks.lengths[mine].copy())
    feet, back = found
    assert np.ptp(feet[:, Side.TOP :]) > 0.005
    np.testing.assert_allclose(back[:, [Side.BOTTOM, Side.TOP]], feet[:, [Side.TOP, Side.BOTTOM]], atol=1e-12)


def test_head_is_not_led_for_the_sake_of_a_middle_that_leaps_out_of_the_water():
    """Only what stands makes a body one that wades: the head of one that swam was pulled up from the bed at once."""
    world, robot = wading(0.5)
    row, here, segments = np.int64(robot.rows["body"].start), robot.rows["segments"].slice, world.pool(SegmentPool)
    chained = world.pool(ChainSegmentPool)
    bundles = world.pool(BodyPool), world.pool(ChainPool), segments, chained
    assert leads_in_water(row, *bundles)
    segments.supported[here] = 0
    chained.support_timer[here] = 0.0
    assert not leads_in_water(row, *bundles)
