"""Seaweed and eyes: what stands behind weed is seen from less far, what is deep in it hardly at all."""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np
import pytest

from paludarium import World
from paludarium.engine.spatial_hash import hash_boxes
from paludarium.systems.fish.senses.sight import Sight
from paludarium.systems.fish.senses.weed_view_kernel import light_through_weed, way_in_box
from paludarium.tests.reproduction.fishes.ponds import LENGTH, at, hunter, pool, prey

BOX = np.array([1.0, -1.0, 0.0, 3.0, 1.0, 4.0])
LOOK = 20
"""Ticks in which every fish has looked around with a new list."""


@pytest.mark.parametrize(("eye", "point", "share"), [
    ((0, 0, 2), (4, 0, 2), 0.5), ((4, 0, 2), (0, 0, 2), 0.5), ((2, 0, 2), (6, 0, 2), 0.25), ((1.5, 0, 2), (2.5, 0, 2), 1.0),
    ((0, 2, 2), (4, 2, 2), 0.0), ((0, 0, 5), (4, 0, 5), 0.0), ((0, 0, 2), (0.9, 0, 2), 0.0), ((2, 0, 2), (2, 0, 6), 0.5),
    ((2, -2, 2), (2, 2, 2), 0.5), ((0, 0, 0), (4, 0, 8), 0.25),
])  # fmt: skip
def test_the_way_through_a_box(eye, point, share):
    assert way_in_box(tuple(map(float, eye)), tuple(map(float, point)), BOX) == pytest.approx(share, abs=1e-12)


def scene_of(thickets: Any) -> Any:
    """The scene of an empty tick with these thickets in it."""
    world = World(seed=1, map=pool())
    world.spawn(prey(world), at=at(0, 0, 4))
    world.step(4)
    scene = world.resource(Sight).scene
    assert scene is not None
    thickets = np.asarray(thickets, float).reshape(-1, 7)
    return scene._replace(thickets=thickets, thicket_hash=hash_boxes(thickets[:, [0, 1, 3, 4]], 8.0))


def test_light_is_lost_by_the_way_in_all_weed_together():
    scene = scene_of([[*BOX, 0.3], [10.0, -5.0, 0.0, 14.0, 5.0, 4.0, 0.1], [0.0, 20.0, 0.0, 9.0, 29.0, 4.0, 5.0]])
    assert light_through_weed((0.0, 0.0, 2.0), (20.0, 0.0, 2.0), scene) == pytest.approx(exp(-0.3 * 2 - 0.1 * 4), rel=1e-12)
    assert light_through_weed((20.0, 0.0, 2.0), (0.0, 0.0, 2.0), scene) == pytest.approx(exp(-0.3 * 2 - 0.1 * 4), rel=1e-12)
    assert light_through_weed((0.0, 0.0, 2.0), (2.0, 0.0, 2.0), scene) == pytest.approx(exp(-0.3), rel=1e-12)
    assert light_through_weed((0.0, 0.0, 9.0), (20.0, 0.0, 9.0), scene) == 1.0
    assert light_through_weed((0.0, 0.0, 2.0), (20.0, 0.0, 2.0), scene_of(np.zeros((0, 7)))) == 1.0


def sees(distance: float, weed: int, *, threat: bool = False) -> bool:
    """Whether a minnow sees another, or its hunter, that far ahead with so many leaves half way."""
    world = World(seed=1, map=pool(width=60, breadth=40))
    if weed:
        world.add_seaweed((0, 0), clusters=5, leaves=weed, height=6 * LENGTH, spread=1.5 * LENGTH)
    kind = prey(world, schooling=False)
    one = world.spawn(kind, at=at(-distance / 2, 0, 2))
    other = world.spawn(hunter(world) if threat else kind, at=at(distance / 2, 0, 2), heading=3.1)
    world.step(LOOK)
    return other.row in (one.eyes.pool.threats[one.row] if threat else one.eyes.neighbours).tolist()


@pytest.mark.parametrize("threat", [False, True])
def test_dense_weed_hides_and_thin_weed_hardly(threat):
    assert sees(10.0, 0, threat=threat)
    assert sees(10.0, 1, threat=threat)
    assert not sees(10.0, 60, threat=threat)


def test_the_farthest_that_is_seen_shrinks_with_the_weed():
    farthest = [max((d for d in (3.0, 5.0, 7.0, 9.0, 11.0, 13.0) if sees(d, leaves)), default=0.0) for leaves in (0, 12, 60)]
    assert farthest[0] > farthest[1] > farthest[2]
