"""Heads keep away from their own bodies: nobody goes round in a ring."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import Map, World
from paludarium.components.body import BodyPool
from paludarium.components.segments import SegmentPool
from paludarium.systems.brain.steering_kernel import MOST_WOUND, away_from_itself, winding

OWN_GAP = 6  # segments behind the head that are its neck
NEAR_WIDTHS = 2.0
RING_SECONDS = 3.0
LOOK_TICKS = 12


def longest_beside_itself(world: World, seconds: float) -> dict[int, float]:
    """The longest time in seconds that the head of each animal is within two widths of its own body."""
    since = dict.fromkeys(world.creatures, 0.0)
    longest = dict(since)
    segments = world.pool(SegmentPool)
    for _ in range(int(seconds * world.tick_rate) // LOOK_TICKS):
        world.step(LOOK_TICKS)
        for serial, creature in world.creatures.items():
            rows = creature.rows["segments"].slice
            place, width = segments.position[rows], 2.0 * segments.half_extents[rows, 1].max()
            gap = np.linalg.norm(place[OWN_GAP:] - place[0], axis=1).min()
            since[serial] = since[serial] + LOOK_TICKS / world.tick_rate if gap < NEAR_WIDTHS * width else 0.0
            longest[serial] = max(longest[serial], since[serial])
    return longest


def test_nobody_who_wanders_follows_its_own_tail():
    """Ten of these twenty did, for up to 13 s, when turns to one side could follow each other without end."""
    world = World(seed=4, map=Map.define(name="plain", area={"width_u": 900, "height_u": 900}), precision="float32")
    for place in range(20):
        world.spawn("giant_centipede", at=(200.0 * (place % 4) - 300.0, 180.0 * (place // 4) - 360.0), tier="follow")
    assert max(longest_beside_itself(world, 90.0).values()) < RING_SECONDS


def test_winding_is_the_turn_from_tail_to_head():
    """A body on a circle of radius R with pitch p is bent by 2 asin(p / 2R) at each joint, whatever plane it lies in."""
    world = World(seed=1)
    creature = world.spawn("giant_centipede")
    bodies, segments = world.pool(BodyPool), world.pool(SegmentPool)
    rows = creature.rows["segments"].slice
    bend = 0.15
    for k, row in enumerate(range(rows.start, rows.stop)):
        half = -0.5 * bend * k
        segments.orientation[row] = (np.cos(half), 0.0, 0.0, np.sin(half))
    joints = rows.stop - rows.start - 1
    assert winding(creature.row, bodies, segments) == pytest.approx(joints * np.sin(bend), rel=1e-6)


def test_a_turn_that_would_wind_it_up_goes_to_the_other_side():
    assert away_from_itself(1.0, 3.0) == -1.0
    assert away_from_itself(-1.0, -3.0) == 1.0
    assert away_from_itself(-1.0, 3.0) == -1.0
    assert away_from_itself(1.0, MOST_WOUND - 1.1) == 1.0
