"""What the legs of one creature did in the last seconds, for the strip chart. [Fang15 Fig. 4.4]"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..components.leg_states import HISTORY_TICKS, LegState
from .theme import LEG_COLOURS

if TYPE_CHECKING:
    from ..engine.creature import Creature
    from ..engine.pool import Array

CHART_TICKS = 216
"""3.6 seconds at 60 ticks per second."""

UNKNOWN = len(LegState)
GAP = (20, 25, 30)
BEFORE = (38, 46, 53)
PALETTE = np.array([*(LEG_COLOURS[state] for state in LegState), BEFORE], dtype=np.uint8)


class LegHistory:
    """Leg states of one creature, (pairs, 2, ticks), newest last; another creature starts an empty one.

    The pool keeps one second, so nothing is missed while frames come at least once per second.

    Example::

        history.update(creature)
        image = chart(history.states[:, 0], width=316, height=171)
    """

    def __init__(self) -> None:
        self._of: Creature | None = None
        self._tick = 0
        self.states: Array = np.full((0, 2, CHART_TICKS), UNKNOWN, dtype=np.uint8)

    def update(self, creature: Creature | None) -> None:
        """Take over what happened since the last call."""
        if creature is None or not creature.alive or "legs" not in creature.rows:
            self._of, self.states = None, np.full((0, 2, CHART_TICKS), UNKNOWN, dtype=np.uint8)
            return
        tick = creature.world.tick
        ring = creature.legs.history
        if creature is not self._of or ring.shape[0] != self.states.shape[0] or tick < self._tick:
            self.states = np.full((ring.shape[0], 2, CHART_TICKS), UNKNOWN, dtype=np.uint8)
            self._of, self._tick = creature, max(tick - 1, 0)
        new = min(tick - self._tick, HISTORY_TICKS)
        self._tick = tick
        if new:
            cursor = int(creature.body.pool.history_cursor[creature.row])
            states = np.empty_like(self.states)
            states[:, :, :-new] = self.states[:, :, new:]
            for back in range(1, new + 1):
                states[:, :, -back] = ring[:, :, (cursor - back) % HISTORY_TICKS]
            self.states = states


def chart(states: Array, width: int, height: int) -> Array:
    """(width, height, 3) bytes: one row per leg, time to the right, a dark line between rows where there is room."""
    pairs, ticks = states.shape
    picture: Array = np.full((width, height, 3), GAP, dtype=np.uint8)
    if not pairs:
        return picture
    edges = np.linspace(0, height, pairs + 1).astype(int)
    row_of = np.searchsorted(edges, np.arange(height), side="right") - 1
    colours = PALETTE[states[np.clip(row_of, 0, pairs - 1)][:, np.arange(width) * ticks // width]]
    picture[:] = colours.transpose(1, 0, 2)
    if height >= 4 * pairs:
        picture[:, edges[1:] - 1] = GAP
    return picture
