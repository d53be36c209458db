"""``paludarium sweep``: how fast and at what cost an animal swims, over all frequencies and phase shifts."""

from __future__ import annotations

import argparse
import math
import sys
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from ..engine.errors import PaludariumError
from ..engine.files import written_whole
from .progress import Progress

if TYPE_CHECKING:
    from ..lab.myriapod.sweep import Sweep, Table

DEFAULT_SPECIES = "swimmer"
DEFAULT_FREQUENCIES, DEFAULT_SHIFTS = "0.5:3:20", "18:99:20"
"""The ranges of the source, 0.5...3 Hz and 0.1...0.55 pi, on a grid that is done in a minute. [myriapoda E-28, E-31]"""
MOST_POINTS = 1000
LONG_HOUR = 3600.0
MANY_SAMPLES = 40_000
"""The size of the source's sweep, for the extrapolation that is printed. [Fang15 App. C]"""
EPILOG = """
what it writes, beside each other:
  FILE.csv       one line per sample, added as soon as it is known; the first lines say what was measured
  FILE.png       maps of speed and power, the cheapest gait at each speed, its power (needs: pip install 'paludarium[sweep]')
  FILE_line.toml the line of cheapest gaits as species data: a file that inherits from the animal, or a table to paste

stop it with Ctrl-C or a kill whenever you like: the same command goes on with the samples that are not in the table.

examples:
  paludarium sweep
  paludarium sweep --frequencies 0.5:3:200 --shifts 18:99:200 --output big.csv
  paludarium sweep --species giant_centipede --scheduler 192.168.1.5:8786
"""


