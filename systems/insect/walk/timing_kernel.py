"""When legs lift and land: six phases that keep time with each other, and gates that keep three feet down. [insect 4]

Legend: T the time of a cycle, beta the share of it that a foot stands, o the phase a leg should be ahead of the cycle.
One rule gives a wave of single legs, four feet and the double tripod: a swing takes the same time at every speed, a leg is
1 - beta behind the one behind it, and the two sides are half a cycle apart.
"""

from __future__ import annotations

from math import sin
from typing import TYPE_CHECKING

import numpy as np

from ....components.insect.tripods import Tripod
from ....engine.kernel import kernel
from ....engine.number_kernel import TWO_PI

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

SLOWEST_SHARE = 0.2  # of the cycle's own rate that a leg slows down to in order to keep time
TURN_STEP = 0.55  # u/s of walking that 1 rad/s of turning is worth, for a body of 1.5 u [insect 3]
LEAST_SPEED = 0.15  # u/s that the cycle of a moving ant goes by at least [insect 3]
USUAL_SIZE = 1.5  # u; length of the ant that these are measured on
WAVE = 0.58  # share of standing from which on legs lift one by one, and not as tripods [insect 4]
FEWEST_DOWN = 3  # feet that stay down at least when one is lifted in a wave
HIND = 4  # rows of legs from which on they are hind legs
SINGLE = 5.0 / 6.0  # share of standing from which on there is time for one leg after the other: all others stay down
LANDING_RATE = 2.5  # 1/s at which swings are ended when it stops [insect 3]
# Legs of the other tripod, by leg: arrays, because a place in a tuple that is only known later may raise in compiled code.
OTHER_TRIPOD = np.array([[1, 2, 5], [0, 3, 4], [0, 3, 4], [1, 2, 5], [1, 2, 5], [0, 3, 4]])


@kernel(refcount=False)
def cycle_of(speed: float, yaw_rate: float, size: float, own: float, p: Array) -> tuple[float, float]:
    """Return the time of a cycle and the share of it that feet stand. own: strides of this one against its species."""
    pace = max(abs(speed), LEAST_SPEED * size / USUAL_SIZE, TURN_STEP * abs(yaw_rate) * size / USUAL_SIZE)
    cycle = own * (p[Tripod.STRIDE] + p[Tripod.STRIDE_TIME] * pace) / pace
    duty = min(max(1.0 - p[Tripod.SWING_TIME] / cycle, p[Tripod.SHORTEST_STANCE]), p[Tripod.LONGEST_STANCE])
    return cycle, duty


@kernel(refcount=False)
def wanted_phase(leg: int, duty: float) -> float:
    """Return how far ahead of the cycle a leg should be: hind legs first, the sides half a cycle apart."""
    ahead = -(2 - leg // 2) * (1.0 - duty)
    return ahead + 0.5 if leg % 2 == 1 else ahead


@kernel(refcount=False)
def phase_rate(leg: int, phase: Array, cycle: float, duty: float, coupling: float) -> float:
    """Return how fast the phase of a leg goes on: as the cycle does, and toward its place among the others."""
    pull = 0.0
    for other in range(6):
        pull += sin(TWO_PI * (phase[other] - phase[leg] - (wanted_phase(other, duty) - wanted_phase(leg, duty))))
    return max(SLOWEST_SHARE / cycle, 1.0 / cycle + coupling / 6.0 * pull)


@kernel(refcount=False)
def may_lift(leg: int, stands: Array, phase: Array, duty: float, urgent: bool) -> bool:
    """Return whether a leg may lift: in a wave with its neighbours and three feet down, else with the other tripod down.

    Where one leg is lifted after the other, it is its turn when the one behind it, or before a hind leg the front one, has
    stood for less time; one that holds the trunk back (urgent) does not wait for its turn.
    """
    if duty >= SINGLE and not urgent:
        before = phase[leg + 2] if leg < HIND else phase[leg - HIND]
        if before > phase[leg] or (before == phase[leg] and leg < HIND):
            return False
    if duty > WAVE:
        down = 0
        for other in range(6):
            down += stands[other]
        ahead, behind = leg - 2, leg + 2
        fewest = 5 if duty >= SINGLE else FEWEST_DOWN
        return down > fewest and (ahead < 0 or stands[ahead] != 0) and (behind > 5 or stands[behind] != 0)
    for k in range(3):
        if stands[OTHER_TRIPOD[leg, k]] == 0:
            return False
    return True
