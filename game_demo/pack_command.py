"""``paludarium pack``: machine code of all our kernels in one file, for all processors of the same level."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from ..engine.errors import PaludariumError, suggest

ROOT = Path(__file__).resolve().parent.parent
MOST_MISSING = 0.1
"""Share of a start's kernels that may be missing in the packs of the repository before they are made anew."""


def add_to(subcommands: Any) -> None:
    command = subcommands.add_parser(
        "pack", help="for packagers: write the machine code of all kernels to a pack",
        description="Take a tour through everything that calls a kernel, compile for a level of processor instead of this "
                    "machine, and write what was needed to a pack. See docs/start-up.md.",
    )
    command.add_argument("--folder", type=Path, default=Path("packs"), help="where the pack goes (default packs)")
    command.add_argument("--level", metavar="LEVEL", help="x86-64-v3, x86-64-v2, ... (default: the best of this machine)")
    command.add_argument("--check", action="store_true", help="write nothing; say how many kernels of a start are missing "
                         "in the pack that would be used here, and fail if it is more than a tenth")
    command.add_argument("--building", action="store_true", help=argparse.SUPPRESS)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from ..engine.machine_code.processor_level import LEVELS, OTHER_LEVEL, levels_here

    if options.check:
        return _check()
    known = {*LEVELS, *OTHER_LEVEL.values()}
    level = options.level or next(iter(levels_here()), None)
    if level is None or level not in known:
        raise PaludariumError(f"--level {level}: {suggest(str(level), sorted(known))}")
    if options.building:
        return _build(options.folder, level)
    # Only the process that builds is told to compile for a level: settings of numba hold for a whole process.
    settings = {**os.environ, "NUMBA_CPU_NAME": level, "NUMBA_CPU_FEATURES": "", "SDL_VIDEODRIVER": "dummy",
                "SDL_AUDIODRIVER": "dummy", "MPLBACKEND": "agg"}  # fmt: skip
    words = ["pack", "--building", "--level", level, "--folder", str(options.folder)]
    command = [sys.executable, "-m", "paludarium.game_demo", *words]
    return subprocess.run(command, env=settings, check=False).returncode


def _build(folder: Path, level: str) -> int:
    """Take the whole tour in this process and write down every kernel that Python called."""
    from ..engine.machine_code import code_cache
    from ..engine.machine_code.code_pack import pack_name, write_pack
    from ..engine.machine_code.stored_code import SMALL, content_of, to_bytes, with_level
    from .progress import Progress
    from .tour import whole_tour

    entries: dict[str, bytes] = {}
    sources: dict[str, int] = {}

    def keep(seen: code_cache.Seen) -> None:
        if not seen.asked.inner and _is_ours(seen.asked.function):
            data = with_level(seen.data, SMALL) if seen.data else to_bytes(seen.result, seen.asked, SMALL)
            if os.fsencode(ROOT) in content_of(data):  # numba writes it where a kernel may raise
                name = seen.asked.function.__qualname__
                raise PaludariumError(f"{name} may raise an error that holds a path of this machine")
            entries[seen.asked.key] = data
            sources[seen.source] = sources.get(seen.source, 0) + 1

    def refuse(asked: Any, problem: Exception) -> None:
        if not asked.inner and _is_ours(asked.function):
            raise PaludariumError(f"{asked.function.__module__}.{asked.function.__qualname__} cannot be packed: {problem}")

    code_cache.WITNESSES.append(keep)
    code_cache.REFUSALS.append(refuse)
    start, stops = perf_counter(), whole_tour()
    with Progress("packing", len(stops)) as bar:
        for stop in stops:
            bar.advance(stop.name, 0)
            stop.visit()
            bar.advance(stop.name)
    path = folder / pack_name(level)
    write_pack(path, entries)
    came = ", ".join(f"{count} from the {source}" for source, count in sorted(sources.items()))
    size, took = path.stat().st_size / 1e6, perf_counter() - start
    print(f"written: {path}, {len(entries)} kernels ({came}), {size:.2f} MB, {took:.0f} s")
    return 0


def _is_ours(function: Any) -> bool:
    return str(function.__module__).partition(".")[0] == __name__.partition(".")[0]


CHECK = """
import json
from paludarium.engine.machine_code import code_cache
from paludarium.engine.machine_code.code_pack import found_pack
seen = []
code_cache.WITNESSES.append(lambda one: seen.append((one.source, one.asked.inner, one.asked.function.__qualname__)))
from paludarium.game_demo.tour import visit_bodies, visit_scene
visit_bodies("float64"); visit_scene("forest_floor")
whole = [(source, name) for source, inner, name in seen if not inner]
missing = [name for source, name in whole if source != "pack"]
print(json.dumps({"pack": found_pack()[1], "all": len(whole), "missing": missing}))
"""


def _check() -> int:
    done = subprocess.run([sys.executable, "-c", CHECK], capture_output=True, text=True, check=False,
                          env={**os.environ, "SDL_VIDEODRIVER": "dummy"})  # fmt: skip
    if done.returncode:
        raise PaludariumError(f"the start that was to be checked failed:\n{done.stderr}")
    found = json.loads(done.stdout.splitlines()[-1])
    share = len(found["missing"]) / max(found["all"], 1)
    print(f"{len(found['missing'])} of {found['all']} kernels of a start are missing; pack: {found['pack']}")
    for name in found["missing"][:20]:
        print(f"  {name}")
    return int(share > MOST_MISSING)
