"""Pictures obey their scene: light, outline, depth, order; bad input never escapes the array."""

import numba
import numpy as np
import pytest

from paludarium.systems.myriapod.painter import MyriapodGroup
from paludarium.systems.render import OBSTACLE_BOX, OBSTACLE_SPHERE, Camera, Ground, Renderer, Scene, Water
from paludarium.systems.render.output.image import rgb_bytes
from paludarium.tests.render.posed import Herd, add_centipede, add_millipede

SIZE = (480, 320)
DRY = Ground(np.zeros((8, 8)), (-40.0, -40.0), 12.0, stone_size=0.0, plant_density=0.0)
DEEP = Ground(np.full((8, 8), -2.0), (-40.0, -40.0), 12.0, water_level=0.0, stone_size=0.0)


def picture(scene, camera=None, time=0.0, renderer=None):
    renderer = renderer or Renderer(SIZE)
    camera = camera or Camera(SIZE)
    renderer.prepare(scene, camera)
    renderer.draw(scene, camera, time)
    return rgb_bytes(renderer.pixels).astype(int)


def centipede(**options):
    herd = Herd()
    add_centipede(herd, **{"at": (8.0, 0.0), "bend": 0.0, "count": 10, **options})
    return herd.creatures()


def difference(a, b):
    return np.abs(a - b).sum(axis=2)


@pytest.fixture(scope="module")
def empty():
    return picture(Scene(ground=DRY))


def test_empty_scene_shows_lit_ground(empty):
    assert 60 < empty.mean() < 230
    assert empty.std() > 1.0


def test_creature_changes_pixels_inside_its_outline_and_not_far_outside(empty):
    changed = difference(picture(Scene(ground=DRY, creatures=(centipede(),))), empty) > 30
    camera = Camera(SIZE)
    for segment in centipede().segment_position:
        x, y = camera.to_screen(segment[:2]).astype(int)
        assert changed[y, x]
    assert not changed[: SIZE[1] // 2 - 18 * 6].any()
    assert not changed[SIZE[1] // 2 + 18 * 6 :].any()


@pytest.mark.parametrize("light", ["day", "dusk"])
def test_shadow_lies_away_from_the_sun(light):
    post = np.array([[OBSTACLE_SPHERE, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]])
    without = picture(Scene(ground=DRY, light=light)).sum(axis=2)
    darker = without - picture(Scene(ground=DRY, obstacles=post, light=light)).sum(axis=2) > 60
    rows, columns = np.nonzero(darker)
    outside = np.hypot(columns - SIZE[0] / 2, rows - SIZE[1] / 2) > 20
    assert outside.sum() > 50
    assert columns[outside].mean() > SIZE[0] / 2 + 8  # the sun stands to the upper left
    assert rows[outside].mean() > SIZE[1] / 2 + 3


def test_same_picture_for_one_and_two_threads():
    herd = Herd()
    add_centipede(herd, at=(8.0, 2.0), count=12)
    add_millipede(herd, at=(6.0, -4.0), count=12)
    shore = Ground(np.linspace(-1, 2, 64).reshape(8, 8), (-20.0, -20.0), 6.0, water_level=0.0)
    scene = Scene(ground=shore, creatures=(herd.creatures(),), food=np.array([[2.0, 2.0, 0.0, 1.0]]))
    before = numba.get_num_threads()
    pictures = []
    try:
        for threads in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
            numba.set_num_threads(threads)
            pictures.append(picture(scene, time=1.5))
    finally:
        numba.set_num_threads(before)
    np.testing.assert_array_equal(pictures[0], pictures[1])


def test_drawing_twice_gives_the_same_picture_and_leaves_the_scene_alone():
    creatures = centipede()
    copies = {name: np.array(value) for name, value in vars(creatures).items()}
    scene, renderer = Scene(ground=DEEP, creatures=(creatures,)), Renderer(SIZE)
    first = picture(scene, time=2.0, renderer=renderer)
    picture(scene, time=9.0, renderer=renderer)
    np.testing.assert_array_equal(picture(scene, time=2.0, renderer=renderer), first)
    for name, value in copies.items():
        np.testing.assert_array_equal(getattr(creatures, name), value)


def test_submerged_body_loses_red_to_the_water():
    above = picture(Scene(ground=DEEP, creatures=(centipede(height=lambda x, y: 0.6),)))
    below = picture(Scene(ground=DEEP, creatures=(centipede(height=lambda x, y: -1.4),)))
    x, y = Camera(SIZE).to_screen(centipede().segment_position[4, :2]).astype(int)
    patch = np.s_[y - 3 : y + 4, x - 3 : x + 4]
    assert below[patch][..., 0].mean() < 0.6 * above[patch][..., 0].mean()
    assert below[patch][..., 2].mean() > below[patch][..., 0].mean()  # bluer than red: the tint of the water


def leg_darkness(scale, empty_ground):
    herd = Herd()
    add_centipede(herd, at=(4.0, 0.0), bend=0.0, count=6)
    creatures = herd.creatures()
    bare = MyriapodGroup(**{**vars(creatures), "leg_count": np.zeros(1, dtype=np.int64)})
    camera = Camera(SIZE, pixels_per_unit=scale)
    scenes = (Scene(ground=empty_ground, creatures=(c,)) for c in (creatures, bare))
    with_legs, without_legs = (picture(scene, camera) for scene in scenes)
    return difference(with_legs, without_legs).sum() / scale**2


def test_thin_legs_keep_their_coverage_when_zooming_out():
    areas = [leg_darkness(scale, DRY) for scale in (18.0, 12.7, 9.0, 6.4)]
    assert min(areas) > 0.6 * max(areas)


def test_higher_body_is_drawn_over_a_lower_one():
    herd = Herd()
    add_centipede(herd, at=(8.0, 0.0), bend=0.0, count=12, palette="olive", height=2.4)
    add_centipede(herd, at=(0.0, 8.0), heading=np.pi / 2, bend=0.0, count=12, palette="rust")
    high = Herd()
    add_centipede(high, at=(8.0, 0.0), bend=0.0, count=12, palette="olive", height=2.4)
    both, upper = (picture(Scene(ground=DRY, creatures=(h.creatures(),))) for h in (herd, high))
    x, y = Camera(SIZE).to_screen(high.position[5][:2]).astype(int)
    np.testing.assert_array_equal(both[y - 2 : y + 3, x - 2 : x + 3], upper[y - 2 : y + 3, x - 2 : x + 3])


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e30, -1e9])
@pytest.mark.parametrize("column", ["segment_position", "segment_orientation", "leg_joints", "antenna_points"])
def test_wild_numbers_stay_inside_the_picture(column, value, empty):
    creatures = centipede()
    array = getattr(creatures, column).copy()
    array[2 if column != "antenna_points" else 0] = value
    drawn = picture(Scene(ground=DRY, creatures=(MyriapodGroup(**{**vars(creatures), column: array}),)))
    assert drawn.shape == empty.shape
    assert difference(drawn, empty).max() > 30  # the healthy rest is still there


