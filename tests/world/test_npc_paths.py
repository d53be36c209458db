"""Paths: from point to point, on flat and on hilly ground."""

from __future__ import annotations

import numpy as np

from paludarium import Map, World
from paludarium.components.paths import PathPool

FIELD = Map.define(name="field", area={"width_u": 300, "height_u": 300})
HILLS = Map.define(name="hills", area={"width_u": 200, "height_u": 200},
                   terrain={"kind": "noise", "amplitude": 4.0, "scale": 8.0})  # fmt: skip
POINTS = [(12.0, 0.0), (20.0, 9.0), (12.0, 18.0)]


def visits(world, creature, points, ticks) -> list[int]:
    """The numbers of the points it came near to, in the order in which it did."""
    order: list[int] = []
    for _ in range(ticks):
        world.step()
        order += [k for k, point in enumerate(points) if creature.distance_to(point) < 1.0 and order[-1:] != [k]]
    return order


def test_a_pauropod_goes_from_point_to_point_and_stops_at_the_last():
    world = World(seed=3, map=FIELD)
    pauropod = world.spawn("pauropod", at=(0, 0), heading=0.0)
    pauropod.follow_path(POINTS)
    assert visits(world, pauropod, POINTS, 1300) == [0, 1, 2]
    assert pauropod.brain.goal_done
    assert pauropod.brain.speed == 0.0
    before = pauropod.position.copy()
    world.step(120)
    assert np.allclose(pauropod.position, before, atol=0.01)
    assert pauropod.distance_to(POINTS[2]) < 1.0


def test_with_loop_it_begins_again_until_it_is_released():
    world = World(seed=3, map=FIELD)
    pauropod = world.spawn("pauropod", at=(0, 0), heading=0.0, tier="follow")
    pauropod.follow_path(POINTS, loop=True)
    assert visits(world, pauropod, POINTS, 2800) == [0, 1, 2, 0, 1, 2]
    assert not pauropod.brain.goal_done
    pauropod.release()
    world.step(2)
    assert not len(world.pool(PathPool).spans)


def test_hills_do_not_stop_it_short_of_a_point():
    """Its brain measures along its own ground, the path in plan view: the shorter of the two counts."""
    world = World(seed=3, map=HILLS)
    walkers = [world.spawn("pauropod", at=(15 * k - 40, 0), heading=0.0, tier="follow") for k in range(6)]
    for walker in walkers:
        x, y, _ = walker.position
        walker.follow_path([(x + 10, y), (x + 10, y + 10), (x, y + 10), (x, y)], loop=True)
    world.step(2400)
    before = np.array([walker.position[:2] for walker in walkers])
    world.step(300)
    moved = np.hypot(*(np.array([walker.position[:2] for walker in walkers]) - before).T)
    assert (moved > 1.0).all()
