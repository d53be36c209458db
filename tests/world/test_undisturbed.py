"""Tissue stays in order where it used to be tangled: going backward, and ragdolls that somebody walks under."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.components.myriapod.chain_segments import ChainSegmentPool


def disturbances(world):
    found = []
    world.on("tissue_disturbed", found.append)
    return found


@pytest.mark.parametrize("turn", [0.0, 0.6])
@pytest.mark.parametrize("species", ["giant_centipede", "stone_centipede", "pauropod", "millipede"])
def test_a_body_that_goes_backward_is_led_by_its_tail_and_does_not_fold(species, turn):
    """Measured before, led by its head: up to 570 disturbances in 15 s of one animal."""
    world = World(seed=1)
    creature = world.spawn(species, at=(0.0, 0.0))
    found = disturbances(world)
    creature.control(speed=2.0, turn=0.8)  # a bent body is the harder one
    world.step(120)
    creature.control(speed=-2.0, turn=turn)
    before = creature.segments.position[-1].copy()
    world.step(480)
    assert np.linalg.norm(creature.segments.position[-1] - before) > 3.0  # it does go
    assert not found


def test_backward_stops_before_what_stands_behind_the_tail():
    world = World(seed=1)
    creature = world.spawn("stone_centipede", at=(0.0, 0.0))
    tail = creature.segments.position[-1, 0]
    world.add_obstacle("cylinder", (tail - 7.0, 0.0), 2.0)
    creature.control(speed=-2.0)
    world.step(480)
    assert tail - 5.0 < creature.segments.position[-1, 0] < tail - 2.0
    assert np.abs(np.diff(creature.segments.position[:, 1])).max() < 0.5  # and is not pushed together


def test_the_dead_are_not_led_by_what_is_below_them():
    world = World(seed=2)
    older = world.spawn("giant_centipede", at=(0.0, 0.0))
    younger = world.spawn("giant_centipede", at=(-10.0, -8.0), heading=np.pi / 2)
    older.control(speed=1.5)
    younger.control(speed=3.0)
    lifted = world.pool(ChainSegmentPool).lift_share
    for _ in range(600):
        world.step()
        if (lifted[younger.rows["segments"].slice] > 0.9).sum() >= 3:
            break
    else:
        pytest.fail("it has not climbed the other one")
    younger.kill()
    found = disturbances(world)
    for _ in range(300):
        world.step()
        assert not world.pool(ChainSegmentPool).kinematic[younger.rows["segments"].slice].any()
    assert (lifted[younger.rows["segments"].slice] > 0.3).any()  # what is below still carries it
    assert not found
