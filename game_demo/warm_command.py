"""``paludarium warm``: compile every kernel now, so that later starts are fast."""

from __future__ import annotations

import argparse
import os
from time import perf_counter
from typing import Any

from ..engine.errors import PaludariumError
from .warming import warm


def add_to(subcommands: Any) -> None:
    command = subcommands.add_parser(
        "warm", help="compile all kernels now; later starts take them from the cache",
        description="Compile all kernels now. They are cached for this user, keyed by the sources.",
    )
    command.add_argument("--processes", type=int, metavar="N", default=min(2, os.cpu_count() or 1),
                         help="compile in so many processes (default: 2 where there are cores for them)")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if options.processes < 1:
        raise PaludariumError(f"--processes {options.processes}: allowed is 1 or more")
    start = perf_counter()
    compiled = warm(options.processes)
    cached = "everything was in the cache" if not compiled else f"{compiled} kernels compiled"
    print(f"ready: {cached}, {perf_counter() - start:.1f} s")
    return 0
