"""The picture of a live world: any size, any zoom, any place; poses between ticks; attachments; overlays."""

import os
from dataclasses import replace

import numpy as np
import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame  # noqa: E402 - the driver must be chosen first

from paludarium import Camera, Map, World  # noqa: E402
from paludarium.systems.render.creatures.family_painters import between  # noqa: E402
from paludarium.systems.render.output import world_lines


def small_world(**options):
    world = World(seed=2, tick_rate=30, map=Map.define(
        name="shore", area={"width_u": 40, "height_u": 40},
        terrain={"kind": "noise", "amplitude": 3.0, "scale": 14.0, "octaves": 2, "elevation": 0.4},
        water=[{"bounds": [-20, -20, 20, 20], "level_u": 0.3, "cell_u": 1.0}], **options,
    ))  # fmt: skip
    world.spawn("stone_centipede", at=(0.0, 0.0), heading=0.3)
    world.add_food((4.0, 4.0))
    return world


@pytest.fixture(scope="module")
def world():
    world = small_world()
    world.step(20)
    return world


def frame(world, camera, size):
    return world.picture.frame(camera, size, still=True).copy()


@pytest.mark.parametrize("size", [(64, 64), (65, 67), (129, 41), (333, 257)])
@pytest.mark.parametrize("scale", [0.5, 3.1, 18.0, 160.0])
def test_any_size_and_zoom_fills_the_picture(world, size, scale):
    surface = pygame.Surface(size, 0, 32)
    world.draw(surface, Camera(size, center=(0.3, -0.7), pixels_per_unit=scale))
    assert (pygame.surfarray.array3d(surface).sum(axis=2) > 0).mean() > 0.99


@pytest.mark.parametrize("center", [(1e4, -1e4), (20.0, 20.0), (-1e300, 3.0)])
@pytest.mark.parametrize("detail", [0, 3, 4])
def test_a_camera_off_the_map_still_shows_land(world, center, detail):
    world.picture.detail = detail
    try:
        picture = frame(world, Camera((160, 90), center=center, pixels_per_unit=9.0), (160, 90))
    finally:
        world.picture.detail = 0
    assert (picture > 0).mean() > 0.99


def test_random_views_never_fail(world):
    dice, picture = np.random.default_rng(5), world.picture
    for _ in range(25):
        size = tuple(int(v) for v in dice.integers(64, 300, 2))
        camera = Camera(size, center=dice.uniform(-60, 60, 2), pixels_per_unit=float(np.exp(dice.uniform(-1, 5))))
        picture.detail = int(dice.integers(0, 5))
        pixels = picture.frame(camera, size)
        assert pixels.shape == size[::-1]
        assert pixels.max() < 1 << 24
    picture.detail = 0


def test_an_empty_world_at_4k_is_drawn():
    world = World(seed=1, map=Map.define(name="bare", area={"width_u": 20, "height_u": 20}), populate=False)
    surface = pygame.Surface((3840, 2160), 0, 32)
    world.draw(surface, Camera((3840, 2160), pixels_per_unit=160.0))
    assert pygame.surfarray.pixels2d(surface)[::97, ::89].all()


def test_the_camera_rectangle_of_a_larger_surface_is_drawn_and_nothing_else(world):
    surface = pygame.Surface((200, 160), 0, 32)
    world.draw(surface, Camera(pygame.Rect(40, 30, 100, 80), pixels_per_unit=12.0))
    drawn = pygame.surfarray.array3d(surface).sum(axis=2) > 0
    assert drawn[40:140, 30:110].mean() > 0.99
    drawn[40:140, 30:110] = False
    assert not drawn.any()
    world.draw(surface, Camera(pygame.Rect(-50, -40, 100, 80), pixels_per_unit=12.0))  # partly outside: clipped


def test_panning_gives_the_same_picture_as_a_fresh_look(world):
    """Between two zoom steps only the new edge is resampled; the rest is moved."""
    size, scale = (200, 140), 16.0
    camera, picture = Camera(size, pixels_per_unit=scale), world.picture
    frame(world, camera, size)
    for step in [(1.3, 0.4), (-2.1, 0.9), (0.2, -3.7)]:
        camera.center += step
        panned = picture.frame(camera, size, still=True).copy()
        fresh = frame(small_twin(world), camera, size)
        np.testing.assert_array_equal(panned, fresh)


def small_twin(world):
    """The same world with a renderer that has seen nothing yet."""
    world.picture._renderer = None
    return world


def test_poses_between_two_ticks_lie_between_them():
    world = small_world()
    world.step(5)
    picture, head = world.picture, next(iter(world.creatures.values())).rows["segments"].start
    world.update(0.0)
    start = picture.scene().creatures[0].segment_position[head].copy()
    shown = []
    for _ in range(8):  # four drawn frames per tick of 1/30 s
        world.update(1 / 120)
        shown.append(picture.scene().creatures[0].segment_position[head].copy())
    ways = np.linalg.norm(np.diff(np.array([start, *shown]), axis=0), axis=1)
    ticks = [np.linalg.norm(shown[7] - shown[3])]
    assert (ways[4:] > 0.0).all()  # every frame shows a new pose
    np.testing.assert_allclose(ways[4:], ticks[0] / 4, rtol=0.2)


