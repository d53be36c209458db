"""C70: the camera of the source follows a body and not its sway."""

from __future__ import annotations

import math

import numpy as np
import pytest

from paludarium.tests.reproduction.myriapoda.chase_camera import DISTANCE, STIFFNESS, TURN_ABOVE, TURN_RATE, ChaseCamera

DT = 1.0 / 60.0
SPEED = 4.0  # u/s, a brisk walk


def chase(headings, speed=SPEED):
    """Follow a body whose head swings about its straight course; headings and distances of the camera, tick by tick."""
    camera, place = ChaseCamera((0.0, 0.0, 1.0), 0.0), np.array([0.0, 0.0, 1.0])
    seen = []
    for heading in headings:
        place = place + speed * DT * np.array([1.0, 0.0, 0.0])
        camera.update(place, heading, DT)
        seen.append((camera.heading, float(np.linalg.norm(place - camera.position))))
    return np.array(seen)


def test_c70_a_swaying_head_does_not_turn_the_camera_and_the_distance_holds(record_property):
    """Digest: head oscillation of 15 degrees at 2 Hz below the threshold: no variance of the camera's heading; distance of a
    target at constant speed within 10 % of d."""
    times = DT * np.arange(600)
    seen = chase(math.radians(15.0) * np.sin(2.0 * math.pi * 2.0 * times))
    record_property("variance of the camera's heading", float(seen[:, 0].var()))
    record_property("distance over d, steady", float(seen[-60:, 1].mean() / DISTANCE))
    assert seen[:, 0].var() == 0.0
    np.testing.assert_allclose(seen[-60:, 1], DISTANCE, rtol=0.1)
    lag = SPEED / STIFFNESS - SPEED * DT  # of the spring, after it has moved in a tick
    np.testing.assert_allclose(seen[-60:, 1], DISTANCE + lag, rtol=1e-6)


def test_c70_a_body_that_turns_is_followed_until_the_camera_looks_along_it(record_property):
    """Digest: beyond the threshold it turns at 90 degrees/s until it is within 2 degrees."""
    turned = TURN_ABOVE + math.radians(25.0)
    seen = chase(np.full(240, turned), speed=0.0)
    assert np.diff(seen[:, 0]).max() == pytest.approx(TURN_RATE * DT)
    record_property("angle that is left [deg]", math.degrees(abs(seen[-1, 0] - turned)))
    assert abs(seen[-1, 0] - turned) <= math.radians(2.0)
    still = chase(np.full(240, TURN_ABOVE - 0.01), speed=0.0)
    assert (still[:, 0] == 0.0).all()


def test_c70_headings_beyond_half_a_turn_are_taken_the_short_way(record_property):
    """From 160 degrees to -160: over 180 and not over 0."""
    camera = ChaseCamera((0.0, 0.0, 0.0), 2.8)
    for _ in range(240):
        camera.update((0.0, 0.0, 0.0), -2.8, DT)
    assert math.remainder(camera.heading + 2.8, 2.0 * math.pi) == pytest.approx(0.0, abs=math.radians(2.0))
    record_property("end of the turn [deg]", math.degrees(camera.heading))
    assert camera.heading > 2.8
