"""Who waits for the compiler is told so: one hook for hosts that draw it, else one line on the error stream."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from time import perf_counter, thread_time
from typing import Any

PATIENCE = 1.0
"""Seconds of compiling after which the default line appears."""


@dataclass(frozen=True)
class CompileProgress:
    """How far compiling has come in this process.

    Example::

        paludarium.on_compile(lambda progress: show(f"{progress.name}: {progress.done} of at most {progress.most}"))
    """

    name: str
    """The kernel that is being compiled, in words."""
    done: int
    """Kernels that have been compiled."""
    most: int
    """How many there are in what is loaded; most starts need fewer."""
    seconds: float
    """Time that compiling has taken so far."""


Listener = Callable[[CompileProgress], None]


class _State:
    """Of this process: there is one compiler in it."""

    listeners: list[Listener] = []
    default_line = True
    line_written = False
    done = 0
    seconds = 0.0
    cpu_seconds = 0.0
    declared: list[Any] = []
    """The kernels that are declared so far; `engine.kernel` adds to it."""


_OUTERMOST = threading.local()


def on_compile(callback: Listener | None) -> Callable[[], None]:
    """Call back before every kernel that has to be compiled, instead of writing a line to the error stream.

    Returns a function that takes it back. ``on_compile(None)`` only silences the line. The callback runs in the thread
    that needs the kernel, inside the call that waits for it (``World``, ``spawn``, ``step``, ``draw``): show something, do
    not step.

    Example::

        paludarium.on_compile(lambda progress: loading_bar.show(progress.done / progress.most, progress.name))
        world = World(seed=7, map="tide_pool")
    """
    before = _State.default_line
    _State.default_line = False
    if callback is not None:
        _State.listeners.append(callback)

    def take_back() -> None:
        if callback is None:
            _State.default_line = before
        elif callback in _State.listeners:
            _State.listeners.remove(callback)
            _State.default_line = before if not _State.listeners else False

    return take_back


@contextmanager
def compiling(function: Any) -> Iterator[None]:
    """While a kernel is compiled; those that it calls are compiled within."""
    outermost, cpu = not hasattr(_OUTERMOST, "start"), thread_time()
    if outermost:
        _OUTERMOST.start = perf_counter()
    _tell(function)
    try:
        yield
    finally:
        _State.done += 1
        if outermost:
            _State.seconds += perf_counter() - _OUTERMOST.start
            _State.cpu_seconds += thread_time() - cpu
            del _OUTERMOST.start
            _clear_line()


def compiled_so_far() -> int:
    """How many kernels were compiled in this process."""
    return _State.done


def cpu_seconds_so_far() -> float:
    """How many seconds of a processor compiling has taken in this process."""
    return _State.cpu_seconds


def declare(kernel: Any) -> None:
    """Note that there is a kernel that may have to be compiled."""
    _State.declared.append(kernel)


def _tell(function: Any) -> None:
    seconds = _State.seconds + perf_counter() - _OUTERMOST.start
    most = max(len(_State.declared), _State.done + 1)
    progress = CompileProgress(function.__name__.replace("_", " "), _State.done, most, seconds)
    for listener in list(_State.listeners):
        listener(progress)
    if _State.default_line and seconds > PATIENCE:
        _write_line(progress)


def _write_line(progress: CompileProgress) -> None:
    """On a terminal one line that changes and goes away again, elsewhere one line in all."""
    text = f"paludarium: compiling for this machine, this once: {progress.done} of at most {progress.most} kernels"
    if _on_terminal():
        _write(f"\r\x1b[K{text}, {progress.seconds:.0f} s ({progress.name})")
    elif not _State.line_written:
        _write(f"{text}; it may take some minutes, later starts take them from the cache\n")
    _State.line_written = True


def _clear_line() -> None:
    if _State.line_written and _State.default_line and _on_terminal():
        _write("\r\x1b[K")


def _on_terminal() -> bool:
    with suppress(AttributeError, ValueError, OSError):  # no stream, or a closed one
        return sys.stderr.isatty()
    return False


def _write(text: str) -> None:
    with suppress(AttributeError, ValueError, OSError):
        sys.stderr.write(text)
        sys.stderr.flush()
