"""From manoeuvres to what the servos are to do: sines that blend by their numbers. [Tan11 4.1] [swimmer 2, 4.3]

A straight stroke may warp time: w(phase) in the place of 2 pi phase runs from 0 to pi in the share `power_share` of a cycle,
stands for the share `glide_share`, and runs to 2 pi in the rest. Its slope goes from one to the other by smooth steps.
[stroke 2]
"""

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
SMOOTHED = 0.06
"""Of a cycle, to either side: how long the slope of the warp takes from one share to the next. [stroke 2]"""
STANDS = 0.01
"""Of a cycle, to either side of the middle of the glide: the part that is made longer where effort is a glide."""
LEAST_GLIDING = 0.3
"""Effort below which glides grow no longer: the stroke gets smaller then."""


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
def step_and_area(u: float) -> tuple[float, float]:
    """Return a smooth step from 0 at -1 to 1 at 1, and its integral from -1 on."""
    if u <= -1.0:
        return 0.0, 0.0
    if u >= 1.0:
        return 1.0, u
    x = 0.5 * (u + 1.0)
    return x * x * (3.0 - 2.0 * x), x * x * x * (2.0 - x)


@kernel(refcount=False)
def warp(phase: float, power: float, glide: float) -> tuple[float, float]:
    """Return how far the sine is at a phase of the cycle, and how fast against a sine without a warp. [stroke 2]

    The slope is that of the return plus a smooth step at each border between shares; without a warp all steps are 0.
    """
    if power == 0.5 and glide == 0.0:
        return 2.0 * pi * phase, 1.0
    fast, back = pi / power, pi / max(1.0 - power - glide, SMOOTHED)
    angle, slope = back * phase, back
    for border in range(4):
        at = 0.0 if border == 0 else (power if border == 1 else (power + glide if border == 2 else 1.0))
        more = -fast if border == 1 else (back if border == 2 else fast - back)
        step, area = step_and_area((phase - at) / SMOOTHED)
        _, before = step_and_area(-at / SMOOTHED)
        slope += more * step
        angle += more * SMOOTHED * (area - before)
    return angle, slope / (2.0 * pi)


@kernel(refcount=False)
def glides_of(c: int, swimmers: SwimPool) -> tuple[float, float]:
    """Return how wide a swimmer beats, 0 to 1, and how many times longer its cycles last: its effort is one or the other.

    Where effort is a glide, half the effort is a cycle of twice the time, with the same kick. [stroke 2]
    """
    effort = abs(swimmers.effort[c])
    if swimmers.glides[c] == 0:
        return effort, 1.0
    return min(effort / LEAST_GLIDING, 1.0), 1.0 / min(max(effort, LEAST_GLIDING), 1.0)


@kernel(refcount=False)
def moved_on(phase: float, step: float, middle: float, longer: float) -> float:
    """Return a phase one step later, not wrapped; the middle of the glide lasts so much longer that the cycle does."""
    if longer == 1.0:
        return phase + step
    low, high = middle - STANDS, middle + STANDS
    slower = 1.0 + (longer - 1.0) / (2.0 * STANDS)
    time = phase + (slower - 1.0) * (min(max(phase, low), high) - low) + step
    turns = np.floor(time / longer)
    time -= turns * longer
    if time > low:
        time = max(low + (time - low) / slower, time - (longer - 1.0))
    return time + turns


@kernel(refcount=False)
def middle_of_glide(straight: int, manoeuvres: ManoeuvrePool) -> float:
    """Return the phase at which all joints stand."""
    return manoeuvres.power_share[straight] + 0.5 * manoeuvres.glide_share[straight]


@kernel(refcount=False)
def beat(c: int, swimmers: SwimPool, manoeuvres: ManoeuvrePool, dt: float) -> bool:
    """Update phase, effort, steering and rise of a swimmer; return whether a cycle has begun in this tick.

    All three come to what is wanted within a share of a cycle. With a negative effort the wave runs backward. [swimmer 4.3]
    """
    straight = row_of(c, STRAIGHT, swimmers, manoeuvres)
    period = manoeuvres.period[straight] / swimmers.pace[c]
    most = dt / (swimmers.blend[c] * period)
    swimmers.effort[c] = toward(swimmers.effort[c], swimmers.wish_effort[c], most)
    swimmers.steered[c] = swimmers.steer[c]
    swimmers.steer[c] = toward(swimmers.steer[c], swimmers.wish_steer[c], most)
    swimmers.rise[c] = toward(swimmers.rise[c], swimmers.wish_rise[c], most)
    swimmers.swum[c] = min(swimmers.swum[c] + dt, 1.0e6)
    _, longer = glides_of(c, swimmers)
    step = dt / period if swimmers.effort[c] >= 0.0 else -dt / period
    phase = moved_on(swimmers.phase[c], step, middle_of_glide(straight, manoeuvres), longer)
    begun = phase >= 1.0 or phase < 0.0
    swimmers.phase[c] = phase - np.floor(phase)
    if begun:
        swimmers.power[c] = swimmers.cycle_work[c] / (longer * period)
        swimmers.cycle_work[c] = 0.0
    return begun


@kernel(refcount=False)
def write_wanted(c: int, swimmers: SwimPool, links: LinkPool, manoeuvres: ManoeuvrePool) -> None:
    """Update what the servos of a swimmer are to have at the end of the tick, from its phase and how it steers.

    q = C + e (a sin wt + b cos wt) with a, b, C between those of straight swimming and of a turn or pitch. [swimmer 4.3]
    The warp is that of straight swimming: strokes blend as long as they have one. [stroke 2]
    """
    first, n = int64(swimmers.first_link[c]), int64(swimmers.link_count[c])
    straight = row_of(c, STRAIGHT, swimmers, manoeuvres)
    steer, rise = swimmers.steer[c], swimmers.rise[c]
    turn, mirrored = turn_row(c, steer, swimmers, manoeuvres)
    pitch = row_of(c, UP if rise > 0.0 else DOWN, swimmers, manoeuvres)
    k = abs(steer) if turn != NONE else 0.0
    p = abs(rise) if pitch != NONE else 0.0
    w = 2.0 * pi * swimmers.pace[c] / manoeuvres.period[straight]
    warped, slope = warp(swimmers.phase[c], manoeuvres.power_share[straight], manoeuvres.glide_share[straight])
    s, co = sin(warped), cos(warped)
    ramp, climb = ease(swimmers.swum[c], swimmers.ramp[c])
    e, longer = glides_of(c, swimmers)
    if longer > 1.0 and abs(swimmers.phase[c] - middle_of_glide(straight, manoeuvres)) < STANDS:
        slope /= 1.0 + (longer - 1.0) / (2.0 * STANDS)
    w *= slope
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
