"""The sweep: its table on disk, resuming, and the search for the cheapest gait."""

import numpy as np
import pytest

from paludarium.components.segments import SegmentSpec
from paludarium.engine.errors import PaludariumError
from paludarium.systems.swim import sweep as sweep_module
from paludarium.systems.swim.optimum import least_power
from paludarium.systems.swim.sweep import Sweep, load_table, run_sweep
from paludarium.systems.swim.swimmers import TICK, Swimmers, mean_speed

SMALL = Sweep((1.0, 2.0), (0.8, 1.1), segments=SegmentSpec(5), longest_seconds=8.0)


def test_interrupted_sweep_goes_on_where_it_stopped(tmp_path, monkeypatch):
    file = tmp_path / "sweep.npz"
    reports, runs = [], []
    real = sweep_module.measure

    def measure_once(sweep, gaits):
        if len(runs) == 1:
            raise KeyboardInterrupt
        runs.append(len(gaits))
        return real(sweep, gaits)

    monkeypatch.setattr(sweep_module, "measure", measure_once)
    with pytest.raises(KeyboardInterrupt):
        run_sweep(SMALL, file, batch=2, tell=lambda done, total: reports.append((done, total)))
    assert load_table(SMALL, file).done.tolist() == [True, True, False, False]
    monkeypatch.setattr(sweep_module, "measure", real)
    table = run_sweep(SMALL, file, batch=2, tell=lambda done, total: reports.append((done, total)))
    assert reports == [(2, 4), (4, 4)]
    assert [item.name for item in tmp_path.iterdir()] == ["sweep.npz"]
    whole = run_sweep(SMALL, tmp_path / "whole.npz", batch=4)
    np.testing.assert_array_equal(table.speed, whole.speed)  # whatever shared its batch
    assert table.maps(SMALL)[0].shape == (2, 2)
    assert (table.power > 0).all()


def test_table_of_other_settings_is_refused(tmp_path):
    file = tmp_path / "sweep.npz"
    other = Sweep((1.0,), (0.8,), segments=SegmentSpec(3), longest_seconds=4.0)
    run_sweep(other, file)
    with pytest.raises(PaludariumError, match="other settings"):
        load_table(SMALL, file)


def test_least_power_finds_the_minimum_of_a_known_map():
    f, ps = np.linspace(0.5, 3.0, 26), np.linspace(0.1, 0.6, 26)
    speed = 3.0 * f[:, None] * np.ones(26)
    power = np.exp(2.0 * f[:, None] + 40.0 * (ps - 0.3) ** 2)
    best = least_power(f, ps, speed, power, np.array([3.0, 6.0, 20.0]))
    np.testing.assert_allclose(best.frequency[:2], (1.0, 2.0), atol=1e-9)
    np.testing.assert_allclose(best.shift[:2], 0.3, atol=0.01)
    np.testing.assert_allclose(best.power[:2], np.exp((2.0, 4.0)), rtol=0.01)
    assert np.isnan(best.power[2])


def test_default_line_swims_at_about_the_speed_it_names():
    swimmers = Swimmers(6)
    swimmers.command[:, 0] = wanted = np.array(swimmers.muscles.line_speed)
    track = swimmers.run(12.0)
    speed, _ = mean_speed(track, swimmers.drive[:, 0], TICK, 2)
    np.testing.assert_allclose(speed, wanted, rtol=0.08)
