"""Events: what happened, told to whoever asked, at the end of the tick in which it happened."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .errors import PaludariumError, suggest

if TYPE_CHECKING:
    from .creature import Creature

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Event:
    """One thing that happened. Extra values are attributes: ``event.food``, ``event.part`` and so on.

    Example::

        world.on("ate", lambda event: print(event.creature.name, "ate", event.food))
    """

    kind: str
    tick: int
    creature: Creature | None = None
    values: dict[str, Any] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["values"][name]
        except KeyError:
            raise AttributeError(f"a {self.__dict__.get('kind')!r} event has no {name!r}") from None


Handler = Callable[[Event], object]


class Events:
    """The event kinds of one world, their handlers, and the queue of the running tick."""

    def __init__(self) -> None:
        self._handlers: dict[str, list[Handler]] = {}
        self.queue: list[Event] = []

    def declare(self, *kinds: str) -> None:
        """Make event kinds known, so that a misspelt subscription is an error and not silence."""
        for kind in kinds:
            self._handlers.setdefault(kind, [])

    def on(self, kind: str, handler: Handler) -> Handler:
        """Call `handler` with every later event of this kind. Returns the handler, so it also works as a decorator."""
        self._known(kind).append(handler)
        return handler

    def off(self, kind: str, handler: Handler) -> None:
        """Stop calling `handler`; asking twice is fine."""
        handlers = self._known(kind)
        if handler in handlers:
            handlers.remove(handler)

    def emit(self, event: Event) -> None:
        """Queue an event for the end of the tick."""
        self._known(event.kind)
        self.queue.append(event)

    def dispatch(self) -> None:
        """Tell every queued event, in the order it happened. A handler's own events wait for the next tick."""
        queue, self.queue = self.queue, []
        for event in queue:
            for handler in tuple(self._handlers[event.kind]):
                handler(event)

    def _known(self, kind: str) -> list[Handler]:
        try:
            return self._handlers[kind]
        except KeyError:
            raise PaludariumError(f"no event is called {kind!r}; {suggest(kind, self._handlers)}") from None
