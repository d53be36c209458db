"""``paludarium train``: make the controllers of a species, piece by piece, on all cores or on a cluster.

Each family that can be trained has one entry in `TRAINERS`; everything else here is the same for all of them.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from ..engine.errors import PaludariumError
from . import train_swimmer
from .progress import Progress
from .sweep_command import clock

if TYPE_CHECKING:
    from ..engine.species import Species

DEFAULT_SPECIES = "worker_ant"
DEFAULT_POINTS = "21x21x11"
SWIMMERS = "articulated"
BODIES = Path(__file__).resolve().parents[1] / "assets" / "bodies"
"""Of the publication, in space: for measurements, not for maps."""
EPILOG = """
what it writes for an insect, beside each other:
  FILE.npz       the table: controllers, how good each is, which cells have none; the settings and the seed are inside
  FILE.work      one line per piece of work, added as soon as it is known; removed when the table is complete
  FILE.png       principal components and quality of the table (needs: pip install 'paludarium[sweep]')

what it writes for a swimmer: FILE.toml with a table to paste (or, with --write, the species file itself), FILE.png with the
convergence, FILE.gif with a clip of the best; FILE.work while it runs.

stop it with Ctrl-C or a kill whenever you like: the same command goes on with the pieces that are not done.
pieces that need an evolution strategy need: pip install 'paludarium[train]'

examples:
  paludarium train --species worker_ant
  paludarium train --points 41x41x21 --scheduler 192.168.1.5:8786
  paludarium train --species eel --manoeuvre turn_left --seed 3 --write
  paludarium train --species eel --fit
  paludarium train --species manta --manoeuvre pitch_up
