"""Readings: what a part tells about itself, as plain data. Panels, logs and tests show them as they like."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from reprlib import repr as short
from typing import Any

import numpy as np

from .errors import PaludariumError, suggest
from .pool import Array

KINDS = ("word", "bar", "cells", "strip", "curve", "picture")
"""What a reading can be, see `Reading`."""

TONES = ("ink", "faint", "grey", "slate", "amber", "green", "moss", "red", "pink", "violet", "sky", "blue")
"""Colours by name. The panel that shows them knows how they look on its ground."""

MOST_VALUES = 1000
"""Cells or rows of one reading: more than any panel has pixels for."""

LARGEST_PICTURE = 256
"""Pixels along an edge of a picture."""

MOST_VIEWS = 16
"""Kinds of one picture."""


@dataclass(frozen=True)
class Reading:
    """One thing that a part tells about the present moment. A handle's method ``readings()`` returns a list of them.

    | kind | shows | needs |
    |---|---|---|
    | word | what it is doing, as a badge | `text` |
    | bar | one number | `share`, and `text` for the number in words |
    | curve | one number and how it went in the last seconds | the same |
    | cells | numbers along a body, head first | `values`, each 0..1, or with `states` the number of a state each |
    | strip | the states of several things in the last seconds, a row each | `values` and `states` |
    | picture | a small image, some times per second | `look`, and `views` if there are several kinds of it |

    Who shows readings keeps their past; a part tells how things are now. A share beyond 0..1 shows as empty or full.
    A picture is not made until it is shown: ``look(view)`` returns (height, width, 3) bytes, row by row from the top,
    at most 256 pixels along an edge.

    Example::

        class Lantern:
            def readings(self) -> list[Reading]:
                return [Reading("bar", "glow", "amber", share=self.glow, text=f"{self.glow:.2f}")]
    """

    kind: str
    name: str
    tone: str = "ink"
    share: float = 0.0
    values: Sequence[float] | Array = ()
    """Kept as a tuple of numbers, whatever was given."""
    text: str = ""
    states: tuple[tuple[str, str], ...] = ()
    """Name and tone of each state that a value can be."""
    look: Callable[[str], Array] | None = field(default=None, compare=False)
    """Makes a picture, given one of `views`, or "" if there are none."""
    views: tuple[str, ...] = ()
    """Kinds of a picture, of which the reader chooses one."""

    def __post_init__(self) -> None:
        """Refuse nonsense here, where its author still sees it."""
        for key in ("name", "text"):
            if not isinstance(getattr(self, key), str):
                raise self._problem(key, "a text")
        if self.kind not in KINDS:
            raise self._problem("kind", suggest(str(self.kind), KINDS))
        for tone in (self.tone, *self._state_tones()):
            if not isinstance(tone, str) or tone not in TONES:
                raise PaludariumError(f"reading {self.name!r}: no tone is called {tone!r}; {suggest(str(tone), TONES)}")
        if not isinstance(self.share, (int, float, np.number)) or not math.isfinite(self.share):
            raise self._problem("share", "a finite number")
        if self.look is not None and not callable(self.look):
            raise self._problem("look", "a function of a view")
        texts = isinstance(self.views, tuple) and all(isinstance(view, str) for view in self.views)
        if not texts or len(self.views) > MOST_VIEWS:
            raise self._problem("views", f"a tuple of at most {MOST_VIEWS} texts")
        object.__setattr__(self, "values", self._plain_values())

    def image(self, view: str = "") -> Array | None:
        """The picture of a view as it is now, or None if there is none; an error if what comes is no picture.

        Example::

            pixels = Reading("picture", "eye", look=lambda view: np.zeros((64, 64, 3), np.uint8)).image()
        """
        if self.kind != "picture" or self.look is None:
            return None
        made: Any = self.look(view)
        told = f"reading {self.name!r}: look({view!r}) made {_told(made)}: allowed is"
        if not isinstance(made, np.ndarray) or made.dtype != np.uint8 or made.ndim != 3 or made.shape[2] != 3:
            raise PaludariumError(f"{told} (height, width, 3) bytes")
        if not 1 <= min(made.shape[:2]) <= max(made.shape[:2]) <= LARGEST_PICTURE:
            raise PaludariumError(f"{told} 1 to {LARGEST_PICTURE} pixels along an edge")
        return made.copy()

    def _state_tones(self) -> list[Any]:
        try:
            tones = [tone for name, tone in self.states if isinstance(name, str)]
        except (TypeError, ValueError):
            raise self._problem("states", "a tuple of (name, tone)") from None
        if len(tones) != len(self.states) or (self.kind == "strip" and not tones):
            raise self._problem("states", "a tuple of (name, tone), one for every state of a strip")
        return tones

    def _plain_values(self) -> tuple[float, ...]:
        try:
            values = np.asarray(self.values, dtype=np.float64)
        except (TypeError, ValueError):
            raise self._problem("values", "a list of numbers") from None
        if values.ndim != 1 or values.size > MOST_VALUES or not np.isfinite(values).all():
            raise self._problem("values", f"a list of at most {MOST_VALUES} finite numbers")
        if self.states and values.size and (values.min() < 0 or values.max() >= len(self.states) or (values % 1.0).any()):
            raise self._problem("values", f"numbers of states, 0 to {len(self.states) - 1}")
        return tuple(values.tolist())

    def _problem(self, key: str, allowed: str) -> PaludariumError:
        return PaludariumError(f"reading {self.name!r}: {key} = {short(getattr(self, key))}: allowed is {allowed}")


def _told(made: Any) -> str:
    return f"{made.dtype} of shape {made.shape}" if isinstance(made, np.ndarray) else f"a {type(made).__name__}"
