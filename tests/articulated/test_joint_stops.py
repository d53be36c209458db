"""A joint that is pushed beyond its limit is stopped, in a window and without a grid."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.tests.articulated.test_swimmers_in_the_world import DEEP

PUSH, LIMIT = 400.0, np.radians(45.0)


@pytest.mark.parametrize("tier", ["full", "bush"])
def test_no_push_bends_a_joint_far_beyond_its_limit(tier):
    world = World(seed=3, map=DEEP)
    eel = world.spawn("eel", at=(0, 0), tier=tier)
    worst = 0.0
    for tick in range(60):
        if tick < 20:
            eel.push((0.0, PUSH, 0.0), segment=4)
            eel.push((0.0, -PUSH, 0.0), segment=2)
        world.step()
        worst = max(worst, float(np.abs(eel.links.angle).max()))
    assert worst > LIMIT  # the pushes are strong enough to ask the stops
    assert worst < LIMIT + 0.3
