"""What a gait settles at: speed, turning, power, and the movement of the root over one cycle, to be played far away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ....components.articulated.manoeuvres import CYCLE_FIELDS, CYCLE_STEPS
from .bench import ROW, TICK
from .swim_trial_kernel import HEADING, WORK, X, Y

if TYPE_CHECKING:
    from ....engine.pool import Array
    from .bench import Bench
    from .search import Task

SETTLING = 8
"""Cycles from rest until all is steady. [swimmer 4.1]"""
MEASURED = 4
"""Cycles that are averaged after that."""
SURGE, SWAY, YAW = 0, 1, 5
STARTS = (2.0, 4.0, 8.0)
"""Seconds of the animal from rest, after which the way is taken."""
COASTS = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
"""Seconds after the end of the stroke at which the speed of a glide is taken."""
COAST_WINDOW = 1.0
"""s, over which that is averaged: bodies sway a little."""
ENDS = 4
"""Phases of the cycle at which strokes end: a glide depends on what the last stroke left behind."""
HALF = 0.5
"""Of the effort: a second one at which the speed is taken."""
PUSH, PUSHED = 0.1, 3.0
"""Mass times body lengths per second, a push from the side; seconds after which it is seen how far that went."""
VEERED = 3
"""Cycles of a turn that was begun while it swam straight on."""
SOFTER, SOFTENINGS = 0.96, 10
"""Of all angles, again and again."""


@dataclass(frozen=True)
class Steady:
    """Of a gait, in body lengths, seconds of the animal and J/kg for a body one metre long."""

    speed: float
    yaw: float
    power: float
    cycle: Array  # (16, 6) of the root: surge, sway, heave, roll, pitch and yaw
    pitch: float = 0.0  # of bodies in space, up is positive


@dataclass(frozen=True)
class Changes:
    """How a straight stroke begins and ends, in body lengths and seconds of the animal."""

    ways: tuple[float, ...]  # from rest, after STARTS
    coast: tuple[float, ...]  # speeds after COASTS, means over ENDS
    half: float  # speed that HALF of the effort settles at
    aside: float  # how far a PUSH from the side moves it while it rests
    veer: float  # rad that it turns in the first VEERED cycles of a turn; 0 without a turn


def settle(bench: Bench, steer: float = 0.0, settling: int = SETTLING, measured: int = MEASURED,
           effort: float = 1.0) -> Steady | None:  # fmt: skip
    """Let a swimmer beat until it is steady, and measure it; None if the water does not go along with it."""
    bench.begin(effort=effort, steer=steer)
    pace, period = float(bench.swimmers.pace[ROW]), float(bench.manoeuvres.period[0])
    ticks = round(period / pace / TICK)
    track = bench.swim(ticks * (settling + measured))
    if not np.isfinite(track).all():
        return None
    seconds = ticks * TICK * pace
    steps = track[ticks * settling - 1 :: ticks]
    moves = np.diff(steps[:, [X, Y]], axis=0)
    turned = float(steps[-1, HEADING] - steps[0, HEADING]) / measured
    facing = float(steps[0, HEADING]) + turned * (np.arange(measured) + 0.5)
    ahead = float((moves[:, 0] * np.cos(facing) + moves[:, 1] * np.sin(facing)).mean())
    chords = track[ticks * (settling + 1) :, [X, Y]] - track[ticks * settling : -ticks, [X, Y]]  # of all phases alike
    way = ahead if steer == 0.0 else float(np.hypot(chords[:, 0], chords[:, 1]).mean())
    power = float(steps[-1, WORK] - steps[0, WORK]) / (measured * seconds * bench.mass)
    size = float(bench.swimmers.length[ROW])
    cycle = cycle_of(track[-ticks * measured - 1 :], ticks, pace)
    return Steady(way / seconds / size, turned / seconds, power / size**2 / pace**2, cycle)


def changes_of(bench: Bench) -> Changes | None:
    """How the straight stroke of a swimmer begins, ends, and answers a push; None if the water does not go along."""
    pace, period = float(bench.swimmers.pace[ROW]), float(bench.manoeuvres.period[0])
    size, ticks = float(bench.swimmers.length[ROW]), round(period / pace / TICK)
    bench.begin()
    begun = bench.swim(ticks_of(STARTS[-1], pace))
    ways = [float(np.hypot(*begun[ticks_of(at, pace) - 1, [X, Y]])) / size for at in STARTS]
    glides = np.array([coasting(bench, (SETTLING + MEASURED) * ticks + end * ticks // ENDS) for end in range(ENDS)])
    half = settle(bench, effort=HALF)
    aside, veer = pushed(bench), veered(bench, SETTLING) if len(bench.specs) > 1 else 0.0
    if half is None or not np.isfinite([*ways, *glides.ravel(), aside, veer]).all():
        return None
    return Changes(tuple(ways), tuple(glides.mean(axis=0).tolist()), half.speed, aside, veer)


def ticks_of(seconds: float, pace: float) -> int:
    """Ticks of so many seconds of the animal."""
    return round(seconds / pace / TICK)


def pushed(bench: Bench) -> float:
    """How far a PUSH from the side moves a swimmer that rests, in body lengths, until PUSHED."""
    pace, size, n = float(bench.swimmers.pace[ROW]), float(bench.swimmers.length[ROW]), bench.plan.count
    bench.begin(effort=0.0)
    bench.links.push[:n, 1] = PUSH * size * pace * bench.links.mass[:n] / TICK
    bench.swim(1)
    bench.links.push[:] = 0.0
    bench.swim(ticks_of(PUSHED, pace))
    place, back = bench.links.place[:n], bench.links.com[:n]
    return float(np.average(place[:, 1] - back * np.sin(place[:, 2]), weights=bench.links.mass[:n])) / size


def veered(bench: Bench, settling: int) -> float:
    """How far a swimmer turns in the first VEERED cycles of its turn to the left, after some cycles straight on, rad."""
    cycle = float(bench.manoeuvres.period[0])
    pace = float(bench.swimmers.pace[ROW])
    bench.begin()
    bench.swim(ticks_of(settling * cycle, pace))
    before = float(bench.swimmers.heading[ROW])
    bench.swimmers.wish_steer[ROW] = 1.0
    return float(bench.swim(ticks_of(VEERED * cycle, pace))[-1, HEADING]) - before


def coasting(bench: Bench, ticks: int) -> tuple[float, ...]:
    """Speeds of a swimmer whose stroke ends after so many ticks, lengths per second; not finite if its water breaks."""
    pace, half = float(bench.swimmers.pace[ROW]), 0.5 * COAST_WINDOW
    bench.begin()
    bench.swim(ticks)
    bench.swimmers.wish_effort[ROW] = 0.0
    before = bench.swimmers.root[ROW, :2].copy()
    track = np.vstack([before, bench.swim(ticks_of(COASTS[-1] + half, pace))[:, [X, Y]]])
    found = []
    for at in COASTS:
        a, b = (track[ticks_of(at + side, pace)] for side in (-half, half))
        found.append(float(np.hypot(*(b - a))) / COAST_WINDOW / float(bench.swimmers.length[ROW]))
    return tuple(found)


def cycle_of(track: Array, ticks: int, pace: float) -> Array:
    """(16, 6) velocities of the root and of the heading over a cycle that began at phase 0; body lengths are 1.

    Axes are those of the heading. Means are those of all ticks, so that what plays it goes as far.
    """
    moves = np.diff(track, axis=0) / (TICK * pace)
    heading = track[1:, HEADING]
    surge = moves[:, X] * np.cos(heading) + moves[:, Y] * np.sin(heading)
    sway = moves[:, Y] * np.cos(heading) - moves[:, X] * np.sin(heading)
    values = np.stack([surge, sway, moves[:, HEADING]], axis=1).reshape(-1, ticks, 3).mean(axis=0)
    phases = np.arange(1, ticks + 1) / ticks  # at the end of each tick
    found = np.zeros((CYCLE_STEPS, CYCLE_FIELDS))
    for field, column in ((SURGE, 0), (SWAY, 1), (YAW, 2)):
        found[:, field] = np.interp(np.arange(CYCLE_STEPS) / CYCLE_STEPS, phases, values[:, column], period=1.0)
        found[:, field] += values[:, column].mean() - found[:, field].mean()
    return found


def soften(task: Task, gait: Array, pace: float) -> tuple[Array, Steady, float] | None:
    """A gait that can be played for as long as one likes, what it settles at, and how wide it is against the one given.

    A search swims two cycles; what would break the water later, at a pace of 1 or that of the species, is made gentler.
    """
    for times in range(SOFTENINGS):
        played = gait.copy()
        played[:, 1:] *= SOFTER**times
        found = task.steady(played, pace)
        if found is not None:
            return played, found, SOFTER**times
    return None
