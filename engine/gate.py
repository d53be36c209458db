"""A world belongs to one thread at a time, and a tick does not begin within another one: other calls are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import RLock, current_thread
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .errors import BusyError

if TYPE_CHECKING:
    from .world import World

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

    def enter(self, call: str, within: tuple[str, ...] = TICKING) -> None:
        """Begin a call, or raise `BusyError`. It may be part of those calls that run ticks which `within` names."""
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

    def leave(self) -> None:
        """End the call that was entered last."""
        self._calls.pop()
        self._lock.release()

    @contextmanager
    def during(self, call: str) -> Iterator[None]:
        """Be inside for the length of a block."""
        self.enter(call)
        try:
            yield
        finally:
            self.leave()


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
        world.gate.enter(said, within)
        try:
            return method(world, *arguments, **options)
        finally:
            world.gate.leave()

    return cast(Method, call)
