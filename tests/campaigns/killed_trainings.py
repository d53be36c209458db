"""Trainings that are killed at random moments, and again when they go on: the result is that of one that was left alone.

One process has all that a training needs in its memory and makes a copy of itself for every start of one (fork). The
copy is killed once its ledger has some random length, and a random moment later; now and then the ledger loses the end of
its last line, as when a machine loses its power. Then the same command goes on.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .damage import Chance
from .outcome import LOADED, Report

MOST_KILLS = 4
"""Of one training."""
LATEST = 0.02
"""Seconds after the ledger has the length that was drawn for a kill: a few pieces of work."""
TORN = 0.3
"""Share of kills after which the last line of the ledger is torn."""
LOOK_SECONDS = 0.001
SECONDS_PER_START = 300.0
KINDS: dict[str, tuple[str, Sequence[str]]] = {
    "table of an insect": ("ant.npz", ("--points", "15x15x1", "--evaluations", "130")),
    "stroke of a swimmer": ("eel.toml", ("--species", "eel", "--grid", "surrogate", "--polish", "surrogate",
                                         "--generations", "10")),
}  # fmt: skip
"""What is trained, by the file it writes and the words of the command."""


def run(seed: int, count: int) -> Report:
    """So many trainings, of both kinds in turn."""
    report = Report("kills while training", seed)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "paludarium.tests.campaigns.killed_trainings", str(seed), str(count), folder]
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}  # copies have no threads
        told = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        for line in told.stdout.splitlines():
            message = json.loads(line)
            if "outcome" in message:
                report.add(message["outcome"], message["case"])
            else:
                report.figures |= message
        if not told.returncode and not report.figures["half way"]:
            report.add("no kill came half way")
        if told.returncode:
            report.add(f"the process that forks ended with {told.returncode}", told.stderr[-300:])
    return report


def train(words: Sequence[str], output: Path) -> int:
    """Run the command in this process; returns its status."""
    from paludarium.game_demo.__main__ import main as command

    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        return command(["train", *words, "--no-plots", "--threads", "1", "--output", str(output)])


def started(words: Sequence[str], output: Path) -> int:
    """Start the command in a copy of this process; returns its number."""
    child = os.fork()
    if not child:
        os._exit(train(words, output))
    return child


@contextlib.contextmanager
def kept_length(ledger: Path) -> Iterator[list[int]]:
    """Hears how long a ledger is when it is taken away."""
    found, unlink = [0], Path.unlink

    def measured(self: Path, *arguments: Any, **options: Any) -> None:
        if self == ledger and self.exists():
            found[0] = length_of(self)
        unlink(self, *arguments, **options)

    Path.unlink = measured  # type: ignore[method-assign]
    try:
        yield found
    finally:
        Path.unlink = unlink  # type: ignore[method-assign]


def ended(child: int) -> int | None:
    """How a process has ended, None while it runs."""
    found, status = os.waitpid(child, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if found else None


def length_of(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def tear(chance: Chance, ledger: Path) -> bool:
    """Take some bytes off the end of the last line."""
    content = ledger.read_bytes()
    last = len(content) - content.rfind(b"\n", 0, -1) - 1
    if last < 2 or content.count(b"\n") < 2:
        return False
    ledger.write_bytes(content[: -int(chance.integers(1, last))])
    return True


def disturbed(chance: Chance, words: Sequence[str], output: Path, longest: int, figures: dict[str, int]) -> str:
    """Train under kills until one start is left alone; returns how it ended. longest: bytes of the ledger at its end."""
    ledger = output.with_suffix(".work")
    kills = int(chance.integers(1, MOST_KILLS + 1))
    while True:
        child, begin = started(words, output), time.monotonic()
        goal = int(chance.integers(length_of(ledger), longest)) if kills and length_of(ledger) < longest else None
        while (status := ended(child)) is None and (goal is None or length_of(ledger) < goal):
            if time.monotonic() - begin > SECONDS_PER_START:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return f"hang: no end within {SECONDS_PER_START:g} s"
            time.sleep(LOOK_SECONDS)
        if status is not None:
            return LOADED if status == 0 else f"it ended with {status}"
        time.sleep(float(chance.uniform(0.0, LATEST)))
        os.kill(child, signal.SIGKILL)
        _, how = os.waitpid(child, 0)
        if os.waitstatus_to_exitcode(how) == -signal.SIGKILL:
            kills -= 1
            figures["kills"] += 1
            figures["half way"] += ledger.exists() and ledger.read_bytes().count(b"\n") > 1
            if ledger.exists() and chance.random() < TORN:
                figures["torn"] += tear(chance, ledger)


def main(seed: int, count: int, folder: Path) -> None:
    chance, wanted, longest = np.random.default_rng(seed), {}, {}
    for name, (file, words) in KINDS.items():
        output = folder / f"whole_{file}"
        with kept_length(output.with_suffix(".work")) as most:  # it also compiles and imports, once for all copies
            if train(words, output):
                raise RuntimeError(f"{name}: left alone it failed")
        wanted[name], longest[name] = output.read_bytes(), most[0]
    figures = {"kills": 0, "half way": 0, "torn": 0}
    for number in range(count):
        name = list(KINDS)[number % len(KINDS)]
        file, words = KINDS[name]
        output = folder / f"{number}_{file}"
        outcome = disturbed(chance, words, output, longest[name], figures)
        if outcome == LOADED and output.read_bytes() != wanted[name]:
            outcome = "another result than that of a training which was left alone"
        if outcome == LOADED and output.with_suffix(".work").exists():
            outcome = "the ledger is still there"
        print(json.dumps({"outcome": outcome, "case": f"training {number}: {name}"}), flush=True)
    print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
