"""A recording is data: it can only name what is in the table of calls, with plain arguments of bearable size."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from paludarium import PaludariumError, World
from paludarium.engine import recordable
from paludarium.engine import replay as replay_module
from paludarium.engine.plugins import BUILT_IN
from paludarium.engine.replay import Recording, ReplayError, replay


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "run.jsonl"
    world = World(seed=3)
    recording = Recording(world)
    world.spawn("pauropod").goto((5.0, 5.0))
    world.step(2)
    recording.save(path)
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def run(lines, tmp_path):
    """Replay the run with a line put before its last call, or with any other lines instead."""
    path = tmp_path / "run.jsonl"

    def repeat(*inserted, instead=None, raw=None, **options):
        chosen = instead if instead is not None else [*lines[:2], *inserted, *lines[2:]]
        path.write_bytes(raw if raw is not None else "".join(json.dumps(line) + "\n" for line in chosen).encode())
        return replay(path, **options)

    return repeat


def test_the_run_itself_repeats(run):
    assert run().tick == 2


@pytest.mark.parametrize("kind, name, arguments, options", [
    ("world", "save", ["victim.txt"], {}), ("world", "load", ["victim.txt"], {}), ("world", "__init__", [1], {"mods": "."}),
    ("world", "__setattr__", ["seed", 5], {}), ("world", "__class__", [], {}), ("world", "step", [10], {}),
    ("world", "add_species", ["victim.toml"], {}), ("world", "spawn", ["victim.toml"], {}), ("world", "add_system", [], {}),
    ("world", "spawn", [], {"species": "victim.toml"}), ("world", "streams.restore", [{}], {}),
    ("world", "draw", [1, 2], {}),
    ("water", "restore", [{}], {}), ("water", "__init__", [[], 1], {}), ("water", "terrain", [], {}),
    ("verb", "attach", [{"creature": 1}, "hat"], {}), ("verb", "__class__", [{"creature": 1}], {}),
    ("verb", "despawn", [{"creature": 1}], {}), ("set", "world", [{"creature": 1}, 5], {}),
    ("set", "name", [{"creature": 1}, "x"], {}), ("set", "rows", [{"creature": 1}, {}], {}),
    ("set", "__class__", [{"creature": 1}, 5], {}), ("set", "body_mode", [{"creature": 1}, 1], {}),
    ("release", "CreaturePool", [0, 1, 0], {}), ("release", "SegmentPool", [0, 1, 0], {}),
])  # fmt: skip
def test_only_calls_of_the_table_are_made(run, tmp_path, monkeypatch, kind, name, arguments, options):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "victim.txt").write_text("mine")
    (tmp_path / "evil.py").write_text("from pathlib import Path\nPath('touched').write_text('')\n")
    with pytest.raises(ReplayError, match=r"run\.jsonl: line 3: .*(allowed|known)"):
        run([0, kind, name, arguments, options])
    assert (tmp_path / "victim.txt").read_text() == "mine"
    assert not (tmp_path / "touched").exists()


@pytest.mark.parametrize("line", [
    5, None, {}, [], [0], [0, "verb", "goto", [], {}, 1], [0, "verb", "goto", {}, []], [0, "import", "os", [], {}],
    [0, ["verb"], "goto", [], {}], [0, "verb", ["goto"], [], {}], [0, "verb", "goto", [], {}],
    [0, "verb", "goto", [1, [2, 3]], {}], [0, "verb", "goto", [{"creature": 99}, [2, 3]], {}],
    [0, "verb", "goto", [{"creature": "1"}, [2, 3]], {}], [0, "verb", "goto", [{"creature": [1]}, [2, 3]], {}],
    [0, "verb", "goto", [{"creature": 1}], {}], [0, "verb", "goto", [{"creature": 1}, [1, 2]], {"no": 1}],
    [0, "world", "spawn", [5], {}], [0, "world", "spawn", [], {}], [0, "world", "spawn", ["pauropod"], {"self": 1}],
    [-1, "world", "add_food", [[1, 1]], {}], [3, "world", "add_food", [[1, 1]], {}], [10**18, "world", "add_food", [], {}],
    [1.0, "world", "add_food", [[1, 1]], {}], [True, "world", "add_food", [[1, 1]], {}], ["0", "world", "add_food", [], {}],
    [0, "world", "add_food", [[10**30, 1]], {}], [0, "world", "add_food", ["x" * 30_000], {}],
    [0, "world", "add_food", [[[[[0]]]] * 100_000], {}], [0, "release", "FoodPool", [0, 1, 0], {}],
    [0, "release", "FoodPool", [10**9, 10**9 + 1, 0], {}], [0, "release", "FoodPool", ["a", 1, 0], {}],
    [0, "release", "FoodPool", [0, 1], {}],
])  # fmt: skip
def test_lines_that_no_recording_writes_are_refused_by_their_number(run, line):
    with pytest.raises(ReplayError, match=r"run\.jsonl: line 3: ") as caught:
        run(line)
    assert len(str(caught.value)) < 600


def test_ticks_do_not_go_backwards(run, lines):
    later = [2, "world", "add_food", [[1.0, 1.0]], {}]
    with pytest.raises(ReplayError, match=r"line 4: tick = 0: allowed is 2 to 2"):
        run(instead=[*lines[:2], later, *lines[2:]])
    with pytest.raises(ReplayError, match="tick = 1000000000000000000"):
        run(instead=[*lines[:-1], {**lines[-1], "tick": 10**18}])


@pytest.mark.parametrize("raw", [
    b"", b"\n", b"\0", b"\xff\xff", b"{}\n{}\n", b"[" * 10**6, b'{"a": 1, "a": 2}\n{"hash": ""}\n', b"1\n" * 3,
    b'{"paludarium_replay": 2}\n{"hash": "", "tick": 0}\n', b'{"paludarium_replay": NaN}\n{"hash": 1}\n',
    b'{"paludarium_replay": 2, "seed": 1' + b"0" * 6000 + b'}\n{"hash": ""}\n',
])  # fmt: skip
def test_files_that_are_no_log_are_refused(run, raw):
    with pytest.raises(ReplayError, match=r"run\.jsonl: "):
        run(raw=raw)


@pytest.mark.parametrize("key, value", [
    ("seed", "x"), ("seed", -1), ("map", 5), ("map", {"area": {"width_u": "x"}}), ("map_file", None), ("tick_rate", 0),
    ("precision", []), ("plugins", "x"), ("plugins", [5]), ("hash", 5), ("hash", None), ("paludarium_replay", [2]),
])  # fmt: skip
def test_the_header_of_a_log_is_checked(run, lines, key, value):
    with pytest.raises(ReplayError, match=r"run\.jsonl: "):
        run(instead=[{**lines[0], key: value}, *lines[1:]])


@pytest.mark.parametrize("name", ["builtins:exit", "victim"])
def test_nothing_that_a_log_names_is_imported(run, lines, tmp_path, monkeypatch, name):
    (tmp_path / "victim.py").write_text("from pathlib import Path\nPath('touched').write_text('')\ndef build(world): pass\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    asked = [{**lines[0], "plugins": [*BUILT_IN, name]}, *lines[1:]]
    with pytest.raises(ReplayError, match=rf"not given: '{name}'"):
        run(instead=asked)
    assert not (tmp_path / "touched").exists()
    assert "victim" not in sys.modules
    (tmp_path / "victim.py").write_text("def build(world): pass\n")
    if name == "victim":
        assert run(instead=asked, plugins=["victim"]).plugins == [*BUILT_IN, "victim"]


def test_very_large_files_and_runs_are_refused(run, monkeypatch):
    monkeypatch.setattr(replay_module, "MOST_TICKS", 1)
    with pytest.raises(ReplayError, match="allowed is 0 to 1"):
        run()
    monkeypatch.setattr(replay_module, "MOST_BYTES", 100)
    with pytest.raises(ReplayError, match="larger than 100 bytes"):
        run()


@pytest.mark.parametrize("until", [-1, 1.5, "3", True])
def test_until_is_a_tick(run, until):
    with pytest.raises(ReplayError, match="until"):
        run(until=until)


def test_a_refused_call_is_refused_again_and_the_rest_goes_on(run, lines):
    beyond = [0, "world", "add_food", [[1e6, 0.0]], {}]  # off the map: the table allows the call, the world refuses it
    assert run(beyond).state_hash() == lines[-1]["hash"]


def test_species_from_files_are_recorded_as_what_they_are(tmp_path):
    source = "inherits = 'pauropod'\nname = 'mine'\n"
    base = (World(seed=0).species.files()["pauropod"]).read_text()
    (tmp_path / "pauropod.toml").write_text(base)
    (tmp_path / "mine.toml").write_text(source)
    (tmp_path / "other.toml").write_text(base.replace("pauropod", "other"))
    world = World(seed=2)
    recording = Recording(world)
    world.add_species(tmp_path / "mine.toml")
    world.spawn("mine", at=(0, 0))
    world.spawn(str(tmp_path / "other.toml"), at=(8, 0))
    world.step(2)
    recording.save(tmp_path / "run.jsonl")
    for file in tmp_path.glob("*.toml"):
        file.unlink()
    assert "toml" not in (tmp_path / "run.jsonl").read_text()
    assert replay(tmp_path / "run.jsonl").state_hash() == world.state_hash()


def test_what_could_not_be_repeated_is_not_done(tmp_path):
    world = World(seed=3)
    recording = Recording(world)
    walker = world.spawn("pauropod")
    before, circle = world.state_hash(), []
    circle.append(circle)
    for bad in (np.nan, object(), circle, {"a": {1}}, "\ud800", "x" * 10**6, 10**400):
        with pytest.raises(PaludariumError):
            walker.goto(bad)
    assert world.state_hash() == before
    recording.save(tmp_path / "run.jsonl")
    assert replay(tmp_path / "run.jsonl").state_hash() == before


def test_calls_and_verbs_of_plugins_are_in_the_table():
    world = World(seed=0)
    world.add_verb("hum", lambda creature, loud=1.0: None)
    world.add_call("ring", lambda world, times: None)
    world.add_attribute("mood", lambda creature: 1, lambda creature, value: None)
    table = recordable.recordable(world)
    assert "hum" in table["verb"]
    assert "ring" in table["world"]
    assert "mood" in table["set"]
    with pytest.raises(ReplayError, match="what ring takes"):
        recordable.wanted_call(table, "world", "ring", [], {})


def test_a_plugins_call_that_stumbles_over_a_log_is_told_by_its_line(tmp_path):
    def build(world):
        world.add_call("ring", lambda world, times: [1, 2, 3][times])

    world = World(seed=0, plugins=[build])
    recording = Recording(world)
    world.ring(1)
    recording.save(tmp_path / "run.jsonl")
    text = (tmp_path / "run.jsonl").read_text()
    replay(tmp_path / "run.jsonl", plugins=[build])
    (tmp_path / "run.jsonl").write_text(text.replace("[1]", "[77]"))
    with pytest.raises(ReplayError, match="line 2: IndexError"):
        replay(tmp_path / "run.jsonl", plugins=[build])
