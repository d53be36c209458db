"""No other user can have their machine code run: not by a parent of the folder, not by a link, not by a file in it."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from paludarium.engine.machine_code import private_folder, trusted_folder
from paludarium.engine.machine_code.code_pack import SWITCH, found_pack, pack_name, write_pack
from paludarium.engine.machine_code.private_folder import BEGINNING, KEPT, CodeFolder, code_folder, remove_old
from paludarium.engine.machine_code.processor_level import levels_here
from paludarium.engine.machine_code.trusted_folder import UntrustedError, real_folder
from paludarium.game_demo.doctor_command import _machine_code

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="owners and modes are those of Unix"),
    pytest.mark.usefixtures("impatient"),
]

CODE, EVIL = b"our code", b"their code"


@pytest.fixture
def home(tmp_path, monkeypatch) -> Iterator[Path]:
    """A fresh cache root in folders of our own; nothing is remembered of the real one."""
    root = tmp_path / "a" / "b" / "c"
    root.mkdir(parents=True, mode=0o755)
    for folder in (tmp_path / "a", tmp_path / "a" / "b", root):
        folder.chmod(0o755)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(root))
    _forget()
    yield root
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    for remembered in (code_folder, remove_old, found_pack):
        remembered.cache_clear()


@pytest.fixture
def folder(home) -> CodeFolder:
    found, why = code_folder()
    assert found is not None, why
    found.keep("kernel-aa.code", CODE)
    return found


def of_another_user(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    """Let a place look as if another user owned it; only root could really give it away."""
    honest = Path.lstat

    def lstat(self: Path) -> Any:
        about = honest(self)
        if self != place:
            return about
        values = list(about)
        values[stat.ST_UID] = os.geteuid() + 1
        return os.stat_result(values)

    monkeypatch.setattr(Path, "lstat", lstat)


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o757, 0o720])
@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_parent_that_others_may_write_to_is_refused(home, which, mode):
    parent = [home.parent.parent, home.parent, home][which]
    parent.chmod(mode)
    assert code_folder() == (None, f"others may write to {parent}")
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_parent_of_another_user_is_refused(home, monkeypatch, which):
    parent = [home.parent.parent, home.parent, home][which]
    of_another_user(monkeypatch, parent)
    assert code_folder() == (None, f"{parent} belongs to another user")


@pytest.mark.parametrize("mode", [0o1777, 0o1775, 0o755, 0o700, 0o711])
def test_a_parent_where_each_may_remove_only_their_own_will_do(home, mode):
    home.parent.chmod(mode)
    found, _ = code_folder()
    assert found is not None
    found.keep("a.code", CODE)
    assert found.read("a.code") == CODE


def test_the_folder_itself_may_not_be_one_for_all_even_so(folder):
    folder.path.chmod(0o1777)
    code_folder.cache_clear()
    assert code_folder() == (None, f"others may write to {folder.path}")


def test_links_are_followed_and_what_they_lead_through_is_looked_at(home, tmp_path, monkeypatch):
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for place in (ours, theirs):
        place.mkdir(mode=0o755)
        (place / "cache").mkdir(mode=0o755)
    for target in (ours / "cache", Path("..") / "ours" / "cache", Path("link to link")):
        link = home / "link"
        link.unlink(missing_ok=True)
        if str(target) == "link to link":
            (home / target).symlink_to(ours)
            target = target / "cache"
        else:
            target = target if target.is_absolute() else Path("..") / ".." / target
        link.symlink_to(target)
        assert real_folder(link) == ours / "cache"
        assert real_folder(link / ".." / "cache") == ours / "cache"
    theirs.chmod(0o777)
    (home / "bad").symlink_to(theirs / "cache")
    with pytest.raises(UntrustedError, match=f"others may write to {theirs}"):
        real_folder(home / "bad")
    of_another_user(monkeypatch, home / "link")
    with pytest.raises(UntrustedError, match="link belongs to another user"):
        real_folder(home / "link")


def test_a_loop_of_links_and_what_is_no_folder_are_refused(home):
    (home / "loop").symlink_to("loop")
    (home / "file").write_bytes(b"")
    for name in ("loop", "file", "file/in it"):
        with pytest.raises(UntrustedError, match="is not a folder"):
            real_folder(home / name, make=True)
    with pytest.raises(FileNotFoundError):
        real_folder(home / "missing")


def test_what_is_missing_on_the_way_is_made_for_us_alone(home, monkeypatch):
    """Where the mask of a group lets the group write, our own parents would be refused the next time."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(home / "x" / "y"))
    before = os.umask(0)
    try:
        found, why = code_folder()
    finally:
        os.umask(before)
    assert found is not None, why
    modes = {place.name: stat.S_IMODE(place.stat().st_mode) for place in (home / "x", home / "x" / "y", found.path)}
    assert set(modes.values()) == {0o700}, modes


