"""Readings: what a part tells about itself, as plain data. Panels, logs and tests show them as they like."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from reprlib import repr as short
from typing import Any

import numpy as np

from .errors import PaludariumError, suggest
from .pool import Array

KINDS = ("word", "bar", "cells", "strip", "curve")
"""What a reading can be, see `Reading`."""

TONES = ("ink", "faint", "grey", "slate", "amber", "green", "moss", "red", "pink", "violet", "sky", "blue")
"""Colours by name. The panel that shows them knows how they look on its ground."""

MOST_VALUES = 1000
"""Cells or rows of one reading: more than any panel has pixels for."""


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

    Who shows readings keeps their past; a part tells how things are now. A share beyond 0..1 shows as empty or full.

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
        object.__setattr__(self, "values", self._plain_values())

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
