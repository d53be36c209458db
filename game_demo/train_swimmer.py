"""``paludarium train`` for articulated swimmers: a gait by an evolution strategy, or the fit of the surrogate. [Tan11 4]"""

from __future__ import annotations

import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any

from ..engine.errors import PaludariumError
from ..engine.file_reading import read_limited
from ..engine.parts import SpecProblem
from .progress import Progress
from .sweep_command import clock

if TYPE_CHECKING:
    import argparse

    from ..components.articulated.manoeuvres import ManoeuvreSpec
    from ..engine.species import Species
    from ..lab.articulated.training.course import Course
    from ..lab.articulated.training.objective import Weights
    from ..lab.articulated.training.steady import Steady


MOST_WEIGHT = 1e6
LINKS, STROKE_TABLE = "links", "manoeuvres"
"""Tables of a species file: what a search moves, and what it fills."""
MOST_SEEDS = 100
STROKES = Path(__file__).resolve().parents[1] / "assets" / "strokes"
"""Made by hand, for searches to begin with."""


def add_options(command: Any) -> None:
    """Options that only swimmers have."""
    group = command.add_argument_group("swimmers of links")
    group.add_argument("--manoeuvre", default="straight", metavar="NAME",
                       help="straight, turn_left, turn_right (a mirror); in space pitch_up, pitch_down, too")  # fmt: skip
    group.add_argument("--grid", default="", metavar="NXxNY[xNZ]",
                       help="cells of the fluid (default 64x64, in space 48x24x24); with three numbers a body in the plane "
                            "is trained in space, too")  # fmt: skip
    group.add_argument("--polish", default="", metavar="NXxNY[xNZ]",
                       help="cells for the last fifth (default 128x64, in space 64x32x32)")  # fmt: skip
    group.add_argument("--box", type=float, default=0.0, metavar="LENGTHS",
                       help="body lengths of the box in space (default: 2, more for wide bodies)")  # fmt: skip
    group.add_argument("--start", default="", metavar="FILE",
                       help="stroke to begin with: a file with its table, or the name of one that ships")  # fmt: skip
    group.add_argument("--generations", type=int, default=0, metavar="N",
                       help="in all, at most 100 (default 75, in space 40)")  # fmt: skip
    group.add_argument("--objective", choices=("settled", "published"),
                       help="settled (usual in the plane): the last two of four cycles by way and work; offsets, power and "
                            "glide are free; published: two cycles from rest within a bound of energy")  # fmt: skip
    group.add_argument("--bound", type=float, metavar="J/KG",
                       help="energy of what is scored (default: published 0.5, else none)")  # fmt: skip
    group.add_argument("--work", type=float, metavar="W",
                       help="lengths that a J/kg of each cycle costs (default 0.08, published 0)")  # fmt: skip
    group.add_argument("--seeds", type=int, default=1, metavar="N",
                       help="searches with so many seeds, from --seed on, of which the best is kept")  # fmt: skip
    group.add_argument("--straightness", type=float, default=0.2, metavar="W",
                       help="weight of what goes aside or turns (default 0.2)")  # fmt: skip
    group.add_argument("--collision", type=float, default=500.0, metavar="W", help="weight of overlap (default 500)")
    group.add_argument("--fit", action="store_true", help="fit the surrogate to the fluid instead of searching for a gait")
    group.add_argument("--write", action="store_true", help="write the table into the species file instead of printing it")
    group.add_argument("--no-clip", action="store_true", help="no clip of the best")


def run(species: Species, file: Path | None, options: argparse.Namespace) -> int:
    """Search or fit, and print or write the table."""
    output = options.output or Path(f"{species.key}_{'surrogate' if options.fit else options.manoeuvre}.toml")
    if output.suffix != ".toml":
        raise PaludariumError(f"--output {output}: allowed is a file name that ends in .toml")
    if options.write and file is None:
        raise PaludariumError(f"--write: species {species.key!r} comes from no file; leave it out, and paste the table")
    measured: dict[str, Steady] = {}
    table = fitted(species, options, measured) if options.fit else searched(species, options, output)
    from ..lab.articulated.training.gait_file import write_table

    if options.write and file is not None:
        write_table(file, table, measured)
        print(f"written into {file}")
    else:
        from ..engine.files import written_whole

        with written_whole(output) as opened:
            opened.write(table.encode())
        print(f"table: {output}\n\n{table}")
    return 0


