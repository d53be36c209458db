"""Files that only ever grow, line by line, and survive a kill at any moment: opened for one writer at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from ...engine.file_lock import lock
from ...engine.file_reading import READING, content_of, open_regular, read_limited, reason_of

LARGEST_FILE = 2**31
"""Bytes of a ledger or table: as much as a save may have."""
GROWING = READING | os.O_RDWR | os.O_APPEND | os.O_CREAT


class Kind(NamedTuple):
    """What kind of file it is, for messages: ``"the ledger of a job"``, ``"run"``, and the error that says them."""

    name: str
    job: str
    error: Callable[[str], Exception]

    def decoded(self, content: bytes, file: Path) -> str:
        """The text of such a file."""
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError:
            raise self.error(f"{file} is not {self.name}") from None


def text_of(file: Path, kind: Kind) -> str:
    """The text of such a file, as it is now; it may be growing.

    Example::

        lines = text_of(Path("ant.work"), LEDGER).splitlines()
    """
    return kind.decoded(read_limited(file, LARGEST_FILE, kind.error), file)


@contextmanager
def opened_to_grow(file: Path, kind: Kind) -> Iterator[tuple[str, IO[bytes]]]:
    """Its text, and the file for more lines at its end: made if it is missing, and locked for as long as it is open.

    Example::

        with opened_to_grow(Path("ant.work"), LEDGER) as (text, handle):
            begin(handle, text, "the first line\\n")
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor, _ = open_regular(file, GROWING)
    except OSError as problem:
        raise kind.error(f"{file}: {reason_of(problem)}") from None
    try:
        content = _locked_content(descriptor, file, kind)
    except BaseException:
        os.close(descriptor)
        raise
    with os.fdopen(descriptor, "a+b") as handle:
        yield kind.decoded(content, file), handle


def begin(handle: IO[bytes], text: str, head: str) -> None:
    """Have a file that holds this text begin with these lines and end with a whole one: a torn last line goes."""
    if text.startswith(head):
        handle.truncate(len(text[: text.rfind("\n") + 1].encode()))
    else:
        handle.truncate(0)
        handle.write(head.encode())
    handle.flush()


def _locked_content(descriptor: int, file: Path, kind: Kind) -> bytes:
    try:
        lock(descriptor)
    except BlockingIOError:
        raise kind.error(f"{file}: another {kind.job} is writing into it") from None
    except OSError as problem:
        raise kind.error(f"{file}: cannot be locked for one {kind.job} alone ({problem.strerror})") from None
    try:
        os.lseek(descriptor, 0, os.SEEK_SET)
        return content_of(descriptor, os.fstat(descriptor), LARGEST_FILE)
    except OSError as problem:
        raise kind.error(f"{file}: {reason_of(problem)}") from None
