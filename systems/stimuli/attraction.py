"""What every head is drawn to or shrinks from, as of this tick."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ...engine.pool import Array


class Attraction:
    """Written by `StimulusSystem`, read by the brain mode `REACTION`. All of it is derived, nothing has to be saved."""

    def __init__(self) -> None:
        self.on = False
        """Whether anything attracts or repels in this tick."""
        self.aim: Array = np.zeros((0, 2))
        """Where it is, by creature row."""
        self.pull: Array = np.zeros(0)
        """How strongly it attracts (positive) or repels (negative), by creature row."""

    def make_room(self, rows: int) -> None:
        """Hold so many creatures."""
        if len(self.pull) < rows:
            self.aim, self.pull = np.zeros((rows, 2)), np.zeros(rows)
