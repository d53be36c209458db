"""Newborn chains that lie on a winding way."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import Map, World
from paludarium.components.myriapod.construction.placement import SHARPEST_TURN

FLAT = Map.define(name="flat", area={"width_u": 400, "height_u": 400})


def directions(creature) -> np.ndarray:
    """Heading of each segment in plan, in radians."""
    w, x, y, z = creature.segments.orientation.T
    return np.unwrap(np.arctan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z)))


def test_a_newborn_millipede_lies_in_s_curves_on_its_hinges():
    world = World(seed=5, map=FLAT)
    creature = world.spawn("millipede", heading=0.4)
    heading, place = directions(creature), creature.segments.position
    assert heading[0] == pytest.approx(0.4, abs=1e-9)  # the head looks where it was told to
    assert np.ptp(heading) == pytest.approx(2.0 * np.radians(55.0), rel=0.02)  # from one side to the other
    assert np.abs(np.diff(heading)).max() < SHARPEST_TURN
    swings = np.count_nonzero(np.diff(np.sign(np.diff(heading))))
    assert swings in (3, 4)  # extremes of a wave of 62 units along 114
    half = 1.0  # of a pitch of two units
    ahead = np.stack([np.cos(heading), np.sin(heading), 0.0 * heading], axis=1)
    front, rear = place + half * ahead, place - half * ahead
    np.testing.assert_allclose(rear[:-1], front[1:], atol=1e-9)


def test_waves_differ_from_one_to_the_next_and_are_those_of_the_seed():
    def shapes(seed):
        world = World(seed=seed, map=FLAT)
        return [directions(world.spawn("millipede", at=(0, y))) for y in (-80, 80)]

    first, second = shapes(1)
    assert np.abs(first - second).max() > 0.1
    np.testing.assert_array_equal(first, shapes(1)[0])


def test_others_are_born_straight():
    world = World(seed=1, map=FLAT)
    assert np.ptp(directions(world.spawn("giant_centipede", heading=0.3))) < 1e-12


def test_a_winding_millipede_walks_on_and_keeps_its_links():
    world = World(seed=2, map=FLAT)
    creature = world.spawn("millipede", heading=0.0)
    start = creature.position.copy()
    world.step(900)
    links = np.linalg.norm(np.diff(creature.segments.position, axis=0), axis=1)
    assert np.linalg.norm(creature.position - start) > 10.0
    assert np.abs(links / 2.0 - 1.0).max() < 0.1