def test_things_far_off_screen_change_nothing(empty):
    box = np.array([[OBSTACLE_BOX, 500.0, 0.0, 1.0, 2.0, 2.0, 2.0, 0.3]])
    food, creatures = np.array([[0.0, 700.0, 0.0, 1.0]]), (centipede(at=(900.0, 900.0)),)
    far = Scene(ground=DRY, creatures=creatures, obstacles=box, food=food)
    np.testing.assert_array_equal(picture(far), empty)


def test_highlight_and_leg_states_are_visible(empty):
    plain = picture(Scene(ground=DRY, creatures=(centipede(),)))
    chosen = picture(Scene(ground=DRY, creatures=(centipede(),), highlighted=0))
    states = picture(Scene(ground=DRY, creatures=(centipede(),), show_leg_states=True))
    assert chosen.sum() > plain.sum()
    assert difference(states, plain).max() > 100
    assert difference(chosen, empty)[:40].max() == 0


def test_odd_window_sizes_and_zooms_between_the_steps_are_drawn():
    renderer = Renderer((333, 211))
    camera = Camera((333, 211), center=(1.234, -5.678), pixels_per_unit=13.37)
    scene = Scene(ground=DEEP, creatures=(centipede(),))
    renderer.draw(scene, camera, 0.3)
    assert (renderer.pixels > 0).all()
    assert (renderer.pixels < 1 << 24).all()


def test_many_creatures_grow_the_primitive_array():
    herd = Herd()
    for k in range(60):
        add_centipede(herd, at=(6.0, 0.1 * k), count=20)
    drawn = picture(Scene(ground=DRY, creatures=(herd.creatures(),)))
    assert drawn.min() >= 0
    assert drawn.max() <= 255


def test_a_single_elevation_sample_is_a_level_world():
    single = Ground(np.full((1, 1), 3.0), stone_size=0.0, plant_density=0.0)
    creatures = centipede(height=lambda x, y: 3.6)
    bare, drawn = picture(Scene(ground=single)), picture(Scene(ground=single, creatures=(creatures,)))
    x, y = Camera(SIZE).to_screen(creatures.segment_position[4, :2]).astype(int)
    assert difference(drawn, bare)[y, x] > 30


def test_water_moves_with_time_and_reacts_to_the_wave_grid():
    calm = Scene(ground=DEEP)
    waves = 0.3 * np.sin(np.arange(60)[None, :] * 0.8) * np.ones((60, 1))
    rough = Scene(ground=DEEP, water=Water(waves, (-15.0, -15.0), 0.5))
    now, later, wavy = picture(calm), picture(calm, time=0.5), picture(rough)
    assert difference(now, later).mean() > 1.0
    assert difference(now, wavy).mean() > 2.0 * difference(now, later).mean()


def test_a_view_between_two_zoom_steps_stays_filled_when_nothing_moves():
    """The resampled ground once came from a buffer that was not refilled in the second frame of the same view."""
    renderer, camera = Renderer((320, 180)), Camera((320, 180), pixels_per_unit=16.0)
    scene = Scene(ground=Ground(np.zeros((64, 64)), origin=(-16.0, -16.0), cell=0.5))
    renderer.prepare(scene, camera)
    for _ in range(2):
        renderer.draw(scene, camera, 0.0)
        assert (renderer.pixels != 0).all()
