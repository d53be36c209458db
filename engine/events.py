"""Events: what happened, told to those who listen for it, at the end of the tick in which it happened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import arguments
from .errors import LONGEST_SHOWN, PaludariumError, UnknownNameError, shortened, suggest

if TYPE_CHECKING:
    from .creature import Creature


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
            raise UnknownNameError(f"a {self.__dict__.get('kind')!r} event has no {name!r}") from None


Handler = Callable[[Event], object]
Tell = Callable[[Handler, Event, str | None], None]
"""tell(handler, event, mod): how a handler is called; the mod is None for the game itself."""


class Events:
    """The event kinds of one world, their handlers, and the queue of the running tick."""

    def __init__(self) -> None:
        self._handlers: dict[str, list[tuple[Handler, str | None]]] = {}  # with the mod each belongs to
        self.queue: list[Event] = []

    def __contains__(self, kind: object) -> bool:
        return kind in self._handlers

    def declare(self, *kinds: str) -> None:
        """Make event kinds known, so that a misspelt subscription is an error and not silence."""
        for kind in kinds:
            self._handlers.setdefault(kind, [])

    def on(self, kind: str, handler: Handler, mod: str | None = None) -> Handler:
        """Call `handler` with every later event of this kind. Returns the handler, so it also works as a decorator."""
        self.require(kind).append((arguments.function("handler", handler), mod))
        return handler

    def off(self, kind: str, handler: Handler) -> None:
        """Stop calling `handler`; asking twice is fine."""
        handlers = self.require(kind)
        place = next((place for place, (known, _) in enumerate(handlers) if known == handler), None)
        if place is not None:
            del handlers[place]

    def forget_mod(self, mod: str) -> None:
        """Take out every handler of a mod."""
        for handlers in self._handlers.values():
            handlers[:] = [entry for entry in handlers if entry[1] != mod]

    def emit(self, event: Event) -> None:
        """Queue an event for the end of the tick."""
        self.require(event.kind)
        self.queue.append(event)

    def dispatch(self, tell: Tell) -> None:
        """Tell every queued event, in the order it happened. A handler's own events wait for the next tick."""
        queue, self.queue = self.queue, []
        for event in queue:
            for entry in tuple(self._handlers[event.kind]):
                if entry in self._handlers[event.kind]:  # not taken out by one before it
                    tell(entry[0], event, entry[1])

    def require(self, kind: str) -> list[tuple[Handler, str | None]]:
        """The handlers of a kind of events, or an error that says which kinds there are."""
        try:
            return self._handlers[kind]
        except (KeyError, TypeError):
            known = suggest(str(kind)[:LONGEST_SHOWN], self._handlers)
            raise PaludariumError(f"no event is called {shortened(kind)}; {known}") from None
