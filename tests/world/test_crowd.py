"""Twenty bodies of 35 units in a pen of 60 x 60: nobody is inside anybody, and everybody gets on."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium.engine.pool import Rows
from paludarium.examples import crowd


def measured(seed: int, seconds: float) -> dict[str, float]:
    world = crowd.build_world(seed=seed)
    figures = crowd.measure(world, seconds)
    for pool in world.pools.values():
        assert pool.first_bad_column(Rows(0, pool.end, 0)) is None
    return figures


def test_a_crowd_does_not_sink_into_itself():
    """The short form: the walking study's simple rule had deep overlaps 92 % of the time; the issue asks for under 1 %."""
    figures = measured(seed=2, seconds=20.0)
    assert figures["deep_share"] < 0.01
    assert figures["longest_stuck_s"] < 20.0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_crowd_does_not_sink_into_itself_for_five_minutes(seed):
    figures = measured(seed, seconds=300.0)
    assert figures["deep_share"] < 0.01
    assert figures["longest_stuck_s"] < 20.0


def test_the_younger_climbs_over_the_older_who_does_not_notice():
    from paludarium import World

    world = World(seed=3)
    older = world.spawn("stone_centipede", at=(10, 0), heading=0.0)
    younger = world.spawn("stone_centipede", at=(-8, -6), heading=np.pi / 2)
    older.control(0.0)
    younger.control(2.0)
    highest = 0.0
    for _ in range(60):
        world.step(12)
        assert crowd.deepest_overlap(world) < crowd.DEEP_SHARE
        highest = max(highest, float(younger.segments.position[:, 2].max()))
        assert older.segments.position[:, 2].max() < 1.1
    assert highest > 2.0
    assert younger.position[1] > 15.0
