"""A thousand fishes in one picture: all of them are drawn, and nobody jumps where the policy changes their tiers."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import Camera, World
from paludarium.benchmarks.fish_scenes import sea_of
from paludarium.components.fish.nodes import NodePool
from paludarium.components.fish.springs import FishBodyPool
from paludarium.systems.tiers.policy import TierPolicy

SIZE, MANY = (1280, 720), 1000


@pytest.fixture(scope="module")
def sea() -> World:
    world = sea_of(MANY)
    world.step(200)  # they have found their speed
    return world


def camera_of(world: World) -> Camera:
    """All of the school in the picture."""
    places = np.array([creature.position[:2] for creature in world.creatures.values()])
    middle, wide = 0.5 * (places.min(axis=0) + places.max(axis=0)), np.ptp(places, axis=0) + 6.0
    return Camera(SIZE, center=tuple(middle.tolist()), pixels_per_unit=float(min(SIZE / wide)))


def colours(world: World, camera: Camera) -> np.ndarray:
    """(height, width, 3) of a picture."""
    pixels = world.picture.frame(camera, SIZE, still=True).astype(np.int64)
    return np.stack([pixels >> 16 & 255, pixels >> 8 & 255, pixels & 255], axis=2)


def test_no_one_jumps_when_the_camera_changes_the_tiers(sea):
    nodes, bodies = sea.pool(NodePool), sea.pool(FishBodyPool)
    rows = bodies.spans[:, 0]
    first = bodies.first_node[rows]
    camera, policy = camera_of(sea), TierPolicy()

    def moved(ticks: int) -> np.ndarray:
        """(n,) units that the farthest node of each has gone."""
        index = first[:, None] + np.arange(23)
        before = nodes.position[index].copy()
        sea.step(ticks)
        return np.linalg.norm(nodes.position[index] - before, axis=2).max(axis=1)

    usual = np.maximum.reduce([moved(2) for _ in range(4)])
    west, east = camera.center[0] - 30.0, camera.center[0] + 30.0
    for x in (west, east, west):  # the camera looks elsewhere: other fishes are near it
        bounds = (x - 20.0, camera.center[1] - 12.0, x + 20.0, camera.center[1] + 12.0)
        changes = policy.apply(sea, (x, camera.center[1]), bounds, [])
        jump = moved(2)
        after = np.maximum.reduce([moved(2) for _ in range(4)])
        more = (jump - np.maximum(usual, after)) * camera.pixels_per_unit
        assert len(changes) > 50
        assert np.percentile(more, 99) < 1.1  # pixels, of a picture with all of them; 1.02 since bodies press
        assert more.max() < 3.0
        usual = after


def test_a_thousand_are_in_view_and_drawn(sea):
    camera = camera_of(sea)
    places = camera.to_screen(np.array([creature.position[:2] for creature in sea.creatures.values()]))
    assert len(places) == MANY
    assert ((places >= 0.0) & (places < SIZE)).all()
    full = colours(sea, camera)
    for creature in list(sea.creatures.values()):
        creature.despawn()
    changed = np.abs(full - colours(sea, camera)).sum(axis=2) > 20
    columns, rows = (np.clip(places[:, axis].astype(int), 3, SIZE[axis] - 4) for axis in (0, 1))
    seen = [changed[y - 3 : y + 4, x - 3 : x + 4].any() for x, y in zip(columns, rows, strict=True)]
    assert np.mean(seen) > 0.97
    assert changed.mean() < 0.1  # the water between them is as it was
