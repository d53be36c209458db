"""Whatever a name leads to, reading it neither waits nor fills the memory, and the error is ours and names the file."""

from __future__ import annotations

import errno
import os
import socket
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import pytest

from paludarium import PaludariumError, World
from paludarium.engine import file_reading
from paludarium.engine.errors import MapError, SnapshotError, SpeciesError
from paludarium.engine.file_reading import UnfitFileError, content_of, opened, read_limited, read_up_to
from paludarium.engine.replay import ReplayError, replay
from paludarium.engine.species import read_toml
from paludarium.engine.terrain.mesh_file import read_mesh
from paludarium.engine.terrain.terrain_error import TerrainError
from paludarium.lab.articulated.space.space_bodies import load_body
from paludarium.lab.articulated.training.gait_file import write_table
from paludarium.lab.insect.array_file import read_arrays
from paludarium.lab.insect.controller_table import TableError, load_table
from paludarium.lab.jobs import growing_file
from paludarium.lab.jobs.ledger import LedgerError, open_ledger, read_ledger
from paludarium.lab.myriapod.sweep_table import SweepFileError, appending, read_lines, read_settings

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="pipes, sockets and devices with names are those of POSIX"),
    pytest.mark.usefixtures("impatient"),
]
MEGABYTE = 2**20


def entered(context: AbstractContextManager[object]) -> None:
    with context:
        pass


def mesh(path: Path) -> None:
    pytest.importorskip("trimesh", reason="the package trimesh is not installed")
    read_mesh(path)


READERS: dict[str, tuple[str, type[PaludariumError], Callable[[Path], object]]] = {
    "save": (".palu", SnapshotError, World.load), "recording": (".jsonl", ReplayError, replay),
    "map": (".toml", MapError, lambda path: World(map=path)),
    "map tables": (".toml", MapError, lambda path: read_toml(path, MapError)),
    "species": (".toml", SpeciesError, lambda path: World().add_species(path)), "body": (".toml", SpeciesError, load_body),
    "mesh": (".obj", TerrainError, mesh), "table": (".npz", TableError, load_table),
    "ledger": (".work", LedgerError, lambda path: read_ledger(path, {})),
    "ledger for more": (".work", LedgerError, lambda path: entered(open_ledger(path, {}))),
    "sweep": (".csv", SweepFileError, lambda path: read_lines(path, {})),
    "settings": (".csv", SweepFileError, read_settings),
    "sweep for more": (".csv", SweepFileError, lambda path: entered(appending(path, {}))),
    "gait": (".toml", PaludariumError, lambda path: write_table(path, "[surrogate]\nsettle_s = 1\n")),
}  # fmt: skip


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        before = Path.cwd()
        os.chdir(path.parent)  # names of sockets are short
        try:
            made.bind(path.name)
        finally:
            os.chdir(before)


def make_large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(2**31 + 1)  # without a block on the disk


