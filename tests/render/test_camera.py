"""The camera maps world to screen and back, and moves without surprises."""

import math
import re
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paludarium.engine.errors import ArgumentError
from paludarium.systems.render import Camera

coordinates = st.floats(-1e4, 1e4)


@given(coordinates, coordinates, st.floats(1.0, 100.0), coordinates, coordinates)
def test_to_world_undoes_to_screen(x, y, scale, center_x, center_y):
    camera = Camera((1280, 720), center=(center_x, center_y), pixels_per_unit=scale)
    np.testing.assert_allclose(camera.to_world(camera.to_screen((x, y))), (x, y), atol=1e-6)


def test_north_is_up_and_east_is_right():
    camera = Camera((200, 100), pixels_per_unit=10)
    np.testing.assert_allclose(camera.to_screen([(0, 0), (1, 0), (0, 1)]), [(100, 50), (110, 50), (100, 40)])


def test_zoom_keeps_the_point_under_the_mouse():
    camera = Camera((1280, 720), center=(3, -2))
    before = camera.to_world((200, 650))
    camera.zoom(1.7, around=(200, 650))
    np.testing.assert_allclose(camera.to_world((200, 650)), before)
    assert camera.pixels_per_unit == pytest.approx(18 * 1.7)


def test_follow_does_not_depend_on_the_frame_rate():
    fast, slow = Camera((100, 100)), Camera((100, 100))
    for _ in range(60):
        fast.follow((10, 5), 1 / 60)
    for _ in range(20):
        slow.follow((10, 5), 1 / 20)
    np.testing.assert_allclose(fast.center, slow.center)
    assert 0.9 < fast.center[0] / 10 < 1.0


def test_follow_ignores_a_point_that_is_not_a_number():
    camera = Camera((100, 100), center=(1, 2))
    camera.follow((np.nan, 0), 0.1)
    np.testing.assert_array_equal(camera.center, (1, 2))


def test_camera_accepts_rectangles_with_an_offset():
    camera = Camera(SimpleNamespace(left=100, top=50, width=400, height=200), pixels_per_unit=20)
    np.testing.assert_allclose(camera.to_screen((0, 0)), (300, 150))
    assert camera.visible_bounds == (-10, -5, 10, 5)


def test_resize_keeps_the_middle_and_the_scale():
    camera = Camera((1280, 720), center=(3, -2), pixels_per_unit=12)
    camera.resize(SimpleNamespace(left=10, top=20, width=640, height=400))
    np.testing.assert_allclose(camera.to_screen((3, -2)), (330, 220))
    assert camera.pixels_per_unit == 12
    assert camera.visible_bounds == pytest.approx((3 - 640 / 24, -2 - 400 / 24, 3 + 640 / 24, -2 + 400 / 24))
    camera.resize((800, 600))
    np.testing.assert_allclose(camera.to_screen((3, -2)), (400, 300))


BAD_NUMBERS = [math.nan, math.inf, -math.inf, -1.0, "18", None, True, [1.0], 10**400]
BAD_PLACES = [(math.nan, 0.0), (0.0, math.inf), (1.0,), (1.0, 2.0, 3.0, 4.0), "ab", None, 5.0, [[0.0, 0.0]], ("1", "2")]
BAD_SIZES = [(math.nan, 720), (1280, math.inf), (-1, 720), (1280, -720), (40_000, 720), (1280,), (0, 0, 1280), "ab", None, 5,
             ("1280", "720"), (0, math.nan, 10, 10), (math.inf, 0, 10, 10), SimpleNamespace(width=math.nan, height=1),
             SimpleNamespace(width=10, height=10, left="x", top=0)]  # fmt: skip


def state_of(camera):
    return camera.left, camera.top, camera.width, camera.height, *camera.center.tolist(), camera.pixels_per_unit


@pytest.fixture
def camera():
    return Camera((100, 50, 1280, 720), center=(3.0, -2.0), pixels_per_unit=20.0)


