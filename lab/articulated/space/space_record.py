"""What a stroke in space settles at: speed, turning, power and one steady cycle. [swimmer 5]"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.articulated.manoeuvres import CYCLE_STEPS
from ....engine.errors import PaludariumError
from ..training.steady import Steady
from .space_trial import Basin, Swim, frame_of, turn_between
from .swim_in_box_kernel import FORWARD, LEFT, MIDDLE, PLACE, RECORD, TURN, WORK

if TYPE_CHECKING:
    from ....components.articulated.link_plan import BodyPlan
    from ....engine.pool import Array
    from .space_bodies import Body

SETTLING = 5
"""Cycles until a stroke is steady."""
UPWARD = np.array([1.0, -1.0, 1.0])
"""Turns about forward, left and up as roll, pitch and yaw: a nose goes up by a turn against left."""
MIRRORED_FIELDS = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
"""How a recorded cycle looks in the mirror: sway, roll and yaw go the other way."""


def mirrored(sines: Array, plan: BodyPlan) -> Array:
    """The same movement with left and right exchanged, joints in the middle half a cycle later: `stroke_kernel` does so."""
    found: Array = plan.mirror_sign * sines[:, plan.other]
    middle = plan.other == np.arange(plan.count)
    found[:2, middle] = sines[:2, middle]
    return found


def steady(body: Body, sines: Array, basin: Basin, cycles: int = SETTLING) -> Steady:
    """Swim until a stroke is steady, and measure its last cycle.

    Example::

        steady(fish, fish.sines(), Basin()).speed        # body lengths per second
    """
    swim = Swim(body, basin)
    if not swim.cycles(cycles, sines):
        reason = f"its water could not be solved ({swim.ended})"
        raise PaludariumError(f"{body.name}: {reason}; try a smaller stroke or more cells")
    steps = round(basin.period / basin.dt)
    rows = swim.record[-steps - 1 :]
    frames = [frame_of(row) for row in rows]
    mean = _mean_frame(frames)
    turns = np.array([turn_between(a, b) @ a for a, b in zip(frames[:-1], frames[1:], strict=True)]) @ mean.T
    rates = np.column_stack([np.diff(rows[:, PLACE:TURN], axis=0) @ mean.T, turns * UPWARD]) / basin.dt
    middles = (np.arange(steps) + 0.5) / steps  # a rate is that of the middle of its step
    at = np.arange(CYCLE_STEPS) / CYCLE_STEPS
    cycle = np.column_stack([np.interp(at, middles, rates[:, k], period=1.0) for k in range(6)])
    gone = mean @ (rows[-1, MIDDLE:FORWARD] - rows[0, MIDDLE:FORWARD])
    whole = turn_between(frames[0], frames[-1]) * UPWARD / basin.period
    if np.allclose(mirrored(sines, body.plan), sines, atol=1e-9):
        # what both sides do alike does not turn: it is rounding that has grown, as in the published turtle [Tan11 7]
        cycle[:, MIRRORED_FIELDS < 0.0] = whole[2] = 0.0
    work = (rows[-1, WORK] - rows[0, WORK]) / float(swim.body.mass.sum())
    return Steady(float(gone[0]) / basin.period, float(whole[2]), float(work) / basin.period, cycle, float(whole[1]))


def _mean_frame(frames: list[Array]) -> Array:
    row = np.zeros(RECORD)
    row[FORWARD:LEFT] = np.mean([frame[0] for frame in frames], axis=0)
    row[LEFT:WORK] = np.mean([frame[1] for frame in frames], axis=0)
    return frame_of(row)
