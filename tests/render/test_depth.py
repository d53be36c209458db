"""Deep water: what lies higher covers what lies lower, at any depth, and a map says how far one can see."""

from dataclasses import replace

import numpy as np
import pytest

from paludarium import Camera, Map, MapError, World
from paludarium.systems.render import Ground, Renderer, Scene, Water, balls, capsules
from paludarium.systems.render.creatures.emit_kernel import BANDS_PER_LAYER, SWIMMING_DEPTH, WALKING_BAND, layer_of
from paludarium.systems.render.creatures.primitive_fields import (
    CAPSULE,
    DEPTH_BANDS,
    HIGHEST_LAYER,
    KIND,
    LAYERS,
    LINE,
    LOWEST_LAYER,
    PLATE,
)
from paludarium.systems.render.creatures.sheet import View
from paludarium.systems.render.detail import LEVELS
from paludarium.systems.render.output.image import rgb_bytes
from paludarium.systems.render.scene.light import light_vector
from paludarium.tests.render.posed import Herd, add_centipede

SIZE = (160, 120)
CAMERA = Camera(SIZE)


def basin(depth=22.0, clarity=6.0):
    bed = np.full((8, 8), -depth)
    return Ground(bed, (-40.0, -40.0), 12.0, water_level=0.0, stone_size=0.0, plant_density=0.0, clarity=clarity)


def picture(scene):
    renderer = Renderer(SIZE)
    renderer.prepare(scene, CAMERA)
    renderer.draw(scene, CAMERA, 0.0)
    return rgb_bytes(renderer.pixels).astype(int)


def view_of(ground) -> View:
    return Renderer(SIZE)._view(Scene(ground=ground), CAMERA, light_vector("day"), LEVELS[0])


def layers(ground, heights, bed):
    view = view_of(ground)
    return [layer_of(view, 0.0, 0.0, float(z), bed) for z in heights]


def test_there_are_layers_for_ground_depths_heights_and_the_top():
    assert (LAYERS, DEPTH_BANDS, LOWEST_LAYER, HIGHEST_LAYER) == (219, 96, 97, 216)


def test_layers_rise_with_height_and_reach_from_the_deepest_bed_to_the_sky():
    found = layers(basin(), np.linspace(-30.0, 40.0, 2000), -22.0)
    assert (np.diff(found) >= 0).all()
    assert (found[0], found[-1]) == (1, HIGHEST_LAYER)
    assert set(range(1, HIGHEST_LAYER + 1)) == set(found)


def test_near_the_surface_and_on_land_layers_are_those_of_the_height():
    for z, above in ((-SWIMMING_DEPTH, 0), (0.1 - SWIMMING_DEPTH, 0), (0.3 - SWIMMING_DEPTH, 1), (0.5, 5)):
        assert layers(basin(2.0), [z], -2.0) == [LOWEST_LAYER + above]
    land = replace(basin(2.0), water_level=float("nan"))
    walking, climbing = LOWEST_LAYER + WALKING_BAND, LOWEST_LAYER + WALKING_BAND + BANDS_PER_LAYER
    assert layers(land, [-5.0, -2.0, -0.95, -0.85], -2.0) == [walking, walking, walking, climbing]


@pytest.mark.parametrize("above", [0.1, -0.9, -3.0])
def test_of_two_swimmers_that_cross_closely_the_upper_one_is_seen(above):
    """Two bodies that press against each other are less apart than two that climb over one another."""
    upper, lower = (balls([(0.0, 0.0, z)], 0.65, c) for z, c in ((above, "#F0E020"), (above - 0.65, "#F02020")))
    ground = basin(5.0, 1.0)
    alone, both, turned = (picture(Scene(ground=ground, creatures=c)) for c in ((upper,), (upper, lower), (lower, upper)))
    middle = np.s_[56:64, 76:84]
    np.testing.assert_array_equal(both[middle], turned[middle])
    assert np.abs(both[middle] - alone[middle]).max() <= 2


def sheet_of(herd, ground):
    renderer = Renderer(SIZE)
    light = light_vector("day")
    scene = Scene(ground=ground, creatures=(herd.creatures(),))
    count = renderer._build(scene, renderer._view(scene, CAMERA, light, LEVELS[0]), light, LEVELS[0])
    return renderer._sheet.prims[:count, KIND], renderer._sheet.layers[:count]


