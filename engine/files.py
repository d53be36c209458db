"""Writing files so that a crash never leaves half of one behind."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

PLAIN_FILE_MODE = 0o666
"""What a file gets that is simply created, before the user's mask is taken off; temporary files start out private."""


@contextmanager
def written_whole(path: str | Path) -> Iterator[BinaryIO]:
    """A file to write into that takes the place of `path` once all of it is on disk; on an error the old one stays.

    Example::

        with written_whole("table.csv") as file:
            file.write(b"speed,power\\n")
    """
    path = Path(path)
    descriptor, temporary = tempfile.mkstemp(prefix=path.name, suffix=".part", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, PLAIN_FILE_MODE & ~_user_mask())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _user_mask() -> int:
    mask = os.umask(0)  # there is no way to read it without setting it
    os.umask(mask)
    return mask
