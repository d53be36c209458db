"""The line that a swimmer is on, without the swing of its stroke, and how sharply it can turn off it. [swimmer 4.3]"""

from __future__ import annotations

from math import atan2, cos, sin
from typing import TYPE_CHECKING

from ....components.articulated.manoeuvres import CYCLE_STEPS
from ....components.brain import UNLIMITED_TURN
from ....engine.kernel import kernel
from ....engine.number_kernel import wrapped
from .stroke_kernel import NONE, STRAIGHT, row_of, turn_row

if TYPE_CHECKING:
    from ....components.articulated.manoeuvres import ManoeuvrePool
    from ....components.articulated.servo import SwimPool
    from ....components.brain import BrainPool
    from ....engine.kernel_types import Vector

SURGE, SWAY, YAW = 0, 1, 5
MADE_UP = 0.75
"""Of a heading error that is to be gone after a cycle: more overshoots, because a turn is chosen once per cycle."""
LEAST_RANGE = 0.05
"""rad of heading error that a full turn is worth at least."""


@kernel(refcount=False)
def range_of(c: int, swimmers: SwimPool, manoeuvres: ManoeuvrePool) -> float:
    """Return the heading error at which a swimmer turns as it can: its own, or by what its turn does per cycle."""
    turn, _ = turn_row(c, 1.0, swimmers, manoeuvres)
    if swimmers.steer_range[c] > 0.0 or turn == NONE:
        return max(swimmers.steer_range[c], LEAST_RANGE)
    return max(abs(manoeuvres.yaw[turn]) * manoeuvres.period[turn] / MADE_UP, LEAST_RANGE)


@kernel(refcount=False)
def line_of(c: int, swimmers: SwimPool, manoeuvres: ManoeuvrePool) -> Vector:
    """Return x and y of the line that a swimmer is on, and its direction: head and heading without the swing of the stroke.

    At the beginning of a cycle, where it steers, the recorded cycle says how far head and heading are off their means.
    """
    straight = row_of(c, STRAIGHT, swimmers, manoeuvres)
    cycle, step = manoeuvres.cycle[straight], manoeuvres.period[straight] / CYCLE_STEPS
    surge, sway, yaw = 0.0, 0.0, 0.0
    for i in range(CYCLE_STEPS):
        surge += cycle[i, SURGE] / CYCLE_STEPS
        sway += cycle[i, SWAY] / CYCLE_STEPS
        yaw += cycle[i, YAW] / CYCLE_STEPS
    aside, turned, mean_aside, mean_turned = 0.0, 0.0, 0.0, 0.0
    for i in range(CYCLE_STEPS):
        j = (i + 1) % CYCLE_STEPS
        mean_aside += aside / CYCLE_STEPS
        mean_turned += turned / CYCLE_STEPS
        aside += step * (0.5 * (cycle[i, SWAY] + cycle[j, SWAY]) - sway)
        turned += step * (0.5 * (cycle[i, YAW] + cycle[j, YAW]) - yaw)
    heading = swimmers.heading[c] + mean_turned + atan2(sway, max(surge, 1e-9))
    left = mean_aside * swimmers.length[c]
    return swimmers.root[c, 0] - left * sin(heading), swimmers.root[c, 1] + left * cos(heading), heading


@kernel(refcount=False)
def swing_of(c: int, swimmers: SwimPool, manoeuvres: ManoeuvrePool) -> float:
    """Return how far the head is turned off the way of the body now, left positive.

    The head against the mean of all links is known from the joints; how far that mean swings, from the recorded cycle.
    """
    straight = row_of(c, STRAIGHT, swimmers, manoeuvres)
    cycle, step = manoeuvres.cycle[straight], manoeuvres.period[straight] / CYCLE_STEPS
    surge, sway, yaw = 0.0, 0.0, 0.0
    for i in range(CYCLE_STEPS):
        surge += cycle[i, SURGE] / CYCLE_STEPS
        sway += cycle[i, SWAY] / CYCLE_STEPS
        yaw += cycle[i, YAW] / CYCLE_STEPS
    at = swimmers.phase[c] * CYCLE_STEPS
    turned, now, mean = 0.0, 0.0, 0.0
    for i in range(CYCLE_STEPS):
        j = (i + 1) % CYCLE_STEPS
        mean += turned / CYCLE_STEPS
        more = step * (0.5 * (cycle[i, YAW] + cycle[j, YAW]) - yaw)
        if i <= at:
            now = turned + (at - i) * more
        turned += more
    share = abs(swimmers.effort[c]) * (1.0 - abs(swimmers.steer[c]))
    off = swimmers.root[c, 2] - swimmers.heading[c] + share * (now - mean - atan2(sway, max(surge, 1e-9)))
    return wrapped(off)


@kernel(refcount=False)
def tell_brain(c: int, swimmers: SwimPool, manoeuvres: ManoeuvrePool, brains: BrainPool) -> None:
    """Update what a brain knows of its swimmer's turns: as fast as they were measured, as sharp as they can be followed."""
    turn, _ = turn_row(c, 1.0, swimmers, manoeuvres)
    brains.turn_rate[c], brains.turn_gain[c], brains.swing[c] = UNLIMITED_TURN, UNLIMITED_TURN, 0.0
    if turn != NONE:
        brains.turn_rate[c] = abs(manoeuvres.yaw[turn]) * swimmers.pace[c]
        brains.turn_gain[c] = brains.turn_rate[c] / range_of(c, swimmers, manoeuvres)
    if swimmers.plane[c] != 0:
        brains.swing[c] = swing_of(c, swimmers, manoeuvres)