def test_turns_between_two_poses_take_the_short_way_and_stay_turns():
    before = np.array([[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])
    quarter = np.array([np.cos(np.pi / 4), 0.0, 0.0, np.sin(np.pi / 4)])
    mixed = between(before, np.array([quarter, -quarter]), 0.5, "segment_orientation")
    eighth = [np.cos(np.pi / 8), 0.0, 0.0, np.sin(np.pi / 8)]
    np.testing.assert_allclose(mixed, [eighth, eighth], atol=1e-12)


def test_walking_leaves_footprints_on_dry_land_only():
    world = World(seed=2, map=Map.define(name="flat", area={"width_u": 60, "height_u": 60}))
    world.spawn("stone_centipede")
    picture = world.picture
    for _ in range(30):
        world.step(4)
        picture.scene()
    assert len(picture.scene().footprints) > 10


def test_lights_and_images_ride_on_segments(world):
    from paludarium.systems.attachments import Light

    creature = next(iter(world.creatures.values()))
    camera, size = Camera((160, 120), center=creature.position[:2]), (160, 120)
    plain = pygame.Surface(size, 0, 32)
    frame(world, camera, size)  # all of the ground is there
    world.draw(plain, camera)
    image = pygame.Surface((12, 12), pygame.SRCALPHA)
    image.fill((255, 0, 255, 255))
    things = [creature.attach(image, segment=2), creature.attach(Light((1.0, 0.2, 0.2), radius=3.0), segment=1)]
    try:
        with_them = pygame.Surface(size, 0, 32)
        world.draw(with_them, camera)
        change = pygame.surfarray.array3d(with_them).astype(int) - pygame.surfarray.array3d(plain)
        x, y = camera.to_screen(things[0].pose.position[:2]).astype(int)
        np.testing.assert_array_equal(pygame.surfarray.array3d(with_them)[x, y], (255, 0, 255))
        x, y = camera.to_screen(things[1].pose.position[:2]).astype(int)
        assert change[x - 8 : x + 9, y - 8 : y + 9, 0].max() > 20
    finally:
        for thing in things:
            thing.remove()


@pytest.mark.parametrize("name", ["antennae", "water", "contacts", "support"])
def test_overlays_draw_for_one_and_for_all_and_only_read(world, name):
    creature, before = next(iter(world.creatures.values())), world.state_hash()
    draw = getattr(world_lines, f"draw_overlay_{name}")
    camera = Camera((320, 240), center=creature.position[:2], pixels_per_unit=8.0)
    if name == "water":
        world.water.grids[0].splash(creature.position[:2], 3.0, 0.5)
        world.step(3)
        before = world.state_hash()
    for arguments in [()] if name == "water" else [(), (creature,)]:
        surface = pygame.Surface((320, 240), 0, 32)
        draw(surface, camera, world, *arguments)
        assert pygame.surfarray.array3d(surface).any()
    assert world.state_hash() == before
    draw(pygame.Surface((64, 64), 0, 32), Camera((64, 64), center=(1e7, -1e7), pixels_per_unit=160.0), world)


def test_a_vision_fan_opens_ahead_of_the_head(world):
    creature = next(iter(world.creatures.values()))
    segments = creature.segments
    head, neck = segments.position[0, :2], segments.position[1, :2]
    ahead = (head - neck) / np.linalg.norm(head - neck)
    camera, surface = Camera((400, 400), center=head, pixels_per_unit=18.0), pygame.Surface((400, 400), 0, 32)
    world_lines.draw_overlay_vision(surface, camera, world, creature, angles=[(-0.3, 0.3)], ranges=[9.0])
    bright = np.argwhere(pygame.surfarray.array3d(surface)[..., 0] > 200)
    way = (camera.to_world(bright) - head) @ ahead
    assert way.max() > 8.0
    assert way.min() > -1.0


@pytest.mark.parametrize("light", ["dusk", "night"])
def test_food_glows_beyond_its_outline_after_sunset(light):
    world = small_world()
    world.map = replace(world.map, light=replace(world.map.light, time=light))
    camera, size = Camera((240, 180), center=(4.0, 4.0)), (240, 180)
    picture = world.picture
    lit = frame(world, camera, size)
    picture.detail = 2  # without bloom
    plain = frame(world, camera, size)
    green = ((lit >> 8) & 255).astype(int) - ((plain >> 8) & 255)
    assert green[80:100, 110:130].max() > 5
    assert green[60:120, 90:150].mean() > 0.1
