"""Files that are being written are left alone by all others, and taken away as soon as who wrote them is gone.

Containers are simulated: processes that believe in one name of the machine and in process numbers of their own.
"""

from __future__ import annotations

import errno
import os
import platform
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from paludarium import PaludariumError
from paludarium.engine import files, unfinished_files
from paludarium.engine.file_lock import lock
from paludarium.engine.files import written_whole
from paludarium.engine.unfinished_files import FORGOTTEN_SECONDS, PART, forget_parts, machine, new_part

pytestmark = pytest.mark.skipif(os.name != "posix", reason="locks of this kind are of POSIX systems")

NO_SUCH_PROCESS = 99_999_999
LONG_AGO = 10_000.0
CONTAINER = """
import os, platform, sys
platform.node = lambda: "box"
os.getpid = lambda: int(sys.argv[2])
from paludarium.engine.files import written_whole
path = sys.argv[1]
"""
HALF = CONTAINER + """
with written_whole(path) as file:
    file.write(b"first half, ")
    file.flush()
    print("half", flush=True)
    sys.stdin.readline()
    file.write(b"second half")
"""
MANY = CONTAINER + """
for turn in range(int(sys.argv[3])):
    with written_whole(path) as file:
        for _ in range(20):
            file.write(sys.argv[2].encode())
            file.flush()
"""


def parts(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir() if file.name.endswith(PART))


def container(script: str, *words: object) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", script, *map(str, words)], text=True, stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip


def half_written(path: Path, process: int) -> subprocess.Popen[str]:
    started = container(HALF, path, process)
    assert started.stdout is not None
    assert started.stdout.readline() == "half\n"
    return started


@pytest.mark.parametrize("process", [NO_SUCH_PROCESS, 1, None])
def test_a_save_of_another_container_is_not_taken_for_dead(tmp_path, monkeypatch, process):
    """None: it has the number that this process has here."""
    path = tmp_path / "world.palu"
    other = half_written(path, process or os.getpid())
    monkeypatch.setattr(platform, "node", lambda: "box")
    machine.cache_clear()
    try:
        with written_whole(path) as file:
            file.write(b"mine")
        assert path.read_bytes() == b"mine"
        assert len(parts(tmp_path)) == 1
        _, trouble = other.communicate("go on\n", timeout=60)
    finally:
        machine.cache_clear()
    assert other.returncode == 0, trouble
    assert path.read_bytes() == b"first half, second half"
    assert not parts(tmp_path)


def test_a_killed_save_of_another_container_goes_with_the_next_save(tmp_path, monkeypatch):
    """Also if there is a process here with the number that it had there: this one."""
    path = tmp_path / "world.palu"
    other = half_written(path, os.getpid())
    other.kill()
    assert other.wait() == -signal.SIGKILL
    assert len(parts(tmp_path)) == 1
    monkeypatch.setattr(platform, "node", lambda: "box")
    machine.cache_clear()
    try:
        with written_whole(path) as file:
            file.write(b"mine")
    finally:
        machine.cache_clear()
    assert [file.name for file in tmp_path.iterdir()] == ["world.palu"]


def test_containers_that_save_into_one_file_do_not_disturb_each_other(tmp_path):
    """Three of them with numbers that no process here has; before there were locks two of five saves failed."""
    path = tmp_path / "world.palu"
    running = [container(MANY, path, NO_SUCH_PROCESS - place, 150) for place in range(3)]
    for one in running:
        _, trouble = one.communicate(timeout=120)
        assert one.returncode == 0, trouble
    assert [file.name for file in tmp_path.iterdir()] == ["world.palu"]
    assert path.read_bytes() in {20 * str(NO_SUCH_PROCESS - place).encode() for place in range(3)}


