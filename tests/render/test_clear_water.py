"""Clear water and what grows in it: seamless squares, a net of light that dances, leaves that cover what is below."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from paludarium import Camera, Map, World
from paludarium.engine.growths import CORALS, GROWTH_KINDS, ROW_FIELDS
from paludarium.systems.render import Ground, Renderer, Scene
from paludarium.systems.render.ground.chunk_batch import bake
from paludarium.systems.render.ground.chunks import CHUNK, EVERYTHING
from paludarium.systems.render.ground.ground_view import GroundView
from paludarium.systems.render.output.image import rgb_bytes
from paludarium.systems.render.scene.growth_group import GrowthGroup
from paludarium.systems.render.scene.light import light_vector
from paludarium.systems.render.scene.seabed import ROCKY
from paludarium.systems.render.water.caustics import DARKEST, FRAMES, PERIOD, Caustics, net_frames
from paludarium.systems.render.water.water_texture import depth_fades, depth_table, water_texture

LIGHT = light_vector("day")
SIZE = (320, 200)
CAMERA = Camera(SIZE, (0.0, 0.0), 10.0)
FORMS = [*(kind for kind in CORALS), "rock"]


def growth(kind, x, y, radius=2.0, seed=5, z=-6.0):
    number = ROCKY if kind == "rock" else GROWTH_KINDS.index(kind)
    return [number, x, y, z, radius, 0.6 * radius, 0.4, 0.8, 0.4, 0.3, seed, 1.0]


def bottom(*rows, clarity=6.0, depth=6.0, **options):
    growths = np.array(rows, dtype=float).reshape(-1, ROW_FIELDS)
    return Ground(np.full((60, 60), -depth), (-60.0, -60.0), 2.0, water_level=0.0, stone_size=0.0, plant_density=0.0,
                  clarity=clarity, growths=growths, **options)  # fmt: skip


GARDEN = bottom(*(growth(kind, 4.0 * (place % 3) - 4.0, 4.0 * (place // 3) - 4.0) for place, kind in enumerate(FORMS)))


def channels(packed):
    return ((packed[..., None] >> np.array([24, 16, 8, 0], dtype=np.uint32)) & 255).astype(int)


def picture(scene, time=0.0, camera=CAMERA):
    renderer = Renderer(SIZE)
    renderer.prepare(scene, camera)
    renderer.draw(scene, camera, time)
    return rgb_bytes(renderer.pixels).astype(int)


@pytest.mark.parametrize("ground", [GARDEN, replace(GARDEN, bed="pebbles")], ids=["sand", "pebbles"])
def test_squares_with_corals_join_without_a_seam(ground):
    size = 64
    whole = channels(bake(ground, LIGHT, 9.0, [(-size, -size)], 2 * size)[0])
    corners = [(-size, -size), (0, -size), (-size, 0), (0, 0)]
    a, b, c, d = (channels(square) for square in bake(ground, LIGHT, 9.0, corners, size))
    joined = np.vstack([np.hstack([a, b]), np.hstack([c, d])])
    assert np.quantile(np.abs(joined - whole), 0.995) <= 3
    seam = np.abs(np.diff(joined[:, size - 1 : size + 1, 1:], axis=1)).mean()
    assert seam < 1.6 * np.abs(np.diff(joined[:, :, 1:], axis=1)).mean()


@pytest.mark.parametrize("kind", FORMS)
def test_every_form_stands_up_from_the_bed_and_has_its_colour(kind):
    bare, grown = (bake(ground, LIGHT, 16.0, [(-64, -64)], 128)[0] for ground in (bottom(), bottom(growth(kind, 0.0, 0.0))))
    bare, grown = channels(bare), channels(grown)
    middle = (slice(40, 88), slice(40, 88))
    assert (grown[middle][..., 0] < bare[middle][..., 0]).mean() > 0.02  # less water above it
    assert np.abs(grown[middle] - bare[middle])[..., 1:].mean() > 4.0


def test_only_squares_around_a_coral_that_comes_or_goes_are_painted_anew():
    view = GroundView(4 * CHUNK, CHUNK)
    camera = Camera((4 * CHUNK, CHUNK), (0.0, 0.0), 9.0)
    before = bottom(growth("brain", -20.0, 0.0))
    view.show(Scene(before), camera, LIGHT, EVERYTHING)
    shown = view.background.copy()
    after = replace(bottom(growth("brain", -20.0, 0.0), growth("table", 20.0, 0.0)), version=1, elevation=before.elevation)
    view.show(Scene(after), camera, LIGHT, EVERYTHING)
    changed = (view.background != shown).any(axis=0)
    assert changed[-CHUNK:].any()
    assert not changed[: 2 * CHUNK].any()


def test_the_net_of_light_dances_and_takes_as_much_as_it_gives():
    frames = net_frames()
    light = DARKEST + frames / 255.0 * (3.3 - DARKEST)
    assert abs(light.mean()) < 0.12  # photons are neither lost nor made; the brightest are cut
    near, far = (np.corrcoef(frames[0].ravel(), frames[k].ravel())[0, 1] for k in (1, FRAMES // 4))
    assert near > 0.6 > far
    net = Caustics()
    first = net.at(0.0).copy()
    assert not np.array_equal(net.at(0.5), first)
    ripples = first.reshape(2, 256, 256, 4)[..., :2]
    np.testing.assert_array_equal(ripples, water_texture().reshape(2, 256, 256, 4)[..., :2])


def test_the_net_of_light_goes_on_without_a_jump():
    net = Caustics()
    steps = [np.abs(net.at(time + 0.01).copy() - net.at(time)).mean() for time in (1.0, PERIOD - 0.005, PERIOD + 1.0)]
    assert max(steps) < 3.0 * min(steps)


def test_clear_water_moves_in_the_picture_and_one_moment_has_one_picture():
    scene = Scene(bottom())
    assert not np.array_equal(picture(scene, 0.0), picture(scene, 0.4))
    np.testing.assert_array_equal(picture(scene, 0.4), picture(scene, 0.4))


def test_water_of_clarity_one_is_as_it_was():
    depth = np.arange(256, dtype=np.float32) / np.float32(64.0)
    expected = np.exp(-np.float32(1.5) * np.array([1.15, 0.36, 0.30], np.float32)[:, None] * depth)
    np.testing.assert_allclose(depth_table("day", 1.0), expected, rtol=1e-6)
    net = 0.46 * np.minimum(2.5 * depth, 1.0) * np.exp(-0.55 * depth)
    np.testing.assert_allclose(depth_fades(1.0)[:, 1], net, rtol=1e-5)
    assert not bottom(clarity=1.0).grown


def test_clear_water_lets_reds_through_and_shows_a_brighter_bed():
    assert (depth_table("day", 6.0)[:, 1:] > depth_table("day", 1.0)[:, 1:]).all()
    murky, clear = (picture(Scene(bottom(clarity=clarity, depth=3.0))).mean() for clarity in (1.0, 6.0))
    assert clear > murky + 15.0


def test_a_leaf_covers_what_swims_below_and_shades_the_bed():
    ground = bottom()
    leaf = growth("lily", 0.0, 0.0, radius=3.0, z=0.0)
    bare, covered = picture(Scene(ground)), picture(Scene(ground, creatures=(GrowthGroup(np.array([leaf]), 0.0),)))
    y, x = SIZE[1] // 2, SIZE[0] // 2
    assert np.abs(covered[y - 5 : y + 5, x - 20 : x - 8] - bare[y - 5 : y + 5, x - 20 : x - 8]).mean() > 25.0
    darker = (bare - covered).sum(axis=2) > 20
    outside = np.hypot(*np.meshgrid(np.arange(SIZE[0]) - x, np.arange(SIZE[1]) - y)) > 34.0
    assert (darker & outside).sum() > 100


@pytest.mark.parametrize("kind", ["anemone", "lily", "lotus", "reed"])
def test_what_is_lively_moves_with_time_and_only_where_it_is(kind):
    ground, row = bottom(), growth(kind, 0.0, 0.0, z=-6.0 if kind in ("anemone", "reed") else 0.0)
    pictures = [picture(Scene(ground, creatures=(GrowthGroup(np.array([row]), time),))) for time in (0.0, 2.0)]
    assert not np.array_equal(*pictures)
    assert np.array_equal(pictures[0][:, :20], pictures[1][:, :20])


@pytest.mark.parametrize("wind", [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (0.5, 0.5)])
def test_reed_bends_to_where_the_wind_blows(wind):
    ground, row = bottom(), growth("reed", 0.0, 0.0, radius=4.0)
    bare = picture(Scene(ground))
    middles = []
    for blows in ((0.0, 0.0), wind):
        seen = np.abs(picture(Scene(ground, creatures=(GrowthGroup(np.array([row]), 1.0, blows),))) - bare).sum(axis=2) > 60
        y, x = np.nonzero(seen)
        middles.append((x.mean(), -y.mean()))
    moved = np.subtract(*reversed(middles))
    assert moved @ wind > 2.0 * np.hypot(*wind)
    assert abs(moved[0] * wind[1] - moved[1] * wind[0]) < 0.5 * (moved @ wind)


def test_pictures_of_a_world_have_its_wind():
    world = World(seed=1, map="frog_pond")
    world.set_wind(direction=2.0, strength=0.8, gusts=0.5)
    world.step(7)
    groups = [group for group in world.picture.scene().creatures if isinstance(group, GrowthGroup)]
    assert np.array_equal(groups[0].wind, world.weather.wind.now(groups[0].time))
    assert groups[0].wind[1] > 0.1


def test_worlds_without_any_of_it_load_none_of_it():
    code = (
        "import sys, numpy as np\n"
        "from paludarium import Camera, World\n"
        "world = World(seed=1, map='tide_pool')\n"
        "world.picture.frame(Camera((160, 90), (0, 0), 9.0), (160, 90), still=True)\n"
        "loaded = [name for name in sys.modules if name.endswith(('clear_bake_kernel', 'caustics', 'growth_kernel', "
        "'bed_rows_kernel', 'pebble_kernel', 'coral_stamp_kernel', 'growth_groups'))]\n"
        "assert not loaded, loaded\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_world_shows_corals_that_are_added_and_removed():
    sides = {f"edge_{side}": "absorbing" for side in ("west", "east", "south", "north")}
    world = World(seed=3, map=Map.define(
        area={"width_u": 40, "height_u": 30}, terrain={"kind": "flat", "elevation": -6.0}, light={"clarity": 6.0},
        water=[{"bounds": [-20, -15, 20, 15], "level_u": 0.0, "cell_u": 1.0, **sides}]))  # fmt: skip

    def seen():
        return world.picture.frame(CAMERA, SIZE, still=True).copy()

    empty = seen()
    prop = world.add_coral("brain", (0.0, 0.0), 3.0, colour="#D04040")
    grown = seen()
    assert (grown != empty)[80:120, 140:180].mean() > 0.9
    prop.remove()
    np.testing.assert_array_equal(seen(), empty)
