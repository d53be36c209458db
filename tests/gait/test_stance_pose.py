"""Leg poses after physics: feet shown where they stand, whatever the body did in between."""

from __future__ import annotations

import numpy as np

from paludarium.components.leg_states import LegState
from paludarium.systems.legs.leg_kinematics_kernel import leg_tip
from paludarium.tests.gait.kinematic_walker import KinematicWalker, multiply


def rotate(quaternion, vector):
    """The vector turned by q v q*."""
    pure = np.concatenate([[0.0], vector])[None]
    inverse = quaternion * [1.0, -1.0, -1.0, -1.0]
    return multiply(multiply(quaternion[None], pure), inverse[None])[0, 1:]


def shaken_walker():
    """A walking body whose segments were moved and turned a little, as dynamics would."""
    walker = KinematicWalker(8, seed=3)
    walker.walk(2.0)
    rng = np.random.default_rng(5)
    walker.position += rng.normal(0.0, 0.03, walker.position.shape)
    walker.orientation += rng.normal(0.0, 0.02, walker.orientation.shape)
    walker.orientation /= np.linalg.norm(walker.orientation, axis=1)[:, None]
    return walker


def shown_tip(walker, leg):
    row = walker.segment_row[leg]
    local = leg_tip(walker.hip[leg], walker.links[leg], walker.side[leg], *walker.angles[leg])
    return walker.position[row] + rotate(walker.orientation[row], np.array(local))


def test_shown_tips_of_standing_legs_stay_where_they_were_stored():
    walker = shaken_walker()
    stored = walker.tip.copy()
    walker.pose()
    standing = np.flatnonzero(walker.state == LegState.STANCE)
    assert standing.size > 5
    np.testing.assert_array_equal(walker.tip[standing], stored[standing])
    for leg in standing:
        np.testing.assert_allclose(shown_tip(walker, leg), stored[leg], atol=1e-12)


def test_tips_of_free_legs_follow_the_body_with_unchanged_angles():
    walker = shaken_walker()
    angles = walker.angles.copy()
    walker.pose()
    free = np.flatnonzero(walker.state != LegState.STANCE)
    assert free.size > 0
    np.testing.assert_array_equal(walker.angles[free], angles[free])
    for leg in free:
        np.testing.assert_allclose(shown_tip(walker, leg), walker.tip[leg], atol=1e-12)
