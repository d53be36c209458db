"""Packs: the machine code of many kernels in one file, made by `python3 dev pack`.

A pack is good for one Python, one numba, one platform and one level of processor; all of it is in the name of the file, so
nothing is opened that does not fit. Inside: a mark, the length of the index, the index with its digest, and the entries one
after the other, each with a digest of its own (`stored_code`). A pack lies beside our sources and is trusted like them.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

from ..files import written_whole
from .processor_level import levels_here, levels_to_use, platform_name
from .stored_code import DamagedError, sealed, unsealed

MAGIC = b"PALUPACK2\n"
SUFFIX = ".pack"
LARGEST_INDEX = 2**22  # bytes; ours has about 20,000
FOLDER = Path(__file__).resolve().parents[2] / "packs"
SWITCH = "PALUDARIUM_PACK"
"""Environment variable: ``0`` goes without a pack, a folder takes packs from there."""


class CodePack:
    """The entries of one file, by key.

    Example::

        pack = CodePack(Path("packs") / f"{platform_name()}-x86-64-v3.pack")
        data = pack.read(key)
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._places: dict[str, tuple[int, int]] = {}
        with path.open("rb") as file:
            head = file.read(len(MAGIC) + 8)
            length = int.from_bytes(head[len(MAGIC) :], "little")
            if not head.startswith(MAGIC) or length > LARGEST_INDEX:
                raise DamagedError("it is no pack")
            index = json.loads(unsealed(file.read(length)))
            self.start = file.tell()
        for key, (begin, size) in index.items():
            if not (isinstance(begin, int) and isinstance(size, int) and begin >= 0 and size > 0):
                raise DamagedError("its index is no index")
            self._places[key] = begin, size

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def read(self, key: str) -> bytes | None:
        """The bytes of an entry; None if there is none, or if the file ends before it does."""
        begin, size = self._places.get(key, (0, 0))
        if not size:
            return None
        with self.path.open("rb") as file:
            file.seek(self.start + begin)
            data = file.read(size)
        return data if len(data) == size else None


def write_pack(path: Path, entries: dict[str, bytes]) -> None:
    """Write a pack; entries in order of their keys, so that equal contents give equal files."""
    index: dict[str, Any] = {}
    begin = 0
    for key in sorted(entries):
        index[key] = [begin, len(entries[key])]
        begin += len(entries[key])
    head = sealed(json.dumps(index, separators=(",", ":")).encode())
    data = MAGIC + len(head).to_bytes(8, "little") + head + b"".join(entries[key] for key in sorted(entries))
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as file:
        file.write(data)


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
    folder = Path(wish) if wish else FOLDER
    for level in levels:
        path = folder / pack_name(level)
        try:
            pack = CodePack(path)
        except FileNotFoundError:
            continue
        except (OSError, ValueError, TypeError, AttributeError) as problem:
            why = f"{path.name} cannot be read: {problem}"
            continue
        return pack, str(path)
    return None, why
