"""A sweep over frequency and phase shift: many swimmers at once, and a table on disk that survives interruption."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...components.muscles import MuscleSpec
from ...components.segments import SegmentSpec
from ...components.tissue import TissueSpec
from ...engine.errors import PaludariumError
from .swimmers import SWIMMER_SEGMENTS, Swimmers, Track, mean_speed

Floats = NDArray[np.float64]

SETTLED = 0.01
"""Two successive beats whose mean speeds differ by less than this share end the ramp-up. [digest 1.17]"""
FEWEST_SECONDS = 6.0
"""No swimmer is judged earlier: the ramp-up takes about five seconds at 1 Hz."""


@dataclass(frozen=True)
class Sweep:
    """What to measure: all pairs of frequencies (1/s) and shifts (rad), for one body."""

    frequencies: tuple[float, ...]
    shifts: tuple[float, ...]
    segments: SegmentSpec = SegmentSpec(SWIMMER_SEGMENTS)
    tissue: TissueSpec = TissueSpec()
    muscles: MuscleSpec = MuscleSpec()
    longest_seconds: float = 24.0

    @property
    def gaits(self) -> Floats:
        """(n, 2) frequency and shift of every sample, the shift running fastest."""
        return np.array([(f, ps) for f in self.frequencies for ps in self.shifts])

    @property
    def fingerprint(self) -> str:
        """Tells tables of different settings apart."""
        return repr(self)


@dataclass(frozen=True)
class Table:
    """One row per sample of a sweep; NaN where it has not been measured yet."""

    gaits: Floats  # (n, 2)
    speed: Floats  # (n,)
    power: Floats  # (n,)
    settled: NDArray[np.bool_]  # (n,) whether the speed had become steady

    @property
    def done(self) -> NDArray[np.bool_]:
        return np.isfinite(self.speed)

    def maps(self, sweep: Sweep) -> tuple[Floats, Floats]:
        """Speed and power as (frequencies, shifts)."""
        shape = len(sweep.frequencies), len(sweep.shifts)
        return self.speed.reshape(shape), self.power.reshape(shape)


def run_sweep(
    sweep: Sweep, path: str | Path, batch: int = 40, tell: Callable[[int, int], None] | None = None
) -> Table:
    """Measure what a table on disk still lacks, `batch` swimmers at a time, and save it after every batch.

    Stop it whenever you like: the next call goes on where the last whole batch ended. ``tell(done, total)`` is called after
    each one.

    Example::

        table = run_sweep(Sweep((0.5, 1.0, 2.0), (0.6, 0.9, 1.2)), "sweep.npz")
    """
    file = Path(path)
    table = load_table(sweep, file)
    waiting = np.flatnonzero(~table.done)
    for start in range(0, waiting.size, batch):
        rows = waiting[start : start + batch]
        speed, power, settled = measure(sweep, table.gaits[rows])
        table.speed[rows], table.power[rows], table.settled[rows] = speed, power, settled
        save_table(sweep, table, file)
        if tell is not None:
            tell(int(table.done.sum()), len(table.speed))
    return table


def measure(sweep: Sweep, gaits: ArrayLike) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Speed, power and whether it is steady, for gaits (n, 2), each over the first whole beat at which it is.

    All swimmers are looked at at the same times, whatever else is in their batch, so a result depends on its gait alone.
    """
    pairs = np.asarray(gaits, dtype=np.float64)
    swimmers = Swimmers(len(pairs), sweep.segments, sweep.tissue, sweep.muscles)
    swimmers.set_gait(pairs[:, 0], pairs[:, 1])
    speed, power = np.full(len(pairs), np.nan), np.full(len(pairs), np.nan)
    settled = np.zeros(len(pairs), np.bool_)
    look = 2.0 / min(sweep.frequencies) + 2 * swimmers.tick  # two beats of the slowest
    span, seconds = max(FEWEST_SECONDS, look + sweep.muscles.ramp_time), 0.0
    while not settled.all() and seconds < sweep.longest_seconds:
        track = swimmers.run(span)
        span, seconds = look, seconds + span
        v, e = mean_speed(track, pairs[:, 0], swimmers.tick, 1)
        speed, power = np.where(settled, speed, v), np.where(settled, power, e)
        settled |= is_settled(track, pairs[:, 0], swimmers.tick)
    return speed, power, settled


def is_settled(track: Track, frequency: Floats, tick: float) -> NDArray[np.bool_]:
    """Whether the mean speeds of each swimmer's last two beats agree within `SETTLED`."""
    last, _ = mean_speed(track, frequency, tick, 1)
    ticks = np.round(1.0 / (frequency * tick)).astype(int)
    ends = [track.centers[[-1 - t, -1 - 2 * t], k, :2] for k, t in enumerate(ticks)]
    before = np.array([np.hypot(*(end[0] - end[1])) for end in ends]) / (ticks * tick)
    return np.asarray(np.abs(last - before) <= SETTLED * np.abs(last))


def load_table(sweep: Sweep, file: Path) -> Table:
    """The table on disk, or an empty one; one of other settings is refused."""
    gaits = sweep.gaits
    if not file.exists():
        empty = np.full(len(gaits), np.nan)
        return Table(gaits, empty.copy(), empty.copy(), np.zeros(len(gaits), np.bool_))
    with np.load(file, allow_pickle=False) as stored:
        if str(stored["fingerprint"]) != sweep.fingerprint:
            raise PaludariumError(f"{file} holds a sweep with other settings; give it another name or delete it")
        return Table(gaits, stored["speed"].copy(), stored["power"].copy(), stored["settled"].copy())


def save_table(sweep: Sweep, table: Table, file: Path) -> None:
    """Replace the file as a whole: a reader sees the old table or the new one, never half of it."""
    beside = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as handle:
            np.savez(handle, fingerprint=np.array(sweep.fingerprint), gaits=table.gaits, speed=table.speed,
                     power=table.power, settled=table.settled)  # fmt: skip
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)