def add_to(subcommands: Any) -> None:
    command = subcommands.add_parser(
        "sweep", help="measure speed and power of a swimmer over frequency and phase shift; find its cheapest gaits",
        description="Measure speed and power of an animal in still water for every pair of beat frequency and phase shift "
                    "from block to block, on all cores, and find the cheapest gait at each speed.",
        epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    command.add_argument("--species", default=DEFAULT_SPECIES, metavar="NAME",
                         help=f"an animal or a species file with [tissue] and [muscles] (default {DEFAULT_SPECIES})")
    command.add_argument("--frequencies", default=DEFAULT_FREQUENCIES, metavar="LOW:HIGH:COUNT",
                         help=f"beats per second (default {DEFAULT_FREQUENCIES})")
    command.add_argument("--shifts", default=DEFAULT_SHIFTS, metavar="LOW:HIGH:COUNT",
                         help=f"phase shift from block to block in degrees (default {DEFAULT_SHIFTS})")
    command.add_argument("--output", type=Path, metavar="FILE", help="the table (default: NAME_sweep.csv)")
    command.add_argument("--seconds", type=float, default=6.0, metavar="S",
                         help="simulated seconds before a swimmer is first judged (default 6)")
    command.add_argument("--longest", type=float, default=24.0, metavar="S",
                         help="it is given up as unsteady after so many (default 24)")
    command.add_argument("--precision", choices=("float32", "float64"), default="float32",
                         help="of the body simulation (default float32; both agree to 0.01 %%)")
    command.add_argument("--threads", type=int, metavar="N", help="threads on this machine (default: one per core)")
    command.add_argument("--scheduler", metavar="ADDRESS", help="use a Dask cluster, its scheduler at HOST:PORT, instead")
    command.add_argument("--no-plots", action="store_true", help="write the table and the line only")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    sweep = _sweep(options)
    table_file = options.output or Path(f"{sweep.species}_sweep.csv")
    if table_file.suffix != ".csv":
        raise PaludariumError(f"--output {table_file}: allowed is a file name that ends in .csv")
    table = _measure(sweep, table_file, options)
    print(f"table: {table_file}")
    _write_line(sweep, table, table_file)
    if not options.no_plots:
        _draw(sweep, table, table_file.with_suffix(".png"))
    return 0


def _sweep(options: argparse.Namespace) -> Sweep:
    from ..engine.world import World
    from ..lab.myriapod.sweep import sweep_of
    from ..lab.myriapod.trial import Trial

    if not 1.0 <= options.seconds <= options.longest <= LONG_HOUR:
        given = f"--seconds {options.seconds:g} --longest {options.longest:g}"
        raise PaludariumError(f"{given}: allowed is 1 to {LONG_HOUR:g}, the first not above the second")
    if options.threads is not None and not 1 <= options.threads <= MOST_POINTS:
        raise PaludariumError(f"--threads {options.threads}: allowed is 1 to {MOST_POINTS}")
    trial = Trial(fewest_seconds=options.seconds, longest_seconds=options.longest, precision=options.precision)
    shifts = map(math.radians, axis("--shifts", options.shifts))
    return sweep_of(World(seed=0).species[options.species], axis("--frequencies", options.frequencies), shifts, trial)


def axis(option: str, words: str) -> list[float]:
    """The values of LOW:HIGH:COUNT.

    >>> axis("--frequencies", "1:2:3")
    [1.0, 1.5, 2.0]
    """
    try:
        low, high, count = float(words.split(":")[0]), float(words.split(":")[1]), int(words.split(":")[2])
    except (ValueError, IndexError):
        raise PaludariumError(f"{option} {words!r}: allowed is LOW:HIGH:COUNT, as in 0.5:3:20") from None
    if not (math.isfinite(high) and 0.0 < low < high and 2 <= count <= MOST_POINTS and words.count(":") == 2):
        raise PaludariumError(f"{option} {words!r}: allowed is 0 < LOW < HIGH and a COUNT from 2 to {MOST_POINTS}")
    return [low + (high - low) * k / (count - 1) for k in range(count)]


def _measure(sweep: Sweep, file: Path, options: argparse.Namespace) -> Table:
    """Run what is missing under a progress bar; what a run has cost is printed when it ends."""
    from ..lab.jobs.job import measure_on_cores
    from ..lab.myriapod.sweep import load_table, run_sweep

    before = load_table(sweep, file)
    already, total = int(before.done.sum()), len(before.speed)
    if already:
        print(f"going on: {already} of {total} samples are in {file}")
    if options.scheduler:
        from ..lab.jobs.cluster import measure_on_cluster

        measure = measure_on_cluster(options.scheduler)
    else:
        if already < total:
            _compile(sweep)
        measure = partial(measure_on_cores, threads=options.threads)

    start = monotonic()
    with Progress("sweep", total) as bar:
        bar.done = already

        def tell(done: int, total: int) -> None:
            left = (monotonic() - start) * (total - done) / max(done - already, 1)
            bar.advance(f"{done} of {total}, {clock(left)} left", done - bar.done)

        try:
            table = run_sweep(sweep, file, measure, tell)
        except KeyboardInterrupt:
            print(f"\nstopped; the same command goes on from {file}", file=sys.stderr)
            raise
    _report(table, already, monotonic() - start)
    return table


def _compile(sweep: Sweep) -> None:
    """Compile, or take from where it is, what a trial needs, so that threads do not wait for each other."""
    from dataclasses import replace

    short = replace(sweep.trial, fewest_seconds=1.0, longest_seconds=1.0)
    short.measure(sweep.frequencies[-1], sweep.shifts[-1])


def _report(table: Table, already: int, seconds: float) -> None:
    total = len(table.speed)
    unsteady = int((~table.settled).sum())
    print(f"{total} samples, {table.seconds.mean():.1f} simulated seconds each on average, {unsteady} of them not steady")
    if total > already:
        rate = (total - already) / max(seconds, 1e-9)
        print(f"{total - already} measured in {clock(seconds)}: {rate * LONG_HOUR:,.0f} per hour, "
              f"{MANY_SAMPLES:,} would take {clock(MANY_SAMPLES / rate)}")  # fmt: skip


def _write_line(sweep: Sweep, table: Table, table_file: Path) -> None:
    from ..lab.myriapod.regression import fit_line, species_table

    line = fit_line(sweep, table)
    file = table_file.with_name(f"{table_file.stem}_line.toml")
    how = f"Written by `paludarium sweep` from {len(table.speed)} samples of {table_file.name}."
    with written_whole(file) as output:
        output.write(species_table(line, sweep.species, how).encode())
    print(f"line:  {file}")
    for v, f, ps in zip(line.speed, line.frequency, line.shift, strict=True):
        print(f"  {v:5.2f} u/s  {f:5.2f} Hz  {math.degrees(ps):5.1f} deg ({ps / math.pi:.3f} pi)")


def _draw(sweep: Sweep, table: Table, file: Path) -> None:
    try:
        from .sweep_plots import draw_plots
    except ImportError:
        print("plots: need matplotlib: pip install 'paludarium[sweep]', then run the same command again")
        return
    print(f"plots: {draw_plots(sweep, table, file)}")


def clock(seconds: float) -> str:
    """Seconds in words.

    >>> clock(130)
    '2 min'
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / LONG_HOUR:.1f} h"
