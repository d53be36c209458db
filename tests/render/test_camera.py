"""The camera maps world to screen and back, and moves without surprises."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
