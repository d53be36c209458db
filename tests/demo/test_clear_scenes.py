"""The scenes in clear water: their light, and corals that are dragged to another place."""

from types import SimpleNamespace

import numpy as np

from paludarium import Map, World
from paludarium.engine.growths import X, growth_rows
from paludarium.game_demo.mouse import move_prop
from paludarium.game_demo.scenes import SCENES, set_light

CLEAR = ("reef", "koi_pond", "lagoon", "frog_pond")


def test_another_time_of_day_leaves_water_as_clear_as_it_is():
    world = World(seed=1, map=Map.define(light={"clarity": 6.0}))
    set_light(world, "dusk")
    assert (world.map.light.time, world.map.light.clarity) == ("dusk", 6.0)
    assert world.map.source["light"] == {"clarity": 6.0, "time": "dusk"}


def test_a_coral_that_is_moved_stays_the_same_coral():
    world = World(seed=1, map=Map.define(area={"width_u": 60, "height_u": 60}))
    prop = world.add_coral("table", (5.0, 0.0), 2.0, colour="#20C080")
    (before,) = growth_rows(world)
    moved = move_prop(SimpleNamespace(world=world), prop, np.array([-8.0, 3.0]))
    (after,) = growth_rows(world)
    assert moved.exists
    assert not prop.exists
    np.testing.assert_allclose(after[X : X + 2], (-8.0, 3.0))
    np.testing.assert_allclose(np.delete(after, (1, 2)), np.delete(before, (1, 2)))


def test_scenes_of_clear_water_look_at_the_water():
    assert {SCENES[name].map_name for name in CLEAR} == {"reef", "koi pond", "lagoon", "frog pond"}
