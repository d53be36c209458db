"""Shadows have the shape of what throws them, and fall where there is ground."""

import numpy as np
import pytest

from paludarium import Camera
from paludarium.systems.render import Ground, Renderer, Scene, balls
from paludarium.systems.render.output.image import rgb_bytes
from paludarium.systems.render.scene.light import SHADOW_X, SHADOW_Y, light_vector
from paludarium.systems.render.scene.prop_rows import OBSTACLE_BOX, OBSTACLE_CYLINDER

SIZE, SCALE = (320, 320), 10.0
CAMERA = Camera(SIZE, (0.0, 0.0), SCALE)
FLAT = Ground(np.zeros((8, 8)), (-40.0, -40.0), 12.0, stone_size=0.0, plant_density=0.0)


def picture(scene):
    renderer = Renderer(SIZE)
    renderer.prepare(scene, CAMERA)
    renderer.draw(scene, CAMERA, 0.0)
    return rgb_bytes(renderer.pixels).astype(int)


def darkened(obstacle, light):
    """(x, y) in units of every pixel, and whether the obstacle makes it darker."""
    lit, shaded = (
        picture(Scene(ground=FLAT, obstacles=rows, light=light)) for rows in (np.zeros((0, 8)), np.array([obstacle]))
    )
    y, x = (np.mgrid[0 : SIZE[1], 0 : SIZE[0]] + 0.5 - 160.0) / SCALE
    return x, -y, shaded.sum(axis=2) < 0.82 * lit.sum(axis=2)


@pytest.mark.parametrize("light", ["day", "dusk", "night"])
@pytest.mark.parametrize("half, heading", [((1.0, 8.0), 0.0), ((6.0, 0.7), 0.5), ((1.5, 1.5), 0.3)])
def test_a_wall_throws_the_shadow_of_a_box(light, half, heading):
    """A place is dark if the wall stands on the way to the sun."""
    tall, lamp = 2.0, light_vector(light)
    x, y, dark = darkened((OBSTACLE_BOX, 0.0, 0.0, 0.5 * tall, *half, 0.5 * tall, heading), light)
    inside = np.zeros(dark.shape, dtype=bool)
    near = np.zeros(dark.shape, dtype=bool)
    for z in np.linspace(0.0, tall, 41):
        px, py = x - z * lamp[SHADOW_X], y + z * lamp[SHADOW_Y]
        u, v = px * np.cos(heading) + py * np.sin(heading), py * np.cos(heading) - px * np.sin(heading)
        inside |= (abs(u) < half[0] - 0.4) & (abs(v) < half[1] - 0.4)
        near |= (abs(u) < half[0] + 0.4) & (abs(v) < half[1] + 0.4)
    u, v = x * np.cos(heading) + y * np.sin(heading), y * np.cos(heading) - x * np.sin(heading)
    beside = (abs(u) > half[0] + 0.2) | (abs(v) > half[1] + 0.2)  # not the wall itself
    assert (inside & beside).sum() > 100
    assert dark[inside & beside].mean() > 0.97
    assert not dark[~near & beside].any()


def test_a_post_throws_the_shadow_of_a_post():
    lamp = light_vector("dusk")
    x, y, dark = darkened((OBSTACLE_CYLINDER, 0.0, 0.0, 1.5, 1.0, 1.0, 1.5, 0.0), "dusk")
    end_x, end_y = 3.0 * lamp[SHADOW_X], -3.0 * lamp[SHADOW_Y]
    along = np.clip((x * end_x + y * end_y) / (end_x**2 + end_y**2), 0.0, 1.0)
    away = np.hypot(x - along * end_x, y - along * end_y)
    beside = np.hypot(x, y) > 1.2
    assert dark[(away < 0.6) & beside].mean() > 0.97
    assert not dark[(away > 1.5) & beside].any()


@pytest.mark.parametrize("light", ["day", "dusk", "night"])
def test_no_shadow_falls_on_the_sky(light):
    """A ball floats above a disc of land of 8 units, with nothing around it: its shadow ends where the land does."""
    y, x = np.mgrid[-20.0:20.5:0.5, -20.0:20.5:0.5]
    disc = Ground(
        np.zeros(x.shape), (-20.0, -20.0), 0.5, stone_size=0.0, plant_density=0.0, clearance=np.hypot(x, y) - 8.0
    )
    reach = 2.5 / np.hypot(light_vector(light)[SHADOW_X], light_vector(light)[SHADOW_Y])  # as high as its shadow is 2.5 off
    ball = balls([(5.0, -3.0, reach)], 2.0, "#808080")
    bare, shaded = (picture(Scene(ground=disc, creatures=c, light=light)) for c in ((), (ball,)))
    y, x = (np.mgrid[0 : SIZE[1], 0 : SIZE[0]] + 0.5 - 160.0) / SCALE
    sky, beside = np.hypot(x, y) > 8.3, np.hypot(x - 5.0, y - 3.0) > 2.2
    darker = shaded.sum(axis=2) < bare.sum(axis=2)
    assert (darker & beside & ~sky).sum() > 100
    assert not (darker & beside & sky).any()
