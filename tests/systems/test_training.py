"""Controller tables as files, and the command that makes them: checked input, resumable, whole or not at all."""

import json

import numpy as np
import pytest

from paludarium.game_demo.__main__ import main
from paludarium.systems.insect.source.ant_model import AntModel
from paludarium.systems.insect.source.controller_table import TableError, load_table
from paludarium.systems.insect.source.table_training import TableJob, TrainingError
from paludarium.systems.insect.source.template_editing import TemplateError, move_foot
from paludarium.systems.insect.source.triangle_placement import place_triangles
from paludarium.systems.jobs.job import measure_on_cores
from paludarium.systems.jobs.ledger import LedgerError, note, open_ledger, read_ledger

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
])  # fmt: skip
def test_bad_tables_are_refused(table, tmp_path, changes, named):
    file = tmp_path / "bad.npz"
    np.savez(file, **stored(table, **changes))
    with pytest.raises(TableError, match=named):
        load_table(file)


def test_what_is_no_table_is_refused(tmp_path):
    file = tmp_path / "no.npz"
    file.write_bytes(b"nothing of the kind")
    with pytest.raises(TableError, match="cannot be read"):
        load_table(file)
    np.savez(file, controls=np.array([{"a": 1}], dtype=object))
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
    from paludarium.systems.insect.source.gait_tuning import tune
    from paludarium.systems.insect.source.stride_control import StrideProblem

    pytest.importorskip("cma")
    from paludarium.systems.insect.source.gait_tuning import GaitProblem

    problem = StrideProblem((15.0 * 0.125, 0.0, 0.0), actuator="muscles")
    start = GaitProblem().hand_made[:27]
    found = tune(problem, start, 800)
    assert found.objective < 0.5 * problem.objective(start)


def test_feet_can_be_moved_within_reach():
    """F07: the stance of an ant is edited foot by foot. [Guo15 4.2.1]"""
    wide = move_foot(AntModel(), 1, -0.1, 2.9)
    from paludarium.systems.insect.source.ant_path import AntPath

    assert place_triangles(AntPath.line(20.0), ant=wide).areas[0] > place_triangles(AntPath.line(20.0)).areas[0]
    for x, y, named in ((9.0, 1.0, "extreme positions"), (2.6, 9.0, "does not reach"), (1.25, -0.5, "a joint would turn")):
        with pytest.raises(TemplateError, match=named):
            move_foot(AntModel(), 0, x, y)
