"""Opening files of unknown origin: regular files only, of limited size, and so that nothing blocks.

A folder, a device, a socket or a named pipe is refused. What counts is the file that was opened, not what its name led to a
moment before, so nothing can be exchanged in between. A file is read up to the size it had when it was opened.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .errors import shortened

READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
"""How files are opened: without waiting for the other end of a pipe, without becoming the screen of this process, and on
Windows byte by byte."""
NO_LINK = getattr(os, "O_NOFOLLOW", 0)
PLAIN_MODE = 0o666
"""What a file gets that is simply created, before the system takes the user's mask off."""


class UnfitFileError(OSError):
    """A file that is not read, whatever the system says; the text is the reason alone."""


@contextmanager
def opened(path: str | Path, *, folder: int | None = None, links: bool = True) -> Iterator[tuple[int, os.stat_result]]:
    """The descriptor of a regular file that is open for reading, and what the system says about it.

    folder: the descriptor of a folder in which the file is. links: whether a link may lead to it.

    Example::

        with opened("world.palu") as (descriptor, about):
            begin = read_up_to(descriptor, min(8, about.st_size))
    """
    descriptor, about = open_regular(path, READING, folder=folder, links=links)
    try:
        yield descriptor, about
    finally:
        os.close(descriptor)


def open_regular(
    path: str | Path, flags: int, *, folder: int | None = None, links: bool = True
) -> tuple[int, os.stat_result]:
    """What `opened` gives, for who closes it: opened with `READING` and what else is asked for, such as ``os.O_CREAT``."""
    try:
        with suppress(FileNotFoundError):
            if links:  # opening a device may already do something, such as rewinding a tape
                _require_file(os.stat(path, dir_fd=folder))
        descriptor = os.open(path, flags | (0 if links else NO_LINK), PLAIN_MODE, dir_fd=folder)
    except ValueError as problem:  # a name that no file can have
        raise UnfitFileError(f"cannot be read ({problem})") from None
    try:
        about = os.fstat(descriptor)
        _require_file(about)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor, about


def read_up_to(descriptor: int, size: int) -> bytes:
    """So many bytes from where the descriptor is, or fewer if the file ends before."""
    pieces: list[bytes] = []
    try:
        while size > 0 and (piece := os.read(descriptor, size)):
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)
    except MemoryError:
        raise UnfitFileError("is larger than the memory that is free") from None


def content_of(descriptor: int, about: os.stat_result, most_bytes: int) -> bytes:
    """The content of an open file that is not larger than allowed."""
    if about.st_size > most_bytes:
        raise UnfitFileError(f"is larger than {most_bytes} bytes, which is the limit")
    return read_up_to(descriptor, about.st_size)


def read_limited(path: Path, most_bytes: int, error: Callable[[str], Exception]) -> bytes:
    """The content of a file that is not larger than allowed; an `error` that names the file says why not.

    Example::

        content = read_limited(Path("world.palu"), 2**31, SnapshotError)
    """
    try:
        with opened(path) as (descriptor, about):
            return content_of(descriptor, about, most_bytes)
    except OSError as problem:
        raise error(f"{shortened_name(path)}: {reason_of(problem)}") from None


def reason_of(problem: OSError) -> str:
    """What is wrong with a file, for a message that has named it.

    >>> reason_of(FileNotFoundError(2, "No such file or directory"))
    'cannot be read (it does not exist)'
    """
    if isinstance(problem, UnfitFileError):
        return str(problem)
    if isinstance(problem, FileNotFoundError):
        return "cannot be read (it does not exist)"
    return f"cannot be read ({problem.strerror or problem})"


def shortened_name(path: Path) -> str:
    """The path for a message; one that no file can have is shown as a value, without what a screen cannot show."""
    name = str(path)
    return name if name.isprintable() else shortened(name)


def _require_file(about: os.stat_result) -> None:
    if not stat.S_ISREG(about.st_mode):
        raise UnfitFileError("is no file")
