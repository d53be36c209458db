"""Writing files so that a crash never leaves half of one behind."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from .errors import PaludariumError, shortened
from .file_reading import PLAIN_MODE, UnfitFileError
from .unfinished_files import LOCKS_PARTS, forget_parts, new_part

LONGEST_PATH, LONGEST_PART = 4000, 255
"""Characters of a path, and bytes of a name in it, that systems allow."""
LONGEST_STEM = 100
"""Bytes of a file's name that its parts begin with."""
PRIVATE_MODE = 0o600
"""Of a file for the user alone."""


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
    part = None
    try:
        target = Path(os.path.realpath(path))
        if os.path.lexists(target) and not stat.S_ISREG(target.lstat().st_mode):  # root could replace a device
            raise UnfitFileError("it is no file")
        prefix = os.fsencode(target.name)[:LONGEST_STEM].decode(errors="ignore")
        forget_parts(target.parent, prefix)
        part, descriptor = new_part(target.parent, prefix, PRIVATE_MODE if private else PLAIN_MODE)
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if LOCKS_PARTS:  # until it has its name
                os.replace(part, target)
        if not LOCKS_PARTS:
            os.replace(part, target)
    except BaseException as problem:
        if part is not None:
            part.unlink(missing_ok=True)
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
