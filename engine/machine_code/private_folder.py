"""The user's own folder of compiled kernels. Machine code is code: no other user may write there.

Made with access for its owner only, and refused if it belongs to another user or others may write: then kernels are
compiled in memory. What was not used for thirty days goes.
"""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import time

import platformdirs

from .processor_level import machine_name, platform_name

BEGINNING = "paludarium-code-"
OLDER_BEGINNING = "numba-"
"""Folders of the first releases, in a root that is ours alone."""
DAY = 86_400.0
KEPT = 30 * DAY
PRIVATE = 0o700


def cache_root() -> tuple[Path, bool]:
    """Where folders of compiled kernels are, and whether they are ours alone."""
    wish = os.environ.get("NUMBA_CACHE_DIR")
    if wish:
        return Path(wish), False
    return platformdirs.user_cache_path("paludarium", appauthor=False), True


@cache
def code_folder() -> tuple[Path | None, str]:
    """The folder for this numba and this processor, and where it is or why there is none."""
    root, _ = cache_root()
    folder = root / f"{BEGINNING}{platform_name()}-{machine_name()}"
    try:
        root.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
        with suppress(FileExistsError):
            folder.mkdir(mode=PRIVATE)
        refusal = why_refused(folder)
    except OSError as problem:
        return None, f"{root} cannot be used: {problem.strerror or problem}"
    return (None, refusal) if refusal else (folder, str(folder))


def why_refused(folder: Path) -> str:
    """What is wrong with a folder that code is to be loaded from; empty if nothing is."""
    about = folder.lstat()
    if not stat.S_ISDIR(about.st_mode):
        return f"{folder} is not a folder"
    if os.name == "posix":
        if about.st_uid != os.getuid():
            return f"{folder} belongs to another user"
        if about.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return f"others may write to {folder}"
    return ""


def read_code(name: str) -> bytes | None:
    """The bytes that were kept under a name, or None."""
    folder, _ = code_folder()
    if folder is None:
        return None
    file = folder / name
    try:
        data = file.read_bytes()
        if time() - file.stat().st_mtime > DAY:
            os.utime(file)  # it is in use
    except OSError:
        return None
    return data


def keep_code(name: str, data: bytes) -> None:
    """Keep bytes under a name, whole or not at all; a full disk or a folder that went away is no error."""
    folder, _ = code_folder()
    if folder is None:
        return
    with suppress(OSError):
        handle, draft = tempfile.mkstemp(dir=folder, prefix=".draft-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(draft, folder / name)
        except OSError:
            with suppress(OSError):
                os.unlink(draft)
    remove_old()


@cache
def remove_old() -> None:
    """Once per process that writes: remove what was not used for thirty days, in all our folders."""
    root, ours = cache_root()
    beginnings = (BEGINNING, OLDER_BEGINNING) if ours else (BEGINNING,)
    oldest = time() - KEPT
    with suppress(OSError):
        for folder in root.iterdir():
            if folder.name.startswith(beginnings) and folder.is_dir() and not folder.is_symlink():
                _remove_older(folder, oldest)


def _remove_older(folder: Path, oldest: float) -> None:
    for path, _, files in os.walk(folder, topdown=False):
        unused = os.lstat(path).st_mtime < oldest
        for name in files:
            file = Path(path) / name
            with suppress(OSError):
                if file.lstat().st_mtime < oldest:
                    file.unlink()
        if unused:
            with suppress(OSError):  # something is left in it
                os.rmdir(path)
