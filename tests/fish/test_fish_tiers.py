"""From the whole body to the wave along the spine and back: nobody who looks sees the change."""

import numpy as np
import pytest

from paludarium.tests.fish.open_water import Fishes, sea
from paludarium.tests.fish.tanks import midline


@pytest.mark.parametrize("speed", [0.3, 0.75, 1.5])
def test_a_change_of_tier_is_no_jump(speed):
    fishes = Fishes(sea(), 12)
    fishes.motors.phase[fishes.rows] = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    fishes.want((1.0, 0.0, 0.0), speed)
    fishes.run(5.0)
    fishes.want((1.0, 0.4, 0.1), speed)
    fishes.run(0.3)
    for tier in ("bush", "full"):
        moves, speeds = [], []
        for tick in range(16):
            if tick == 8:
                for creature in fishes.all:
                    creature.tier = tier
            before = fishes.x
            fishes.world.step(1)
            moves.append(np.linalg.norm(fishes.x - before, axis=2).max(axis=1))
            speeds.append(np.linalg.norm(fishes.bodies.velocity[fishes.rows], axis=1))
        neighbours = np.maximum.reduce([moves[k] for k in (5, 6, 7, 9, 10, 11)])
        assert (moves[8] <= 1.5 * neighbours).all()
        assert (moves[9] <= 1.5 * np.maximum.reduce([moves[k] for k in (6, 7, 10, 11, 12)])).all()
        np.testing.assert_allclose(speeds[8], speeds[7], rtol=0.1, atol=0.02 * fishes.length[0])
        fishes.run(1.0)


def test_the_wave_is_that_of_the_body():
    """Amplitude of the tail within a third, and its phase within half a radian of the whole body's."""
    waves = {}
    for tier in ("full", "bush"):
        fishes = Fishes(sea())
        fishes.want((1.0, 0.0, 0.0), 0.75)
        fishes.run(5.0)
        fishes.all[0].tier = tier
        fishes.run(1.5)
        seen, phases = [], []
        for _ in range(120):
            fishes.world.step(1)
            line = (midline(fishes.x[0]) - fishes.centre[0]) / fishes.length[0]
            left = np.array([-np.sin(fishes.heading[0]), np.cos(fishes.heading[0]), 0.0])
            seen.append(line @ left)
            phases.append(fishes.motors.phase[fishes.rows[0]])
        basis = np.column_stack([np.cos(phases), np.sin(phases), np.ones(120)])
        cosine, sine, _ = np.linalg.lstsq(basis, np.array(seen), rcond=None)[0]
        waves[tier] = cosine - 1j * sine
    ratio = waves["bush"] / waves["full"]
    assert 0.67 < abs(ratio[-1]) < 1.5
    assert abs(np.angle(ratio[-1])) < 0.5
    assert 0.5 < abs(ratio[0]) < 1.5


def test_distant_ones_swim_turn_and_stop_as_the_others():
    speeds, headings, stopped = [], [], []
    for tier in ("full", "bush", "follow"):
        fishes = Fishes(sea())
        fishes.all[0].tier = tier
        fishes.want((1.0, 0.0, 0.0), 0.75)
        fishes.run(5.0)
        start = fishes.centre
        fishes.run(2.0)
        speeds.append(np.linalg.norm(fishes.centre - start) / 2.0 / fishes.length[0])
        fishes.want((0.0, 1.0, 0.0), 0.75)
        fishes.run(1.5)
        headings.append(np.degrees(fishes.heading[0]))
        fishes.motors.brake[fishes.rows] = 1
        fishes.run(1.0)
        stopped.append(float(np.linalg.norm(fishes.bodies.velocity[fishes.rows[0]]) / fishes.length[0]))
    assert max(speeds) - min(speeds) < 0.08
    np.testing.assert_allclose(headings, 90.0, atol=6.0)
    assert max(stopped) < 0.4


@pytest.mark.parametrize("order", [("follow", "full"), ("bush", "follow"), ("follow", "bush")])
def test_a_change_to_and_from_the_farthest_tier_is_no_jump(order):
    """The farthest moves in every second tick: pairs of ticks are compared. Whoever the change was made to, the spine goes
    on from where it was."""
    fishes = Fishes(sea(), 12)
    fishes.motors.phase[fishes.rows] = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    fishes.want((1.0, 0.0, 0.0), 0.75)
    fishes.run(4.0)
    for tier in order:
        moves = []
        for pair in range(10):
            if pair == 5:
                for creature in fishes.all:
                    creature.tier = tier
            before = np.array([midline(x) for x in fishes.x])
            fishes.world.step(2)
            moves.append(np.linalg.norm(np.array([midline(x) for x in fishes.x]) - before, axis=2).max(axis=1))
        usual = np.maximum.reduce([moves[k] for k in (2, 3, 4, 7, 8, 9)])
        assert (moves[5] <= 1.5 * usual).all()
        assert (moves[6] <= 1.5 * usual).all()
        fishes.run(1.0)
