"""Several ponds in one picture: each at its own level, within its own bounds, with its own waves."""

import numpy as np
import pytest

from paludarium import Map, World
from paludarium.systems.render import Camera, Ground, Renderer, Scene
from paludarium.systems.render.scene.footprint_kernel import find_dry_feet
from paludarium.systems.render.scene.pond_grid import joined_waves, pond_rows, waves_of

HILLS = [[-20.0, 0.0, -5.0, 6.0], [20.0, 0.0, -4.0, 6.0], [0.0, 22.0, -5.0, 4.0]]  # two ponds, and a hollow that stays dry
LOW = {"bounds": [-36, -16, -4, 16], "level_u": -1.0, "cell_u": 0.8}
HIGH = {"bounds": [4, -16, 36, 16], "level_u": 0.5, "cell_u": 0.5}
SIZE, SCALE = (640, 560), 8.0


@pytest.fixture(scope="module")
def world():
    terrain = {"kind": "gaussians", "elevation": 2.0, "hills": HILLS}
    area = {"width_u": 80, "height_u": 70}
    return World(seed=1, map=Map.define(name="two ponds", area=area, terrain=terrain, water=[LOW, HIGH]))


def depths(ground):
    """The baked depth of every pixel, 0 where it is dry."""
    renderer = Renderer(SIZE)
    renderer.prepare(Scene(ground=ground), Camera(SIZE, (0.0, 0.0), SCALE))
    return renderer._ground.background >> np.uint32(24)  # noqa: SLF001 - what the picture is made from


def test_every_pond_is_as_large_as_its_level_makes_it_and_hollows_without_water_are_dry(world):
    shown = depths(world.picture.scene().ground)
    x = (np.arange(SIZE[0]) + 0.5 - SIZE[0] / 2) / SCALE
    y = -(np.arange(SIZE[1]) + 0.5 - SIZE[1] / 2) / SCALE
    points = np.stack(np.broadcast_arrays(x[None, :], y[:, None]), axis=-1).reshape(-1, 2)
    bed = world.terrain.elevation(points)
    surface = world.water.surface(points)
    wet = (np.nan_to_num(surface, nan=-1e6) > bed).reshape(shown.shape)
    assert 0.05 < wet.mean() < 0.4
    assert (bed.reshape(shown.shape)[~wet] < -1.0).any()  # the hollow is lower than the lower pond
    assert ((shown > 0) == wet).mean() > 0.99  # but for the line of the shore, where grains stand out


def dry(ponds, heights):
    """Which feet at four places (in either pond, between them, far away) count as standing on dry ground."""
    tips, standing = np.zeros((5, 3)), np.zeros(5, np.bool_)
    tips[:, 0], tips[:4, 2] = (-20.0, 20.0, 0.0, 200.0, -20.0), heights
    find_dry_feet(np.array([1, 1, 1, 1, 0], np.uint8), 1, tips, ponds, standing)
    assert not standing[4]  # that foot is in the air
    return standing[:4].tolist()


def test_feet_are_dry_above_the_level_of_the_first_pond_around_them(world):
    rows = pond_rows(world)
    assert dry(rows, [-0.99, 0.51, -5.0, -5.0]) == [True] * 4
    assert dry(rows, [-1.01, 0.49, -5.0, -5.0]) == [False, False, True, True]
    over_all = np.vstack([rows, [[-np.inf, -np.inf, np.inf, np.inf, 9.0]]])
    assert dry(over_all, [-0.99, 0.51, 8.9, 9.1]) == [True, True, False, True]


def test_waves_of_several_ponds_lie_where_they_are(world):
    world.water.splash((-20.0, 2.0), radius=2.0, height=0.4)
    world.water.splash((22.0, -3.0), radius=2.0, height=0.4)
    world.step(3)
    joined = joined_waves(world.water.grids)
    for grid in world.water.grids:
        (west, south), (columns, rows) = grid.origin, grid.size
        x = west + (np.arange(columns) + 0.5) * grid.cell
        y = south + (np.arange(rows) + 0.5) * grid.cell
        i, j = (np.rint((at - first) / joined.cell).astype(int) for at, first in zip((x, y), joined.origin, strict=True))
        waves = waves_of(grid)
        assert np.abs(waves).max() > 0.05
        seen = joined.height[np.ix_(np.clip(j, 0, None), np.clip(i, 0, None))]
        assert np.corrcoef(seen.ravel(), waves.ravel())[0, 1] > 0.95
    assert joined.cell == pytest.approx(0.5)


def test_one_level_without_bounds_is_water_everywhere():
    flooded = Ground(np.full((4, 4), -1.0), (-50.0, -50.0), 30.0, water_level=0.0, stone_size=0.0)
    assert (depths(flooded) > 0).all()
    assert not depths(Ground(np.full((4, 4), -1.0), (-50.0, -50.0), 30.0, stone_size=0.0)).any()


def test_water_that_ends_with_the_map_goes_on_beyond_it_in_the_picture():
    water = {"bounds": [-20, -12, 20, 20], "level_u": 1.0, "edge_south": "reflecting"}
    world = World(seed=1, map=Map.define(name="sea", area={"width_u": 40, "height_u": 40}, water=[water]))
    np.testing.assert_array_equal(pond_rows(world), [[-np.inf, -12.0, np.inf, np.inf, 1.0]])


@pytest.mark.parametrize("light", ["day", "dusk", "night"])
def test_food_on_the_bed_is_brighter_than_the_glow_around_it(light):
    ground = Ground(np.full((60, 60), -6.0), (-15.0, -15.0), 0.5, water_level=0.0)
    renderer = Renderer((160, 160))
    scene = Scene(ground=ground, food=np.array([[0.0, 0.0, -6.0, 1.0]]), light=light)
    camera = Camera((160, 160), (0.0, 0.0), 16.0)
    renderer.prepare(scene, camera)
    renderer.draw(scene, camera, 0.0)
    green = ((renderer.pixels >> 8) & 255).astype(int)
    food, glow, far = green[75:81, 78:83].mean(), green[80, 96:100].mean(), green[80, 150:].mean()
    assert food > glow + 2.0
    assert glow > far + 5.0
