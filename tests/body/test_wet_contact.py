"""Contact in water: a swimmer is pressed to walls by its muscles, so walls are harder there, as far as substeps follow."""

import numpy as np
import pytest

from paludarium.systems.myriapod.body.full_tier_kernel import HARDEST_CONTACT, WET_HARDNESS
from paludarium.tests.body.bodies import CONTACT, TICK, advance
from paludarium.tests.body.boxes import DEEP, box

HALF = 0.5
FORCE = 40.0
CORNERS = 4  # of the face that lies on a wall


def pressed(substeps, level):
    """A unit box pushed against a wall that it touches, until it rests: how deep it is in the wall."""
    columns = box((HALF, HALF, HALF), substeps=substeps)
    columns.water_level[0] = level
    columns.ground_point[0], columns.ground_normal[0] = (HALF, 0.0, 0.0), (-1.0, 0.0, 0.0)
    for _ in range(180):
        columns.push[0] = 0.0
        columns.push[0, 0] = FORCE
        advance(columns)
    assert np.abs(columns.velocity).max() < 1e-6
    return float(columns.position[0, 0])


@pytest.mark.parametrize("substeps", [10, 50])
def test_a_wall_under_water_gives_way_a_quarter_as_much(substeps):
    """At rest the push is m k depth at each corner of the face."""
    dry, wet = pressed(substeps, -DEEP), pressed(substeps, DEEP)
    assert dry == pytest.approx(FORCE / (CORNERS * CONTACT[0]), rel=1e-4)
    assert wet == pytest.approx(dry / WET_HARDNESS, rel=1e-4)


def test_coarse_steps_get_no_harder_wall_than_they_can_follow():
    """Five substeps: k dt^2 is at its limit and the box still comes to rest."""
    limit = HARDEST_CONTACT * (5 / TICK) ** 2
    assert CONTACT[0] < limit < WET_HARDNESS * CONTACT[0]
    assert pressed(5, DEEP) == pytest.approx(FORCE / (CORNERS * limit), rel=1e-4)


def test_steps_coarser_than_the_grounds_own_contact_are_left_as_they_were():
    assert HARDEST_CONTACT * (3 / TICK) ** 2 < CONTACT[0]
    assert pressed(3, DEEP) == pytest.approx(pressed(3, -DEEP), rel=1e-4)
