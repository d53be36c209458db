"""Gaits of the larger species: clean tripods of the runner, one leg at a time of the slow one, strides of one's own."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.components.insect.tripods import LEFT_TRIPOD, RIGHT_TRIPOD, TripodPool
from paludarium.components.insect.trunk import TrunkPool
from paludarium.engine.maps import Map

SET_OUT, WATCHED = 300, 420
"""Ticks until all walk steadily, and ticks that are looked at."""


def walking(species, speed, seed, count=4):
    """Mean speed, (ticks, animals, 6) of feet that stand, and the lengths of strides by animal."""
    world = World(seed=seed, map=Map.define(name="long", area={"width_u": 900, "height_u": 130}, terrain={"kind": "flat"}))
    animals = [world.spawn(species, at=(-400.0, 16.0 * k - 24.0)) for k in range(count)]
    for animal in animals:
        animal.control(speed)
    rows = np.array([animal.row for animal in animals])
    tripods, trunks = world.pool(TripodPool), world.pool(TrunkPool)
    world.step(SET_OUT)
    begun, seen = trunks.position[rows, 0].copy(), []
    for _ in range(WATCHED):
        world.step(1)
        seen.append(tripods.stands[rows].copy())
    stands, way = np.array(seen), trunks.position[rows, 0] - begun
    lifts = (np.diff(stands.astype(int), axis=0) == -1).sum(axis=(0, 2)) / 6.0
    return way / WATCHED * 60.0, stands, way / lifts


@pytest.mark.parametrize("seed", [5, 6])
def test_a_cockroach_runs_in_clean_tripods(seed):
    """At the speed that its file says: 120 mm/s, 18 u/s. Both tripods may be down at once, but no other set of feet."""
    speed, stands, _ = walking("cockroach", 18.0, seed)
    np.testing.assert_allclose(speed, 18.0, rtol=0.02)
    left, right = stands[:, :, LEFT_TRIPOD].sum(axis=2), stands[:, :, RIGHT_TRIPOD].sum(axis=2)
    assert ((left == 3) | (right == 3)).mean() > 0.97
    assert ((left + right) == 3).mean() > 0.8
    assert stands.mean() < 0.58


@pytest.mark.parametrize("speed", [0.6, 1.2])
def test_a_stick_insect_lifts_one_leg_after_the_other(speed):
    """Never two at once; and the order is a wave: on each side the hind leg before the middle one before the front one."""
    _, stands, _ = walking("stick_insect", speed, 7)
    assert (stands == 0).sum(axis=2).max() == 1
    assert (stands == 0).any(axis=2).mean() > 0.6  # one of them is up most of the time
    lifted = np.diff(stands.astype(int), axis=0) == -1
    after = {4: 2, 2: 0, 0: 4, 5: 3, 3: 1, 1: 5}
    for animal in range(stands.shape[1]):
        ticks, legs = np.nonzero(lifted[:, animal])
        for side in (0, 1):
            order = legs[legs % 2 == side]
            assert all(after[one] == other for one, other in zip(order[:-1].tolist(), order[1:].tolist(), strict=True))
        assert len(ticks) > 12


def test_strides_of_individuals_differ():
    """Ants of one species at one speed: by some hundredths, each keeping its own."""
    _, _, strides = walking("worker_ant", 2.25, 8, count=6)
    spread = strides.std() / strides.mean()
    assert 0.015 < spread < 0.12
