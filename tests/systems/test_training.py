"""Controller tables as files, and the command that makes them: checked input, resumable, whole or not at all."""

import json
import zipfile

import numpy as np
import pytest

from paludarium.game_demo.__main__ import main
from paludarium.lab.insect.ant_model import AntModel
from paludarium.lab.insect.controller_table import LARGEST_TABLE, TableError, load_table
from paludarium.lab.insect.stride_control import FAILED, StrideProblem
from paludarium.lab.insect.table_training import TableJob, TrainingError
from paludarium.lab.insect.template_editing import TemplateError, move_foot
from paludarium.lab.insect.triangle_placement import place_triangles
from paludarium.lab.jobs.job import measure_on_cores
from paludarium.lab.jobs.ledger import LedgerError, note, open_ledger, read_ledger
from paludarium.tests.campaigns.damage import damaged_bytes

SMALL = TableJob((3, 3, 1), evaluations=0)


@pytest.fixture(scope="module")
def table():
    return SMALL.table(dict(measure_on_cores(SMALL, list(range(SMALL.count)), 2)))


def test_a_table_comes_back_as_it_was_saved(table, tmp_path):
    table.save(tmp_path / "a.npz")
    back = load_table(tmp_path / "a.npz")
    assert np.array_equal(back.controls, table.controls)
    assert back.settings == json.loads(json.dumps(table.settings))
    assert back.at((20.0, 0.0, 0.0)) == pytest.approx(table.controls[2, 1, 0])
    assert back.at((99.0, 0.0, 0.0)) == pytest.approx(back.at((20.0, 0.0, 0.0)))
    middle = back.at((10.0, 0.0, 0.0))
    assert middle == pytest.approx(0.5 * (table.controls[1, 1, 0] + table.controls[2, 1, 0]), abs=1e-6)
    assert back.at((20.0, 0.0, 0.0), "inverse_distance") == pytest.approx(table.controls[2, 1, 0])


def stored(table, **changes):
    fields = {"format": np.int64(1), "settings": np.str_("{}"), "vx": table.vx, "vy": table.vy, "vz": table.vz,
              "controls": table.controls, "objective": table.objective, "failed": table.failed}  # fmt: skip
    return {name: value for name, value in {**fields, **changes}.items() if value is not None}


@pytest.mark.parametrize("changes, named", [
    ({"controls": None}, "controls is missing"), ({"vx": np.array([0.0, 1.0, 5.0])}, "vx is not an axis"),
    ({"vy": np.zeros(3)}, "vy is not an axis"), ({"objective": np.zeros((2, 2, 2))}, "objective has the shape"),
    ({"controls": np.full((3, 3, 1, 27), np.nan)}, "finite"), ({"controls": np.full((3, 3, 1, 27), 1e9)}, "no angles"),
    ({"failed": np.zeros((3, 3, 1), np.int64)}, "failed is int64"), ({"format": np.int64(9)}, "format 9"),
    ({"settings": np.str_("{")}, "not JSON"), ({"vx": np.zeros((2, 2))}, "vx is not an axis"),
    ({"settings": np.str_("[1]")}, "not JSON"), ({"settings": np.str_("[" * 9000)}, "not JSON"),
    ({"settings": np.array(["{}", "{}"])}, "single value"), ({"format": np.ones(3, np.int64)}, "single value"),
    ({"vx": np.float64(1.0)}, "vx is not an axis"), ({"vx": np.array([-np.inf, 0.0, np.inf])}, "vx is not an axis"),
    ({"vx": np.array([-1e300, 0.0, 1e300])}, "vx is not an axis"), ({"vx": np.array([0.0, 1.0, np.nan])}, "not an axis"),
    ({"objective": np.full((3, 3, 1), np.nan)}, "objective holds NaN"), ({"vz": np.zeros(0)}, "vz is not an axis"),
    ({"controls": np.zeros((3, 3, 1, 27), object)}, "controls is object"),
])  # fmt: skip
def test_bad_tables_are_refused(table, tmp_path, changes, named):
    file = tmp_path / "bad.npz"
    np.savez(file, **stored(table, **changes))
    with pytest.raises(TableError, match=named):
        load_table(file)


