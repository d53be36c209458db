"""This state against an older commit, scene by scene: CPU time on one thread, in processes that run in turns.

Each run is a process of its own with the older or the present package. Runs of both alternate and the order of a pair
changes from pair to pair, so a machine that slows down slows both. A figure is the ratio within a pair; the median of all
pairs is what counts, and the spread says how far to trust it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import NamedTuple

from ..engine.errors import PaludariumError

PACKAGE = Path(__file__).resolve().parent.parent
HASHED_TICKS = 60
"""After which states are compared."""
REPEATS = 3
"""Of a scene within one process; the fastest counts."""

RUN = f"""
import json, sys, time
time.perf_counter = time.process_time  # what a scene measures is CPU time then, in every version of the benchmarks
from dataclasses import replace
from paludarium.benchmarks.run import measure
from paludarium.benchmarks.tick_scenes import SCENES
if sys.argv[1] not in SCENES:
    sys.exit("it has no such scene")
scene, ticked = SCENES[sys.argv[1]], "us_per_tick"
if hasattr(scene, "compare"):
    scene = replace(scene, compare=None)
figures = measure(scene, {REPEATS}, lambda label: None)
state = ""
if ticked in figures and sys.argv[2] == "hash":
    world = scene.build()
    world.step({HASHED_TICKS})
    state = world.state_hash()
print(json.dumps(dict(us=figures.get(ticked, figures.get("us_per_frame")), state=state)))
"""


class Comparison(NamedTuple):
    """What came of one scene: microseconds of both, and the ratio now / before of each pair of runs."""

    scene: str
    before: float
    now: float
    ratios: tuple[float, ...]
    same_state: bool | None  # None for scenes that are drawn

    def __str__(self) -> str:
        states = {True: "equal", False: "differs", None: "-"}[self.same_state]
        spread = f"{min(self.ratios):.3f} to {max(self.ratios):.3f}"
        return f"{self.scene:<18} {self.before:10.1f} {self.now:10.1f}   {median(self.ratios):.3f}   {spread}   {states}"


HEADER = f"{'CPU us, one thread':<18} {'before':>10} {'now':>10}   now/before, spread     state after {HASHED_TICKS} ticks"


def compare(scenes: list[str], commit: str, pairs: int, report: Callable[[str], None]) -> Iterator[Comparison]:
    """Measure scenes of this state and of an older commit in turns; one comparison after the other.

    Example::

        for line in compare(["one", "reef"], "v0.1.0", pairs=3, report=print):
            print(line)
    """
    with checked_out(commit) as older:
        for scene in scenes:
            runs: dict[bool, list[Run]] = {True: [], False: []}  # by whether it is the present state
            for pair in range(pairs):
                for present in (False, True) if pair % 2 == 0 else (True, False):
                    runs[present].append(_run(scene, None if present else older, hashed=pair == 0))
                    report(scene)
            before, now = ([run.us for run in runs[present]] for present in (False, True))
            state, older_state = runs[True][0].state, runs[False][0].state
            ratios = tuple(new / old for old, new in zip(before, now, strict=True))
            yield Comparison(scene, median(before), median(now), ratios, state == older_state if state else None)


class Run(NamedTuple):
    """One process: microseconds of CPU time per tick or picture, and the state that was reached, if asked for."""

    us: float
    state: str


def _run(scene: str, folder: Path | None, *, hashed: bool) -> Run:
    """One process that measures a scene, with the package in a folder or, without one, with this package."""
    place = {"PYTHONPATH": str(folder)} if folder is not None else {}
    settings = {**os.environ, **place, "NUMBA_NUM_THREADS": "1", "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    with tempfile.TemporaryDirectory() as elsewhere:  # no folder whose content could be imported instead
        done = subprocess.run([sys.executable, "-c", RUN, scene, "hash" if hashed else ""], cwd=elsewhere, env=settings,
                              capture_output=True, text=True, check=False)  # fmt: skip
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise PaludariumError(f"--against: {scene!r} of the {'older commit' if folder else 'present state'} ended: {last}")
    return Run(**json.loads(done.stdout.splitlines()[-1]))


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """A folder that holds the package as it was at a commit; it is removed afterwards."""
    packed = subprocess.run(["git", "-C", str(PACKAGE), "archive", "--format=tar", commit], capture_output=True, check=False)
    if packed.returncode:
        reason = packed.stderr.decode(errors="replace").strip().splitlines()
        known = reason[-1] if reason else "git does not know it"
        raise PaludariumError(f"--against {commit}: {known}; allowed is a commit, a branch or a tag of this clone")
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=BytesIO(packed.stdout)) as archive:
            archive.extractall(Path(folder) / "paludarium", filter="data")
        yield Path(folder)
