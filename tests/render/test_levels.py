"""Less detail is drawn with fewer parts, coarser water and coarser shadows, and is still the same picture."""

import numpy as np
import pytest

from paludarium.systems.render import Camera, Ground, Renderer, Scene, Water
from paludarium.systems.render.creatures.primitive_fields import TILE_H, TILE_W
from paludarium.systems.render.detail import LEVELS
from paludarium.systems.render.output.image import rgb_bytes
from paludarium.systems.render.raster.film_kernel import film, film_curve, read_film
from paludarium.systems.render.raster.overlay_kernel import LIGHT_OF_BYTE
from paludarium.systems.render.raster.scaling_kernel import enlarge, halve
from paludarium.systems.render.render_threads import alone
from paludarium.tests.render.posed import Herd, add_centipede

SIZE = (480, 320)
SCALE = 16.0  # px per unit, the demo's
DRY = Ground(np.zeros((8, 8)), (-40.0, -40.0), 12.0, stone_size=0.0, plant_density=0.0)
SHORE = Ground(np.tile(np.linspace(-3.0, 1.0, 41), (41, 1)), (-20.0, -20.0), 1.0, water_level=0.0, stone_size=0.0)
SWELL = Water(0.05 * np.sin(np.arange(160) * 0.35)[None, :] * np.cos(np.arange(160) * 0.23)[:, None], (-20.0, -20.0), 0.25)


def picture(scene, level):
    renderer = Renderer(SIZE, detail=level)
    camera = Camera(SIZE, (0.0, 0.0), SCALE)
    renderer.prepare(scene, camera)
    renderer.draw(scene, camera, 1.5)
    return rgb_bytes(renderer.pixels).astype(int)


def centipede():
    herd = Herd()
    add_centipede(herd, at=(6.0, 0.0), bend=0.0, count=10)
    return herd.creatures()


def warmth(level):
    """What a creature adds to the redness of every pixel of the same ground at the same level; its shadow is grey."""
    with_it, without = (picture(scene, level) for scene in (Scene(ground=DRY, creatures=(centipede(),)), Scene(ground=DRY)))
    return (with_it[..., 0] - with_it[..., 2]) - (without[..., 0] - without[..., 2])


def outline(level):
    return np.abs(warmth(level)) > 60


@pytest.mark.parametrize("level", range(1, len(LEVELS)))
def test_a_creature_keeps_its_outline_at_every_level(level):
    best, coarse = outline(0), outline(level)
    assert best.sum() > 2000
    assert (best & coarse).sum() > 0.95 * (best | coarse).sum()


@pytest.mark.parametrize("light", ["day", "dusk", "night"])
@pytest.mark.parametrize("level", range(1, len(LEVELS)))
def test_a_creature_is_as_sharp_at_every_level(level, light):
    """Its own pixels are the same: ground and water get cheaper, not what lives there."""
    scene = Scene(ground=DRY, creatures=(centipede(),), light=light)
    best, coarse = picture(scene, 0), picture(scene, level)
    inside = outline(0)
    for axis in (0, 1):
        inside &= np.roll(inside, 1, axis=axis) & np.roll(inside, -1, axis=axis)
    assert inside.sum() > 1000
    assert np.abs(best - coarse)[inside].mean() < 1.5  # enlarged from half the size 10 to 16


def test_short_waves_make_no_grid_in_a_picture_of_half_the_size():
    """Waves of a cell or two, as in rain, are seen as a whole or not at all; nodes would see one here and one there."""
    deep = Ground(np.full((8, 8), -3.0), (-40.0, -40.0), 12.0, water_level=0.0, stone_size=0.0, plant_density=0.0)
    rough = Water(0.03 * np.random.default_rng(1).standard_normal((100, 100)), (-20.0, -20.0), 0.4)
    contrast = []
    for level in (0, len(LEVELS) - 1):
        moved = picture(Scene(ground=deep, water=rough), level) - picture(Scene(ground=deep), level)
        contrast.append(moved.std())
    assert contrast[0] > 5.0
    assert contrast[1] < 0.5 * contrast[0]  # 0.2; as a grid 1.1


def test_a_picture_full_of_creatures_is_not_drawn_twice():
    """Where most tiles have something in them nothing is won by a ground of half the size."""
    herd = Herd()
    for k in range(-4, 5):
        add_centipede(herd, at=(18.0, 2.4 * k), bend=0.0, count=25)
    scene, last = Scene(ground=DRY, creatures=(herd.creatures(),)), len(LEVELS) - 1
    np.testing.assert_array_equal(picture(scene, last), picture(scene, last - 1))


def test_the_light_of_a_display_byte_is_developed_to_the_same_byte():
    bytes_ = np.arange(256)
    for developed in (film, read_film):
        again = np.array([developed(value) for value in LIGHT_OF_BYTE])
        assert np.abs(again - bytes_).max() <= 1
    np.testing.assert_allclose(film_curve(LIGHT_OF_BYTE.astype(float)), bytes_, atol=0.01)


@pytest.mark.parametrize("level", range(1, len(LEVELS)))
def test_coarser_water_is_the_same_water(level):
    scene = Scene(ground=SHORE, water=SWELL)
    best, coarse = picture(scene, 0), picture(scene, level)
    difference = np.abs(best - coarse)
    assert difference.max() > 0  # it is coarser indeed
    assert difference.mean() < 3.0
    np.testing.assert_allclose(coarse.mean(axis=(0, 1)), best.mean(axis=(0, 1)), atol=1.5)


