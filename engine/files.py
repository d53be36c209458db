"""Writing files so that a crash never leaves half of one behind."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from .errors import PaludariumError, shortened

PART = ".part"
"""How the names of files end that are being written."""
PART_NAME = re.compile(rf"(\.(?P<machine>[0-9a-f]{{8}})-(?P<process>\d+)\.)?[a-z0-9_]{{8}}{re.escape(PART)}")
"""What follows the name of the file itself in the names of its parts; those of earlier versions tell no process."""
LONGEST_PATH, LONGEST_PART = 4000, 255
"""Characters of a path, and bytes of a name in it, that systems allow."""
LONGEST_STEM = 100
"""Characters of a file's name that its parts begin with."""
FORGOTTEN_SECONDS = 600.0
"""A part that was not written to for so long was left behind."""
PLAIN_FILE_MODE = 0o666
"""What a file gets that is simply created, before the user's mask is taken off; temporary files start out private."""


@contextmanager
def written_whole(
    path: str | Path, error: type[PaludariumError] = PaludariumError, *, private: bool = False
) -> Iterator[BinaryIO]:
    """A file to write into that takes the place of `path` once all of it is on disk; on an error the old one stays.

    A `private` one can be read by the user alone. A link stays a link, and parts that killed processes have left are
    taken away. What the system refuses (a full disk, a folder that is not there) is told as an `error` that names the path.

    Example::

        with written_whole("table.csv") as file:
            file.write(b"speed,power\\n")
    """
    path = path_of(path, error)
    temporary = None
    try:
        target = Path(os.path.realpath(path))
        prefix = target.name[:LONGEST_STEM]
        _forget_parts(target.parent, prefix)
        begin = f"{prefix}.{_machine()}-{os.getpid()}."
        descriptor, temporary = tempfile.mkstemp(prefix=begin, suffix=PART, dir=target.parent)
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if not private:
            os.chmod(temporary, PLAIN_FILE_MODE & ~_user_mask())
        os.replace(temporary, target)
    except BaseException as problem:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        if isinstance(problem, OSError):
            reason = problem.strerror or problem
            raise error(f"{path}: cannot be written ({reason}); what was there before is still there") from problem
        raise


def path_of(path: Any, error: type[PaludariumError]) -> Path:
    """A path from what a caller gave, or an error that says what is allowed."""
    if not is_path(path):
        raise error(f"path = {shortened(path)}: allowed is the name of a file")
    return Path(path)


def is_path(value: Any) -> bool:
    """Whether a value can be the name of a file, there or not."""
    if not isinstance(value, str | Path) or not str(value) or "\0" in str(value) or len(str(value)) > LONGEST_PATH:
        return False
    try:
        return all(len(part.encode()) <= LONGEST_PART for part in Path(value).parts)
    except UnicodeEncodeError:
        return False


def _forget_parts(folder: Path, prefix: str) -> None:
    """Take parts of the same file away that are no longer written: their process has ended, or they are old."""
    for name in os.listdir(folder):
        found = PART_NAME.fullmatch(name.removeprefix(prefix)) if name.startswith(prefix) else None
        if found is None:
            continue
        part = folder / name
        try:
            if _has_ended(found["machine"], found["process"]) or time.time() - part.lstat().st_mtime > FORGOTTEN_SECONDS:
                part.unlink()
        except OSError:
            continue  # another process has just done it


def _has_ended(machine: str | None, process: str | None) -> bool:
    """Whether a part is of a process of this machine that is no more."""
    if os.name != "posix" or process is None or machine != _machine():
        return False
    try:
        os.kill(int(process), 0)  # signal 0 only asks
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


def _machine() -> str:
    """How the parts of this machine are marked: on a shared disk, others have processes of the same number."""
    return hashlib.blake2b(platform.node().encode(), digest_size=4).hexdigest()


def _user_mask() -> int:
    mask = os.umask(0)  # there is no way to read it without setting it
    os.umask(mask)
    return mask
