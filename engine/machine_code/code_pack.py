"""Packs: the machine code of many kernels in one file, made by `python3 dev pack`.

A pack is good for one Python, one numba, one platform and one level of processor; all of it is in the name of the file, so
nothing is opened that does not fit. Inside: a mark, the length of the index, the index with its digest, and the entries one
after the other, each with a digest of its own (`stored_code`). A pack lies beside our sources and is trusted like them; one
in a folder that the environment names is trusted if nobody but us and root can write or exchange it (`trusted_folder`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from ..file_reading import opened, read_up_to
from ..files import written_whole
from ..plain_data import is_list_of, is_whole, parsed
from .processor_level import levels_here, levels_to_use, platform_name
from .stored_code import LARGEST, DamagedError, sealed, unsealed
from .trusted_folder import ROOT, UntrustedError, real_folder, require_own

MAGIC = b"PALUPACK2\n"
SUFFIX = ".pack"
LARGEST_INDEX = 2**22  # bytes; ours has about 20,000
FOLDER = Path(__file__).resolve().parents[2] / "packs"
FOLDER_MODE, PACK_MODE = 0o755, 0o644
"""A pack may be read by all and written by its owner alone, whatever the user's mask says: else it is refused."""
SWITCH = "PALUDARIUM_PACK"
"""Environment variable: ``0`` goes without a pack, a folder takes packs from there."""


class CodePack:
    """The entries of one file, by key. Every reading opens the file anew, and nothing is read of any other than the first.

    ours: whether the file lies beside our sources and is trusted like them. Any other must belong to us or root alone.

    Example::

        pack = CodePack(Path("packs") / f"{platform_name()}-x86-64-v3.pack")
        data = pack.read(key)
    """

    def __init__(self, path: Path, *, ours: bool = True) -> None:
        self.path, self._ours = path, ours
        with self._opened() as (descriptor, about):
            self._about = about
            head = read_up_to(descriptor, len(MAGIC) + 8)
            length = int.from_bytes(head[len(MAGIC) :], "little")
            if not head.startswith(MAGIC) or length > LARGEST_INDEX:
                raise DamagedError("it is no pack")
            index = parsed(unsealed(read_up_to(descriptor, length)), DamagedError)
        self.start = len(head) + length
        if not isinstance(index, dict) or not all(map(_is_place, index.values())):
            raise DamagedError("its index is no index")
        self._places: dict[str, list[int]] = index

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def read(self, key: str) -> bytes | None:
        """The bytes of an entry; None if there is none, if the file ends before it does, or if it is another file by now."""
        begin, size = self._places.get(key, [0, 0])
        if not size or self.start + begin + size > self._about.st_size:
            return None
        try:
            with self._opened() as (descriptor, about):
                if _identity(about) != _identity(self._about):
                    return None
                os.lseek(descriptor, self.start + begin, os.SEEK_SET)
                data = read_up_to(descriptor, size)
        except (OSError, UntrustedError):
            return None
        return data if len(data) == size else None

    @contextmanager
    def _opened(self) -> Iterator[tuple[int, os.stat_result]]:
        with opened(self.path, links=self._ours) as (descriptor, about):
            if not self._ours:
                require_own(self.path, about, ROOT)
            yield descriptor, about


def _is_place(value: Any) -> bool:
    """Whether that says where an entry begins and how long it is."""
    return is_list_of(value, int) and len(value) == 2 and is_whole(value[0]) and is_whole(value[1], 1, LARGEST)


def _identity(about: os.stat_result) -> tuple[int, int, int, int]:
    """What tells a file from the one that takes its place, and from itself with other contents."""
    return about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns


def write_pack(path: Path, entries: dict[str, bytes]) -> None:
    """Write a pack; entries in order of their keys, so that equal contents give equal files."""
    index: dict[str, Any] = {}
    begin = 0
    for key in sorted(entries):
        index[key] = [begin, len(entries[key])]
        begin += len(entries[key])
    head = sealed(json.dumps(index, separators=(",", ":")).encode())
    data = MAGIC + len(head).to_bytes(8, "little") + head + b"".join(entries[key] for key in sorted(entries))
    path.parent.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
    with written_whole(path) as file:
        file.write(data)
    path.chmod(PACK_MODE)


def pack_name(level: str) -> str:
    """What the pack of a level is called here."""
    return f"{platform_name()}-{level}{SUFFIX}"


@cache
def found_pack() -> tuple[CodePack | None, str]:
    """The best pack that fits, and where it is or why there is none."""
    wish = os.environ.get(SWITCH, "")
    if wish == "0":
        return None, f"{SWITCH}=0 asks for none"
    levels = levels_to_use()
    if not levels:
        return None, "settings of numba ask for other code" if levels_here() else "this processor is too old for packs"
    why = f"there is none for {platform_name()}"
    try:
        folder = _folder_of_code(Path(wish)) if wish else FOLDER
    except UntrustedError as problem:
        return None, str(problem)
    except OSError as problem:
        return None, f"{SWITCH}={wish}: {problem.strerror or problem}"
    for level in levels:
        path = folder / pack_name(level)
        try:
            return CodePack(path, ours=not wish), str(path)
        except FileNotFoundError:
            continue
        except (OSError, DamagedError) as problem:
            why = f"{path.name} cannot be read: {problem}"
        except UntrustedError as problem:
            why = str(problem)
    return None, why


def _folder_of_code(wanted: Path) -> Path:
    """A folder that the environment names, which is looked at like the folder of compiled kernels."""
    folder = real_folder(wanted)
    require_own(folder, folder.lstat(), ROOT)
    return folder
