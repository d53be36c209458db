"""The sweep: its table on disk, going on after an interruption, and what a sample depends on."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from paludarium.components.myriapod.muscles import MuscleSpec
from paludarium.components.myriapod.tissue import TissueSpec
from paludarium.components.segments import SegmentSpec
from paludarium.engine.errors import PaludariumError
from paludarium.game_demo.__main__ import main
from paludarium.lab.jobs import job as job_module
from paludarium.lab.jobs.job import measure_on_cores
from paludarium.lab.myriapod.sweep import Sweep, load_table, run_sweep, sweep_of
from paludarium.lab.myriapod.sweep_table import SweepFileError, appending, header, read_settings
from paludarium.lab.myriapod.trial import Trial

SHORT = Trial(SegmentSpec(4), fewest_seconds=1.0, longest_seconds=4.0)
SMALL = Sweep((1.0, 2.0, 3.0), (0.8, 1.1), SHORT)
SMALL_ANIMAL = "[segments]\ncount = 4\n[tissue]\n[body]\n[muscles]\n[appearance]\n"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The small sweep in one go: its file and its table."""
    file = tmp_path_factory.mktemp("sweep") / "whole.csv"
    return file, run_sweep(SMALL, file)


def assert_same(table, other):
    for name in ("gaits", "speed", "power", "settled", "seconds"):
        np.testing.assert_array_equal(getattr(table, name), getattr(other, name), name)


def indices_in(file):
    return [int(line.split(",")[0]) for line in file.read_text().splitlines() if line[:1].isdigit()]


def test_table_names_what_was_measured_and_holds_every_sample_once(whole):
    file, table = whole
    settings = read_settings(file)
    assert settings["species"] == "swimmer"
    assert settings["trial"]["segments"]["count"] == 4
    assert sorted(indices_in(file)) == list(range(6))
    assert table.maps(SMALL)[0].shape == (3, 2)
    assert (table.power > 0).all()
    assert (table.speed > 0).all()
    np.testing.assert_array_equal(table.gaits[3], (2.0, 1.1))


def test_interrupted_sweep_goes_on_with_what_is_missing(tmp_path, whole):
    file, reports = tmp_path / "sweep.csv", []

    def stop_after_two(done, total):
        reports.append((done, total))
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_sweep(SMALL, file, tell=stop_after_two)
    assert load_table(SMALL, file).done.sum() == 2
    first = file.read_bytes()
    table = run_sweep(SMALL, file, tell=lambda done, total: reports.append((done, total)))
    assert reports == [(k, 6) for k in range(1, 7)]
    assert file.read_bytes().startswith(first)
    assert_same(table, whole[1])
    assert run_sweep(SMALL, file, lambda *_: pytest.fail("nothing is left to measure")).done.all()


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_killed_sweep_loses_nothing_and_counts_nothing_twice(tmp_path, capsys):
    animal, file = tmp_path / "eel.toml", tmp_path / "eel.csv"
    animal.write_text(SMALL_ANIMAL)
    words = ["sweep", "--species", str(animal), "--frequencies", "1:3:12", "--shifts", "40:90:10", "--seconds", "4",
             "--longest", "4", "--output", str(file), "--no-plots"]  # fmt: skip
    process = subprocess.Popen([sys.executable, "-m", "paludarium.game_demo", *words], stderr=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL)  # fmt: skip
    while process.poll() is None and (not file.exists() or len(indices_in(file)) < 12):
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = file.read_text()
    assert 12 <= len(indices_in(file)) < 120, "the sweep was not killed half way"
    assert main(words) == 0
    assert "going on" in capsys.readouterr().out
    assert file.read_text().startswith(before[: before.rfind("\n") + 1])
    assert sorted(indices_in(file)) == list(range(120))
    sweep = sweep_of(_species(animal), np.linspace(1, 3, 12).tolist(), np.radians(np.linspace(40, 90, 10)).tolist())
    sample = replace(sweep.trial, fewest_seconds=4.0, longest_seconds=4.0).measure(*sweep.gaits[indices_in(file)[0]])
    assert repr(sample.speed) in file.read_text()


def _species(file):
    from paludarium import World

    return World(seed=0).species[str(file)]


def test_half_a_line_is_no_sample_and_is_measured_again(tmp_path, whole):
    text = whole[0].read_text()
    file = tmp_path / "torn.csv"
    file.write_text(text[:-5])
    assert load_table(SMALL, file).done.sum() == 5
    assert_same(run_sweep(SMALL, file), whole[1])
    assert sorted(file.read_text().splitlines()) == sorted(text.splitlines())


@pytest.mark.parametrize("length", [0, 20, 200])
def test_kill_within_the_first_lines_leaves_an_empty_sweep(tmp_path, length):
    file = tmp_path / "begun.csv"
    file.write_text(header(SMALL.settings)[:length])
    assert not load_table(SMALL, file).done.any()
    with appending(file, SMALL.settings):
        assert file.read_text() == header(SMALL.settings)


