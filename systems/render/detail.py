"""How much is drawn: four levels of detail, and who decides between them from the times of the frames."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple


class Detail(NamedTuple):
    """What one level draws. Steps are in half-res pixels: 1 = every one, 2 = every second one."""

    limb_scale: float  # the scale limbs believe to be drawn at, as a share of the real one
    water_step: int
    shadow_step: int
    bloom: bool


LEVELS = (
    Detail(1.0, 2, 1, True),
    Detail(0.8, 3, 1, True),
    Detail(0.5, 3, 2, False),
    Detail(0.25, 4, 3, False),
)
"""Best first. Limbs, water and shadows lose detail, never outlines: the picture keeps its size."""

LATE_FRAMES = 6
"""Late frames, less the punctual ones in between, after which detail steps down: a tenth of a second at 60 per second."""

PATIENCE = 120
"""Frames with time to spare before detail steps up again: two seconds at 60 per second."""

MOST_PATIENCE = 16 * PATIENCE
"""Where the wait stops doubling after steps up that had to be taken back."""

NEVER = MOST_PATIENCE + 1
"""Frames since the latest step up when there is none that still has to prove itself."""

SPARE_SHARE = 0.6
"""Of the budget: a frame this quick would have had room for the next better level."""


@dataclass
class DetailGovernor:
    """Steps detail down when frames are late and up when there is time to spare, without swinging to and fro.

    Late frames count up, punctual ones down; `LATE_FRAMES` of them cost a level. `patience` quick frames in a row win one
    back. A level that had to be given back within that time doubles the patience, one that lasted restores it.
    Pass the seconds of work in a frame, without the wait for the screen.

    Example::

        governor = DetailGovernor(budget=1 / 60)
        picture.detail = governor.update(seconds_of_this_frame)
    """

    budget: float = 1.0 / 60.0
    level: int = 0
    patience: int = PATIENCE
    late: int = 0
    quick: int = 0
    since_step_up: int = NEVER

    def update(self, seconds: float) -> int:
        """Take the time of one frame and return the level for the next one; a time that is no number is ignored."""
        if not (math.isfinite(seconds) and seconds >= 0.0):
            return self.level
        if self.since_step_up < NEVER:
            self.since_step_up += 1
        if self.since_step_up == self.patience:
            self.patience, self.since_step_up = PATIENCE, NEVER  # the better level has lasted
        self.late = self.late + 1 if seconds > self.budget else max(self.late - 1, 0)
        self.quick = self.quick + 1 if seconds < SPARE_SHARE * self.budget else 0
        if self.late >= LATE_FRAMES:
            self._step_down()
        elif self.quick >= self.patience:
            self._step_up()
        return self.level

    def _step_down(self) -> None:
        if self.since_step_up < NEVER:
            self.patience = min(2 * self.patience, MOST_PATIENCE)
        self.level, self.since_step_up = min(self.level + 1, len(LEVELS) - 1), NEVER
        self.late = self.quick = 0

    def _step_up(self) -> None:
        if self.level > 0:
            self.level, self.since_step_up = self.level - 1, 0
        self.late = self.quick = 0