@pytest.mark.parametrize("level", range(len(LEVELS)))
def test_water_shows_no_seam_between_tiles(level):
    """Steps across the edges of tiles are no larger than elsewhere: all tiles sample the same surface there."""
    wet = picture(Scene(ground=SHORE, water=SWELL), level)[:, : 4 * TILE_W]
    for axis, tile in ((0, TILE_H), (1, TILE_W)):
        steps = np.abs(np.diff(wet, axis=axis)).sum(axis=2).mean(axis=1 - axis)
        edges = steps[tile - 1 :: tile]
        assert edges.max() < 1.5 * np.median(steps) + 1.0


def test_every_level_has_no_more_of_anything_than_the_better_one():
    for better, worse in zip(LEVELS, LEVELS[1:], strict=False):
        smaller = 2 if worse.halved else 1
        assert worse.limb_scale <= better.limb_scale
        assert smaller * worse.water_step >= better.water_step
        assert smaller * worse.water_rows >= better.water_rows
        assert smaller * worse.shadow_step >= better.shadow_step
        assert worse.halved or not better.halved
        assert better.refraction or not worse.refraction
        assert better.footprints or not worse.footprints
        assert better.bloom or not worse.bloom
        assert worse != better


def test_bloom_is_only_looked_for_where_every_row_is_composed():
    """Rows that are mixed when all is packed have no light of their own to look at."""
    assert not any(level.bloom and level.water_rows > 1 for level in LEVELS)


def bilinear(small, height, width):
    """Every channel by the definition: samples at the middles of the small pixels, edges held."""
    y, x = ((np.arange(n) + 0.5) / 2 - 0.5 for n in (height, width))
    y, x = (np.clip(at, 0, n - 1) for at, n in zip((y, x), small.shape, strict=True))
    y0, x0 = np.floor(y).astype(int), np.floor(x).astype(int)
    y1, x1 = np.minimum(y0 + 1, small.shape[0] - 1), np.minimum(x0 + 1, small.shape[1] - 1)
    v, u = (y - y0)[:, None, None], (x - x0)[None, :, None]
    parts = rgb_bytes(small).astype(float)
    above, below = ((1 - u) * parts[r][:, x0] + u * parts[r][:, x1] for r in (y0, y1))
    return (1 - v) * above + v * below


@pytest.mark.parametrize("size", [(10, 14), (9, 13), (1, 1), (2, 1)])
def test_a_small_picture_is_enlarged_by_bilinear_scaling(size):
    height, width = size
    shape = (-(-height // 2), -(-width // 2))
    small = np.random.default_rng(3).integers(0, 1 << 24, shape).astype(np.uint32)
    large = np.zeros(size, dtype=np.uint32)
    alone(enlarge, small, np.zeros((1, shape[1]), np.uint32), large)
    np.testing.assert_allclose(rgb_bytes(large), bilinear(small, height, width), atol=1.01)  # rounded twice


@pytest.mark.parametrize("size", [(10, 14), (9, 13), (1, 1), (2, 1)])
def test_a_picture_is_halved_by_the_mean_of_every_byte_of_four_pixels(size):
    picture = np.random.default_rng(4).integers(0, 1 << 32, size).astype(np.uint32)
    small = np.zeros((-(-size[0] // 2), -(-size[1] // 2)), dtype=np.uint32)
    alone(halve, picture, small)
    even = np.pad(picture, [(0, size[0] % 2), (0, size[1] % 2)], mode="edge")
    for shift in (0, 8, 16, 24):
        parts = ((even >> shift) & 255).reshape(small.shape[0], 2, small.shape[1], 2).mean(axis=(1, 3))
        np.testing.assert_array_equal((small >> shift) & 255, np.floor(parts + 0.5))


def test_ground_around_the_view_is_painted_beforehand_if_wanted():
    """The camera then moves by less than a chunk without any ground left to paint: the picture is that of a fresh still."""
    for around, same in ((True, True), (False, False)):
        renderer, camera, scene = Renderer(SIZE), Camera(SIZE, (0.0, 0.0), SCALE), Scene(ground=SHORE)
        renderer.prepare(scene, camera, around=around)
        camera.center += (-100.0 / SCALE, 90.0 / SCALE)
        renderer.draw(scene, camera, 1.5)
        moved = renderer.pixels.copy()
        renderer.prepare(scene, camera)
        renderer.draw(scene, camera, 1.5)
        assert np.array_equal(moved, renderer.pixels) == same


def test_the_ground_of_the_last_level_is_ready_at_once_where_the_better_one_was():
    """Nothing is painted anew for it: the frame after the step down has fine ground."""
    renderer, camera, scene = Renderer(SIZE), Camera(SIZE, (0.0, 0.0), SCALE), Scene(ground=SHORE)
    renderer.prepare(scene, camera)
    renderer.detail = len(LEVELS) - 1
    renderer.draw(scene, camera, 1.5)
    first = renderer.pixels.copy()
    renderer.prepare(scene, camera)
    renderer.draw(scene, camera, 1.5)
    np.testing.assert_array_equal(renderer.pixels, first)


@pytest.mark.parametrize("size", [(333, 217), (65, 41), (1, 1)])
def test_the_last_level_fits_windows_of_any_size(size):
    renderer, scene = Renderer(size, detail=len(LEVELS) - 1), Scene(ground=SHORE, creatures=(centipede(),), water=SWELL)
    camera = Camera(size, (0.0, 0.0), SCALE)
    renderer.prepare(scene, camera)
    renderer.draw(scene, camera, 1.5)
    best = Renderer(size)
    best.prepare(scene, camera)
    best.draw(scene, camera, 1.5)
    assert np.abs(rgb_bytes(renderer.pixels).astype(int) - rgb_bytes(best.pixels)).mean() < 12.0
