"""``paludarium warm``: compile every kernel now, so that later starts are fast."""

from __future__ import annotations

import argparse
from time import perf_counter
from typing import Any

from .warming import kernels_compiled_in, warm


def add_to(subcommands: Any) -> None:
    command = subcommands.add_parser(
        "warm", help="compile all kernels now; later starts take them from the cache",
        description="Compile all kernels now. They are cached for this user, keyed by the sources.",
    )
    command.set_defaults(run=run)


def run(_options: argparse.Namespace) -> int:
    start = perf_counter()
    compiled = kernels_compiled_in(warm)
    cached = "everything was in the cache" if not compiled else f"{compiled} kernels compiled"
    print(f"ready: {cached}, {perf_counter() - start:.1f} s")
    return 0
