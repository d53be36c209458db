"""From the cheapest gaits of a sweep to species data: the line that the swimming controller follows. [Fang15 App. C]"""

from __future__ import annotations

from dataclasses import dataclass
from math import degrees

import numpy as np
from numpy.typing import NDArray

from ...components.myriapod.muscles import LINE_POINTS
from ...engine.errors import PaludariumError
from .optimum import Optimum, bilinear, least_power
from .sweep import Sweep, Table

Floats = NDArray[np.float64]

WANTED_SPEEDS = 25
"""Speeds at which the cheapest gait is looked for, from the slowest to the fastest the line can name."""
SLOWEST_SHARE, FASTEST_SHARE = 0.2, 0.9
"""Of the fastest gait: slower speeds come from bending less, and close to the top there is nothing left to choose."""
STEPS = 400
"""Points along the regression line where its speed is looked up."""


@dataclass(frozen=True)
class Line:
    """The controller's data: frequency (1/s) and phase shift (rad) of least power at rising speeds (u/s)."""

    speed: tuple[float, ...]
    frequency: tuple[float, ...]
    shift: tuple[float, ...]
    intercept: float  # rad, of shift = intercept + slope * frequency
    slope: float  # rad s


def cheapest_gaits(sweep: Sweep, table: Table) -> Optimum:
    """The gait of least power at `WANTED_SPEEDS` speeds; needs a complete table of at least 2 x 2 samples."""
    if not table.done.all():
        raise PaludariumError(f"the sweep has {int(table.done.sum())} of {len(table.gaits)} samples: allowed is a whole one")
    if min(len(sweep.frequencies), len(sweep.shifts)) < 2:
        raise PaludariumError("one row of samples is no map: allowed are 2 or more frequencies and 2 or more shifts")
    speed, power = table.maps(sweep)
    wanted = np.linspace(SLOWEST_SHARE, FASTEST_SHARE, WANTED_SPEEDS) * speed.max()
    return least_power(np.array(sweep.frequencies), np.array(sweep.shifts), speed, power, wanted)


def fit_line(sweep: Sweep, table: Table) -> Line:
    """The straight line through the cheapest gaits in the plane of frequency and shift, sampled at equal steps of speed.

    The speeds are those that the map has along the line, so a swimmer that follows it swims as fast as it is told.
    """
    best = cheapest_gaits(sweep, table)
    found = np.isfinite(best.power)
    if found.sum() < 2:
        raise PaludariumError("the map has no range of speeds to choose from: allowed are wider frequencies or shifts")
    slope, intercept = np.polyfit(best.frequency[found], best.shift[found], 1)
    f = np.linspace(best.frequency[found].min(), best.frequency[found].max(), STEPS)
    ps = np.clip(intercept + slope * f, sweep.shifts[0], sweep.shifts[-1])
    across, along = np.array(sweep.frequencies), np.array(sweep.shifts)
    speed = _rising(np.array([bilinear(across, along, table.maps(sweep)[0], f[k : k + 1], ps[k : k + 1])[0, 0]
                              for k in range(STEPS)]))  # fmt: skip
    wanted = np.linspace(speed[0], speed[-1], LINE_POINTS)
    at = np.interp(wanted, speed, f), np.interp(wanted, speed, ps)
    return Line(tuple(wanted.tolist()), tuple(at[0].tolist()), tuple(at[1].tolist()), float(intercept), float(slope))


def species_table(line: Line, parent: str, how: str) -> str:
    """A species file that inherits from `parent` and swims along the line; its table may also be pasted into another."""

    def listed(values: tuple[float, ...], digits: int) -> str:
        return "[" + ", ".join(f"{value:.{digits}f}" for value in values) + "]"

    return "\n".join([
        f"# {how}",
        f"# shift = {degrees(line.intercept):.2f} deg + {degrees(line.slope):.2f} deg s * frequency",
        f'inherits = "{parent}"', "", "[muscles]",
        f"line_speed_u_per_s = {listed(line.speed, 3)}",
        f"line_frequency_per_s = {listed(line.frequency, 4)}",
        f"line_shift_deg = {listed(tuple(map(degrees, line.shift)), 2)}", "",
    ])  # fmt: skip


def _rising(values: Floats) -> Floats:
    """Values made strictly rising: what a fold of the map repeats is skipped."""
    highest: Floats = np.maximum.accumulate(values)
    return highest + np.arange(len(values)) * 1e-9