def fitted(species: Species, options: argparse.Namespace, measured: dict[str, Steady]) -> str:
    """The table of a surrogate, fitted to the windows that play; `measured` gets what the manoeuvres do there."""
    import numpy as np

    from ..lab.articulated.training import fitting
    from ..lab.articulated.training.gait_file import numbers, surrogate_table

    fluid = fitting.steady_of(species)
    if "straight" not in fluid:
        raise PaludariumError(f"species {species.key!r}: its stroke breaks the water; nothing can be fitted to that")
    measured.update(fluid)
    changes = fitting.changes_in_water(species)
    spec = fitting.fit(species, fluid, changes, options.seed)
    for name, a, b in fitting.compare(species, spec, fluid):
        print(f"{name}: speed {a.speed:.3f} {b.speed:.3f} lengths/s, turning {a.yaw:.3f} {b.yaw:.3f} rad/s, "
              f"power {a.power:.4f} {b.power:.4f} W/kg (fluid, surrogate)")  # fmt: skip
    print(f"in the fluid: ways from rest {numbers(np.array(changes.ways), 3)} lengths, speeds of glides "
          f"{numbers(np.array(changes.coast), 3)}, with half an effort {changes.half:.3f} lengths/s, "
          f"pushed aside {changes.aside:.3f} lengths, first cycles of a turn {changes.veer:.3f} rad")  # fmt: skip
    known = (*fitting.BODY, *fitting.LIMBS, *fitting.TRIMS, "turn_drag", *fitting.AHEAD)
    keys = tuple(key for key in known if getattr(spec, key) != getattr(type(spec)(), key) or key in fitting.AHEAD)
    command = f"paludarium train --species {species.key} --fit --seed {options.seed}"
    return surrogate_table(spec, keys, f"window 64x64, {command}")


def searched(species: Species, options: argparse.Namespace, output: Path) -> str:
    """The table of a manoeuvre, found on all cores or on a cluster; it goes on where it was stopped."""
    from ..lab.articulated.training.course import Course

    if not 1 <= options.seeds <= MOST_SEEDS:
        raise PaludariumError(f"--seeds {options.seeds}: allowed is 1 to {MOST_SEEDS}")
    weights, best, values = weights_of(species, options), None, {}
    start = start_of(species, options) if options.start else None
    for seed in range(options.seed, options.seed + options.seeds):
        course = Course(species, options.manoeuvre, seed, options.grid, options.polish, options.generations,
                        weights=weights, lengths=options.box, given=start, given_by=options.start)  # fmt: skip
        began, cpu = monotonic(), process_time()
        _work(course, ledger_of(output, options, seed), options)
        assert course.score is not None
        values[seed] = course.score.value
        print(f"{len(course.history)} generations of {course.population} in {clock(monotonic() - began)}"
              f" ({process_time() - cpu:.0f} s of CPU time), {course.redraws} draws beyond limits drawn again")  # fmt: skip
        if best is None or course.score.value < values[best.seed]:
            best = course
    assert best is not None
    table = table_of(best, replace(best, seed=options.seed).command, values)
    for seed in values:
        ledger_of(output, options, seed).unlink(missing_ok=True)
    if not options.no_plots:
        _draw(best, output, clip=not options.no_clip)
    return table


def start_of(species: Species, options: argparse.Namespace) -> ManoeuvreSpec:
    """The stroke that a search is to begin with: of a file, or of one that comes along."""
    from ..components.articulated.manoeuvres import ManoeuvreSpec
    from ..engine.errors import SpeciesError
    from ..engine.spec import read_table
    from ..engine.species import LARGEST_FILE

    file = Path(options.start) if options.start.endswith(".toml") else STROKES / f"{options.start}.toml"
    if not file.is_file():
        known = ", ".join(sorted(one.stem for one in STROKES.glob("*.toml")))
        raise PaludariumError(f"--start {options.start}: allowed are {known}, or a file that ends in .toml")
    try:
        tables = tomllib.loads(read_limited(file, LARGEST_FILE, PaludariumError).decode("utf-8")).get(STROKE_TABLE, [])
    except (ValueError, RecursionError) as problem:
        raise PaludariumError(f"--start {file}: {problem}") from None
    own = [table for table in tables if isinstance(table, dict) and table.get("name", "straight") == options.manoeuvre]
    if len(own) != 1:
        raise PaludariumError(f"--start {file}: {len(own)} manoeuvres named {options.manoeuvre!r}, allowed is one")
    found = read_table(ManoeuvreSpec, own[0], str(file), STROKE_TABLE, SpeciesError)
    try:
        others = (one for one in species.specs[STROKE_TABLE] if one.name != found.name)
        found.check({**species.specs, STROKE_TABLE: (found, *others)})
    except SpecProblem as problem:
        raise SpeciesError(str(file), STROKE_TABLE, problem.key, problem.value, problem.allowed) from None
    return found


