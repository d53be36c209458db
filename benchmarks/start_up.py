"""What a start costs, in CPU seconds: importing, the first tick and frame with and without machine code, and after an edit.

Each figure is a process of its own, the least of several::

    python -m paludarium.benchmarks.start_up                 # imports, warm and cold starts
    python -m paludarium.benchmarks.start_up --compile       # also a start that compiles everything (a minute or two)
    python -m paludarium.benchmarks.start_up --edits 15      # what editing a kernel costs until the next tick
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..engine.machine_code.code_pack import SWITCH

TIMES = "import os, json\ndef used(): return sum(os.times()[:2])\n"
IMPORT = TIMES + "import paludarium\nprint(json.dumps(dict(seconds=used())))"
NOTHING = TIMES + "print(json.dumps(dict(seconds=used())))"
TICK = """
from paludarium import World
import paludarium.engine.world
imported = used()
world = World(); world.spawn("giant_centipede"); world.step()
"""
FRAME = """
from paludarium.game_demo.scenes import Settings, build_scene
from paludarium.systems.render.scene.camera import Camera
imported = used()
world = build_scene(Settings("forest_floor")); world.step()
world.picture.frame(Camera((1280, 720)), (1280, 720), still=True)
"""
FISH = """
from paludarium import World
world = World(seed=1, map="reef", populate=False); world.step()
before = used()
world.spawn("silverside"); world.step(4)
"""
"""Four ticks, because eyes look and minds think in one of four."""
FISH_REPORT = """
from paludarium.engine.machine_code.compile_news import compiled_so_far
print(json.dumps(dict(seconds=used() - before, compiled=compiled_so_far())))
"""
REPORT = """
from paludarium.engine.machine_code.compile_news import compiled_so_far
print(json.dumps(dict(seconds=used(), imported=imported, compiled=compiled_so_far())))
"""
LIST = """
from paludarium.engine.machine_code import code_cache, function_key
seen = []
code_cache.WITNESSES.append(lambda one: seen.append(one.asked.function))
from paludarium import World
world = World(); world.spawn("giant_centipede"); world.step()
names, waiting = set(), list(seen)
while waiting:
    name, _, calls = function_key._own_words(waiting.pop())
    if name not in names:
        names.add(name)
        waiting += calls
print(json.dumps(sorted(names)))
"""
EDIT = """
from paludarium.engine.machine_code import function_key
said = function_key._own_words
def edited(function):
    name, text, calls = said(function)
    return name, text + {salt!r} * (name == {name!r}), calls
function_key._own_words = edited
"""


def main(words: list[str]) -> int:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="start_up", description=__doc__, formatter_class=plain)
    parser.add_argument("--compile", action="store_true", help="also a start that compiles everything")
    parser.add_argument("--edits", type=int, default=0, metavar="N", help="edit N of the kernels of a tick")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="processes per figure (default 5)")
    options = parser.parse_args(words)
    bare = min(run(NOTHING)["seconds"] for _ in range(options.repeats))
    imported = min(run(IMPORT)["seconds"] for _ in range(options.repeats))
    print(f"import paludarium                     {imported - bare:6.3f} s (Python itself {bare:.3f} s)")
    for name, script in (("first tick", TICK), ("first frame", FRAME)):
        print(line(name, [run(TIMES + script + REPORT) for _ in range(options.repeats)]))
    fish = min((run(TIMES + FISH + FISH_REPORT) for _ in range(options.repeats)), key=lambda one: one["seconds"])
    print(f"{'the first fish adds':<36} {fish['seconds']:7.2f} s; {fish['compiled']} kernels compiled")
    if options.compile:
        for name, script in (("first tick", TICK), ("first frame", FRAME)):
            with tempfile.TemporaryDirectory() as folder:
                print(line(f"{name}, compiling", [run(TIMES + script + REPORT, folder, without_pack=True)]))
    if options.edits:
        edits(options.edits)
    return 0


def line(name: str, runs: list[dict[str, float]]) -> str:
    best = min(runs, key=lambda one: one["seconds"])
    share = best["imported"] / best["seconds"]
    return f"{name:<36} {best['seconds']:7.2f} s, of which imports {share:4.0%}; {best['compiled']} kernels compiled"


def edits(count: int) -> None:
    """Until the next tick after an edit: the first one in a fresh clone, and later ones, when inner code is kept."""
    with tempfile.TemporaryDirectory() as folder:
        names = run(TIMES + LIST, folder)
        chosen = [names[k * len(names) // count] for k in range(count)]
        for title, begin in (("first edit in a fresh clone", None), ("later edits", TIMES + TICK + REPORT)):
            if begin is not None:
                run(begin, folder, without_pack=True)
            told = sorted(_edited(chosen, None if begin is None else folder, title))
            most = told[int(0.9 * len(told))]
            print(f"{title:<36} median {statistics.median(told):.1f} s, nine of ten {most:.1f} s, worst {told[-1]:.1f} s")


def _edited(names: list[str], folder: str | None, title: str) -> Iterator[float]:
    for name in names:
        with tempfile.TemporaryDirectory() as fresh:
            salt = f" edited {title}"
            found = run(TIMES + EDIT.format(name=name, salt=salt) + TICK + REPORT, folder or fresh)
        print(f"  {found['seconds']:6.1f} s  {found['compiled']:3d} kernels  {name.removeprefix('paludarium.')}", flush=True)
        yield found["seconds"]


def run(script: str, cache: str | None = None, *, without_pack: bool = False) -> Any:
    """What a process prints; with an empty cache of its own unless one is given."""
    with tempfile.TemporaryDirectory() as fresh:
        settings = {**os.environ, "NUMBA_CACHE_DIR": cache or fresh, "SDL_VIDEODRIVER": "dummy"}
        settings.pop("PYTHONDONTWRITEBYTECODE", None)
        if without_pack:
            settings[SWITCH] = "0"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=settings, check=False,
                              cwd=Path(fresh))  # fmt: skip
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
