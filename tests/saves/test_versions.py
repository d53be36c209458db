"""Saves and recordings say which version made them, and errors about them say which version they need."""

from __future__ import annotations

import json

import pytest

from paludarium import SnapshotError, World, replay
from paludarium.engine.made_by import version
from paludarium.engine.replay import Recording, ReplayError
from paludarium.tests.engine.sealed import opened, sealed

OTHER = "99.1.0"


def recorded(folder, **changes):
    world = World(seed=3)
    recording = Recording(world)
    world.spawn("pauropod")
    world.step(2)
    recording.save(folder / "run.jsonl")
    lines = [json.loads(line) for line in (folder / "run.jsonl").read_text().splitlines()]
    assert lines[0]["version"] == version()
    lines[0] |= {name: value for name, value in changes.items() if name != "last"}
    lines[-1] |= changes.get("last", {})
    (folder / "run.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder / "run.jsonl"


@pytest.mark.parametrize("changes", [{"last": {"hash": "0" * 32}}, {"hash": "0" * 32}, {"paludarium_replay": 99}],
                         ids=["its end", "its begin", "its format"])  # fmt: skip
def test_a_recording_that_does_not_fit_names_the_version_it_needs(tmp_path, changes):
    with pytest.raises(ReplayError, match=rf"it needs paludarium {OTHER}, which made it; this is paludarium {version()}$"):
        replay(recorded(tmp_path, version=OTHER, **changes))
    with pytest.raises(ReplayError, match="the older paludarium that made it and did not name itself"):
        replay(recorded(tmp_path, version="", **changes))
    with pytest.raises(ReplayError, match=f"paludarium {version()}, this version, made it"):
        replay(recorded(tmp_path, **changes))


def test_a_recording_of_another_version_that_fits_is_repeated(tmp_path):
    assert len(replay(recorded(tmp_path, version=OTHER)).creatures) == 1


def test_a_line_that_a_version_does_not_know_names_the_version(tmp_path):
    file = recorded(tmp_path, version=OTHER)
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join([lines[0], '[0, "world", "fly", [], {}]\n', *lines[1:]]))
    with pytest.raises(ReplayError, match=f"line 2: world call 'fly' .* it needs paludarium {OTHER}"):
        replay(file)


def test_a_save_that_cannot_be_used_names_the_version_it_needs(tmp_path):
    world = World(seed=3)
    world.spawn("pauropod")
    world.save(tmp_path / "world.save")
    header, arrays = opened(tmp_path / "world.save")
    assert header["version"] == version()
    header["formats"]["SegmentPool"] = 99
    with pytest.raises(SnapshotError, match=r"SegmentPool has format 99, this version reads up to \d+$"):
        World.load(sealed(tmp_path / "now.save", header, arrays))
    header["version"] = OTHER
    with pytest.raises(SnapshotError, match=rf"^\S*other.save: SegmentPool .*; it needs paludarium {OTHER}, which made it"):
        World.load(sealed(tmp_path / "other.save", header, arrays))
    header["version"] = 7
    with pytest.raises(SnapshotError, match="version = 7: allowed is a text"):
        World.load(sealed(tmp_path / "wrong.save", header, arrays))
