"""The pilot: speeds, turns, climbs and balance in closed loop, and places in the water that it is sent to."""

import numpy as np
import pytest

from paludarium.components.fish.motor import Controller
from paludarium.tests.fish.open_water import Fishes, sea

NEAR = 0.15
"""Lengths within which a target counts as reached. [fish 0]"""


def test_speeds_are_those_that_are_wished():
    wished = np.array([0.3, 0.5, 0.75, 1.0, 1.25, 1.5])
    fishes = Fishes(sea(), len(wished))
    fishes.want((1.0, 0.0, 0.0), wished)
    fishes.run(6.0)
    start = fishes.centre
    fishes.run(3.0)
    way = (fishes.centre - start) / fishes.length[:, None] / 3.0
    np.testing.assert_allclose(np.linalg.norm(way, axis=1), wished, rtol=0.15)
    np.testing.assert_allclose(np.linalg.norm(way, axis=1)[2:], wished[2:], rtol=0.06)
    assert np.abs(way[:, 2]).max() < 0.01  # no sinking
    assert np.abs(np.degrees(fishes.heading)).max() < 3.0


def test_from_rest_it_is_at_speed_in_two_seconds():
    fishes = Fishes(sea())
    fishes.want((1.0, 0.0, 0.0), 0.75)
    fishes.run(2.0)
    assert fishes.speed[0] > 0.65


def test_a_wish_for_no_speed_is_stillness():
    """Answering the swing of its own head, a fish would scull along."""
    fishes = Fishes(sea())
    fishes.want((1.0, 0.0, 0.0), 0.75)
    fishes.run(2.0)
    fishes.want((1.0, 0.0, 0.0), 0.0)
    fishes.run(3.0)
    before = fishes.speed[0]
    fishes.run(5.0)
    assert fishes.speed[0] < 0.7 * before
    assert fishes.motors.controller[fishes.rows[0]] == Controller.GLIDE


@pytest.mark.parametrize("speed", [0.3, 0.75, 1.25])
def test_turns_end_where_they_should_and_are_alike_to_both_sides(speed):
    angles = np.radians([15, 30, 45, 60, 90, 120, 180])
    angles = np.concatenate([angles, -angles])
    fishes = Fishes(sea(), len(angles))
    fishes.motors.phase[fishes.rows[:7]] = np.linspace(0.0, 2.0, 7)
    fishes.motors.phase[fishes.rows[7:]] = np.linspace(0.0, 2.0, 7) + np.pi
    fishes.want((1.0, 0.0, 0.0), speed)
    fishes.run(2.0)
    fishes.want(np.column_stack([np.cos(angles), np.sin(angles), 0.0 * angles]), speed)
    took = np.full(len(angles), np.inf)
    for tick in range(240):
        fishes.world.step(1)
        off = np.abs(np.angle(np.exp(1j * (fishes.heading - angles))))
        took = np.where((off < 0.1 * np.abs(angles)) & np.isinf(took), (tick + 1) / 60.0, took)
    error = np.angle(np.exp(1j * (fishes.heading - angles)))
    assert np.abs(np.degrees(error)).max() < 3.0
    assert np.abs(np.degrees(error[:6] + error[7:13])).max() < 2.0
    assert took[4] < 1.3
    assert took.max() < 2.5


def test_climbs_and_dives_are_as_steep_as_wished():
    angles = np.radians([-40, -20, 20, 40])
    fishes = Fishes(sea(), 4)
    fishes.want(np.column_stack([np.cos(angles), 0.0 * angles, np.sin(angles)]), 0.75)
    fishes.run(3.0)
    start = fishes.centre
    fishes.run(2.0)
    way = fishes.centre - start
    found = np.arctan2(way[:, 2], np.hypot(way[:, 0], way[:, 1]))
    np.testing.assert_allclose(np.degrees(found), np.degrees(angles), atol=4.0)


