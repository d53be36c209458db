"""Files that are being written: how they are made, and how those are told apart that killed processes have left.

Who writes a file holds a lock on it. The system takes the lock away with the process, so what can be locked is left behind.
Process numbers would not tell: two containers that share a folder have numbers of their own.
"""

from __future__ import annotations

import errno
import hashlib
import os
import platform
import re
import stat
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from .file_lock import lock
from .file_reading import NO_LINK, READING

PART = ".part"
"""How the names of files end that are being written."""
PART_NAME = re.compile(rf"(\.(?P<machine>[0-9a-f]{{8}})(?P<older>-\d+)?\.)?[a-z0-9_]{{8}}{re.escape(PART)}")
"""What follows the name of the file itself. Earlier versions wrote a process number, or nothing, and did not lock."""
FORGOTTEN_SECONDS = 600.0
"""A part that was not written to for so long, and is not locked, was left behind."""
TRIES = 100
"""Names for a new part; one is enough, unless another process tidies up in this very moment."""
BOOT = Path("/proc/sys/kernel/random/boot_id")
"""Where Linux tells one start of one machine from all others; containers on it share it."""
NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | NO_LINK | getattr(os, "O_BINARY", 0)
TO_LOCK = READING | os.O_RDWR | NO_LINK  # locks of network disks need a file that may be written
LOCKS_PARTS = os.name == "posix"
"""Windows needs no locks: it keeps open files from being removed."""


def new_part(folder: Path, prefix: str, mode: int) -> tuple[Path, int]:
    """A new file beside the one that it will replace, locked for its descriptor, as long as that is open.

    Example::

        part, descriptor = new_part(Path("saves"), "world.palu", 0o600)
    """
    for _ in range(TRIES):
        part = folder / f"{prefix}.{machine()}.{os.urandom(4).hex()}{PART}"
        try:
            descriptor = os.open(part, NEW, mode)
        except FileExistsError:
            continue
        if _is_ours(part, descriptor):
            return part, descriptor
        os.close(descriptor)
    raise OSError(errno.EEXIST, f"no new file can be made, {TRIES} names were tried")


def forget_parts(folder: Path, prefix: str) -> None:
    """Take parts of the same file away that are no longer written."""
    for name in os.listdir(folder):
        found = PART_NAME.fullmatch(name.removeprefix(prefix)) if name.startswith(prefix) else None
        if found is not None:
            with suppress(OSError):  # another process has just done it, or may do it and we may not
                _forget(folder / name, locked_here=found["machine"] == machine() and not found["older"])


@cache
def machine() -> str:
    """How the parts of this machine are marked: on a network disk, its locks may be seen on no other."""
    boot = ""
    with suppress(OSError):
        boot = BOOT.read_text()
    return hashlib.blake2b(f"{platform.node()} {boot}".encode(), digest_size=4).hexdigest()


def _is_ours(part: Path, descriptor: int) -> bool:
    """Whether a new part could be locked before another process took it for one that was left behind."""
    if LOCKS_PARTS:
        try:
            lock(descriptor)
        except BlockingIOError:
            return False
        except OSError:
            pass  # no locks on this disk: others have to wait until it is old
    return os.path.lexists(part)


def _forget(part: Path, *, locked_here: bool) -> None:
    """Remove a part if it was left behind.

    locked_here: whether who writes it must hold a lock that is seen here; of others only what is old is touched.
    """
    about = part.lstat()
    old = time.time() - about.st_mtime > FORGOTTEN_SECONDS
    if not old and not (locked_here and LOCKS_PARTS):
        return
    if not LOCKS_PARTS or not stat.S_ISREG(about.st_mode):
        part.unlink()
        return
    try:
        descriptor = os.open(part, TO_LOCK)
    except PermissionError:  # of another user: this one's locks cannot be asked for
        if old:
            part.unlink()
        return
    try:
        try:
            lock(descriptor)
        except BlockingIOError:
            return
        except OSError:  # no locks on this disk
            if not old:
                return
        if os.path.samestat(part.lstat(), os.fstat(descriptor)):  # it may just have got its name, and this be another
            part.unlink()
    finally:
        os.close(descriptor)
