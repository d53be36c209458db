"""``paludarium bench``: measure the scenes and print a table per system."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from ..engine.errors import PaludariumError, suggest
from ..engine.files import written_whole
from .progress import Progress


def add_to(subcommands: Any) -> None:
    command = subcommands.add_parser(
        "bench", help="measure scenes: microseconds per tick and system, real-time factor",
        description="Measure scenes. Compilation is not counted; the fastest of several runs is kept, because a "
                    "shared machine only ever makes things slower.",
    )
    command.add_argument("scenes", nargs="*", metavar="SCENE", help="scenes to measure (default: all)")
    command.add_argument("--list", action="store_true", help="only list the scenes")
    command.add_argument("--json", metavar="FILE", type=Path, help="also write the figures to this file")
    command.add_argument("--threads", metavar="N", type=int, help="threads to use (default: all cores)")
    command.add_argument("--repeats", metavar="N", type=int, default=10, help="runs per scene, fastest kept (default 10)")
    command.add_argument("--against", metavar="COMMIT", help="compare CPU time with this older commit, in turns")
    command.add_argument("--check", action="store_true", help="fail if a scene is slower than its publication's bar")
    command.add_argument("--pairs", metavar="N", type=int, default=5, help="pairs of runs with --against (default 5)")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from ..benchmarks.bars import judge, line
    from ..benchmarks.run import format_result, measure
    from ..benchmarks.tick_scenes import SCENES

    if options.list:
        for scene in SCENES.values():
            print(f"{scene.name:<18} {scene.description}")
        return 0
    chosen = options.scenes or list(SCENES)
    for name in chosen:
        if name not in SCENES:
            raise PaludariumError(f"no scene is called {name!r}; {suggest(name, SCENES)}")
    if options.repeats < 1:
        raise PaludariumError(f"--repeats {options.repeats}: allowed is 1 or more")
    if options.against is not None:
        return _compare(chosen, options)
    _use_threads(options.threads)
    results, missed = {}, 0
    for name in chosen:
        with Progress(name, total=options.repeats + 1) as bar:
            results[name] = measure(SCENES[name], options.repeats, bar.advance)
        judged = judge(name, results[name])
        missed += sum(not holds for _, _, holds in judged)
        print("\n".join([format_result(name, results[name]), *(line(*outcome) for outcome in judged)]), flush=True)
    if options.json:
        _write(options.json, json.dumps(results, indent=2) + "\n")
    return int(options.check and missed > 0)


def _compare(chosen: list[str], options: argparse.Namespace) -> int:
    """Print how the present state compares with an older commit."""
    from ..benchmarks.against import HEADER, compare

    if options.threads is not None:
        raise PaludariumError(f"--threads {options.threads}: --against measures on one thread; leave --threads out")
    if options.pairs < 1:
        raise PaludariumError(f"--pairs {options.pairs}: allowed is 1 or more")
    lines = []
    with Progress("comparing", total=2 * options.pairs * len(chosen)) as bar:
        for line in compare(chosen, options.against, options.pairs, bar.advance):
            lines.append(line)
    print("\n".join([HEADER, *map(str, lines)]), flush=True)
    if options.json:
        _write(options.json, json.dumps([line._asdict() for line in lines], indent=2) + "\n")
    return 0


def _use_threads(threads: int | None) -> None:
    import numba

    from ..engine.numba_settings import threads_at_most

    if threads is None:
        return
    if not 1 <= threads <= threads_at_most():
        raise PaludariumError(f"--threads {threads}: allowed is 1 to {threads_at_most()} on this machine")
    numba.set_num_threads(threads)


def _write(path: Path, text: str) -> None:
    try:
        with written_whole(path) as file:
            file.write(text.encode())
    except PaludariumError as problem:
        raise PaludariumError(f"--json {problem}") from None
    print(f"written: {path}", file=sys.stderr)
