"""Turning of whole bodies: the yaw rate that is asked for is the one that is swum, at every speed and to both sides."""

from functools import cache

import numpy as np
import pytest

from paludarium.components.myriapod.muscles import MuscleSpec
from paludarium.lab.myriapod.swim_tank import TICK, Swimmers

SECONDS, LAST = 16.0, 8.0
WANTED = [(0.0, 0.3), (1.0, 0.3), (2.0, 0.3), (4.0, 0.3), (6.0, 0.3), (-3.0, 0.3), (2.0, -0.3), (4.0, 0.0)]
LENGTH = 23.0  # of the straight body


@cache
def turning(controller, steering="bend"):
    """Yaw rate and speed of the middle of each swimmer over the last seconds, by its command."""
    swimmers = Swimmers(len(WANTED), muscles=MuscleSpec(controller=controller, steering=steering, fastest_turn=0.6))
    swimmers.pools.heads.speed[:], swimmers.pools.heads.yaw_rate[:] = np.transpose(WANTED)
    track = swimmers.run(SECONDS)
    links = track.segments[:, :, :-1, :2] - track.segments[:, :, 1:, :2]
    heading = np.unwrap(np.arctan2(links[..., 1], links[..., 0]), axis=0).mean(axis=2)
    ticks, second = round(LAST / TICK), round(1.0 / TICK)
    yaw = (heading[-1] - heading[-1 - ticks]) / LAST
    way = track.centers[-ticks:-second:second, :, :2] - track.centers[-ticks + second :: second, :, :2]
    speed = np.hypot(way[..., 0], way[..., 1]).mean(axis=0)
    return {command: (yaw[k], speed[k]) for k, command in enumerate(WANTED)}


@pytest.mark.parametrize("controller", ["wave", "oscillators"])
@pytest.mark.parametrize("speed", [0.0, 1.0, 2.0, 4.0, 6.0, -3.0])
def test_swimmer_turns_as_fast_as_it_is_told(controller, speed, record_property):
    yaw, swum = turning(controller)[speed, 0.3]
    record_property("yaw rate [rad/s]", round(float(yaw), 3))
    record_property("speed [u/s]", round(float(swum), 2))
    assert yaw == pytest.approx(0.3, rel=0.2)
    assert swum < max(1.2 * abs(speed), 1.6)  # at no speed the middle goes round the middle of its own bend
    assert swum / yaw < LENGTH


@pytest.mark.parametrize("controller", ["wave", "oscillators"])
def test_turning_swimmer_keeps_its_speed(controller):
    for speed in (2.0, 4.0, 6.0):
        assert turning(controller)[speed, 0.3][1] == pytest.approx(speed, rel=0.2)


@pytest.mark.parametrize("controller", ["wave", "oscillators"])
def test_turns_to_both_sides_are_alike_and_no_turn_is_none(controller):
    left, right = turning(controller)[2.0, 0.3], turning(controller)[2.0, -0.3]
    assert right[0] == pytest.approx(-left[0], rel=0.06)  # the same wave, half a beat apart
    assert right[1] == pytest.approx(left[1], rel=0.03)
    assert abs(turning(controller)[4.0, 0.0][0]) < 0.01


def test_weaker_side_alone_hardly_turns_a_slow_swimmer():
    """Why there is a mean bend: the source's rule takes thrust from the side that it weakens."""
    found = turning("wave", "weaker_side")
    assert abs(found[0.0, 0.3][0]) < 0.01
    assert 0.02 < found[2.0, 0.3][0] < 0.15
    assert found[2.0, 0.3][1] < 1.3
