"""Leg geometry against plane trigonometry written out independently."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium.components.leg_states import Reach
from paludarium.systems.legs.leg_kinematics_kernel import leg_points, leg_tip, stance_reach
from paludarium.tests.gait.leg_solving import solve_leg

LINKS = np.array([1.0, 0.75, 0.5, np.radians(20.0)])
HIP = np.array([0.1, 0.5, -0.2])


def points_of(theta, alpha, beta, side=1.0, hip=HIP, links=LINKS):
    points = np.zeros((4, 3))
    leg_points(hip, links, side, theta, alpha, beta, points)
    return points


def test_leg_points_are_spaced_by_the_link_lengths_and_lie_in_one_vertical_plane():
    points = points_of(0.4, 0.7, 1.1)
    links = np.diff(points, axis=0)
    np.testing.assert_allclose(np.linalg.norm(links, axis=1), LINKS[:3], atol=1e-14)
    across = np.array([np.cos(0.4), -np.sin(0.4), 0.0])  # normal of the leg plane on the left side
    np.testing.assert_allclose(links @ across, 0.0, atol=1e-14)


def test_bends_between_links_are_beta_and_gamma_downward():
    links = np.diff(points_of(0.0, 0.7, 1.1), axis=0)
    slopes = np.arctan2(links[:, 2], links[:, 1])
    np.testing.assert_allclose(slopes, [0.7, 0.7 - 1.1, 0.7 - 1.1 - LINKS[3]], atol=1e-14)


def test_last_leg_point_is_the_tip():
    np.testing.assert_allclose(points_of(0.4, 0.7, 1.1)[3], leg_tip(HIP, LINKS, 1.0, 0.4, 0.7, 1.1), atol=1e-14)


def test_positive_theta_points_forward_on_both_sides():
    assert leg_tip(HIP, LINKS, 1.0, 0.3, 0.2, 0.5)[0] > HIP[0]
    assert leg_tip(HIP, LINKS, -1.0, 0.3, 0.2, 0.5)[0] > HIP[0]


def test_right_leg_is_the_mirror_image_of_the_left_one():
    mirrored = HIP * [1.0, -1.0, 1.0]
    np.testing.assert_allclose(points_of(0.3, 0.6, 0.9, -1.0, mirrored), points_of(0.3, 0.6, 0.9) * [1, -1, 1])


def test_mirrored_tips_have_equal_angles():
    mirrored = HIP * [1.0, -1.0, 1.0]
    assert solve_leg(HIP, LINKS, 1.0, 0.6, 1.9, -1.0) == solve_leg(mirrored, LINKS, -1.0, 0.6, -1.9, -1.0)


def test_scaled_leg_reaches_the_scaled_tip_with_equal_angles():
    scaled = LINKS * [0.3, 0.3, 0.3, 1.0]
    small = solve_leg(0.3 * HIP, scaled, 1.0, 0.18, 0.57, -0.3)
    np.testing.assert_allclose(small, solve_leg(HIP, LINKS, 1.0, 0.6, 1.9, -1.0), atol=1e-12)


def test_straight_leg_is_accepted_although_beta_is_zero():
    links = np.array([1.0, 0.75, 0.5, 0.0])
    tip = np.array(leg_tip(HIP, links, 1.0, 0.2, -0.5, 0.0))
    reach, theta, alpha, beta = solve_leg(HIP, links, 1.0, *(HIP + 0.9999999 * (tip - HIP)))
    assert reach == Reach.SOLVED
    np.testing.assert_allclose([theta, alpha, beta], [0.2, -0.5, 0.0], atol=2e-3)


def test_nearly_straight_leg_with_a_fixed_ankle_is_refused_as_concave():
    chord = np.hypot(0.75 + 0.5 * np.cos(LINKS[3]), 0.5 * np.sin(LINKS[3]))
    assert solve_leg(HIP, LINKS, 1.0, HIP[0], HIP[1] + 0.9999 * (1.0 + chord), HIP[2])[0] == Reach.CONCAVE


@pytest.mark.parametrize(("distance", "expected"), [(2.5, Reach.TOO_FAR), (0.1, Reach.TOO_NEAR)])
def test_unreachable_tip_fails_and_still_gives_a_drawable_pose(distance, expected):
    reach, theta, alpha, beta = solve_leg(HIP, LINKS, 1.0, HIP[0], HIP[1] + distance, HIP[2])
    assert reach == expected
    assert np.isfinite([theta, alpha, beta]).all()


def test_leg_toward_a_tip_too_far_away_points_straight_at_it():
    tip = np.array([2.0, 4.0, -3.0])
    _, theta, alpha, beta = solve_leg(HIP, LINKS, 1.0, *tip)
    reached = np.array(leg_tip(HIP, LINKS, 1.0, theta, alpha, beta)) - HIP
    np.testing.assert_allclose(np.cross(reached, tip - HIP), 0.0, atol=1e-12)


def test_tip_on_the_hip_fails_without_a_division_by_zero():
    result = solve_leg(HIP, LINKS, 1.0, *HIP)
    assert result[0] == Reach.TOO_NEAR
    assert np.isfinite(result).all()


@pytest.mark.parametrize(
    ("theta", "gated", "expected"),
    [
        (0.5, True, Reach.SOLVED),
        (0.8, True, Reach.SWUNG_OUT),
        (-0.8, True, Reach.SWUNG_OUT),
        (0.8, False, Reach.SOLVED),
    ],
)
def test_theta_gate_fails_outside_its_range_only_when_it_is_on(theta, gated, expected):
    assert stance_reach(Reach.SOLVED.value, theta, -0.6, 0.7, gated) == expected


def test_theta_gate_does_not_hide_an_earlier_failure():
    assert stance_reach(Reach.TOO_FAR.value, 0.8, -0.6, 0.7, True) == Reach.TOO_FAR
