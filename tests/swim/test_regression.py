"""From maps to the controller: the cheapest gait, the line through them, and that swimmers follow it."""

import numpy as np
import pytest

from paludarium import World
from paludarium.components.head_command import HeadCommandPool
from paludarium.components.myriapod.muscles import MuscleSpec
from paludarium.engine.errors import PaludariumError
from paludarium.lab.myriapod.optimum import least_power
from paludarium.lab.myriapod.regression import cheapest_gaits, fit_line, species_table
from paludarium.lab.myriapod.sweep import Sweep, Table
from paludarium.lab.myriapod.swim_tank import TICK, Swimmers, mean_speed
from paludarium.tests.swim.lake import lake_world

FREQUENCIES, SHIFTS = np.linspace(0.5, 3.0, 26), np.linspace(0.5, 1.5, 41)


def known_maps(valley=(0.7, 0.2)):
    """A sweep whose speed grows with frequency alone and whose power is least where shift = valley of frequency."""
    sweep = Sweep(tuple(FREQUENCIES), tuple(SHIFTS))
    f, ps = sweep.gaits.T
    power = np.exp(1.5 * f + 20.0 * (ps - valley[0] - valley[1] * f) ** 2)
    return sweep, Table(sweep.gaits, 3.0 * f, power, np.ones(f.size, bool), np.full(f.size, 6.0))


def test_least_power_finds_the_minimum_of_a_known_map():
    f, ps = np.linspace(0.5, 3.0, 26), np.linspace(0.1, 0.6, 26)
    speed = 3.0 * f[:, None] * np.ones(26)
    power = np.exp(2.0 * f[:, None] + 40.0 * (ps - 0.3) ** 2)
    best = least_power(f, ps, speed, power, np.array([3.0, 6.0, 20.0]))
    np.testing.assert_allclose(best.frequency[:2], (1.0, 2.0), atol=1e-9)
    np.testing.assert_allclose(best.shift[:2], 0.3, atol=0.01)
    np.testing.assert_allclose(best.power[:2], np.exp((2.0, 4.0)), rtol=0.01)
    assert np.isnan(best.power[2])


def test_line_runs_along_a_known_valley_and_names_the_speeds_of_the_map():
    line = fit_line(*known_maps())
    assert line.slope == pytest.approx(0.2, abs=0.01)
    assert line.intercept == pytest.approx(0.7, abs=0.02)
    np.testing.assert_allclose(line.speed, 3.0 * np.array(line.frequency), rtol=1e-3)
    np.testing.assert_allclose(line.shift, line.intercept + line.slope * np.array(line.frequency), rtol=1e-6)
    np.testing.assert_allclose(np.diff(line.speed), np.diff(line.speed)[0], rtol=1e-6)


def test_unfinished_or_flat_sweep_gives_no_line():
    sweep, table = known_maps()
    table.seconds[7] = np.nan
    with pytest.raises(PaludariumError, match="1065 of 1066"):
        cheapest_gaits(sweep, table)
    row = Sweep((1.0,), (0.8, 0.9))
    with pytest.raises(PaludariumError, match="2 or more frequencies"):
        cheapest_gaits(row, Table(row.gaits, np.ones(2), np.ones(2), np.ones(2, bool), np.ones(2)))


def test_line_is_species_data_that_the_controller_follows(tmp_path):
    """Two lines written as species files: the same commanded speed gives each animal the gait of its own line."""
    world = lake_world()
    parent = tmp_path / "eel.toml"
    parent.write_text("[segments]\ncount = 8\n[tissue]\n[body]\n[muscles]\n[appearance]\n")
    world.add_species(parent)
    lines, swimmers = [fit_line(*known_maps(valley)) for valley in ((0.7, 0.2), (1.1, -0.1))], []
    for k, line in enumerate(lines):
        file = tmp_path / f"eel_{k}.toml"
        file.write_text(species_table(line, "eel", "from a test"))
        swimmers.append(world.spawn(world.add_species(file), at=(0.0, 20.0 * k, 20.0)))
    for speed in (3.0, 5.0):
        for swimmer in swimmers:
            world.pool(HeadCommandPool).speed[swimmer.row] = speed
        world.step(180)
        for swimmer, line in zip(swimmers, lines, strict=True):
            assert swimmer.muscles.frequency == pytest.approx(np.interp(speed, line.speed, line.frequency), abs=2e-3)
            assert swimmer.muscles.phase_shift == pytest.approx(np.interp(speed, line.speed, line.shift), abs=2e-3)
    assert abs(swimmers[0].muscles.phase_shift - swimmers[1].muscles.phase_shift) > 0.05


def test_written_line_is_read_back_within_its_digits(tmp_path):
    line, file = fit_line(*known_maps()), tmp_path / "fast_swimmer.toml"
    file.write_text(species_table(line, "swimmer", "from a test"))
    muscles = World(seed=0).species[str(file)].specs["muscles"]
    np.testing.assert_allclose(muscles.line_speed, line.speed, atol=5e-4)
    np.testing.assert_allclose(muscles.line_frequency, line.frequency, atol=5e-5)
    np.testing.assert_allclose(muscles.line_shift, line.shift, atol=1e-4)


def test_default_line_swims_at_about_the_speed_it_names():
    swimmers = Swimmers(6)
    swimmers.pools.heads.speed[:] = wanted = np.array(MuscleSpec().line_speed)
    track = swimmers.run(12.0)
    speed, _ = mean_speed(track, swimmers.pools.muscles.drive[:, 0], TICK, 2)
    np.testing.assert_allclose(speed, wanted, rtol=0.08)
