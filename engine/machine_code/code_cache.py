"""What numba asks for machine code before it compiles, and gives what it compiled: in place of its own cache.

Its own knows a function by the path and the text of its file: two clones share nothing, a comment costs minutes, and a
change in a helper elsewhere goes unnoticed. Ours asks by what the function says, first the pack, then the user's folder.
Whatever is wrong with a file, the answer is that there is nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from numba.core import sigutils
from numba.core.caching import _Cache

from .code_pack import found_pack
from .function_key import UnsayableError, entry_key
from .private_folder import code_folder
from .stored_code import Asked, from_bytes, to_bytes
from .type_text import NotStorableError

LONGEST_NAME = 40
"""Characters of a kernel's name in the name of its file, for those who look into the folder."""


class Seen(NamedTuple):
    """One kernel that came from somewhere: for builders of packs, tests, and to find the cause of a wait."""

    source: str
    """``pack``, ``folder`` or ``compiler``."""
    asked: Asked
    result: Any
    data: bytes | None
    """As it was stored; None if it came from the compiler."""


WITNESSES: list[Callable[[Seen], None]] = []
"""Called for every kernel that becomes ready in this process."""

REFUSALS: list[Callable[[Asked, Exception], None]] = []
"""Called for every kernel that cannot be stored, and with the reason."""


class CodeCache(_Cache):
    """The versions of one kernel that are stored somewhere."""

    def __init__(self, function: Any, options: dict[str, Any], *, inner: bool) -> None:
        self._function, self._options, self._inner = function, options, inner
        self._enabled = True

    @property
    def cache_path(self) -> str | None:  # pyright: ignore[reportIncompatibleMethodOverride]  # numba says no type
        folder, _ = code_folder()
        return None if folder is None else str(folder.path)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The version for these types, or None if it has to be compiled."""
        asked = self._asked(sig)
        if not self._enabled or asked is None:
            return None
        target_context.refresh()
        for source, read in SOURCES.items():
            try:
                data = read(asked)
                if data is None:
                    continue
                result = from_bytes(data, asked, target_context)
            except Exception:  # whatever a damaged entry makes the compiler say, it is a miss
                continue
            _witness(Seen(source, asked, result, data))
            return result
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a version that was compiled."""
        asked = self._asked(sig)
        if asked is None:
            return
        _witness(Seen("compiler", asked, data, None))
        folder, _ = code_folder()
        if not self._enabled or folder is None:
            return
        try:
            folder.keep(_file_name(asked), to_bytes(data, asked))
        except NotStorableError as problem:
            for tell in REFUSALS:
                tell(asked, problem)

    def _asked(self, sig: Any) -> Asked | None:
        args, _ = sigutils.normalize_signature(sig)
        asked = Asked("", self._function, tuple(args), self._inner)
        try:
            key = entry_key(self._function, self._options, args)
        except UnsayableError as problem:
            for tell in REFUSALS:
                tell(asked, problem)
            return None
        return replace(asked, key=f"{key}-inner" if self._inner else key)

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        pass


def _from_pack(asked: Asked) -> bytes | None:
    pack, _ = found_pack()
    return None if pack is None else pack.read(asked.key)


def _from_folder(asked: Asked) -> bytes | None:
    folder, _ = code_folder()
    return None if folder is None else folder.read(_file_name(asked))


SOURCES: dict[str, Callable[[Asked], bytes | None]] = {"pack": _from_pack, "folder": _from_folder}
"""What is kept of a kernel, in the order in which it is tried."""


def _file_name(asked: Asked) -> str:
    return f"{asked.function.__name__[:LONGEST_NAME]}-{asked.key}.code"


def _witness(seen: Seen) -> None:
    for tell in WITNESSES:
        tell(seen)
