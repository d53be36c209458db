"""The user's folder: private, refused if it is not, and not missed if it cannot be."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from time import time

import pytest

from paludarium.engine.machine_code import private_folder, trusted_folder
from paludarium.engine.machine_code.private_folder import KEPT, code_folder, remove_old
from paludarium.engine.machine_code.trusted_folder import UntrustedError, require_own

posix = pytest.mark.skipif(os.name != "posix", reason="owners and modes are those of Unix")


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    """A fresh cache root; nothing is remembered of the real one."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "root"))
    _forget()
    yield tmp_path / "root"
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    code_folder.cache_clear()
    remove_old.cache_clear()


def its_path() -> Path:
    return code_folder()[0].path


def keep_code(name: str, data: bytes) -> None:
    code_folder()[0].keep(name, data)


def read_code(name: str) -> bytes | None:
    return code_folder()[0].read(name)


@posix
def test_the_folder_is_made_for_its_owner_alone(home):
    os.umask(os.umask(0))
    folder = its_path()
    assert folder.parent == home
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_what_is_kept_comes_back_and_nothing_else_is_left(home):
    keep_code("kernel-aa.code", b"code")
    folder = its_path()
    assert read_code("kernel-aa.code") == b"code"
    assert read_code("kernel-bb.code") is None
    assert [file.name for file in folder.iterdir()] == ["kernel-aa.code"]


@posix
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o720])
def test_a_folder_that_others_may_write_to_is_refused(home, mode):
    folder = its_path()
    folder.chmod(mode)
    code_folder.cache_clear()
    assert code_folder() == (None, f"others may write to {folder}")
    assert list(folder.iterdir()) == []


@posix
def test_a_folder_of_somebody_else_is_refused(home, monkeypatch):
    folder = its_path()
    monkeypatch.setattr(trusted_folder.os, "geteuid", lambda: os.stat(folder).st_uid + 1)
    with pytest.raises(UntrustedError, match=re.escape(f"{folder} belongs to another user")):
        require_own(folder, folder.lstat())


@posix
def test_a_link_in_place_of_the_folder_is_refused(home, tmp_path):
    folder = its_path()
    folder.rmdir()
    (tmp_path / "elsewhere").mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    code_folder.cache_clear()
    assert code_folder() == (None, f"{folder} is not a folder")


def test_a_root_that_cannot_be_is_no_error(home):
    home.write_text("a file where the folder should be")
    folder, why = code_folder()
    assert folder is None
    assert str(home) in why


def test_a_folder_that_went_away_is_no_error(home):
    folder = its_path()
    folder.rmdir()
    keep_code("kernel-aa.code", b"code")
    assert read_code("kernel-aa.code") is None


def test_what_nobody_used_for_thirty_days_goes_and_what_is_used_stays(home):
    keep_code("new.code", b"code")
    folder = its_path()
    other = home / f"{private_folder.BEGINNING}another-numba"
    for place in (folder, other, home / "somebody-elses"):
        place.mkdir(exist_ok=True)
        (place / "old.code").write_bytes(b"old")
        (place / "used.code").write_bytes(b"used")
        for name, age in (("old.code", KEPT + 60.0), ("used.code", KEPT - 3600.0)):
            os.utime(place / name, (time() - age, time() - age))
    assert read_code("used.code") == b"used"  # now it is young again
    assert time() - (folder / "used.code").stat().st_mtime < 60.0
    remove_old.cache_clear()
    keep_code("newer.code", b"code")
    assert sorted(file.name for file in folder.iterdir()) == ["new.code", "newer.code", "used.code"]
    assert [file.name for file in other.iterdir()] == ["used.code"]
    assert len(list((home / "somebody-elses").iterdir())) == 2


TWO = """
from paludarium.engine.kernel import kernel
from paludarium.engine.machine_code.compile_news import compiled_so_far
@kernel()
def {name}(x):
    return 3.0 * x
assert {name}(2.0) == 6.0
print(compiled_so_far())
"""


def run(home: Path, name: str) -> subprocess.Popen[str]:
    script = TWO.format(name=name)
    return subprocess.Popen([sys.executable, "-c", script], env={**os.environ, "NUMBA_CACHE_DIR": str(home)}, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip


def test_two_processes_at_once_and_a_third_that_finds_it_ready(tmp_path):
    both = [run(tmp_path / "root", "triple") for _ in range(2)]
    for process in both:
        _, trouble = process.communicate(timeout=120)
        assert process.returncode == 0, trouble
    third, _ = run(tmp_path / "root", "triple").communicate(timeout=120)
    assert third.split() == ["0"]


def test_damaged_files_are_compiled_again(tmp_path):
    run(tmp_path / "root", "triple").communicate(timeout=120)
    (file,) = (tmp_path / "root").glob("*/triple-*.code")
    whole = file.read_bytes()
    for damaged in (b"", whole[:-7], whole[:40] + b"\x00" + whole[41:]):
        file.write_bytes(damaged)
        said, trouble = run(tmp_path / "root", "triple").communicate(timeout=120)
        assert said.split() == ["1"], trouble
        assert file.read_bytes() != damaged