@pytest.mark.parametrize(("sweep", "named"), [
    (replace(SMALL, species="eel"), "species = .eel.*species = .swimmer"),
    (replace(SMALL, shifts=(0.8, 1.2)), "shifts_rad"),
    (replace(SMALL, trial=replace(SHORT, tissue=TissueSpec(young_modulus=2000.0))), "young_modulus = 4000.*= 2000"),
    (replace(SMALL, trial=replace(SHORT, precision="float64")), "precision"),
])  # fmt: skip
def test_table_of_another_sweep_is_refused_and_kept(whole, sweep, named):
    there_first = named.split(".*")
    before = whole[0].read_bytes()
    with pytest.raises(SweepFileError, match="another file name") as problem:
        run_sweep(sweep, whole[0])
    assert all(word.replace(".", "") in str(problem.value).replace('"', "").replace(".", "") for word in there_first)
    assert whole[0].read_bytes() == before


def test_table_of_another_version_is_refused_and_kept(whole, monkeypatch):
    import paludarium

    before = whole[0].read_bytes()
    monkeypatch.setattr(paludarium, "__version__", "99.0.0")
    with pytest.raises(SweepFileError, match=r'version = "0.1.1", here version = "99.0.0"'):
        run_sweep(SMALL, whole[0])
    assert whole[0].read_bytes() == before


def test_new_line_of_a_species_does_not_make_its_table_foreign(whole):
    muscles = MuscleSpec(line_frequency=(0.6, 0.7, 0.9, 1.2, 1.5, 1.8))
    assert load_table(replace(SMALL, trial=replace(SHORT, muscles=muscles)), whole[0]).done.all()


@pytest.mark.parametrize("content", [b"a,b\n1,2\n", b"\x00\xff\x00", b"# paludarium sweep table, format 9\nindex\n"])
def test_foreign_file_is_refused_and_kept(tmp_path, content):
    file = tmp_path / "foreign.csv"
    file.write_bytes(content)
    with pytest.raises(SweepFileError, match="not a sweep table"):
        run_sweep(SMALL, file)
    assert file.read_bytes() == content


@pytest.mark.parametrize(("more", "named"), [("0,1,1,1\n", "line 14 is not a sample"), (None, "a second time")])
def test_damaged_table_is_refused_and_kept(tmp_path, whole, more, named):
    file = tmp_path / "damaged.csv"
    text = whole[0].read_text()
    file.write_text(text + (more or text.splitlines()[-1] + "\n"))
    before = file.read_bytes()
    with pytest.raises(SweepFileError, match=named):
        run_sweep(SMALL, file)
    assert file.read_bytes() == before


def test_two_sweeps_cannot_write_into_one_table(tmp_path):
    file = tmp_path / "one.csv"
    with appending(file, SMALL.settings), pytest.raises(SweepFileError, match="another sweep is writing"):
        run_sweep(SMALL, file)
    assert run_sweep(SMALL, file, lambda sweep, indices: map(sweep.measure, indices)).done.all()


@pytest.mark.parametrize("threads", [1, 3])
def test_sample_does_not_depend_on_what_is_measured_beside_it(whole, threads):
    found = dict(measure_on_cores(SMALL, [4, 1, 5], threads))
    for index, sample in found.items():
        assert sample.speed == whole[1].speed[index]
        assert sample.power == whole[1].power[index]
    assert sorted(found) == [1, 4, 5]


def test_error_in_a_trial_ends_the_sweep_and_keeps_the_others(tmp_path, monkeypatch):
    real = Sweep.measure

    def measure(sweep, index):
        if index == 4:
            raise RuntimeError("of this sample")
        return real(sweep, index)

    monkeypatch.setattr(Sweep, "measure", measure)
    with pytest.raises(RuntimeError, match="of this sample"):
        run_sweep(SMALL, tmp_path / "sweep.csv", lambda sweep, indices: measure_on_cores(sweep, indices, 1))
    assert load_table(SMALL, tmp_path / "sweep.csv").done[:4].all()


@pytest.mark.parametrize(("frequencies", "shifts", "named"), [
    ((0.1, 1.0), (0.8,), "0.3 to 3"), ((1.0, 4.0), (0.8,), "0.3 to 3"), ((2.0, 1.0), (0.8,), "rising"),
    ((1.0,), (0.1,), "0.3142 to 1.728"), ((), (0.8,), "frequencies"),
])  # fmt: skip
def test_gaits_that_the_muscles_cannot_do_are_refused(frequencies, shifts, named):
    with pytest.raises(PaludariumError, match=named):
        Sweep(frequencies, shifts)


def test_animal_without_muscles_is_refused(tmp_path):
    file = tmp_path / "stick.toml"
    file.write_text(SMALL_ANIMAL.replace("[muscles]\n", ""))
    with pytest.raises(PaludariumError, match=r"'stick' has no \[muscles\]"):
        sweep_of(_species(file), (1.0,), (0.8,))


def test_all_cores_are_used_unless_told_otherwise(monkeypatch):
    asked = []
    pool = job_module.ThreadPoolExecutor
    monkeypatch.setattr(job_module, "ThreadPoolExecutor", lambda workers: asked.append(workers) or pool(workers))
    list(measure_on_cores(SMALL, [0]))
    assert asked == [os.cpu_count()]
