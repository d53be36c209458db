"""A sweep over frequency and phase shift: every pair is a trial of its own, measured on all cores or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engine.errors import PaludariumError
from ...engine.species import Species
from ..jobs.job import measure_on_cores
from .sweep_table import Line, append, appending, read_lines
from .trial import Sample, Trial

Floats = NDArray[np.float64]
Measured = tuple[int, Sample]
Measure = Callable[["Sweep", list[int]], Iterable[Measured]]

LINE_FIELDS = ("line_speed", "line_frequency", "line_shift")
LIMIT_SLACK = 1e-9
"""Limits may differ by rounding from what was typed in degrees."""


@dataclass(frozen=True)
class Sweep:
    """What to measure: all pairs of frequencies (1/s) and shifts (rad), for one body.

    Example::

        sweep = Sweep((0.5, 1.0, 2.0), (0.6, 0.9, 1.2))
    """

    frequencies: tuple[float, ...]
    shifts: tuple[float, ...]
    trial: Trial = Trial()
    species: str = "swimmer"

    def __post_init__(self) -> None:
        muscles = self.trial.muscles
        _check_axis("frequencies", self.frequencies, muscles.slowest_beat, muscles.fastest_beat, "1/s")
        _check_axis("phase shifts", self.shifts, muscles.least_shift, muscles.most_shift, "rad")

    @property
    def gaits(self) -> Floats:
        """(n, 2) frequency and shift of every sample, the shift running fastest."""
        return np.array([(f, ps) for f in self.frequencies for ps in self.shifts])

    @property
    def settings(self) -> dict[str, Any]:
        """All that a sample depends on, and the version that measures it: the first lines of the table."""
        from ... import __version__

        trial = asdict(self.trial)
        for name in LINE_FIELDS:  # what a sweep is to find out has no influence on it
            del trial["muscles"][name]
        return {"version": __version__, "species": self.species, "frequencies_per_s": list(self.frequencies),
                "shifts_rad": list(self.shifts), "trial": trial}  # fmt: skip

    def measure(self, index: int) -> Measured:
        """One sample of the grid."""
        columns = len(self.shifts)
        return index, self.trial.measure(self.frequencies[index // columns], self.shifts[index % columns])


@dataclass(frozen=True)
class Table:
    """One row per sample of a sweep; NaN where it has not been measured yet."""

    gaits: Floats  # (n, 2)
    speed: Floats  # (n,)
    power: Floats  # (n,)
    settled: NDArray[np.bool_]  # (n,) whether the speed had become steady
    seconds: Floats  # (n,) simulated

    @property
    def done(self) -> NDArray[np.bool_]:
        return np.isfinite(self.seconds)

    def maps(self, sweep: Sweep) -> tuple[Floats, Floats]:
        """Speed and power as (frequencies, shifts)."""
        shape = len(sweep.frequencies), len(sweep.shifts)
        return self.speed.reshape(shape), self.power.reshape(shape)


def sweep_of(species: Species, frequencies: Iterable[float], shifts: Iterable[float], trial: Trial | None = None) -> Sweep:
    """The sweep of an animal's own body; `trial` says how long and in which precision.

    Example::

        sweep = sweep_of(world.species["giant_centipede"], (0.5, 1.0), (0.9, 1.2))
    """
    missing = [part for part in ("segments", "tissue", "muscles") if part not in species.specs]
    if missing:
        tables = " and ".join(f"[{part}]" for part in missing)
        raise PaludariumError(f"species {species.key!r} has no {tables}: allowed is an animal that can swim")
    body = {part: species.specs[part] for part in ("segments", "tissue", "muscles")}
    return Sweep(tuple(frequencies), tuple(shifts), replace(trial or Trial(), **body), species.key)


def run_sweep(
    sweep: Sweep, path: str | Path, measure: Measure | None = None, tell: Callable[[int, int], None] | None = None
) -> Table:
    """Measure what a table on disk still lacks and add every sample to it as soon as it is known.

    Stop or kill it whenever you like: the next call goes on with the samples that are not in the file. `measure` says
    who does the work, all cores of this machine by default; ``tell(done, total)`` is called after each sample.

    Example::

        table = run_sweep(Sweep((0.5, 1.0, 2.0), (0.6, 0.9, 1.2)), "swimmer.csv")
    """
    file, total = Path(path), len(sweep.frequencies) * len(sweep.shifts)
    with ExitStack() as stack:
        handle = stack.enter_context(appending(file, sweep.settings))
        done = {line.number for line in read_lines(file, sweep.settings)}
        waiting = [index for index in range(total) if index not in done]
        samples = (measure or measure_on_cores)(sweep, waiting) if waiting else iter(())
        stack.callback(getattr(samples, "close", lambda: None))  # ends threads and tasks also when this stops half way
        gaits = sweep.gaits
        for index, sample in samples:
            if index in done:  # a cluster may have measured it twice; the results are the same
                continue
            append(handle, Line(index, float(gaits[index, 0]), float(gaits[index, 1]), *sample))
            done.add(index)
            if tell is not None:
                tell(len(done), total)
    return load_table(sweep, file)


def _check_axis(what: str, values: tuple[float, ...], low: float, high: float, unit: str) -> None:
    rising = all(later > earlier for earlier, later in zip(values, values[1:], strict=False))
    if not (values and rising and values[0] >= low - LIMIT_SLACK and values[-1] <= high + LIMIT_SLACK):
        allowed = f"rising values from {low:.4g} to {high:.4g} {unit}, the limits of the animal's muscles"
        raise PaludariumError(f"{what} {values[:1]}...{values[-1:]}: allowed are {allowed}")


def load_table(sweep: Sweep, path: str | Path) -> Table:
    """What has been measured so far; a table of other settings is refused."""
    gaits = sweep.gaits
    values, settled = np.full((3, len(gaits)), np.nan), np.zeros(len(gaits), np.bool_)
    for line in read_lines(Path(path), sweep.settings):
        values[:, line.number] = line.speed, line.power, line.seconds
        settled[line.number] = line.settled
    return Table(gaits, values[0], values[1], settled, values[2])
