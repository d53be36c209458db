"""Saved worlds: continuing equals never having stopped; a damaged file is refused and changes nothing."""

from __future__ import annotations

import os
import struct

import pytest

from paludarium.engine import snapshot
from paludarium.engine.errors import SnapshotError
from paludarium.engine.world import World
from paludarium.tests.engine.worms import build, worm_world


def busy_world(folder, seed=5):
    world = worm_world(folder, seed=seed)
    group = world.spawn("worm", count=12, spread=8)
    for creature in group[::3]:
        creature.despawn()
    world.add_food((3, 4), amount=2.0)
    world.add_obstacle("box", (90, 90), size=(4, 1), heading=0.3)
    world.step(40)
    return world


def test_continuing_after_load_equals_never_having_stopped(tmp_path):
    world = busy_world(tmp_path)
    world.save(tmp_path / "world.palu")
    copy = World.load(tmp_path / "world.palu", plugins=[build])
    assert copy.state_hash() == world.state_hash()
    copy.add_species(tmp_path / "worm.toml")
    for each in (world, copy):
        each.step(25)
        each.spawn("worm", count=4, spread=5)
        each.step(25)
    assert copy.state_hash() == world.state_hash()
    assert [c.name for c in copy.creatures.values()] == [c.name for c in world.creatures.values()]


def test_pending_events_survive(tmp_path):
    world = worm_world(tmp_path)
    world.spawn("worm")
    world.save(tmp_path / "world.palu")
    copy, heard = World.load(tmp_path / "world.palu", plugins=[build]), []
    copy.on("born", lambda event: heard.append(event.creature.name))
    copy.step()
    assert heard == ["test worm 1"]


def test_a_crash_while_saving_leaves_the_old_file(tmp_path, monkeypatch):
    world = busy_world(tmp_path)
    path = tmp_path / "world.palu"
    world.save(path)
    before = path.read_bytes()
    world.step(10)

    def crash(_descriptor):
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", crash)
    with pytest.raises(SnapshotError, match=r"world\.palu: cannot be written \(disk full\)"):
        world.save(path)
    assert path.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["world.palu", "worm.toml"]


@pytest.mark.parametrize("kept", [0, 5, 30, 0.3, 0.9, -1])
def test_a_truncated_file_is_refused(tmp_path, kept):
    world = busy_world(tmp_path)
    path = tmp_path / "world.palu"
    world.save(path)
    content = path.read_bytes()
    path.write_bytes(content[: int(kept * len(content)) if isinstance(kept, float) else kept])
    with pytest.raises(SnapshotError, match="world.palu"):
        World.load(path, plugins=[build])


def test_one_changed_byte_anywhere_is_noticed(tmp_path):
    world = busy_world(tmp_path)
    path = tmp_path / "world.palu"
    world.save(path)
    content = path.read_bytes()
    for place in range(0, len(content), max(1, len(content) // 40)):
        damaged = bytearray(content)
        damaged[place] ^= 0x20
        path.write_bytes(damaged)
        with pytest.raises(SnapshotError):
            World.load(path, plugins=[build])


def test_a_newer_format_is_refused_with_its_number(tmp_path):
    world = busy_world(tmp_path)
    path = tmp_path / "world.palu"
    world.save(path)
    content = bytearray(path.read_bytes())
    struct.pack_into("<I", content, 8, snapshot.FORMAT_VERSION + 1)
    path.write_bytes(content)
    with pytest.raises(SnapshotError, match=f"format {snapshot.FORMAT_VERSION + 1}"):
        World.load(path, plugins=[build])


def test_missing_plugins_and_files_are_named(tmp_path):
    world = busy_world(tmp_path)
    world.save(tmp_path / "world.palu")
    with pytest.raises(SnapshotError, match=r"worms\.build"):
        World.load(tmp_path / "world.palu")
    with pytest.raises(SnapshotError, match=r"nothing\.palu"):
        World.load(tmp_path / "nothing.palu")