def make_link_to_pipe(path: Path) -> None:
    os.mkfifo(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


KINDS: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo, "folder": Path.mkdir, "socket": make_socket, "device": lambda path: path.symlink_to("/dev/zero"),
    "link to a pipe": make_link_to_pipe, "too large": make_large,
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_file_or_too_large_is_refused_at_once_by_every_reader(tmp_path, reader, kind):
    suffix, error, read = READERS[reader]
    path = tmp_path / f"strange{suffix}"
    KINDS[kind](path)
    if (reader, kind) == ("species", "folder"):
        return  # a folder of species may be empty
    tracemalloc.start()
    try:
        with pytest.raises(error) as caught:
            read(path)
        assert tracemalloc.get_traced_memory()[1] < 100 * MEGABYTE
    finally:
        tracemalloc.stop()
    assert path.name in str(caught.value)


@pytest.mark.parametrize("reader", [name for name in READERS if name not in ("ledger", "sweep")])
def test_a_loop_of_links_is_our_error(tmp_path, reader):
    suffix, error, read = READERS[reader]
    path = tmp_path / f"loop{suffix}"
    path.symlink_to(path.name)
    with pytest.raises(error, match=f"loop{suffix}"):
        read(path)


def test_a_pipe_that_takes_the_place_of_a_file_does_not_block(tmp_path, monkeypatch):
    """Between looking at the name and opening it."""
    path = tmp_path / "a.palu"
    path.write_bytes(b"whole")
    honest = os.stat(path)
    path.unlink()
    os.mkfifo(path)
    monkeypatch.setattr(file_reading.os, "stat", lambda *_, **__: honest)
    before = next_descriptor()
    with pytest.raises(SnapshotError, match=r"a\.palu: is no file"):
        read_limited(path, 100, SnapshotError)
    assert next_descriptor() == before


def test_what_is_seen_to_be_no_file_is_not_even_opened(tmp_path, monkeypatch):
    """Opening can do something: it wakes a process that waits to write into a pipe, and rewinds a tape."""
    os.mkfifo(tmp_path / "pipe")

    def touched(*_: object, **__: object) -> int:
        raise AssertionError("it was opened")

    monkeypatch.setattr(file_reading.os, "open", touched)
    for name in ("pipe", "."):
        with pytest.raises(SnapshotError, match="is no file"):
            read_limited(tmp_path / name, 100, SnapshotError)


def next_descriptor() -> int:
    """The lowest number that is free: higher than before if something was left open."""
    free = os.open("/", os.O_RDONLY)
    os.close(free)
    return free


def test_descriptors_are_closed_whatever_happens(tmp_path):
    path = tmp_path / "a.palu"
    path.write_bytes(b"whole")
    os.mkfifo(tmp_path / "pipe")
    before = next_descriptor()
    for place, most in ((path, 100), (path, 3), (tmp_path / "pipe", 100), (tmp_path, 100), (tmp_path / "none", 100)):
        try:
            read_limited(place, most, SnapshotError)
        except SnapshotError:
            continue
        assert place is path
    for context in (open_ledger(tmp_path / "pipe", {}), appending(tmp_path / "pipe", {})):
        with pytest.raises(PaludariumError), context:
            pass
    (tmp_path / "b.work").write_text("of another job\n")
    with pytest.raises(LedgerError), open_ledger(tmp_path / "b.work", {}):
        pass
    with open_ledger(tmp_path / "a.work", {}), pytest.raises(LedgerError), open_ledger(tmp_path / "a.work", {}):
        pass
    assert next_descriptor() == before


def test_a_file_that_grows_or_shrinks_is_read_as_it_was_when_it_was_opened(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"12345678")
    with opened(path) as (descriptor, about), path.open("ab") as more:
        more.write(b"9" * 100)
        more.flush()
        assert content_of(descriptor, about, 20) == b"12345678"
    with opened(path) as (descriptor, about):
        os.truncate(path, 3)
        assert content_of(descriptor, about, 200) == b"123"


def test_no_more_memory_is_asked_for_than_the_file_has(tmp_path):
    path = tmp_path / "a.palu"
    path.write_bytes(b"1234")
    tracemalloc.start()
    try:
        assert read_limited(path, 2**31, SnapshotError) == b"1234"
        assert tracemalloc.get_traced_memory()[1] < MEGABYTE
    finally:
        tracemalloc.stop()


def test_pieces_that_the_system_hands_out_are_put_together(tmp_path, monkeypatch):
    path = tmp_path / "a.palu"
    path.write_bytes(bytes(range(100)))
    whole = os.read
    monkeypatch.setattr(file_reading.os, "read", lambda descriptor, size: whole(descriptor, min(size, 7)))
    assert read_limited(path, 100, SnapshotError) == bytes(range(100))
    with opened(path) as (descriptor, _):
        assert read_up_to(descriptor, 50) == bytes(range(50))


def test_too_little_memory_and_names_that_cannot_be_are_our_errors(tmp_path, monkeypatch):
    for name in ("a\0b", "\ud800"):
        with pytest.raises(SnapshotError, match="cannot be read"):
            read_limited(tmp_path / name, 100, SnapshotError)
    with pytest.raises(UnfitFileError), opened(tmp_path / "a\0b"):
        pass
    path = tmp_path / "a.palu"
    path.write_bytes(b"1")

    def no_room(*_: object) -> bytes:
        raise MemoryError

    monkeypatch.setattr(file_reading.os, "read", no_room)
    with pytest.raises(SnapshotError, match=r"a\.palu: is larger than the memory"):
        read_limited(path, 100, SnapshotError)


def test_nothing_is_left_of_a_ledger_that_could_not_be_opened(tmp_path):
    path = tmp_path / "a.work"
    os.mkfifo(path)
    with pytest.raises(LedgerError), open_ledger(path, {}):
        pass
    path.unlink()
    with open_ledger(path, {}) as (known, _):
        assert known == {}


def test_a_ledger_on_a_disk_without_locks_is_refused_and_kept(tmp_path, monkeypatch):
    def no_locks(_: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(growing_file, "lock", no_locks)
    path = tmp_path / "a.work"
    path.write_text("of another job\n")
    with pytest.raises(LedgerError, match=r"a\.work: cannot be locked for one run alone \(No locks"), open_ledger(path, {}):
        pass
    assert path.read_text() == "of another job\n"


def lying(path: Path, method: int, claimed: int, size: int) -> None:
    """A table with one array that unpacks to more than its head in the zip file says."""
    with zipfile.ZipFile(path, "w", method) as packed:
        packed.writestr("vx.npy", bytes(size))
    content = path.read_bytes()
    true, false = size.to_bytes(4, "little"), claimed.to_bytes(4, "little")
    assert content.count(true) == 2
    path.write_bytes(content.replace(true, false))


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_table_that_unpacks_to_more_than_it_says_takes_no_memory(tmp_path, method):
    path = tmp_path / "bomb.npz"
    lying(path, method, claimed=1000, size=16 * MEGABYTE + 3)
    assert path.stat().st_size < MEGABYTE
    tracemalloc.start()
    try:
        with pytest.raises(TableError, match="bomb"):
            read_arrays(path, {"vx": "f"}, 10 * MEGABYTE, TableError)
        assert tracemalloc.get_traced_memory()[1] < 4 * MEGABYTE
    finally:
        tracemalloc.stop()


def test_a_head_that_asks_for_more_than_the_table_has_takes_no_memory(tmp_path):
    """Version 2 of the format has a length of four bytes for its own head."""
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("vx.npy", b"\x93NUMPY\x02\x00" + (2**32 - 1).to_bytes(4, "little") + bytes(16 * MEGABYTE))
    content = path.read_bytes()
    size = (16 * MEGABYTE + 12).to_bytes(4, "little")
    path.write_bytes(content.replace(size, (1000).to_bytes(4, "little")))
    tracemalloc.start()
    try:
        with pytest.raises(TableError, match="bomb"):
            read_arrays(path, {"vx": "f"}, 10 * MEGABYTE, TableError)
        assert tracemalloc.get_traced_memory()[1] < 4 * MEGABYTE
    finally:
        tracemalloc.stop()


def test_arrays_are_read_however_numpy_packs_them(tmp_path):
    for save in (np.savez, np.savez_compressed):
        save(tmp_path / "a.npz", vx=np.arange(5.0))
        assert read_arrays(tmp_path / "a.npz", {"vx": "f"}, 10_000, TableError)["vx"].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
