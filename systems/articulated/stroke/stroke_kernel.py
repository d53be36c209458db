"""From manoeuvres to what the servos are to do: sines that blend by their numbers. [Tan11 4.1] [swimmer 2, 4.3]"""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING

import numpy as np

from ....components.articulated.manoeuvres import Manoeuvre
from ....engine.kernel import kernel
from ....engine.kernel_types import int64

if TYPE_CHECKING:
    from ....components.articulated.links import LinkPool
    from ....components.articulated.manoeuvres import ManoeuvrePool
    from ....components.articulated.servo import SwimPool

NONE = -1
STRAIGHT, LEFT, RIGHT = Manoeuvre.STRAIGHT.value, Manoeuvre.TURN_LEFT.value, Manoeuvre.TURN_RIGHT.value
UP, DOWN = Manoeuvre.PITCH_UP.value, Manoeuvre.PITCH_DOWN.value


@kernel(refcount=False)
def row_of(c: int, code: int, swimmers: SwimPool, manoeuvres: ManoeuvrePool) -> int:
    """Return the row of a swimmer's manoeuvre, or NONE."""
    first = int64(swimmers.first_manoeuvre[c])
    for row in range(first, first + swimmers.manoeuvre_count[c]):
        if manoeuvres.code[row] == code:
            return row
    return NONE


@kernel(refcount=False)
def turn_row(c: int, steer: float, swimmers: SwimPool, manoeuvres: ManoeuvrePool) -> tuple[int, bool]:
    """Return the row of the turn to the side of `steer`, and whether it is that to the other side, to be mirrored."""
    row = row_of(c, LEFT if steer > 0.0 else RIGHT, swimmers, manoeuvres)
    if row != NONE:
        return row, False
    return row_of(c, RIGHT if steer > 0.0 else LEFT, swimmers, manoeuvres), True


@kernel(refcount=False)
def toward(value: float, goal: float, most: float) -> float:
    """Return a value that has come nearer to its goal, by at most so much."""
    return min(max(goal, value - most), value + most)


@kernel(refcount=False)
def ease(t: float, span: float) -> tuple[float, float]:
    """Return a smooth step from 0 to 1 within a span, and its rate."""
    if t >= span:
        return 1.0, 0.0
    s = max(t / span, 0.0)
    return s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s) / span


@kernel(refcount=False)
def beat(c: int, swimmers: SwimPool, manoeuvres: ManoeuvrePool, dt: float) -> bool:
    """Update phase, effort, steering and rise of a swimmer; return whether a cycle has begun in this tick.

    All three come to what is wanted within a share of a cycle. With a negative effort the wave runs backward. [swimmer 4.3]
    """
    period = manoeuvres.period[row_of(c, STRAIGHT, swimmers, manoeuvres)] / swimmers.pace[c]
    most = dt / (swimmers.blend[c] * period)
    swimmers.effort[c] = toward(swimmers.effort[c], swimmers.wish_effort[c], most)
    swimmers.steered[c] = swimmers.steer[c]
    swimmers.steer[c] = toward(swimmers.steer[c], swimmers.wish_steer[c], most)
    swimmers.rise[c] = toward(swimmers.rise[c], swimmers.wish_rise[c], most)
    swimmers.swum[c] = min(swimmers.swum[c] + dt, 1.0e6)
    phase = swimmers.phase[c] + (dt / period if swimmers.effort[c] >= 0.0 else -dt / period)
    begun = phase >= 1.0 or phase < 0.0
    swimmers.phase[c] = phase - np.floor(phase)
    if begun:
        swimmers.power[c] = swimmers.cycle_work[c] / period
        swimmers.cycle_work[c] = 0.0
    return begun


@kernel(refcount=False)
def write_wanted(c: int, swimmers: SwimPool, links: LinkPool, manoeuvres: ManoeuvrePool) -> None:
    """Update what the servos of a swimmer are to have at the end of the tick, from its phase and how it steers.

    q = C + e (a sin wt + b cos wt) with a, b, C between those of straight swimming and of a turn or pitch. [swimmer 4.3]
    """
    first, n = int64(swimmers.first_link[c]), int64(swimmers.link_count[c])
    straight = row_of(c, STRAIGHT, swimmers, manoeuvres)
    steer, rise = swimmers.steer[c], swimmers.rise[c]
    turn, mirrored = turn_row(c, steer, swimmers, manoeuvres)
    pitch = row_of(c, UP if rise > 0.0 else DOWN, swimmers, manoeuvres)
    k = abs(steer) if turn != NONE else 0.0
    p = abs(rise) if pitch != NONE else 0.0
    w = 2.0 * pi * swimmers.pace[c] / manoeuvres.period[straight]
    s, co = sin(2.0 * pi * swimmers.phase[c]), cos(2.0 * pi * swimmers.phase[c])
    ramp, climb = ease(swimmers.swum[c], swimmers.ramp[c])
    e = abs(swimmers.effort[c])
    way = w if swimmers.effort[c] >= 0.0 else -w
    for i in range(1, n):
        row = first + i
        a, b, o = manoeuvres.sine[straight, i], manoeuvres.cosine[straight, i], manoeuvres.offset[straight, i]
        if k > 0.0:
            j, sign, aside = i, 1.0, 1.0
            if mirrored:
                j, aside = int64(links.other[row]), links.other_sign[row]
                sign = aside if j != i else 1.0  # in the middle half a cycle later, so that it blends with straight swimming
            a += k * (sign * manoeuvres.sine[turn, j] - a)
            b += k * (sign * manoeuvres.cosine[turn, j] - b)
            o += k * (aside * manoeuvres.offset[turn, j] - o)
        if p > 0.0:
            a += p * (manoeuvres.sine[pitch, i] - a)
            b += p * (manoeuvres.cosine[pitch, i] - b)
            o += p * (manoeuvres.offset[pitch, i] - o)
        angle, rate = e * (a * s + b * co) + min(1.0, e) * o, e * way * (a * co - b * s)
        links.wanted[row], links.wanted_rate[row] = ramp * angle, ramp * rate + climb * angle
    code = STRAIGHT
    if max(k, p) > 0.5:
        code = (UP if rise > 0.0 else DOWN) if p > k else (LEFT if steer > 0.0 else RIGHT)
    swimmers.manoeuvre[c] = code
