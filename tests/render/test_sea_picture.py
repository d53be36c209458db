"""The picture of what fills the water: each thing shows, deeper ones less, and worlds without any load no painter."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import Camera, World
from paludarium.tests.world.test_sea import tank

SIZE = (320, 240)


def picture(world: World, scale: float = 16.0) -> np.ndarray:
    camera = Camera(SIZE, center=(0, 0), pixels_per_unit=scale)
    pixels = world.picture.frame(camera, SIZE, still=True)
    return np.stack([pixels >> 16 & 255, pixels >> 8 & 255, pixels & 255], axis=-1).astype(int)


@pytest.fixture(scope="module")
def empty() -> np.ndarray:
    return picture(World(seed=1, map=tank(light={"clarity": 6})))


@pytest.mark.parametrize("scale", [4.0, 16.0, 40.0])
@pytest.mark.parametrize("add, least", [
    (lambda w: w.add_seaweed((0, 0), clusters=5, leaves=12, height=5, spread=4), 400),
    (lambda w: w.add_plankton(200, box=(-3, -3, 3, 3)), 100),
    (lambda w: w.add_bubbles((0, 0), count=60), 10),
    (lambda w: w.add_hook((0, 0), depth=2.0), 3),
])  # fmt: skip
def test_everything_of_the_sea_shows(add, least, scale):
    world = World(seed=1, map=tank(light={"clarity": 6}))
    before = picture(world, scale).copy()
    add(world)
    changed = np.abs(picture(world, scale) - before).sum(axis=-1) > 12
    assert changed.sum() >= least * min((scale / 16.0) ** 2, 1.0)


def test_leaves_are_lighter_at_their_tips():
    world = World(seed=1, map=tank(light={"clarity": 6}))
    weed, = world.add_seaweed((0, 0), clusters=1, leaves=5, height=8)  # so few hide nothing of each other
    light = picture(world).sum(axis=-1)
    camera = Camera(SIZE, (0.0, 0.0), 16.0)
    root, tip = (np.round(camera.to_screen(weed.position[:, node, :2])).astype(int) for node in (1, 5))
    assert light[tip[:, 1], tip[:, 0]].mean() > light[root[:, 1], root[:, 0]].mean()


def test_a_frame_between_two_ticks_shows_leaves_in_between():
    world = World(seed=1, map=tank(current={"strength_u_per_s": 2.0}))
    world.add_seaweed((0, 0), leaves=3)
    picture(world)
    world.step(1)
    picture(world)
    world.step(1)
    world.clock.waiting_seconds = 0.5 * world.clock.tick_seconds
    group = next(group for group in world.picture.scene().creatures if hasattr(group, "things"))
    now = world.picture.painters["sea"].poses()["weed"]
    assert 0.0 < np.abs(group.things.weed - now).max() < 0.1


def test_a_world_without_a_sea_has_no_painter_of_one():
    assert "sea" not in World(seed=1, map=tank()).picture.painters
