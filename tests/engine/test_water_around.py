"""The water around a body: the mean of its stream, and the level beside a rock, against numpy and a pond of known depth."""

import numpy as np

from paludarium import World
from paludarium.components.body import BodyPool
from paludarium.components.segments import SegmentPool
from paludarium.engine.maps import Map
from paludarium.systems.water.water_around_kernel import BESIDE, NO_WATER, level_around, mean_stream

POND = Map.define(
    name="pond", area={"width_u": 120, "height_u": 120},
    terrain={"kind": "gaussians", "elevation": 1.0, "hills": [[0, 0, -14.0, 12.0]]},
    water=[{"bounds": [-30, -30, 30, 30], "level_u": 0.0, "cell_u": 1.0}],
    obstacles=[{"kind": "cylinder", "at_u": [0.0, 0.0], "radius_u": 2.5, "height_u": 30.0}],
)  # fmt: skip


def test_the_stream_is_the_mean_over_its_own_segments():
    world = World(seed=2, map=POND)
    eel = world.spawn("eel", at=(8, 0))
    segments, own = world.pool(SegmentPool), eel.rows["segments"].slice
    segments.water_velocity[:] = np.random.default_rng(1).normal(size=segments.water_velocity.shape)
    found = mean_stream(eel.row, world.pool(BodyPool), segments)
    assert np.allclose(found, segments.water_velocity[own].mean(axis=0), atol=1e-14)


def test_who_is_beside_a_rock_in_deep_water_is_not_on_land():
    world = World(seed=2, map=POND)
    world.step(1)
    water = world.water.arrays
    at = np.array([[8.0, 0.0]])
    depth = float(world.water.depth(at)[0])
    assert np.allclose(level_around(8.0, 0.0, 4.0, 4.0, water), (0.0, -depth), atol=0.05)
    assert float(world.water.depth(np.zeros((1, 2)))[0]) == 0.0  # inside of the rock
    assert level_around(0.0, 0.0, 1.0, 1.0, water) == (NO_WATER, NO_WATER)  # all that is near is rock
    level, bed = level_around(0.0, 0.0, 5.0 / BESIDE, 2.0, water)
    assert abs(level) < 0.05
    assert bed < -2.0
    assert level_around(0.0, 0.0, 5.0 / BESIDE, 50.0, water) == (NO_WATER, NO_WATER)  # so shallow: a shore
    assert level_around(50.0, 50.0, 4.0, 4.0, water) == (NO_WATER, NO_WATER)
