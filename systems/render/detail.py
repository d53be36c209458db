"""How much is drawn: five levels of detail, and who decides between them from the times of the frames."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple


class Detail(NamedTuple):
    """What one level draws."""

    limb_scale: float  # the scale limbs believe to be drawn at, as a share of the real one
    water_step: int  # px between two samples of the surface: 2, 4 or 8
    water_rows: int  # every which row of wet pixels is composed (1, 2 or 4), between them it is mixed
    refraction: bool  # whether waves move what is seen of the bed
    shadow_step: int  # every which row of the half-res shadow image is drawn
    footprints: bool
    bloom: bool  # only where every row is composed
    halved: bool = False  # whether ground and water are drawn at half their size and enlarged; steps are in those pixels


LEVELS = (
    Detail(1.0, 4, 1, True, 1, True, True),
    Detail(1.0, 8, 1, True, 2, True, False),
    Detail(0.5, 8, 2, True, 2, False, False),
    Detail(0.5, 8, 4, False, 3, False, False),
    Detail(0.5, 4, 2, False, 2, False, False, halved=True),
)
"""Best first. Water, shadows, then limbs lose detail; on machines that are too slow even for that, the ground as well.
Creatures are drawn in all pixels at every level.

Final and shadow pass of a view half of which is water take about 100, 82, 73, 62 and 25 % of the time.
"""

LATE_FRAMES = 6
"""Late frames, less half of the punctual ones, after which detail steps down: a tenth of a second at 60 per second."""

PATIENCE = 120
"""Frames with time to spare before detail steps up again: two seconds at 60 per second."""

MOST_PATIENCE = 16 * PATIENCE
"""Where the wait stops doubling after steps up that had to be taken back."""

NEVER = MOST_PATIENCE + 1
"""Frames since the latest step up when there is none that still has to prove itself."""

SPARE_SHARE = 0.9
"""Of the budget: a frame this quick may have room for the next better level. If it has not, the next try comes later."""

HICCUP = 5
"""Quick frames that a slower one takes back: a hiccup of the machine does not start the wait anew."""


@dataclass
class DetailGovernor:
    """Steps detail down when frames are late and up when there is time to spare, without swinging to and fro.

    Late frames count up, punctual ones down by half; `LATE_FRAMES` of them cost a level. `patience` quick frames win one
    back. A level that had to be given back within that time doubles the patience, one that lasted restores it.
    Pass the seconds of work in a frame, without the wait for the screen.

    Example::

        governor = DetailGovernor(budget=1 / 60)
        picture.detail = governor.update(seconds_of_this_frame)
    """

    budget: float = 1.0 / 60.0
    level: int = 0
    patience: int = PATIENCE
    late: float = 0.0
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
        self.late = self.late + 1.0 if seconds > self.budget else max(self.late - 0.5, 0.0)
        self.quick = self.quick + 1 if seconds < SPARE_SHARE * self.budget else max(self.quick - HICCUP, 0)
        if self.late >= LATE_FRAMES:
            self._step_down()
        elif self.quick >= self.patience:
            self._step_up()
        return self.level

    def _step_down(self) -> None:
        if self.since_step_up < NEVER:
            self.patience = min(2 * self.patience, MOST_PATIENCE)
        self.level, self.since_step_up = min(self.level + 1, len(LEVELS) - 1), NEVER
        self.late, self.quick = 0.0, 0

    def _step_up(self) -> None:
        if self.level > 0:
            self.level, self.since_step_up = self.level - 1, 0
        self.late, self.quick = 0.0, 0
