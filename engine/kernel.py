"""The one decorator behind every compiled function, and the list of them for warming up.

numba's own cache has three traps that this module closes. It writes beside the sources (and then survives
``pip uninstall``), it raises at import time when no directory is writable, and it does not notice a change in a
helper that lives in another file. Here the cache lives in the user's cache directory, in a folder keyed by the
text of the kernel's module *and of every module of ours it imports*; without a writable directory kernels simply
compile in memory.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import platformdirs

# Idle OpenMP threads spin by default. In a game they would burn the core that draws, and on a busy machine every parallel
# loop would wait for them: a 0.6 ms loop was measured at 40 ms. Threads that sleep at once take longer to wake than many
# of our loops last: a tick was measured at twice its time. So they spin for some microseconds, then sleep. A setting of the
# user's own wins.
if "OMP_WAIT_POLICY" not in os.environ:
    os.environ.setdefault("GOMP_SPINCOUNT", "20000")

KERNELS: list[Any] = []
"""Every compiled function that has been declared so far; what a progress bar counts against."""

_PACKAGE = __name__.partition(".")[0]
_ROOT = Path(__file__).resolve().parent.parent
_RELATIVE_IMPORT = re.compile(r"^\s*from\s+(\.+)([\w.]*)\s+import\s+\(?([^#\n(]*)", re.MULTILINE)
_TYPES_ONLY = re.compile(r"^if TYPE_CHECKING:\n(?:[ \t]+.*\n|\n)*", re.MULTILINE)
_ABSOLUTE_IMPORT = re.compile(rf"^\s*from\s+{_PACKAGE}\.([\w.]+)\s+import", re.MULTILINE)


def kernel(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function with numba and cache the machine code in the user's cache directory.

    ``error_model="numpy"`` is the default because division checks keep loops from being vectorised. Kernels let go of the
    interpreter while they run, so that a picture can be painted beside a tick. ``fastmath`` is refused: it would make
    results depend on the machine.

    ``refcount=False`` leaves reference counting out, for functions whose arrays all belong to the caller: they must not
    create arrays, return any, or assign one to a slice of another (compiling would fail). Counting is not free, and all
    threads share the counters: a sample of flat ground costs 280 ns with it and 11 without, and rows of 64 pixels took
    twice as long. ``inline=True`` makes the function part of its callers.

    Example::

        @kernel()
        def double(values):
            for i in range(values.size):
                values[i] *= 2.0
    """
    if options.get("fastmath"):
        raise ValueError("fastmath is not allowed in kernels: the state hash must be the same on every machine")
    options.setdefault("error_model", "numpy")
    options.setdefault("nogil", True)
    options.update(_numba_words(options))

    def decorate(function: Callable[..., Any]) -> Any:
        compiled = _compile(function)
        KERNELS.append(compiled)
        return compiled

    def _compile(function: Callable[..., Any]) -> Any:
        directory = _cache_directory(function)
        before = numba.config.CACHE_DIR
        try:
            if directory:
                numba.config.CACHE_DIR = directory  # read while decorating only
            return numba.njit(cache=directory is not None, **options)(function)
        except RuntimeError as problem:
            if "cannot cache" not in str(problem):
                raise
            return numba.njit(**options)(function)
        finally:
            numba.config.CACHE_DIR = before

    return decorate


def _numba_words(options: dict[str, Any]) -> dict[str, Any]:
    """What numba calls our options. Its word for reference counting is private; a test tells when it goes."""
    words = {"refcount": "_nrt", "inline": "forceinline"}
    return {words[name]: options.pop(name) for name in list(options) if name in words}


def _cache_directory(function: Callable[..., Any]) -> str | None:
    """Where this function's machine code goes: "" leaves it to the user's NUMBA_CACHE_DIR, None means nowhere."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return ""
    source = getattr(sys.modules.get(function.__module__), "__file__", None)
    return None if source is None else _directory_of(source)


@cache
def _directory_of(source: str) -> str | None:
    """The directory for the kernels of one module, made if need be; None when it cannot be."""
    directory = user_cache_root() / f"numba-{source_key(Path(source).resolve())}"
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return str(directory)


def user_cache_root() -> Path:
    """The directory that holds all compiled kernels of this package for the current user."""
    return platformdirs.user_cache_path("paludarium", appauthor=False)


@cache
def source_key(module_file: Path) -> str:
    """A short hash over a module's text and the text of all package modules it imports, directly or not."""
    digest = hashlib.sha256()
    for file in sorted(_with_imports(module_file, set())):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _with_imports(file: Path, seen: set[Path]) -> set[Path]:
    if file in seen or not file.is_file():
        return seen
    seen.add(file)
    for imported in _imported_files(file):
        _with_imports(imported, seen)
    return seen


@cache
def _imported_files(file: Path) -> list[Path]:
    text = _TYPES_ONLY.sub("", file.read_text(encoding="utf-8"))  # what only type checkers import is not compiled in
    bases: list[Path] = []
    for dots, dotted, names in _RELATIVE_IMPORT.findall(text):
        folder = file.parent
        for _ in dots[1:]:
            folder = folder.parent
        base = folder.joinpath(*dotted.split(".")) if dotted else folder
        bases.append(base)
        bases += [base / name.split(" as ")[0].strip() for name in names.split(",") if name.strip()]
    bases += [_ROOT.joinpath(*dotted.split(".")) for dotted in _ABSOLUTE_IMPORT.findall(text)]
    return [base.with_suffix(".py") for base in bases if base.with_suffix(".py").is_file()]