"""


@dataclass(frozen=True)
class Training:
    """What there is to do for one species."""

    job: Any  # a `lab.jobs.job.Job`
    count: int
    settings: Mapping[str, Any]
    finish: Callable[[Mapping[int, Any], Path], list[str]]  # write the result, and say what it is
    draw: Callable[[Path, Path], Path]  # a picture of it; may raise ImportError


def add_to(subcommands: Any) -> None:
    command = subcommands.add_parser(
        "train", help="make the controllers of a species: the table of an insect, the strokes of a swimmer",
        description="Make the controllers of a species: for an insect, the numbers that carry its trunk at any velocity; "
        "for a swimmer of links, the sines of its joints, by an evolution strategy in a fluid.",
        epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    command.add_argument(
        "--species",
        default=DEFAULT_SPECIES,
        metavar="NAME",
        help=f"an animal or a species file of a family that can be trained (default {DEFAULT_SPECIES})",
    )
    command.add_argument(
        "--points",
        default=DEFAULT_POINTS,
        metavar="NXxNYxNZ",
        help=f"velocities forward, sideways and up (default {DEFAULT_POINTS}; published 40x40x20)",
    )
    command.add_argument(
        "--evaluations",
        type=int,
        default=600,
        metavar="N",
        help="tries of the evolution strategy where shooting fails, 0 for none (default 600)",
    )
    command.add_argument("--seed", type=int, default=1, metavar="N", help="of the evolution strategy (default 1)")
    command.add_argument("--output", type=Path, metavar="FILE", help="the table (default: NAME_table.npz)")
    command.add_argument("--threads", type=int, metavar="N", help="threads on this machine (default: one per core)")
    command.add_argument("--scheduler", metavar="ADDRESS", help="use a Dask cluster, its scheduler at HOST:PORT, instead")
    command.add_argument("--no-plots", action="store_true", help="write the table only")
    train_swimmer.add_options(command)
    command.add_argument("--compare", type=int, metavar="N",
                         help="make no table: the evolution strategy beside simplex, truncated Newton and Powell on one "
                              "stride, N tries each")  # fmt: skip
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    # matrices are small: threads of their own cost ten times what they save. Read when numpy is imported, so before it is
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from ..engine.world import World

    if options.threads is not None and not 1 <= options.threads <= 1000:
        raise PaludariumError(f"--threads {options.threads}: allowed is 1 to 1000")
    library = World(seed=0).species
    library.add(BODIES)
    species = library[options.species]
    if species.family == SWIMMERS:  # a search knows what to try next only when it has tried the last: no list of pieces
        return train_swimmer.run(species, library.files().get(species.key), options)
    trainer = TRAINERS.get(species.family)
    if trainer is None:
        allowed = ", ".join([*TRAINERS, SWIMMERS])
        raise PaludariumError(f"species {species.key!r} is of the family {species.family!r}: allowed are {allowed}")
    if options.compare is not None:
        from .train_compare import compare

        print("\n".join(compare(options.compare, options.seed)))
        return 0
    training = trainer(species, options)
    output = options.output or Path(f"{species.key}_table.npz")
    if output.suffix != ".npz":
        raise PaludariumError(f"--output {output}: allowed is a file name that ends in .npz")
    found = _work(training, output.with_suffix(".work"), options)
    for line in training.finish(found, output):
        print(line)
    output.with_suffix(".work").unlink(missing_ok=True)
    if not options.no_plots:
        try:
            print(f"plots: {training.draw(output, output.with_suffix('.png'))}")
        except ImportError:
            print("plots: need matplotlib: pip install 'paludarium[sweep]'")
    return 0


def _work(training: Training, ledger: Path, options: argparse.Namespace) -> dict[int, Any]:
    """Do what the ledger lacks under a progress bar."""
    from ..lab.jobs.job import measure_on_cores
    from ..lab.jobs.ledger import note, open_ledger

    with open_ledger(ledger, training.settings, training.job.fits) as (found, handle):
        already, total = len(found), training.count
        if already:
            print(f"going on: {already} of {total} pieces are in {ledger}")
        waiting = [index for index in range(total) if index not in found]
        if options.scheduler:
            from ..lab.jobs.cluster import measure_on_cluster

            pieces = measure_on_cluster(options.scheduler)(training.job, waiting)
        else:
            if waiting:
                training.job.measure(waiting[0])  # compile now, so that threads do not wait for each other
            pieces = measure_on_cores(training.job, waiting, options.threads)
        start = monotonic()
        with Progress("training", total) as bar:
            bar.done = already
            try:
                for index, value in pieces:
                    if index in found:  # a cluster may have done it twice; the results are the same
                        continue
                    note(handle, index, value)
                    found[index] = value
                    left = (monotonic() - start) * (total - len(found)) / max(len(found) - already, 1)
                    bar.advance(f"{len(found)} of {total}, {clock(left)} left")
            except KeyboardInterrupt:
                print(f"\nstopped; the same command goes on from {ledger}", file=sys.stderr)
                raise
        if waiting:
            print(f"{len(waiting)} pieces in {clock(monotonic() - start)}")
    return found


def train_insect(species: Species, options: argparse.Namespace) -> Training:
    """The controller look-up table of an ant."""
    from ..lab.insect.ant_model import AntModel
    from ..lab.insect.controller_table import load_table
    from ..lab.insect.table_training import TableJob

    job = TableJob(points_of(options.points), ant=AntModel.of_species(species), evaluations=options.evaluations,
                   seed=options.seed, species=species.key)  # fmt: skip

    def finish(found: Mapping[int, Any], output: Path) -> list[str]:
        table = job.table(found)
        table.save(output)
        bad, size = int(table.failed.sum()), output.stat().st_size
        middle = sorted(table.objective.ravel().tolist())[job.count // 2]
        return [f"table: {output}, {size / 1e6:.2f} MB, {job.count} cells, {bad} of them without a controller",
                f"objective: {middle:.2g} in the middle"]  # fmt: skip

    def draw(output: Path, picture: Path) -> Path:
        from .train_plots import draw_table

        return draw_table(load_table(output), picture)

    return Training(job, job.count, job.settings, finish, draw)


TRAINERS: dict[str, Callable[[Species, argparse.Namespace], Training]] = {"insect": train_insect}


def points_of(words: str) -> tuple[int, int, int]:
    """Numbers of points along three axes.

    >>> points_of("21x21x11")
    (21, 21, 11)
    """
    try:
        x, y, z = (int(word) for word in words.split("x"))
    except ValueError:
        raise PaludariumError(f"--points {words!r}: allowed is NXxNYxNZ, as in {DEFAULT_POINTS}") from None
    return x, y, z