def test_arrays_that_say_more_than_they_hold_are_refused_before_they_are_made(table, tmp_path):
    """A head may promise any shape, and zeros pack well: 3 MB of them were 3 GB in memory."""
    file = tmp_path / "bad.npz"
    np.savez(file, **stored(table))
    members = whole(file)
    promised = members["controls.npy"].replace(b"(3, 3, 1, 27)", b"(3, 3, 9, 27)")
    huge = members["controls.npy"].replace(b"(3, 3, 1, 27), }", b"(99999999999,),}")
    for content in (promised, huge, members["controls.npy"][:-4], b"\x93NUMPY\x09\x00", b""):
        pack(file, {**members, "controls.npy": content})
        with pytest.raises(TableError):
            load_table(file)
        load_table.cache_clear()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, bytes(LARGEST_TABLE + 1) if name == "controls.npy" else content)
    assert file.stat().st_size < 2**20
    with pytest.raises(TableError, match="unpacks to"):
        load_table(file)


def whole(file):
    with zipfile.ZipFile(file) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def pack(file, members):
    with zipfile.ZipFile(file, "w") as packed:
        for name, content in members.items():
            packed.writestr(name, content)


def test_damaged_tables_are_refused_or_right(table, tmp_path):
    """300 files with a few bytes flipped, cut, blanked or inserted: an error of ours, or the table as it was."""
    file = tmp_path / "bad.npz"
    np.savez_compressed(file, **stored(table))
    content, chance, refused = file.read_bytes(), np.random.default_rng(13), 0
    for _ in range(300):
        file.write_bytes(damaged_bytes(chance, content))
        load_table.cache_clear()
        try:
            back = load_table(file)
        except TableError:
            refused += 1
        else:
            assert np.array_equal(back.controls, table.controls)
    assert refused > 150


def test_what_is_no_table_is_refused(tmp_path):
    file = tmp_path / "no.npz"
    file.write_bytes(b"nothing of the kind")
    with pytest.raises(TableError, match="cannot be read"):
        load_table(file)
    np.savez(file, format=np.array([{"a": 1}], dtype=object))
    with pytest.raises(TableError, match="format is object"):
        load_table(file)
    with file.open("wb") as single:
        np.save(single, np.zeros(3))
    with pytest.raises(TableError, match="cannot be read"):
        load_table(file)
    with pytest.raises(TableError, match="cannot be read"):
        load_table(tmp_path / "missing.npz")
    with pytest.raises(TrainingError, match="1 to 201"):
        TableJob((0, 1, 1))


def test_a_ledger_survives_a_torn_line_and_refuses_strangers(tmp_path):
    file = tmp_path / "x.work"
    with open_ledger(file, {"seed": 1}) as (known, handle):
        assert known == {}
        note(handle, 4, [1.0, 2.0])
        with pytest.raises(LedgerError, match="another run"), open_ledger(file, {"seed": 1}):
            pass
    with file.open("ab") as torn:
        torn.write(b"[7, [0.")
    with open_ledger(file, {"seed": 1}) as (known, handle):
        assert known == {4: [1.0, 2.0]}
        note(handle, 5, [3.0])
    assert read_ledger(file, {"seed": 1}) == {4: [1.0, 2.0], 5: [3.0]}
    before = file.read_bytes()
    with pytest.raises(LedgerError, match="other settings"), open_ledger(file, {"seed": 2}):
        pass
    assert file.read_bytes() == before
    file.write_text(file.read_text() + "nonsense\n")
    with pytest.raises(LedgerError, match="line 4"):
        read_ledger(file, {"seed": 1})


@pytest.mark.parametrize("line", [
    "[0, 1.0]", f"[0, {[0.5] * 27}]", f"[0, {['x'] * 28}]", f"[9, {[0.5] * 28}]", f"[-1, {[0.5] * 28}]", "[0]", "7",
    f"[0.5, {[0.5] * 28}]", f"[true, {[0.5] * 28}]", f"[0, {[[0.5]] * 28}]", f"[1e999, {[0.5] * 28}]", "[" * 9000,
    f"[0, {[0.5] * 27 + [-1e308]}]", f"[0, {[0.5] * 27 + [-0.01]}]", f"[0, {[0.5] * 27 + [1001.0]}]",
    f"[0, {[101.0] + [0.5] * 27}]", f"[0, {json.dumps([float('nan')] * 28)}]", f"[0, {json.dumps([float('inf')] * 28)}]",
    f"[0, {json.dumps([0.5] * 27 + [float('nan')])}]", f"[0, {[0] * 28}]", f"[{'9' * 5000}, {[0.5] * 28}]",
])  # fmt: skip
def test_a_ledger_with_what_the_job_cannot_have_found_is_refused(line, tmp_path):
    file = tmp_path / "x.work"
    with open_ledger(file, SMALL.settings, SMALL.fits) as (_, handle):
        note(handle, 0, [0.5] * 28)
    with file.open("a") as more:
        more.write(line + "\n")
    with pytest.raises(LedgerError, match="line 3"):
        read_ledger(file, SMALL.settings, SMALL.fits)


