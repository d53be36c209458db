"""A world belongs to one thread at a time, and a tick does not begin within another one: other calls are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from threading import RLock, current_thread
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .errors import BusyError

if TYPE_CHECKING:
    from .world import World

Answer = TypeVar("Answer")
Method = TypeVar("Method", bound=Callable[..., Any])

TICKING = ("world.step", "world.update")
"""Calls that run ticks."""


class Gate:
    """Where calls to one world pass. A call that comes while another thread is inside is refused; it does not wait.

    Example::

        with world.gate.during("world.draw"):
            ...
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._calls: list[str] = []  # in which the thread that is inside is now, the outermost first
        self._thread = ""

    @contextmanager
    def during(self, call: str, within: tuple[str, ...] = TICKING) -> Iterator[None]:
        """Be inside for the length of a block, or raise `BusyError`. `within` names the calls that run ticks of which it may
        be a part."""
        depth = len(self._calls)
        try:
            self._enter(call, within)
            yield
        finally:
            self._leave(depth)

    def run(self, call: str, within: tuple[str, ...], function: Callable[[], Answer]) -> Answer:
        """The same for a function, at half the price."""
        depth = len(self._calls)
        try:
            self._enter(call, within)
            return function()
        finally:
            self._leave(depth)

    def _enter(self, call: str, within: tuple[str, ...]) -> None:
        if not self._lock.acquire(blocking=False):
            now, thread = next(iter(self._calls), "another call"), self._thread  # which may be over by now
            raise BusyError(f"{call}(): thread {current_thread().name!r} called it while thread {thread!r} is in {now}() of "
                            "the same world: allowed is one thread at a time")  # fmt: skip
        if any(name in TICKING and name not in within for name in self._calls):
            self._lock.release()
            running = next(name for name in self._calls if name in TICKING)
            raise BusyError(f"{call}() was called within {running}() of the same world, by a system or an event handler: "
                            f"allowed is after {running}() has returned")  # fmt: skip
        self._calls.append(call)
        self._thread = current_thread().name

    def _leave(self, depth: int) -> None:
        """Be where this thread was before, also if it never came in, or was interrupted (Ctrl-C) on its way."""
        if not self._lock.acquire(blocking=False):
            return
        left = len(self._calls[depth:])
        del self._calls[depth:]
        for _ in range(left + 1):
            self._lock.release()


def gated(method: Method, name: str = "") -> Method:
    """Let calls of a method of `World` pass its gate; errors call it by this name, else by its own.

    Example::

        @gated
        def save(self, path): ...
    """
    said = f"world.{name or method.__name__}"
    within = {"world.step": ("world.update",), "world.update": ()}.get(said, TICKING)

    @wraps(method)
    def call(world: World, /, *arguments: Any, **options: Any) -> Any:
        return world.gate.run(said, within, partial(method, world, *arguments, **options))

    return cast(Method, call)