def test_threads_that_save_into_one_file_do_not_disturb_each_other(tmp_path):
    path, problems = tmp_path / "world.palu", []

    def save(letter: bytes) -> None:
        try:
            for _ in range(60):
                with written_whole(path) as file:
                    file.write(letter * 100)
        except PaludariumError as problem:
            problems.append(problem)

    threads = [threading.Thread(target=save, args=(letter,)) for letter in (b"a", b"b", b"c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    assert [file.name for file in tmp_path.iterdir()] == ["world.palu"]


def made_long_ago(part: Path) -> None:
    os.utime(part, (time.time() - LONG_AGO, time.time() - LONG_AGO))


def test_what_is_locked_stays_however_old_it_is(tmp_path):
    part, descriptor = new_part(tmp_path, "world.palu", 0o600)
    made_long_ago(part)
    forget_parts(tmp_path, "world.palu")
    assert part.exists()
    os.close(descriptor)
    forget_parts(tmp_path, "world.palu")
    assert not part.exists()


@pytest.mark.parametrize("mark", [".00000000", ".{machine}-1", ".{machine}-99999999", None])
def test_parts_of_other_machines_and_of_earlier_versions_go_when_they_are_old(tmp_path, mark):
    """Locks of another machine may not be seen here, and earlier versions had none."""
    name = f"{mark.format(machine=machine())}.abcdefgh" if mark else "abcdefgh"
    part = tmp_path / f"world.palu{name}{PART}"
    part.write_bytes(b"half")
    forget_parts(tmp_path, "world.palu")
    assert part.exists()
    os.utime(part, (time.time() - 0.9 * FORGOTTEN_SECONDS,) * 2)
    forget_parts(tmp_path, "world.palu")
    assert part.exists()
    made_long_ago(part)
    forget_parts(tmp_path, "world.palu")
    assert not part.exists()


def test_the_mark_tells_machines_apart(monkeypatch, tmp_path):
    marks = set()
    for name, boot in (("a", "1"), ("b", "1"), ("a", "2"), ("a", None)):
        monkeypatch.setattr(platform, "node", lambda name=name: name)
        monkeypatch.setattr(unfinished_files, "BOOT", tmp_path / (boot or "nowhere"))
        if boot:
            (tmp_path / boot).write_text(boot)
        machine.cache_clear()
        marks.add(machine())
    machine.cache_clear()
    assert len(marks) == 4


def test_a_disk_without_locks_is_written_to_and_only_what_is_old_is_taken_away(tmp_path, monkeypatch):
    def no_locks(_: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(unfinished_files, "lock", no_locks)
    part, descriptor = new_part(tmp_path, "world.palu", 0o600)
    with written_whole(tmp_path / "world.palu") as file:
        file.write(b"mine")
    assert part.exists()
    os.close(descriptor)
    forget_parts(tmp_path, "world.palu")
    assert part.exists()
    made_long_ago(part)
    forget_parts(tmp_path, "world.palu")
    assert not part.exists()


def test_systems_that_keep_open_files_need_no_locks(tmp_path, monkeypatch):
    """As Windows does: there a file gets its name when it is closed, and only old parts are taken away."""
    for module in (files, unfinished_files):
        monkeypatch.setattr(module, "LOCKS_PARTS", False)
    monkeypatch.setattr(unfinished_files, "lock", None)
    young, old = (tmp_path / f"world.palu.{machine()}.{letter * 8}{PART}" for letter in "ab")
    young.write_bytes(b"half")
    old.write_bytes(b"half")
    made_long_ago(old)
    closed: list[bool] = []
    replace = os.replace
    monkeypatch.setattr(files.os, "replace", lambda part, target: closed.append(file.closed) or replace(part, target))
    with written_whole(tmp_path / "world.palu") as file:
        file.write(b"mine")
    assert closed == [True]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["world.palu", young.name]


@pytest.mark.parametrize("first", ["taken away", "locked"])
def test_a_part_that_another_process_takes_before_it_is_locked_is_made_again(tmp_path, monkeypatch, first):
    taken = []

    def late(descriptor: int) -> None:
        if not taken:
            (name,) = parts(tmp_path)
            taken.append(name)
            (tmp_path / name).unlink()
            if first == "locked":
                raise BlockingIOError
        lock(descriptor)

    monkeypatch.setattr(unfinished_files, "lock", late)
    with written_whole(tmp_path / "world.palu") as file:
        file.write(b"mine")
        assert parts(tmp_path) != taken
    assert (tmp_path / "world.palu").read_bytes() == b"mine"


def test_a_part_that_gets_its_name_while_it_is_looked_at_takes_nothing_with_it(tmp_path, monkeypatch):
    """Who looks has opened it already; under its old name there may be another one by now."""
    part, descriptor = new_part(tmp_path, "world.palu", 0o600)

    def finished_before(other: int) -> None:
        if part.exists() and not (tmp_path / "world.palu").exists():
            os.replace(part, tmp_path / "world.palu")
            os.close(descriptor)
            part.write_bytes(b"of a third process")
        lock(other)

    monkeypatch.setattr(unfinished_files, "lock", finished_before)
    forget_parts(tmp_path, "world.palu")
    assert part.read_bytes() == b"of a third process"
    assert (tmp_path / "world.palu").exists()


def test_when_no_name_is_free_the_error_is_ours(tmp_path, monkeypatch):
    def busy(_: int) -> None:
        raise BlockingIOError

    monkeypatch.setattr(unfinished_files, "lock", busy)
    with pytest.raises(PaludariumError, match=r"world\.palu: cannot be written \(no new file"), \
            written_whole(tmp_path / "world.palu"):  # fmt: skip
        pass
    assert not (tmp_path / "world.palu").exists()


def test_links_and_pipes_with_the_name_of_a_part_are_removed_and_lead_nowhere(tmp_path):
    kept = tmp_path / "precious.txt"
    kept.write_text("kept")
    link, pipe = (tmp_path / f"world.palu.{machine()}.{letter * 8}{PART}" for letter in "ab")
    link.symlink_to(kept)
    os.mkfifo(pipe)
    made_long_ago(pipe)
    os.utime(link, (1.0, 1.0), follow_symlinks=False)
    with written_whole(tmp_path / "world.palu") as file:
        file.write(b"mine")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["precious.txt", "world.palu"]
    assert kept.read_text() == "kept"


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir])
def test_what_is_no_file_is_not_replaced_by_one(tmp_path, make):
    """Saving to a device would put a file in its place, if root does it."""
    path = tmp_path / "world.palu"
    make(path)
    before = path.lstat().st_mode
    with pytest.raises(PaludariumError, match=r"world\.palu: cannot be written \(it is no file\)"), written_whole(path):
        pass
    assert path.lstat().st_mode == before
    assert [file.name for file in tmp_path.iterdir()] == ["world.palu"]


def test_names_at_the_limit_of_the_system_can_be_written(tmp_path):
    """Characters of four bytes: parts have longer names than the file itself."""
    path = tmp_path / ("\N{TURTLE}" * 63)
    with written_whole(path) as file:
        file.write(b"mine")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_the_mask_of_the_user_is_never_taken_off(tmp_path, monkeypatch):
    """Files that other threads make in that moment could be written by all."""
    def touched(_: int) -> int:
        raise AssertionError("the mask")

    before = os.umask(0o027)
    monkeypatch.setattr(os, "umask", touched)
    try:
        for private in (False, True):
            with written_whole(tmp_path / f"{private}", private=private) as file:
                file.write(b"mine")
    finally:
        monkeypatch.undo()
        os.umask(before)
    assert {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {"False": 0o640, "True": 0o600}