def test_what_is_found_fits_even_where_nothing_was_found(monkeypatch):
    for index in range(SMALL.count):
        assert SMALL.fits(*SMALL.measure(index))
    monkeypatch.setattr(StrideProblem, "shoot", lambda _self: np.full(27, 1e6))
    index, found = SMALL.measure(4)
    assert SMALL.fits(index, found)
    assert found[27] > FAILED


def test_cells_with_wild_numbers_count_as_failed(table):
    found = {index: [*map(float, table.controls.reshape(9, 27)[index]), 0.0] for index in range(9)}
    found[0][3], found[1][3], found[2][27] = float("nan"), 1e30, float("nan")
    again = SMALL.table(found)
    assert again.failed.ravel()[:3].all()
    assert not again.failed.ravel()[3:].any()
    assert np.isfinite(again.controls).all()
    assert not np.isnan(again.objective).any()


def test_the_command_goes_on_where_it_was_stopped(tmp_path, monkeypatch, capsys):
    words = ["train", "--points", "3x3x1", "--evaluations", "0", "--output", str(tmp_path / "ant.npz"), "--threads", "1"]
    plain, done = TableJob.measure, []

    def stopping(self, index):
        if len(done) == 4:
            raise KeyboardInterrupt
        done.append(index)
        return plain(self, index)

    monkeypatch.setattr(TableJob, "measure", stopping)
    assert main([*words, "--no-plots"]) == 130
    kept = len((tmp_path / "ant.work").read_text().splitlines()) - 1
    assert 1 <= kept <= 4
    assert not (tmp_path / "ant.npz").exists()
    monkeypatch.setattr(TableJob, "measure", plain)
    assert main(words) == 0
    assert f"going on: {kept} of 9" in capsys.readouterr().out
    assert not (tmp_path / "ant.work").exists()
    assert (tmp_path / "ant.png").stat().st_size > 1000
    assert load_table(tmp_path / "ant.npz").controls.shape == (3, 3, 1, 27)


@pytest.mark.parametrize("words, named", [
    (["--species", "giant_centipede"], "allowed are insect"), (["--points", "3x3"], "NXxNYxNZ"),
    (["--points", "0x3x3"], "1 to 201"), (["--output", "x.csv"], ".npz"), (["--threads", "0"], "1 to 1000"),
])  # fmt: skip
def test_wrong_words_say_what_is_allowed(words, named, capsys):
    assert main(["train", *words]) == 2
    assert named in capsys.readouterr().err


def test_optimisers_are_compared_from_the_command_line(capsys):
    """A30 by hand: one line per method, the evolution strategy with the fewest errors first."""
    pytest.importorskip("cma")
    assert main(["train", "--compare", "1500"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["method", "tries", "objective"]
    assert {line.split("  ")[0] for line in lines} == {"CMA", "simplex", "truncated Newton", "Powell"}
    values = [float(line.split()[-1]) for line in lines]
    assert values == sorted(values)
    assert lines[0].startswith("CMA")
    assert main(["train", "--compare", "0"]) == 2
    assert "1 to 100000" in capsys.readouterr().err


def test_muscles_drive_a_stride_too():
    """F45: the same stride with pairs of Hill muscles instead of springs; it goes the way it was tuned for less well."""
    from paludarium.lab.insect.gait_tuning import tune
    from paludarium.lab.insect.stride_control import StrideProblem

    pytest.importorskip("cma")
    from paludarium.lab.insect.gait_tuning import GaitProblem

    problem = StrideProblem((15.0 * 0.125, 0.0, 0.0), actuator="muscles")
    start = GaitProblem().hand_made[:27]
    found = tune(problem, start, 800)
    assert found.objective < 0.5 * problem.objective(start)


def test_feet_can_be_moved_within_reach():
    """F07: the stance of an ant is edited foot by foot. [Guo15 4.2.1]"""
    wide = move_foot(AntModel(), 1, -0.1, 2.9)
    from paludarium.lab.insect.ant_path import AntPath

    assert place_triangles(AntPath.line(20.0), ant=wide).areas[0] > place_triangles(AntPath.line(20.0)).areas[0]
    for x, y, named in ((9.0, 1.0, "extreme positions"), (2.6, 9.0, "does not reach"), (1.25, -0.5, "a joint would turn")):
        with pytest.raises(TemplateError, match=named):
            move_foot(AntModel(), 0, x, y)
