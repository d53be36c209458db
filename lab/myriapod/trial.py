"""Trials: one swimmer with one gait in unlimited still water, until its speed is steady. [Fang15 App. C]"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...components.myriapod.construction.anatomy import damping_inverse
from ...components.myriapod.construction.stability import stiffest_material
from ...components.myriapod.muscles import MuscleSpec
from ...components.myriapod.tissue import TissueSpec
from ...components.segments import SegmentSpec
from .substeps import stable_substeps
from .swim_tank import SWIMMER_SEGMENTS, Swimmers, give_gait
from .trial_kernel import CENTER, POWER, TRACE_COLUMNS, swim_ticks

Floats = NDArray[np.float64]

SETTLED = 0.01
"""Two successive windows whose mean speeds differ by less than this share end the ramp-up. [myriapoda 1.17]"""
WINDOW_SECONDS = 1.0
"""A window is of whole beats and at least this long: single fast beats would agree in the middle of the ramp-up."""
STABILITY_SHARE = 0.8
"""Substeps of a trial use this share of the explicit limit; worlds, where bodies also collide, use less."""
PRECISIONS = ("float32", "float64")


class Sample(NamedTuple):
    """What one trial found."""

    speed: float  # u/s along the path, mean over the last window
    power: float  # work against the water per second, the same
    settled: bool  # whether the speed had become steady
    seconds: float  # simulated


@dataclass(frozen=True)
class Trial:
    """The body that swims and how long it is watched: everything a sample depends on, besides its gait.

    Example::

        sample = Trial().measure(1.0, 0.9)  # frequency in 1/s, phase shift in rad
    """

    segments: SegmentSpec = SegmentSpec(SWIMMER_SEGMENTS)
    tissue: TissueSpec = TissueSpec()
    muscles: MuscleSpec = MuscleSpec()
    fewest_seconds: float = 6.0
    longest_seconds: float = 24.0
    precision: str = PRECISIONS[0]

    def measure(self, frequency: float, shift: float) -> Sample:
        """Swim until two successive windows agree, but at least `fewest_seconds` and at most `longest_seconds`."""
        swimmer = Swimmer(_template(self), frequency, shift, self.precision)
        window = whole_beats(frequency)
        least = max(self.fewest_seconds, self.muscles.ramp_time + 2.0 * window)
        trace = swimmer.swim(least)
        while True:
            speed, before = path_speed(trace, swimmer.tick, window, 0), path_speed(trace, swimmer.tick, window, 1)
            settled = abs(speed - before) <= SETTLED * abs(speed)
            seconds = len(trace) * swimmer.tick
            if settled or seconds + window > self.longest_seconds:
                return Sample(speed, mean_power(trace, swimmer.tick, window), settled, round(seconds, 6))
            trace = np.concatenate([trace, swimmer.swim(window)])


class Swimmer:
    """One body with one gait; `swim` continues where the last call ended."""

    def __init__(self, template: Swimmers, frequency: float, shift: float, precision: str) -> None:
        self.tick = template.tick
        self.contact, self.scratch = np.zeros(3), np.zeros(template.scratch_width, precision)
        self.pools = template.pools.copy()
        give_gait(self.pools, np.array([frequency]), np.array([shift]))

    def swim(self, seconds: float) -> Floats:
        """(ticks, 4) the trace of so many seconds, rounded up to whole ticks."""
        trace = np.zeros((ceil(seconds / self.tick - 1e-9), TRACE_COLUMNS))
        swim_ticks(*self.pools, self.contact, self.tick, self.scratch, trace)
        return trace


@lru_cache(maxsize=8)
def _template(trial: Trial) -> Swimmers:
    """The body at rest, with as few substeps as its stiffness allows. It is copied, never stepped."""
    template = Swimmers(1, trial.segments, trial.tissue, trial.muscles)
    chains, size, tissue = template.pools.chains, template.pools.blocks.size, trial.tissue
    stiffest = np.tile(stiffest_material({"tissue": tissue, "muscles": trial.muscles}), (len(size), 1))
    steps = stable_substeps(size, stiffest, tissue.shortest_muscle, template.tick, STABILITY_SHARE)
    chains.substeps[:] = steps
    chains.damping_inverse[:] = damping_inverse(tissue.damping, tissue.density, template.tick / steps)
    return template


def whole_beats(frequency: float) -> float:
    """Seconds of the fewest whole beats that last `WINDOW_SECONDS`."""
    return ceil(WINDOW_SECONDS * frequency - 1e-9) / frequency


def path_speed(trace: Floats, tick: float, window: float, back: int) -> float:
    """Mean speed in plan view over a window that ends `back` windows before the end of the trace."""
    ends = len(trace) - 1 - np.array([back, back + 1]) * window / tick
    x, y = (np.interp(ends, np.arange(len(trace)), trace[:, CENTER + d]) for d in (0, 1))
    return float(np.hypot(x[0] - x[1], y[0] - y[1]) / window)


def mean_power(trace: Floats, tick: float, window: float) -> float:
    """Mean power over the last window, the first tick of it counted in part."""
    total = np.concatenate([[0.0], np.cumsum(trace[:, POWER])])
    first = len(trace) - window / tick
    return float((total[-1] - np.interp(first, np.arange(len(total)), total)) * tick / window)