def refuses(camera, act, name, value):
    before = state_of(camera)
    with pytest.raises(ArgumentError, match=re.escape(name) + r".*: allowed is"):
        act(value)
    assert state_of(camera) == before


@pytest.mark.parametrize("bad", [0.0, 0, -0.0, *BAD_NUMBERS])
def test_a_scale_is_a_number_above_zero(camera, bad):
    refuses(camera, lambda value: setattr(camera, "pixels_per_unit", value), "camera.pixels_per_unit", bad)
    refuses(camera, camera.zoom, "camera.zoom(factor)", bad)
    with pytest.raises(ArgumentError, match="camera.pixels_per_unit"):
        Camera((1280, 720), pixels_per_unit=bad)


@pytest.mark.parametrize("bad", BAD_PLACES)
def test_the_centre_is_a_finite_place(camera, bad):
    refuses(camera, lambda value: setattr(camera, "center", value), "camera.center", bad)
    if bad is not None:  # which stands for the middle
        refuses(camera, lambda value: camera.zoom(2.0, value), "camera.zoom(around)", bad)
    with pytest.raises(ArgumentError, match="camera.center"):
        Camera((1280, 720), center=bad)


@pytest.mark.parametrize("bad", BAD_SIZES)
def test_the_size_is_one_of_a_window(camera, bad):
    refuses(camera, camera.resize, "camera", bad)
    with pytest.raises(ArgumentError, match=r"camera.*allowed is"):
        Camera(bad)


@pytest.mark.parametrize("side", ["left", "top", "width", "height"])
@pytest.mark.parametrize("bad", [math.nan, math.inf, -40_000, "x", None])
def test_each_side_of_the_rectangle_is_checked(camera, side, bad):
    refuses(camera, lambda value: setattr(camera, side, value), f"camera.{side}", bad)


@pytest.mark.parametrize("bad", BAD_NUMBERS)
def test_follow_takes_seconds(camera, bad):
    refuses(camera, lambda value: camera.follow((1.0, 1.0), value), "camera.follow(dt)", bad)


@pytest.mark.parametrize("bad", ["ab", None, 5.0, (1.0,), [[1.0, 2.0]], {}, object()])
def test_points_have_two_numbers(camera, bad):
    refuses(camera, lambda value: camera.follow(value, 0.1), "camera.follow(point)", bad)
    if np.shape(bad) != (1, 2):
        refuses(camera, camera.to_screen, "camera.to_screen(world_xy)", bad)
        refuses(camera, camera.to_world, "camera.to_world(screen_xy)", bad)


def test_what_was_allowed_still_is(camera):
    camera.center += (1.0, 2.0)
    assert camera.center.tolist() == [4.0, 0.0]
    camera.center = np.array([5.0, 6.0, 7.0])  # such as the position of a creature
    assert camera.center.tolist() == [5.0, 6.0]
    camera.center[0] = 8.0
    assert camera.to_screen((8.0, 6.0)).tolist() == [100 + 640, 50 + 360]
    camera.pixels_per_unit = 1e-9
    assert camera.pixels_per_unit == 0.5
    camera.pixels_per_unit = np.float32(1e9)
    assert camera.pixels_per_unit == 160.0
    camera.resize((0, 0))  # a window that is folded up
    assert camera.visible_bounds == (8.0, 6.0, 8.0, 6.0)
    assert np.isnan(camera.to_screen([(np.nan, 0.0), (0.0, 0.0)])).tolist() == [[True, False], [False, False]]
    assert Camera((64, 64), center=(1e7, -1e7)).center.tolist() == [1e7, -1e7]


def test_nan_that_is_written_into_the_centre_is_found_at_its_next_use(camera):
    with pytest.raises(ArgumentError, match="camera.center"):
        camera.center += (np.nan, 0.0)
    assert camera.center.tolist() == [3.0, -2.0]
    camera.center[1] = np.inf
    with pytest.raises(ArgumentError, match="camera.center"):
        _ = camera.visible_bounds
    assert camera.center.tolist() == [3.0, -2.0]
