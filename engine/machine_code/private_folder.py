"""The user's own folder of compiled kernels. Machine code is code: no other user may write there, or exchange the folder.

Made with access for its owner only, and refused if anyone else could put code there (`trusted_folder`): then kernels are
compiled in memory. It is looked at once and stays open, and files are found below what was opened, wherever its name leads
by then. What was not used for thirty days goes.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import time

import platformdirs

from ..file_reading import NO_LINK, content_of, opened
from .processor_level import machine_name, platform_name
from .stored_code import LARGEST
from .trusted_folder import PRIVATE, UntrustedError, real_folder, require_own

BEGINNING = "paludarium-code-"
OLDER_BEGINNING = "numba-"
"""Folders of the first releases, in a root that is ours alone."""
DAY = 86_400.0
KEPT = 30 * DAY
DRAFT = ".draft-"
PRIVATE_FILE = 0o600
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK | getattr(os, "O_BINARY", 0)
BELOW_DESCRIPTORS = {os.open, os.rename, os.unlink} <= os.supports_dir_fd
"""Whether this system finds files below an open folder. Where it does not (Windows), they are found by their paths."""


class CodeFolder:
    """An open folder in which only we can write.

    Example::

        folder = CodeFolder(Path("/home/me/.cache/paludarium/paludarium-code-1"))
        folder.keep("kernel-aa.code", b"code")
        folder.read("kernel-aa.code")               # b"code"
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._open()

    def _open(self) -> None:
        self.path = real_folder(self.path.parent, make=True) / self.path.name
        with suppress(FileExistsError):
            self.path.mkdir(mode=PRIVATE)
        about = self.path.lstat()
        if not stat.S_ISDIR(about.st_mode):
            raise UntrustedError(f"{self.path} is not a folder")
        require_own(self.path, about)
        self._descriptor: int | None = None
        if BELOW_DESCRIPTORS:
            self._descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | NO_LINK)
            about = os.fstat(self._descriptor)
            require_own(self.path, about)
        self._about = about

    def read(self, name: str) -> bytes | None:
        """The bytes that were kept under a name, or None."""
        try:
            place, folder = self._place(name)
            with opened(place, folder=folder, links=False) as (descriptor, about):
                require_own(self.path / name, about)
                data = content_of(descriptor, about, LARGEST)
                if time() - about.st_mtime > DAY:  # it is in use
                    os.utime(descriptor if os.utime in os.supports_fd else place)
        except (OSError, UntrustedError):
            return None
        return data

    def keep(self, name: str, data: bytes) -> None:
        """Keep bytes under a name, whole or not at all; a full disk or a folder that went away is no error."""
        with suppress(OSError, UntrustedError):
            place, folder = self._place(name)
            draft, _ = self._place(f"{DRAFT}{os.urandom(8).hex()}")
            descriptor = os.open(draft, NEW, PRIVATE_FILE, dir_fd=folder)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(data)
                os.replace(draft, place, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with suppress(OSError):
                    os.unlink(draft, dir_fd=folder)
                raise
        remove_old(self.path.parent)

    def _place(self, name: str) -> tuple[str | Path, int | None]:
        """Where a file is: its name below the descriptor of the folder, or its path."""
        if self._descriptor is None:
            return self.path / name, None
        if not self._is_open():  # a host that became a daemon has closed all files, and their numbers lead elsewhere now
            self._open()
        return name, self._descriptor

    def _is_open(self) -> bool:
        try:
            return self._descriptor is not None and os.path.samestat(os.fstat(self._descriptor), self._about)
        except OSError:
            return False


def cache_root() -> tuple[Path, bool]:
    """Where folders of compiled kernels are, and whether they are ours alone."""
    wish = os.environ.get("NUMBA_CACHE_DIR")
    if wish:
        return Path(wish), False
    return platformdirs.user_cache_path("paludarium", appauthor=False), True


@cache
def code_folder() -> tuple[CodeFolder | None, str]:
    """The folder for this numba and this processor, and where it is or why there is none."""
    root, ours = cache_root()
    if ours and not root.is_absolute():
        return None, f"this user has no home, {root} leads nowhere"
    try:
        folder = CodeFolder(root / f"{BEGINNING}{platform_name()}-{machine_name()}")
    except UntrustedError as problem:
        return None, str(problem)
    except OSError as problem:
        return None, f"{root} cannot be used: {problem.strerror or problem}"
    return folder, str(folder.path)


@cache
def remove_old(root: Path) -> None:
    """Once per process that writes: remove what was not used for thirty days, in all our folders of a root."""
    beginnings = (BEGINNING, OLDER_BEGINNING) if cache_root()[1] else (BEGINNING,)
    oldest = time() - KEPT
    with suppress(OSError):
        for folder in root.iterdir():
            if folder.name.startswith(beginnings):
                _remove_older(folder, oldest)


def _remove_older(folder: Path, oldest: float) -> None:
    """Remove old files of a folder and of those in it, and the folder if nothing is left; never where others may write."""
    with suppress(OSError, UntrustedError):
        about = folder.lstat()
        if not stat.S_ISDIR(about.st_mode):
            return
        require_own(folder, about)
        for place in list(folder.iterdir()):
            inside = place.lstat()
            if stat.S_ISDIR(inside.st_mode):
                _remove_older(place, oldest)
            elif inside.st_mtime < oldest:
                with suppress(OSError):
                    place.unlink()
        if about.st_mtime < oldest:
            folder.rmdir()  # unless something is left in it
