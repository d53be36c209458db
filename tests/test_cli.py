"""The command line as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paludarium import World
from paludarium.benchmarks.bars import BARS, Bar, judge
from paludarium.benchmarks.run import measure
from paludarium.benchmarks.tick_scenes import SCENES
from paludarium.game_demo.__main__ import main


def test_help_lists_every_subcommand(capsys):
    with pytest.raises(SystemExit) as done:
        main(["--help"])
    assert done.value.code == 0
    text = capsys.readouterr().out
    for word in ("play", "bench", "species", "maps", "sweep", "train", "export", "warm", "doctor", "pack"):
        assert word in text


@pytest.mark.parametrize("words, named", [
    (["--scene", "forrest_floor"], "forest_floor"), (["--seed", "-3"], "seed"), (["--count", "-1"], "0 to 10000"),
    (["--species", "centipide", "--headless"], "centipede"), (["--ticks", "0"], "1 or more"),
    (["bench", "nothing"], "overhead"), (["bench", "--threads", "0", "overhead"], "1 to"),
    (["bench", "one", "--against", "no_such_commit"], "of this clone"),
    (["bench", "one", "--against", "HEAD", "--pairs", "0"], "1 or more"),
    (["bench", "one", "--against", "HEAD", "--threads", "2"], "one thread"),
])  # fmt: skip
def test_wrong_values_say_what_is_allowed(words, named, capsys):
    assert main(words) == 2
    assert named in capsys.readouterr().err


def test_the_species_page_is_current(capsys):
    """Regenerate with `paludarium species --keys > docs/species.md`."""
    assert main(["species", "--keys"]) == 0
    page = Path(__file__).resolve().parent.parent / "docs" / "species.md"
    assert capsys.readouterr().out == page.read_text(encoding="utf-8")
    assert main(["species"]) == 0
    assert "giant_centipede" in capsys.readouterr().out


def test_the_maps_page_is_current_and_its_example_is_a_world(capsys, tmp_path):
    """Regenerate with `paludarium maps --keys > docs/maps.md`."""
    assert main(["maps", "--keys"]) == 0
    page = Path(__file__).resolve().parent.parent / "docs" / "maps.md"
    shown = capsys.readouterr().out
    assert shown == page.read_text(encoding="utf-8")
    (tmp_path / "pond.toml").write_text(shown.split("```toml")[1].split("```")[0], encoding="utf-8")
    world = World(seed=1, map=tmp_path / "pond.toml")
    assert world.water.grids[0].volume > 0.0
    assert len(world.creatures) == 1
    assert main(["maps"]) == 0
    assert "tide_pool" in capsys.readouterr().out


def test_a_wrong_size_says_what_is_allowed(capsys):
    with pytest.raises(SystemExit):
        main(["--size", "big"])
    assert "1280x720" in capsys.readouterr().err


def test_without_a_display_the_demo_writes_a_clip_and_a_picture(tmp_path, capsys):
    assert main(["--ticks", "12", "--size", "320x180", "--record", str(tmp_path / "clip")]) == 0
    printed = capsys.readouterr().out
    for suffix in (".png", ".gif"):
        file = tmp_path / f"clip{suffix}"
        assert file.stat().st_size > 1000
        assert str(file) in printed


def test_bench_lists_scenes_and_writes_json(tmp_path, capsys):
    assert main(["bench", "--list"]) == 0
    assert "overhead" in capsys.readouterr().out
    file = tmp_path / "figures.json"
    assert main(["bench", "overhead", "--repeats", "1", "--json", str(file)]) == 0
    figures = json.loads(file.read_text())["overhead"]
    assert {"us_per_tick", "steps_per_s", "realtime_factor", "creatures", "systems"} <= set(figures)
    assert 0.0 < figures["compiled_share"] <= 1.0
    assert figures["python_us_per_tick"] >= 0.0


def test_bench_checks_the_bars_of_publications(tmp_path, capsys, monkeypatch):
    bars = Bar("X1", "creatures", 1.0, "creatures"), Bar("X2", "population", 1e9, "animals")
    monkeypatch.setitem(BARS, "overhead", bars)
    assert main(["bench", "overhead", "--repeats", "1"]) == 0
    printed = capsys.readouterr().out
    assert "X1: creatures: " in printed
    assert "asked 1: holds" in printed
    assert "X2: animals: 1,000.0, asked 1e+09: MISSED" in printed
    assert main(["bench", "overhead", "--repeats", "1", "--check"]) == 1


def test_every_bar_is_of_a_scene_that_measures_it():
    """The figures are asked of one quick run: that the scene has them is what is tested, not how fast it is."""
    assert set(BARS) <= set(SCENES)
    for scene in ("water200", "ant_walks"):
        figures = measure(SCENES[scene], 1, lambda label: None)
        assert len(judge(scene, figures)) == len(BARS[scene])
        assert min(measured for _, measured, _ in judge(scene, figures)) > 0.0


def test_bench_compares_with_an_older_commit(tmp_path, capsys):
    file = tmp_path / "figures.json"
    assert main(["bench", "overhead", "--against", "HEAD", "--pairs", "1", "--json", str(file)]) == 0
    (line,) = json.loads(file.read_text())
    assert line["scene"] == "overhead"
    assert line["before"] > 0.0
    assert line["ratios"] == [line["now"] / line["before"]]
    assert line["same_state"] is True  # what is not committed does not touch drifting bodies
    assert "overhead" in capsys.readouterr().out


def test_the_doctor_says_what_a_bug_report_needs(capsys, monkeypatch):
    monkeypatch.setattr("paludarium.game_demo.doctor_command.SPEED_SECONDS", 0.1)
    assert main(["doctor"]) == 0
    told = capsys.readouterr().out
    for word in ("numba", "processor", "pack", "cache", "threads", "display", "sound", "first frame", "tick", "picture"):
        assert f"  {word}" in told


def test_a_pack_of_an_unknown_level_is_refused(capsys):
    assert main(["pack", "--level", "x86-64-v9"]) == 2
    assert "x86-64-v3" in capsys.readouterr().err
