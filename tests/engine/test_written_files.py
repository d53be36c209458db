"""Files are written whole or not at all, for the user alone, through links, and without leaving parts behind."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time

import pytest

from paludarium import PaludariumError, World
from paludarium.engine.errors import SnapshotError
from paludarium.engine.files import is_path, written_whole
from paludarium.engine.replay import Recording, ReplayError
from paludarium.engine.unfinished_files import PART, machine

posix = pytest.mark.skipif(os.name != "posix", reason="modes, links and signals of this kind are of POSIX systems")


@pytest.fixture(scope="module")
def world():
    world = World(seed=1)
    world.spawn("pauropod")
    return world


def parts(folder):
    return sorted(file.name for file in folder.iterdir() if file.name.endswith(PART))


@posix
def test_saves_and_recordings_are_private_to_the_user(world, tmp_path):
    before = os.umask(0)
    try:
        world.save(tmp_path / "world.palu")
        Recording(World(seed=0)).save(tmp_path / "run.jsonl")
        with written_whole(tmp_path / "table.csv") as file:
            file.write(b"1")
    finally:
        os.umask(before)
    modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert modes == {"world.palu": 0o600, "run.jsonl": 0o600, "table.csv": 0o666}


@posix
def test_saving_through_a_link_keeps_the_link(world, tmp_path):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "world.palu", tmp_path / "link.palu"
    target.write_bytes(b"old")
    link.symlink_to(target)
    world.save(link)
    assert link.is_symlink()
    assert World.load(target).state_hash() == world.state_hash()
    target.unlink()
    world.save(link)  # the link leads nowhere now: what it names is made
    assert link.is_symlink()
    assert target.is_file()
    assert not parts(tmp_path)


@posix
def test_parts_of_killed_processes_are_taken_away_by_the_next_save(world, tmp_path):
    path = tmp_path / "world.palu"
    code = (
        "import os, signal, sys\nfrom paludarium.engine.files import written_whole\n"
        "with written_whole(sys.argv[1]) as file:\n    file.write(b'half')\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
        assert done.returncode == -signal.SIGKILL
        assert len(parts(tmp_path)) == 1  # the second one has taken the first one's away
    world.save(path)
    assert not parts(tmp_path)


@posix
def test_parts_of_others_are_left_alone_while_they_may_be_written(world, tmp_path):
    path = tmp_path / "world.palu"
    running = tmp_path / f"world.palu.{machine()}-{os.getpid()}.abcdefgh{PART}"
    elsewhere = tmp_path / f"world.palu.00000000-99999999.abcdefgh{PART}"
    other_target = tmp_path / f"world.palu2.{machine()}-99999999.abcdefgh{PART}"
    not_ours = tmp_path / f"world.palu.my notes{PART}"
    for file in (running, elsewhere, other_target, not_ours):
        file.write_bytes(b"")
    world.save(path)
    assert len(parts(tmp_path)) == 4
    long_ago = time.time() - 10_000.0
    for file in (running, elsewhere, other_target, not_ours):
        os.utime(file, (long_ago, long_ago))
    world.save(path)
    assert parts(tmp_path) == sorted([other_target.name, not_ours.name])


@posix
def test_a_full_disk_leaves_the_old_file_and_is_told_as_ours(world, tmp_path):
    path = tmp_path / "world.palu"
    world.save(path)
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
    try:
        with pytest.raises(SnapshotError, match=r"world\.palu: cannot be written \(File too large\)"):
            world.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    assert path.read_bytes() == before
    assert not parts(tmp_path)


def test_places_that_cannot_be_written_are_told_as_ours(world, tmp_path):
    for path in (tmp_path / "nowhere" / "world.palu", tmp_path):
        with pytest.raises(SnapshotError, match="cannot be written"):
            world.save(path)
        with pytest.raises(ReplayError, match="cannot be written"):
            Recording(World(seed=0)).save(path)
    assert not parts(tmp_path)


@pytest.mark.parametrize("path", [None, 5, "", b"world.palu", "a\0b", "a" * 300, "a/" * 5000, "\ud800", ["x"]])
def test_what_is_no_path_is_refused(world, path):
    assert not is_path(path)
    for call in (world.save, World.load):
        with pytest.raises(SnapshotError, match="allowed is the name of a file") as caught:
            call(path)
        assert len(str(caught.value)) < 200


def test_an_error_of_the_caller_stays_the_callers(tmp_path):
    with pytest.raises(KeyError), written_whole(tmp_path / "a.csv"):
        raise KeyError("mine")
    assert list(tmp_path.iterdir()) == []
    assert issubclass(SnapshotError, PaludariumError)
