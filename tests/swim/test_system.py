"""Muscles in a whole world: a legless swimmer in water that a stand-in for the water sampler holds around it."""

import numpy as np
import pytest

from paludarium.components.head_command import HeadCommandPool
from paludarium.components.myriapod.tissue import TissuePool
from paludarium.components.segments import DRY_LEVEL, SegmentPool
from paludarium.engine.errors import SpeciesError
from paludarium.tests.swim.lake import EEL, lake_world


def test_swimmer_swims_ahead_at_about_its_commanded_speed_and_keeps_its_depth():
    world = lake_world()
    eel = world.spawn("eel", at=(0.0, 0.0, 20.0), heading=0.0)
    world.pool(HeadCommandPool).speed[eel.row] = 3.0
    world.step(360)
    before = eel.segments.position.mean(axis=0)
    world.step(240)
    after = eel.segments.position.mean(axis=0)
    assert eel.muscles.swimming
    assert eel.muscles.length.shape == (7, 2)
    assert 0.5 - 1e-9 <= eel.muscles.length.min() < eel.muscles.length.max() <= 1.0
    assert (after - before)[0] / 4.0 > 1.0
    assert after[2] == pytest.approx(before[2], abs=0.05)
    assert world.pool(SegmentPool).water_level[eel.rows["segments"].start] == 50.0


def test_muscles_relax_when_the_water_is_gone():
    world = lake_world()
    eel = world.spawn("eel", at=(0.0, 0.0, 20.0))
    world.pool(HeadCommandPool).speed[eel.row] = 3.0
    world.step(120)
    world.schedule["Lake"].system.level = DRY_LEVEL
    world.step(70)
    assert (eel.muscles.length == 1.0).all()
    assert not eel.muscles.swimming


def test_lengths_are_read_only_for_the_outside():
    world = lake_world()
    eel = world.spawn("eel", at=(0.0, 0.0, 20.0))
    with pytest.raises(ValueError, match="read-only"):
        eel.muscles.length[0, 0] = 0.2
    assert world.pool(TissuePool).lengths.flags.writeable


@pytest.mark.parametrize(("changes", "message"), [
    ({"shortest": 0.3}, "shortest"),
    ({"line_speed_u_per_s": [1, 2, 3, 3, 4, 5]}, "line_speed_u_per_s"),
    ({"slowest_beat_per_s": 4.0}, "slowest_beat"),
])  # fmt: skip
def test_contradicting_keys_are_named(changes, message):
    world = lake_world()
    with pytest.raises(SpeciesError, match=message):
        world.define_species("bad", **{**EEL, "muscles": changes})


def test_swimmers_are_the_same_on_every_run():
    hashes = set()
    for _ in range(2):
        world = lake_world()
        for k in range(3):
            eel = world.spawn("eel", at=(0.0, 10.0 * k, 20.0), heading=0.3)
            world.pool(HeadCommandPool).speed[eel.row] = 3.0
            world.pool(HeadCommandPool).yaw_rate[eel.row] = 0.1 * k
        world.step(90)
        hashes.add(world.state_hash())
    assert len(hashes) == 1
    assert np.isfinite(world.pool(SegmentPool).position).all()
