"""One trial: the same physics as a tank of swimmers, windows of whole beats, and what it may cost in accuracy."""

import numpy as np
import pytest

from paludarium.components.myriapod.tissue import TissueSpec
from paludarium.components.segments import SegmentSpec
from paludarium.lab.myriapod import trial as trial_module
from paludarium.lab.myriapod.swim_tank import TICK, Swimmers
from paludarium.lab.myriapod.trial import Swimmer, Trial, _template, mean_power, path_speed, whole_beats

GAITS = ((0.5, 0.9), (1.0, 0.97), (2.0, 1.1), (3.0, 1.4))


def test_trial_is_bit_by_bit_a_swimmer_of_the_tank(monkeypatch):
    monkeypatch.setattr(trial_module, "STABILITY_SHARE", 0.5)  # as the tank
    trial = Trial(SegmentSpec(5), fewest_seconds=1.5)
    trace = Swimmer(_template(trial), 2.0, 0.9, "float64").swim(1.5)
    tank = Swimmers(3, SegmentSpec(5))
    tank.set_gait((1.0, 2.0, 3.0), 0.9)
    track = tank.run(1.5)
    np.testing.assert_allclose(trace[:, :3], track.centers[:, 1], rtol=0.0, atol=1e-14)  # summed in another order
    np.testing.assert_array_equal(trace[:, 3], track.power[:, 1])


def test_swimming_goes_on_where_the_last_call_ended():
    template = _template(Trial(SegmentSpec(4)))
    once, twice = Swimmer(template, 2.0, 0.9, "float32"), Swimmer(template, 2.0, 0.9, "float32")
    np.testing.assert_array_equal(once.swim(1.0), np.concatenate([twice.swim(0.4), twice.swim(0.6)]))


@pytest.mark.parametrize(("frequency", "seconds"), [(0.5, 2.0), (1.0, 1.0), (1.5, 4 / 3), (3.0, 1.0), (0.3, 1 / 0.3)])
def test_window_has_whole_beats_and_lasts_a_second(frequency, seconds):
    assert whole_beats(frequency) == pytest.approx(seconds)


def test_means_over_a_window_are_exact_between_ticks():
    """Speed of a straight path, and power 2 + sin at the beat: its mean over whole beats is 2."""
    f = 1.7
    t = np.arange(1, 601) * TICK
    trace = np.column_stack([3.0 * t, -4.0 * t, 0.0 * t, 2.0 + np.sin(2 * np.pi * f * t)])
    window = whole_beats(f)
    for back in (0, 1, 3):
        assert path_speed(trace, TICK, window, back) == pytest.approx(5.0, rel=1e-12)
    assert mean_power(trace, TICK, window) == pytest.approx(2.0, abs=2e-3)
    trace[:, 3] = 7.0
    assert mean_power(trace, TICK, window) == pytest.approx(7.0, rel=1e-12)


def test_fast_trials_agree_with_exact_ones(monkeypatch):
    """Single precision changes nothing that matters; the longer substep as little as the world's own does."""
    watched = {"fewest_seconds": 3.0, "longest_seconds": 3.0}
    fast = np.array([Trial(**watched).measure(*gait)[:2] for gait in GAITS])
    double = np.array([Trial(precision="float64", **watched).measure(*gait)[:2] for gait in GAITS])
    np.testing.assert_allclose(fast, double, rtol=1e-4)
    monkeypatch.setattr(trial_module, "STABILITY_SHARE", 0.1)
    _template.cache_clear()
    try:
        exact = np.array([Trial(precision="float64", **watched).measure(*gait)[:2] for gait in GAITS])
    finally:
        _template.cache_clear()
    np.testing.assert_allclose(fast, exact, rtol=0.01)


def test_substeps_follow_from_the_stiffness():
    soft, stiff = (_template(Trial(tissue=TissueSpec(young_modulus=e))).pools.chains.substeps[0] for e in (4000.0, 16000.0))
    assert soft == 7
    assert 1.8 < stiff / soft < 2.1  # twice the eigenfrequency


def test_slow_starter_is_watched_for_longer_and_a_hopeless_one_given_up():
    steady = Trial().measure(2.0, 1.1)
    slow = Trial().measure(1.0, 1.5)
    assert steady.settled
    assert slow.settled
    assert steady.seconds < 9.0 < slow.seconds
    hopeless = Trial(longest_seconds=8.0).measure(1.0, 1.5)
    assert not hopeless.settled
    assert hopeless.seconds <= 8.0
    assert hopeless.speed < slow.speed
