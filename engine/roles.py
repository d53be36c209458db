"""What plugins provide to the engine, as the engine sees it: it calls these and knows nothing else about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from .pool import Array

if TYPE_CHECKING:
    from .creature import Creature


class Picture(Protocol):
    """Draws a world."""

    def draw(self, surface: Any, camera: Any) -> None:
        """Draw into a surface of the host's, as the camera sees it."""


class StimulusBoard(Protocol):
    """Keeps what attracts and repels."""

    def add(self, kind: str, at: Any, strength: float, radius: float, seconds: float) -> Any:
        """Put a stimulus into the world."""


class Capsules(NamedTuple):
    """A body as capsules: links from `start` to `end` with a radius each, and the segments they begin and end at."""

    start: Array  # (n, 3)
    end: Array  # (n, 3)
    radius: Array  # (n,)
    segment: Array  # (n,) counted from the head
    last_segment: Array  # (n,) the same one for a segment that is a capsule by itself


class Keeper(Protocol):
    """Looks after a world in which mods run."""

    def look_over(self) -> None:
        """Take out whose body cannot be as it is, at the end of a tick: the systems of the next one rely on bodies."""

    def mend_all(self) -> None:
        """Take out whatever has a number anywhere that it may not have."""


class Outline(Protocol):
    """Tells what of a creature can be hit."""

    def capsules(self, creature: Creature) -> Capsules:
        """The body of one creature as it is now; empty for one without segments."""
        ...


class StateOwner(Protocol):
    """Something beside the pools that is saved with the world."""

    def state(self) -> dict[str, Array]:
        """Everything needed to go on, as named arrays."""
        ...

    def restore(self, state: dict[str, Array], /) -> None:
        """Replace the content by what `state` gave elsewhere; raise ValueError if it does not fit."""