def test_a_swimmer_that_bends_up_and_down_keeps_its_legs_below_its_back():
    def height(x, y):
        return -1.0 + 0.12 * np.sin(1.3 * x)

    herd = Herd()
    add_centipede(herd, at=(8.0, 0.0), bend=0.0, count=10, tucked=True, height=height)
    kinds, found = sheet_of(herd, basin(5.0, 1.0))
    backs, legs = found[kinds == PLATE], found[(kinds == CAPSULE) | (kinds == LINE)]
    assert backs.size > 5
    assert set(legs) == set(backs)  # one layer, in which legs come first
    assert len(set(backs)) == 1


@pytest.mark.parametrize("light", ["day", "dusk", "night"])
def test_a_body_that_comes_up_has_no_hard_water_line(light):
    """A link that rises out of restless water: along its back colour changes from pixel to pixel by little."""
    waves = 0.35 * np.sin(np.arange(80) * 1.7)[None, :] * np.cos(np.arange(80) * 1.3)[:, None]
    ramp = capsules([(-3.0, 0.0, -1.4)], [(3.0, 0.0, 0.2)], 0.5, "#C03010")
    scene = Scene(ground=basin(5.0, 1.0), creatures=(ramp,), water=Water(waves, (-20.0, -20.0), 0.5), light=light)
    back = picture(scene)[SIZE[1] // 2, 60:120]  # from half a unit below the surface to above it
    assert np.abs(np.diff(back, axis=0)).max() <= 8  # 6; with a line 45 to 87
    red, _, blue = back[18:25].mean(axis=0)  # in the thinnest water
    assert red > 2.5 * blue  # not pink


@pytest.mark.parametrize("z", [np.nan, np.inf, -np.inf, 1e30, -1e30])
def test_wild_heights_have_a_layer(z):
    assert 0 < layers(basin(), [z], -22.0)[0] < LAYERS


@pytest.mark.parametrize("depths", [(10.0, 14.0), (3.0, 6.0), (16.5, 19.0)])
def test_of_two_divers_the_upper_one_is_seen_whoever_is_drawn_first(depths):
    upper, lower = (balls([(0.0, 0.0, -z)], 1.2, c) for z, c in zip(depths, ("#F0E020", "#F02020"), strict=True))
    alone, both, turned = (picture(Scene(ground=basin(), creatures=c)) for c in ((upper,), (upper, lower), (lower, upper)))
    middle = np.s_[50:70, 70:90]
    np.testing.assert_array_equal(both[middle], turned[middle])
    assert np.abs(both[middle] - alone[middle]).max() <= 2  # but for the shadow around


def test_clear_water_tells_depths_apart_that_look_the_same_in_usual_water():
    shallow, deep = (picture(Scene(ground=basin(depth, 1.0))).mean() for depth in (8.0, 20.0))
    assert abs(shallow - deep) < 2.0
    shallow, deep = (picture(Scene(ground=basin(depth, 6.0))).mean() for depth in (8.0, 20.0))
    assert shallow > deep + 10.0


def test_a_diver_is_seen_as_far_down_as_the_water_is_clear():
    diver = (balls([(0.0, 0.0, -9.0)], 1.5, "#F0F0F0"),)
    seen = []
    for ground in (basin(22.0, 1.0), basin(22.0, 6.0)):
        difference = picture(Scene(ground=ground, creatures=diver)) - picture(Scene(ground=ground))
        seen.append(np.abs(difference).max())
    assert seen[1] > 60
    assert seen[1] > 2 * seen[0]


def deep_world(clarity):
    return World(seed=1, map=Map.define(
        name="reef", area={"width_u": 40, "height_u": 40}, terrain={"kind": "flat", "elevation": -9.0},
        water=[{"bounds": [-20, -20, 20, 20], "level_u": 0.0, "cell_u": 1.0}], light={"clarity": clarity}))  # fmt: skip


def test_a_map_says_how_clear_its_water_is():
    worlds = [deep_world(clarity) for clarity in (1.0, 6.0)]
    grounds = [world.picture.scene().ground for world in worlds]
    assert [ground.clarity for ground in grounds] == [1.0, 6.0]
    assert grounds[1].lowest == pytest.approx(-9.0)
    murky, clear = (world.picture.frame(CAMERA, SIZE, still=True).copy() for world in worlds)
    assert rgb_bytes(clear).mean() > rgb_bytes(murky).mean() + 5.0
    with pytest.raises(MapError, match="clarity"):
        deep_world(0.0)


def test_clarity_that_changes_is_seen_at_once():
    world = deep_world(1.0)
    world.picture.frame(CAMERA, SIZE, still=True)
    world.map = replace(world.map, light=replace(world.map.light, clarity=6.0))
    shown, fresh = (w.picture.frame(CAMERA, SIZE, still=True) for w in (world, deep_world(6.0)))
    np.testing.assert_array_equal(shown, fresh)