def ledger_of(output: Path, options: argparse.Namespace, seed: int) -> Path:
    """Where the tries of a seed are noted."""
    return output.with_suffix(".work" if options.seeds == 1 else f".{seed}.work")


def weights_of(species: Species, options: argparse.Namespace) -> Weights:
    """The objective that is asked for, or the usual one of such a body."""
    from ..components.articulated.link_plan import plan_of
    from ..lab.articulated.training.course import is_deep
    from ..lab.articulated.training.objective import OBJECTIVES

    if options.bound is not None and not 0.001 <= options.bound <= 1000.0:
        raise PaludariumError(f"--bound {options.bound}: allowed is 0.001 to 1000")
    for name in ("straightness", "collision", "work"):
        value = getattr(options, name)
        if value is not None and not 0.0 <= value <= MOST_WEIGHT:
            raise PaludariumError(f"--{name} {value}: allowed is 0 to {MOST_WEIGHT:g}")
    plane = plan_of(tuple(species.specs[LINKS])).plane and not is_deep(options.grid)
    usual = OBJECTIVES[options.objective or ("settled" if plane else "published")]
    own = {name: value for name in ("bound", "work") if (value := getattr(options, name)) is not None}
    return replace(usual, deviation=options.straightness, collision=options.collision, **own)


def table_of(course: Course, command: str = "", values: dict[int, float] | None = None) -> str:
    """The ``[[manoeuvres]]`` table of what was found: measured in the water that plays, at a pace of 1.

    `values`: what all seeds came to, of which this course is the best; `command` finds all of them again.
    """
    from ..lab.articulated.training.gait_file import manoeuvre_table
    from ..lab.articulated.training.steady import soften

    assert course.best is not None
    assert course.score is not None
    task, score = course.played, course.score
    found_by = f"{course.command}: {score.value:.4f}"
    if values and len(values) > 1:
        others = ", ".join(f"seed {seed}: {value:.4f}" for seed, value in values.items())
        found_by = f"{command} --seeds {len(values)}: {score.value:.4f} ({others})"
    played = soften(task, course.best, course.pace)
    if played is None:
        raise PaludariumError("the gait that was found breaks the water of the game; try another --seed or a lower --bound")
    gait, steady, softer = played
    if softer < 1.0:
        found_by += f", played {softer:.2f} times as wide"
    each = "per cycle" if course.weights.settling else "in two cycles"
    print(f"objective {score.value:.4f}: {score.distance:.3f} lengths, {score.turned:.3f} rad, {score.work:.3f} J/kg {each};"
          f" settles at {steady.speed:.3f} lengths/s, {steady.yaw:.3f} rad/s aside and {steady.pitch:.3f} up,"
          f" {steady.power:.3f} W/kg"
          f"{', softened' if softer < 1.0 else ''}")  # fmt: skip
    return manoeuvre_table(course.manoeuvre, gait, task.period, steady, found_by)


def _work(course: Course, ledger: Path, options: argparse.Namespace) -> None:
    """Run a course under a progress bar, all tries into the ledger."""
    from ..lab.jobs.job import measure_on_cores
    from ..lab.jobs.ledger import note, open_ledger

    def on_cores(job: Any, indices: list[int]) -> Any:
        return measure_on_cores(job, indices, options.threads)

    measure: Any = on_cores
    if options.scheduler:
        from ..lab.jobs.cluster import measure_on_cluster

        measure = measure_on_cluster(options.scheduler)
    else:
        course.task.score(course.start())  # compile now, so that threads do not wait for each other
    with open_ledger(ledger, course.settings, course.fits) as (known, handle), Progress("training", len_of(course)) as bar:
        if known:
            print(f"going on: {len(known)} of {course.count} tries are in {ledger}")

        def told(course: Course) -> None:
            bar.advance(f"generation {len(course.history)}, objective {course.history[-1]:.4f}")

        try:
            course.run(measure, known, lambda index, value: note(handle, index, value), told)
        except KeyboardInterrupt:
            print(f"\nstopped; the same command goes on from {ledger}", file=sys.stderr)
            raise


def len_of(course: Course) -> int:
    """Generations, if no phase ends early."""
    return course.count // course.population


def _draw(course: Course, output: Path, *, clip: bool) -> None:
    try:
        from .train_swimmer_plots import draw_clip, draw_convergence
    except ImportError:
        print("plots: need matplotlib: pip install 'paludarium[sweep]'")
        return
    print(f"plots: {draw_convergence(course, output.with_suffix('.png'))}")
    if clip:
        print(f"clip: {draw_clip(course, output.with_suffix('.gif'))}")
