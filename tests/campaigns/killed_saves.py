"""Processes that are killed while they save: the file is the old world or the new one, whole; it loads and goes on.

One process builds two worlds and makes a copy of itself for every kill (fork); the copy saves them in turns until it is
killed at a random moment. No thread of ours is needed for saving, so a copy without them will do.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .outcome import TICKS_AFTER_LOAD, Report, steps_finite, what_became_of

if TYPE_CHECKING:
    from paludarium import World

LATEST = 4.0
"""How many saves long a process may save until it is killed: a busy machine takes longer for one."""
SAVES_TRIED = 5
"""To find out how long one takes."""
ENOUGH = 15
"""Kills of which some must find the old world and some the new one: otherwise they came at no random moment."""


def run(seed: int, count: int) -> Report:
    """Kill so many saves."""
    report = Report("kills while saving", seed)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "paludarium.tests.campaigns.killed_saves", str(seed), str(count), folder]
        told = subprocess.run(command, capture_output=True, text=True, timeout=300 + 5 * count, check=False)
        for line in told.stdout.splitlines():
            message = json.loads(line)
            if "outcome" in message:
                report.add(message["outcome"], f"kill {report.tried}")
            else:
                report.figures |= message
        if count >= ENOUGH and not min(report.figures.get(end, 0) for end in ("old", "new")):
            report.add("all kills found the same world")
        if told.returncode:
            report.add(f"the process that forks ended with {told.returncode}", told.stderr[-300:])
    return report


def main(seed: int, count: int, folder: Path) -> None:
    from paludarium import World

    from .file_cases import lively_world

    worlds = [lively_world(), lively_world()]
    worlds[1].step(2)
    file, hashes = folder / "world.palu", [world.state_hash() for world in worlds]
    futures = {}
    for before, world in zip(hashes, worlds, strict=True):
        world.save(file)
        futures[before] = after_a_second(World.load(file))
    worlds[0].save(file)
    usual = seconds_of_a_save(worlds[0], file)
    chance, ends = np.random.default_rng(seed), {hashes[0]: "old", hashes[1]: "new"}
    seen, most_left = {"old": 0, "new": 0}, 0
    for _ in range(count):
        read, write = os.pipe()
        child = os.fork()
        if not child:
            os.write(write, b".")
            while True:
                for world in worlds:
                    world.save(file)
        os.read(read, 1)
        time.sleep(float(chance.uniform(0.0, LATEST * usual)))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(read)
        os.close(write)
        found: list[str] = []

        def look(found: list[str] = found) -> str | None:
            world = World.load(file)
            found.append(world.state_hash())
            if found[0] not in ends:
                return "neither the old nor the new world"
            return None if after_a_second(world) == futures[found[0]] else "it goes on in another way"

        outcome = what_became_of(look)
        if found and found[0] in ends:
            seen[ends[found[0]]] += 1
        print(json.dumps({"outcome": outcome if outcome != "refused" else "the file does not load"}), flush=True)
        most_left = max(most_left, len(list(folder.iterdir())) - 1)
    worlds[0].save(file)
    print(json.dumps({**seen, "files left beside it at most": most_left,
                      "after one more save": len(list(folder.iterdir())) - 1}), flush=True)  # fmt: skip


def seconds_of_a_save(world: World, file: Path) -> float:
    """How long one takes by the clock, the disk included."""
    begin = time.perf_counter()
    for _ in range(SAVES_TRIED):
        world.save(file)
    return (time.perf_counter() - begin) / SAVES_TRIED


def after_a_second(world: World) -> str:
    """What becomes of a world."""
    wrong = steps_finite(world, TICKS_AFTER_LOAD)
    if wrong:
        raise RuntimeError(wrong)
    return world.state_hash()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
