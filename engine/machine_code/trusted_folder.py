"""Whether only we and root can exchange what is in a folder: machine code is code.

A folder is looked at from the root of the disk down. Where every parent belongs to us or to root and others may not write
into it, no one else can put another folder in the place of one that was found good. A folder that all may write into but
where each may remove only what is their own, such as /tmp, will do. Windows keeps the folders of users apart by itself.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

PRIVATE = 0o700
ROOT = 0
"""The user who can do everything anyway."""
MOST_LINKS = 40
"""On the way to a folder, as in Linux itself."""
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
HAS_OWNERS = os.name == "posix"


class UntrustedError(Exception):
    """Others could put their own code where ours is looked for; the text says how."""


def real_folder(wanted: Path, *, make: bool = False) -> Path:
    """Where a folder really is, links followed. UntrustedError if others could put another one there.

    make: whether what is missing on the way is made, for us alone.

    Example::

        root = real_folder(Path.home() / ".cache" / "paludarium", make=True)
    """
    if not HAS_OWNERS:
        if make:
            wanted.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
        return wanted.resolve(strict=True)
    wanted = wanted.absolute()
    at, names, links = Path(wanted.anchor), list(reversed(wanted.parts[1:])), 0
    require_trusted(at, at.lstat())
    while names:
        name = names.pop()
        if name == os.pardir:
            at = at.parent
            continue
        place = at / name
        about = _made(place) if make else place.lstat()
        if stat.S_ISLNK(about.st_mode) and links < MOST_LINKS:
            require_owner(place, about, ROOT)
            target, links = Path(os.readlink(place)), links + 1
            names += reversed(target.parts[1:] if target.is_absolute() else target.parts)
            at = Path(target.anchor) if target.is_absolute() else at
            continue
        require_trusted(place, about)
        at = place
    return at


def require_trusted(folder: Path, about: os.stat_result) -> None:
    """Refuse a folder on the way whose entries others could exchange."""
    if not stat.S_ISDIR(about.st_mode):
        raise UntrustedError(f"{folder} is not a folder")
    require_owner(folder, about, ROOT)
    if about.st_mode & OTHERS_WRITE and not about.st_mode & stat.S_ISVTX:
        raise UntrustedError(f"others may write to {folder}")


def require_own(place: Path, about: os.stat_result, *others: int) -> None:
    """Refuse a folder or file of code that is not ours, or of another given user, or that others may write to."""
    require_owner(place, about, *others)
    if HAS_OWNERS and about.st_mode & OTHERS_WRITE:
        raise UntrustedError(f"others may write to {place}")


def require_owner(place: Path, about: os.stat_result, *others: int) -> None:
    """Refuse what belongs to another user than us and those given."""
    if HAS_OWNERS and about.st_uid not in (os.geteuid(), *others):
        raise UntrustedError(f"{place} belongs to another user")


def _made(place: Path) -> os.stat_result:
    """What a folder is like; it is made if there is none."""
    try:
        return place.lstat()
    except FileNotFoundError:
        with suppress(FileExistsError):
            place.mkdir(mode=PRIVATE)
        return place.lstat()