def test_a_root_that_is_named_from_here_stays_where_it_was(home, monkeypatch):
    monkeypatch.chdir(home)
    monkeypatch.setenv("NUMBA_CACHE_DIR", "here")
    found, _ = code_folder()
    monkeypatch.chdir("/")
    found.keep("a.code", CODE)
    assert (home / "here" / found.path.name / "a.code").read_bytes() == CODE


def test_without_a_home_no_folder_is_made_in_a_place_by_chance(home, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setattr(private_folder.platformdirs, "user_cache_path", lambda *_, **__: Path("~/.cache/paludarium"))
    monkeypatch.chdir(home)
    found, why = code_folder()
    assert found is None
    assert "no home" in why
    assert list(home.iterdir()) == []


def test_a_folder_that_is_exchanged_later_is_not_read(folder, home):
    away = home.with_name("away")
    home.rename(away)
    their = home / folder.path.name
    their.mkdir(parents=True, mode=0o700)
    (their / "kernel-aa.code").write_bytes(EVIL)
    assert folder.read("kernel-aa.code") == CODE
    folder.keep("kernel-bb.code", CODE)
    assert [file.name for file in their.iterdir()] == ["kernel-aa.code"]
    assert folder.read("kernel-bb.code") == CODE


def test_a_descriptor_that_leads_elsewhere_is_not_used(folder, tmp_path):
    """A host that becomes a daemon closes all files, and opens its own under the same numbers."""
    their = tmp_path / "their"
    their.mkdir(mode=0o700)
    (their / "kernel-aa.code").write_bytes(EVIL)
    for stolen in (os.open(their, os.O_RDONLY), os.open(their / "kernel-aa.code", os.O_RDONLY)):
        os.dup2(stolen, folder._descriptor)
        os.close(stolen)
        assert folder.read("kernel-aa.code") == CODE
    os.close(folder._descriptor)
    folder.keep("kernel-bb.code", CODE)
    assert folder.read("kernel-bb.code") == CODE
    assert [file.name for file in their.iterdir()] == ["kernel-aa.code"]
    os.close(folder._descriptor)
    folder.path.chmod(0o777)  # opened anew, it is looked at anew
    assert folder.read("kernel-aa.code") is None
    folder.keep("kernel-cc.code", CODE)
    assert not (folder.path / "kernel-cc.code").exists()


def test_odd_files_in_the_folder_are_misses(folder, tmp_path, monkeypatch):
    (tmp_path / "elsewhere.code").write_bytes(CODE)
    (folder.path / "link.code").symlink_to(tmp_path / "elsewhere.code")
    os.mkfifo(folder.path / "pipe.code")
    (folder.path / "folder.code").mkdir()
    for name, mode in (("group.code", 0o620), ("all.code", 0o602), ("ours.code", 0o644)):
        (folder.path / name).write_bytes(CODE)
        (folder.path / name).chmod(mode)
    (folder.path / "large.code").write_bytes(b"")
    os.truncate(folder.path / "large.code", private_folder.LARGEST + 1)
    names = [file.name for file in folder.path.iterdir()]
    assert len(names) == 8
    assert {name for name in names if folder.read(name) is not None} == {"kernel-aa.code", "ours.code"}
    monkeypatch.setattr(trusted_folder.os, "geteuid", lambda: folder.path.stat().st_uid + 1)
    assert not [name for name in names if folder.read(name) is not None]


def test_a_link_in_the_place_of_a_file_is_replaced_and_leads_nowhere(folder, tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("kept")
    (folder.path / "kernel-bb.code").symlink_to(precious)
    folder.keep("kernel-bb.code", CODE)
    assert precious.read_text() == "kept"
    assert folder.read("kernel-bb.code") == CODE


def test_nothing_is_left_of_what_could_not_be_kept(folder, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(private_folder.os, "replace", full)
    folder.keep("kernel-bb.code", CODE)
    assert [file.name for file in folder.path.iterdir()] == ["kernel-aa.code"]


def test_parents_are_looked_at_once_however_many_kernels_there_are(home, monkeypatch):
    looked: list[Path] = []
    honest = Path.lstat
    monkeypatch.setattr(Path, "lstat", lambda self: looked.append(self) or honest(self))
    found, _ = code_folder()
    first = len(looked)
    assert first == len(set(looked)) == len(found.path.parents) + 1
    for _ in range(50):
        assert found.read("kernel-aa.code") is None
    assert len(looked) == first


def test_systems_that_find_nothing_below_descriptors_use_paths(home, monkeypatch):
    monkeypatch.setattr(private_folder, "BELOW_DESCRIPTORS", False)
    monkeypatch.setattr(private_folder.os, "supports_fd", set())
    found, _ = code_folder()
    found.keep("a.code", CODE)
    os.utime(found.path / "a.code", (1.0, 1.0))
    assert found.read("a.code") == CODE
    assert (found.path / "a.code").stat().st_mtime > 1.0
    assert found.read("b.code") is None
    assert [file.name for file in found.path.iterdir()] == ["a.code"]


def test_tidying_up_does_not_enter_what_others_may_write_to(folder, home, tmp_path):
    precious = tmp_path / "precious"
    precious.mkdir()
    (home / f"{BEGINNING}link").symlink_to(precious)
    inside = home / f"{BEGINNING}theirs"
    inside.mkdir()
    deep = home / f"{BEGINNING}ours" / "deep"
    deep.mkdir(parents=True)
    (deep / "link").symlink_to(precious)
    for place in (precious, inside, deep):
        (place / "old.code").write_bytes(b"old")
        os.utime(place / "old.code", (1.0, 1.0))
    inside.chmod(0o777)
    remove_old.cache_clear()
    folder.keep("kernel-bb.code", CODE)
    assert (precious / "old.code").exists()
    assert (inside / "old.code").exists()
    assert not (deep / "old.code").exists()
    os.utime(deep, (1.0, 1.0))
    os.utime(deep / "link", (1.0, 1.0), follow_symlinks=False)
    assert KEPT < 1e9
    remove_old.cache_clear()
    folder.keep("kernel-bb.code", CODE)
    assert (precious / "old.code").exists()
    assert not (deep / "link").is_symlink()


COMPILE = """
from paludarium.engine.kernel import kernel
from paludarium.engine.machine_code.compile_news import compiled_so_far
@kernel()
def triple(x):
    return 3.0 * x
assert triple(2.0) == 6.0
print(compiled_so_far())
"""


def test_what_is_refused_is_compiled_in_memory_and_the_doctor_says_why(home, monkeypatch):
    home.parent.chmod(0o777)
    environment = {**os.environ, SWITCH: "0"}
    done = subprocess.run([sys.executable, "-c", COMPILE], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1"]
    assert list(home.iterdir()) == []
    monkeypatch.setenv(SWITCH, str(home))
    said = _machine_code()
    assert said["cache"] == f"none: others may write to {home.parent}; kernels are compiled at every start"
    assert said["pack"] == f"none: others may write to {home.parent}; kernels are compiled at every start"


@pytest.fixture
def packs(home, monkeypatch) -> Path:
    monkeypatch.setenv(SWITCH, str(home / "packs"))
    if not levels_here():
        pytest.skip("no pack is for this processor")
    write_pack(home / "packs" / pack_name(levels_here()[0]), {"aa": CODE})
    monkeypatch.setattr("paludarium.engine.machine_code.code_pack.levels_to_use", lambda: levels_here()[:1])
    return home / "packs"


def test_a_pack_of_ours_in_a_folder_of_ours_is_taken_whatever_the_mask_is(packs):
    found, where = found_pack()
    assert found is not None, where
    assert found.read("aa") == CODE
    (pack,) = packs.iterdir()
    pack.unlink()
    packs.rmdir()
    before = os.umask(0o002)
    try:
        write_pack(pack, {"aa": CODE})
    finally:
        os.umask(before)
    found_pack.cache_clear()
    assert found_pack()[0] is not None


def test_a_pack_that_others_could_exchange_is_not_taken(packs, home):
    (pack,) = packs.iterdir()
    for place, mode in ((pack, 0o664), (pack, 0o646), (packs, 0o1777), (packs, 0o775), (home, 0o777), (home.parent, 0o770)):
        before = stat.S_IMODE(place.stat().st_mode)
        place.chmod(mode)
        found_pack.cache_clear()
        assert found_pack() == (None, f"others may write to {place}")
        place.chmod(before)
    found_pack.cache_clear()
    assert found_pack()[0] is not None


def test_a_pack_or_folder_of_another_user_is_not_taken(packs, monkeypatch):
    (pack,) = packs.iterdir()
    of_another_user(monkeypatch, packs)
    assert found_pack() == (None, f"{packs} belongs to another user")
    monkeypatch.undo()
    monkeypatch.setenv(SWITCH, str(packs))
    honest = trusted_folder.require_owner

    def require_owner(place: Path, about: os.stat_result, *others: int) -> None:
        if place == pack:
            raise UntrustedError(f"{place} belongs to another user")
        honest(place, about, *others)

    monkeypatch.setattr(trusted_folder, "require_owner", require_owner)
    found_pack.cache_clear()
    found, why = found_pack()
    assert found is None
    assert re.search("belongs to another user", why)


def test_links_pipes_and_folders_in_the_place_of_a_pack_are_not_taken(packs, tmp_path):
    (pack,) = packs.iterdir()
    pack.rename(tmp_path / "elsewhere.pack")
    for make in (lambda: pack.symlink_to(tmp_path / "elsewhere.pack"), lambda: os.mkfifo(pack), pack.mkdir):
        make()
        found_pack.cache_clear()
        found, why = found_pack()
        assert found is None
        assert "cannot be read" in why
        pack.rmdir() if pack.is_dir() and not pack.is_symlink() else pack.unlink()


def test_a_folder_of_packs_that_is_not_there_is_no_error(packs, monkeypatch):
    monkeypatch.setenv(SWITCH, str(packs / "missing"))
    assert found_pack() == (None, f"{SWITCH}={packs / 'missing'}: No such file or directory")
