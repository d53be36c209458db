"""How good a try was: distance, straightness, effort and collisions with itself. [Tan11 eq. 10]

`PUBLISHED` is that of the source: two cycles from rest, energy below a bound. `SETTLED` scores the last two of four cycles,
by way and work, so that a stroke may be strong where that pays, and what it needs to begin does not count. [stroke 2]
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .swim_trial_kernel import HEADING, OVERLAP, WORK, X, Y

if TYPE_CHECKING:
    from ....engine.pool import Array

FAILED = 100.0
"""Score of a try that the water did not survive. [articulated-swimmers 2.9]"""
CYCLES = 2
"""Of a try. [Tan11 6]"""
FARTHEST = 1000.0
"""Body lengths, and rad, that a try may go: two cycles of the longest period that species may have are 520 at their fastest.
What goes farther was thrown by water that broke."""
MOST_WORK = 1e9
"""J/kg of a try, and units of its overlap."""
ROUNDING = 1e-6
"""Of a value that is reckoned again."""


@dataclass(frozen=True)
class Weights:
    """Of the terms of the objective; lengths are body lengths."""

    deviation: float = 0.2  # [Tan11 4.2]
    collision: float = 500.0
    bound: float = 0.5  # J/kg over two cycles, for a body one metre long [articulated-swimmers 7.5]; 0 for none
    work: float = 0.0  # lengths per J/kg of a cycle
    way: float = 1.0  # of a turn, against its angle
    enough: float = FARTHEST  # rad per cycle: what a turn is more counts nothing
    cycles: int = CYCLES  # of a try
    settling: int = 0  # of these are not scored; the others count per cycle, and the stroke may be warped

    def beyond(self, work: float) -> float:
        """What too much work costs: 1 and the excess, a wall with a slope. [articulated-swimmers 7.6]"""
        return 1.0 + (work - self.bound) / self.bound if self.bound > 0.0 and work >= self.bound else 0.0

    @property
    def warped(self) -> bool:
        """Whether offsets of straight strokes and the warp are free, as they are in tries that are given time to settle."""
        return self.settling > 0

    @property
    def name(self) -> str:
        """Which of the two objectives it is."""
        return "settled" if self.warped else "published"


WORK_PRICE = 0.08
"""Lengths of a cycle that a J/kg of it is worth: for that, frogs gather, kick and glide. [stroke 2]"""
HALF_WAY_OF_TURNS = 0.5
"""Of a turn's way against its angle. [stroke 2]"""
ENOUGH_TURN = 0.5 * np.pi
"""rad per cycle: from nothing but its angle a frog's turn becomes a spin of 6.9 rad per cycle at 26 J/kg."""
PUBLISHED = Weights()
SETTLED = Weights(bound=0.0, work=WORK_PRICE, way=HALF_WAY_OF_TURNS, enough=ENOUGH_TURN, cycles=4, settling=2)
OBJECTIVES = {"settled": SETTLED, "published": PUBLISHED}


class Score(NamedTuple):
    """Of one try. Smaller is better."""

    value: float
    distance: float
    turned: float
    deviation: float
    work: float  # J/kg of all that is scored, or per cycle if the stroke had time to settle, as distance and turned are
    overlap: float  # areas of the body times seconds

    @property
    def possible(self) -> bool:
        """Whether all of it is finite and within what a swimmer can do."""
        within = all(abs(way) <= FARTHEST for way in (self.distance, self.turned, self.deviation))
        return within and abs(self.work) <= MOST_WORK and 0.0 <= self.overlap <= MOST_WORK and math.isfinite(self.value)


NO_SCORE = Score(FAILED, 0.0, 0.0, 0.0, 0.0, 0.0)
"""Of a try that failed."""


def can_be_a_score(value: Any, weights: Weights, *, turning: bool) -> bool:
    """Whether a list can be the score of a try: six numbers within what is possible, of which the first follows from the
    others, but for what collisions cost a body of some mass.

    Example::

        can_be_a_score([-1.0, 1.0, 0.0, 0.0, 0.1, 0.0], Weights(), turning=False)
    """
    if not isinstance(value, list) or len(value) != len(Score._fields) or any(type(item) is not float for item in value):
        return False
    score = Score(*value)
    if score == NO_SCORE:
        return True
    if not score.possible:
        return False
    gain = gain_of(score.distance, score.turned, score.work, weights, turning=turning)
    collisions = score.value - (-gain + weights.deviation * score.deviation + weights.beyond(score.work))
    rounding = ROUNDING * (1.0 + abs(score.value))
    return collisions >= -rounding and (collisions <= rounding or score.overlap > 0.0)


def gain_of(ahead: float, turned: float, work: float, weights: Weights, *, turning: bool) -> float:
    """What a try is worth, without what it lost. [stroke 2]

    >>> gain_of(1.5, 0.0, 2.0, SETTLED, turning=False)
    1.34
    """
    gain = weights.way * ahead + min(turned, weights.enough) if turning else ahead
    return gain - weights.work * work


def judge(track: Array, mass: float, dt: float, *, turning: bool, weights: Weights) -> Score:
    """The score of a track over some cycles from rest, that begins at the origin with heading 0.

    Straight swimming counts from rest; a turn counts from the end of the first cycle, because curling up is no turning; with
    `weights.settling` both count from the end of so many cycles.
    The wanted direction of a turn lies half way between where it faced and where it faces. [articulated-swimmers 2.10, 7.11]
    """
    if not np.isfinite(track).all():
        return NO_SCORE
    if weights.settling:
        ticks, counted = len(track) // weights.cycles, weights.cycles - weights.settling
        begin = ticks * weights.settling
        start = track[begin - 1]
        facing = float(start[HEADING] if turning else track[begin - ticks : begin, HEADING].mean())  # it swings with strokes
    else:
        counted, begin = 1, len(track) // weights.cycles if turning else 0
        start = track[begin - 1] if turning else np.zeros(track.shape[1])
        facing = float(start[HEADING])
    move = (track[-1, [X, Y]] - start[[X, Y]]) / counted
    turned = float(track[-1, HEADING] - start[HEADING]) / counted
    facing += 0.5 * counted * turned if turning else 0.0
    ahead = float(move @ (np.cos(facing), np.sin(facing)))
    aside = abs(float(move @ (-np.sin(facing), np.cos(facing))))
    work = float(track[-1, WORK] - (start[WORK] if weights.settling else 0.0)) / counted / mass
    overlap = float(track[:, OVERLAP].sum()) * dt / mass
    deviation = aside + (0.0 if turning else abs(turned))
    gain = gain_of(ahead, turned, work, weights, turning=turning)
    value = -gain + weights.deviation * deviation + weights.beyond(work) + weights.collision * overlap * mass
    score = Score(value, ahead, turned, deviation, work, overlap)
    return score if score.possible else NO_SCORE
