"""What more threads are worth when another program keeps one core busy, and when nothing else runs."""

from __future__ import annotations

import subprocess
import sys
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

import numba

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.world import World

ROUNDS = 60
"""Pairs of ticks, one on one thread and one on all, in turns, so that both see the same machine."""


def threads_worth(build: Callable[[], World]) -> dict[str, float]:
    """A tick on all threads over one on a single thread: alone, and beside a program that never sleeps."""
    world = build()
    world.step(20)
    quiet = _ratio(world)
    neighbour = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        busy = _ratio(world)
    finally:
        neighbour.kill()
        neighbour.wait()
    return {"all_threads_over_one_quiet": quiet, "all_threads_over_one_busy": busy}


def _ratio(world: World) -> float:
    most = numba.get_num_threads()
    seconds: dict[int, list[float]] = {1: [], most: []}
    try:
        for _ in range(ROUNDS):
            for threads, taken in seconds.items():
                numba.set_num_threads(threads)
                start = perf_counter()
                world.step()
                taken.append(perf_counter() - start)
    finally:
        numba.set_num_threads(most)
    return median(seconds[most]) / median(seconds[1])
