"""The two races: five frequencies at one phase shift, five phase shifts at one frequency. [Fang15 Fig. 5.10, 5.11]

Needs the extra `sweep` for the picture.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from paludarium.examples.figure_body import ABOVE, ACCENT, INK, RIGID, STYLE, draw_body, frame, save
from paludarium.examples.muscles import directions
from paludarium.lab.myriapod.swim_tank import TICK, Swimmers, mean_speed

Floats = NDArray[np.float64]

SECONDS = 10.0
FREQUENCIES, ONE_SHIFT = (0.5, 0.75, 1.0, 1.25, 1.6), 0.31
SHIFTS, ONE_FREQUENCY = (0.10, 0.20, 0.31, 0.43, 0.55), 1.5
"""Beats per second, and shifts in units of pi."""
LANE = 7.0


@dataclass(frozen=True)
class Race:
    """What five racers did: bodies at the end, way of their centres, distance, speed and power."""

    names: tuple[str, ...]
    places: Floats  # (racers, segments, 3)
    ahead: Floats
    path: Floats  # (ticks, racers, 3)
    distance: Floats
    speed: Floats
    power: Floats


def race(frequencies: Floats, shifts: Floats, names: tuple[str, ...]) -> Race:
    """Let five swimmers start together, each alone in its own water."""
    swimmers = Swimmers(len(frequencies))
    swimmers.set_gait(frequencies, np.pi * shifts)
    track = swimmers.run(SECONDS)
    shape = len(frequencies), -1, 3
    segments = swimmers.pools.segments
    speed, power = mean_speed(track, frequencies, TICK, 2)
    start = -11.0  # of the centre: heads start at 0
    return Race(names, segments.position.reshape(shape), directions(segments.orientation).reshape(shape), track.centers,
                np.hypot(track.centers[-1, :, 0] - start, track.centers[-1, :, 1]), speed, power)  # fmt: skip


def run_races() -> tuple[Race, Race]:
    """Both races, and whether they end as published."""
    by_beat = race(np.array(FREQUENCIES), np.full(5, ONE_SHIFT), tuple(f"{f:g} Hz" for f in FREQUENCIES))
    by_shift = race(np.full(5, ONE_FREQUENCY), np.array(SHIFTS), tuple(rf"{ps:g} $\pi$" for ps in SHIFTS))
    assert (np.diff(by_beat.distance) > 0).all()  # the faster the beat, the farther
    assert 0 < int(by_shift.distance.argmax()) < len(SHIFTS) - 1  # neither the longest nor the shortest wave wins
    for result in (by_beat, by_shift):
        assert result.speed.argmax() != (result.speed**2 / result.power).argmax()  # the winner is not the thriftiest
    return by_beat, by_shift


def draw(axes: Any, result: Race, title: str) -> None:
    winner, thrifty = int(result.distance.argmax()), int((result.speed**2 / result.power).argmax())
    for k, name in enumerate(result.names):
        lane = np.array([0.0, -LANE * k, 0.0])
        color = ACCENT if k == winner else INK if k == thrifty else RIGID
        axes.plot(*(result.path[:, k] + lane)[:, ABOVE].T, "-", color=color, lw=0.8, alpha=0.6)
        draw_body(axes, result.places[k] + lane, result.ahead[k], ABOVE, color)
        axes.text(-13.0, lane[1], name, ha="right", va="center")
        note = f"{result.speed[k]:.1f} u/s\n$r_e$ {result.power[k]:.0f}"
        axes.text(76.0, lane[1], note, ha="left", va="center", fontsize=7.5)
    axes.axvline(0.0, color=INK, lw=0.8, ls=":")
    frame(axes, title, (-25.0, 88.0), (-LANE * 4.8, LANE * 0.6))


def main(file: str | None = None) -> None:
    by_beat, by_shift = run_races()
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9.0, 6.4), dpi=110, layout="constrained")
        above, below = figure.subplots(2, 1)
        draw(above, by_beat, rf"five frequencies, phase shift {ONE_SHIFT} $\pi$, after {SECONDS:g} s"
                             "   (red: winner, dark: least power per speed squared)")  # fmt: skip
        draw(below, by_shift, f"five phase shifts, {ONE_FREQUENCY} Hz, after {SECONDS:g} s")
        print(save(figure, "races.png", file))


if __name__ == "__main__":
    main(*sys.argv[1:2])
