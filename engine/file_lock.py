"""Locks on open files. They end with the process that holds them, however it ends, and mean the same in every container."""

from __future__ import annotations

import os

LOCKED_BYTE = 1 << 40
"""Where the lock is on Windows, whose locks keep others from reading: far behind the end."""


def lock(descriptor: int) -> None:
    """Lock a file for this descriptor until it is closed; BlockingIOError if another has it locked.

    Any other OSError says that there are no locks here, which is so on some network disks.

    Example::

        with open("table.csv", "ab") as file:
            lock(file.fileno())
    """
    if os.name == "nt":
        import msvcrt

        os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError as problem:
            raise BlockingIOError(*problem.args) from None
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