def test_brake_and_backward():
    fishes = Fishes(sea(), 3)
    fishes.run(0.1)
    fishes.launch(1.08)
    fishes.want((1.0, 0.0, 0.0), 0.0)
    fishes.motors.brake[fishes.rows[0]] = 1
    fishes.motors.backward[fishes.rows[2]] = 1.0
    seen = []
    for seconds in (0.25, 0.25, 0.5):
        fishes.run(seconds)
        seen.append(fishes.speed)
    braked, coasting, backward = np.array(seen).T
    np.testing.assert_allclose(braked, (0.63, 0.43, 0.26), atol=0.08)  # [fish 2]
    assert (coasting > 1.4 * braked).all()
    assert (backward <= braked + 0.05).all()
    fishes.run(5.0)
    assert -0.8 < fishes.speed[2] < -0.5  # [fish 2]
    assert fishes.motors.controller[fishes.rows[2]] == Controller.BACKWARD


def test_upside_down_it_turns_over():
    fishes = Fishes(sea(), 3)
    fishes.run(0.1)
    for row, degrees in zip(fishes.rows, (60.0, 120.0, 175.0), strict=True):
        here = slice(fishes.bodies.first_node[row], fishes.bodies.first_node[row] + 23)
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        centre = fishes.bodies.centre[row]
        turn = np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
        fishes.nodes.position[here] = centre + (fishes.nodes.position[here] - centre) @ turn
    fishes.want((1.0, 0.0, 0.0), 0.75)
    fishes.run(6.0)
    assert (np.degrees(np.arccos(np.clip(fishes.axes[:, 2, 2], -1, 1))) < 10.0).all()


def test_it_banks_into_turns():
    fishes = Fishes(sea(), 2)
    fishes.want((1.0, 0.0, 0.0), 0.75)
    fishes.run(2.0)
    fishes.want([[-0.3, 1.0, 0.0], [-0.3, -1.0, 0.0]], 0.75)
    lean = np.zeros((40, 2))
    for tick in range(40):
        fishes.world.step(1)
        lean[tick] = fishes.axes[:, 1, 2]
    assert np.degrees(lean[:, 0].min()) < -6.0  # left side down in a left turn
    assert np.degrees(lean[:, 1].max()) > 6.0


def reach_targets(count: int, seed: int, seconds: float) -> tuple[int, np.ndarray]:
    """Send fishes to random places 3 to 10 lengths away; how many come near, and seconds per length of the way."""
    rng = np.random.default_rng(seed)
    fishes = Fishes(sea(), count, headings=rng.uniform(-np.pi, np.pi, count))
    bearing, rise = rng.uniform(-np.pi, np.pi, count), rng.uniform(-0.6, 0.6, count)
    far = rng.uniform(3.0, 10.0, count) * fishes.length
    way = np.column_stack([np.cos(bearing) * np.cos(rise), np.sin(bearing) * np.cos(rise), np.sin(rise)])
    target = fishes.bodies.mouth[fishes.rows] + far[:, None] * way
    took = np.full(count, np.inf)
    for tick in range(round(60 * seconds)):
        left = target - fishes.bodies.mouth[fishes.rows]
        near = np.linalg.norm(left, axis=1) / fishes.length
        took = np.where((near < NEAR) & np.isinf(took), tick / 60.0, took)
        if np.isfinite(took).all():
            break
        way = left / np.maximum(near * fishes.length, 1e-9)[:, None]
        ahead = np.einsum("ij,ij->i", way, fishes.axes[:, 0])
        fishes.want(way, np.where((near < 1.0) & (ahead < 0.5), 0.15, 1.0))
        fishes.world.step(1)
    return int(np.isfinite(took).sum()), took / (far / fishes.length)


@pytest.mark.parametrize("count", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_all_targets_are_reached(count):
    reached, ratio = reach_targets(count, seed=7, seconds=30.0)
    assert reached == count
    assert np.median(ratio) < 2.0
