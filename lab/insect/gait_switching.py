"""Walks by switching rules alone: which of them keep an ant on its feet. [Guo15 7]"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...engine.pool import Array
from .ant_model import FROUDE_GRAVITY, AntModel, tables_of
from .switching_kernel import (
    ALL_FACTORS,
    CALIBRATED,
    DISTANCE,
    FACTORS,
    LITERAL,
    STRIKE,
    TIMER,
    TRIANGLE,
    is_fast,
    walk_straight,
)

RULES = {"timer": TIMER, "strike": STRIKE, "distance": DISTANCE, "triangle": TRIANGLE, "factors": FACTORS}
SWING_INITIATION = 0.25
"""Share of the leg that a foot is behind its hip when the distance rule lifts it; not printed."""


@dataclass(frozen=True)
class RuleWalk:
    """What a walk of rules did."""

    stands: Array  # (steps, 6) bool
    lifts: Array  # (6,) share of the cycle at which each leg lifted last
    feet: Array  # (steps, 6) along the path, from the body
    crossings: int  # steps with feet of one side past each other
    stretched: int  # steps with a standing leg out of reach
    dt: float

    @property
    def down(self) -> Array:
        """(steps,) feet on the ground, without the first quarter of the walk."""
        return self.stands[len(self.stands) // 4 :].sum(axis=1)

    def lift_steps(self, leg: int) -> Array:
        """Steps at which a leg lifts."""
        return np.flatnonzero(self.stands[:-1, leg] & ~self.stands[1:, leg]) + 1


def rule_for(speed: float, ant: AntModel | None = None) -> str:
    """The rule that the Froude number chooses. [Guo15 7.1]"""
    return "triangle" if is_fast(speed, (ant or AntModel()).height, FROUDE_GRAVITY) else "factors"


def walk_by_rules(
    speed: float,
    rule: str = "",
    *,
    mode: str = "calibrated",
    used: int = ALL_FACTORS,
    lowered: float = 0.0,
    seconds: float = 4.0,
    dt: float = 0.001,
    ant: AntModel | None = None,
) -> RuleWalk:
    """A straight walk at a speed (mm/s) whose legs lift by a rule; without one the Froude number chooses.

    Example::

        walk_by_rules(15.0).down.min()     # 3
    """
    ant = ant or AntModel()
    steps = round(seconds / dt)
    stands, lifts, feet, flags = np.zeros((steps, 6), np.bool_), np.zeros(6), np.zeros((steps, 6)), np.zeros(2, np.int64)
    cycle = (ant.stride + ant.stride_time * speed) / speed
    settings = np.array([ant.weight, 0.5 * cycle, SWING_INITIATION])
    walk_straight(
        speed,
        lowered,
        RULES[rule or rule_for(speed, ant)],
        CALIBRATED if mode == "calibrated" else LITERAL,
        used,
        dt,
        tables_of(ant),
        settings,
        stands,
        lifts,
        feet,
        flags,
    )
    return RuleWalk(stands, lifts, feet, int(flags[0]), int(flags[1]), dt)
