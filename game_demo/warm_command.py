"""``paludarium warm``: get every kernel ready now, so that nothing is compiled during play."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import queue
from concurrent.futures import ProcessPoolExecutor, as_completed
from time import perf_counter
from typing import Any

from ..engine.errors import PaludariumError
from .progress import Progress


def add_to(subcommands: Any) -> None:
    command = subcommands.add_parser(
        "warm", help="get all kernels ready now; later starts compile nothing",
        description="Get all kernels ready now. What is not in the pack that ships with us is compiled and kept for this "
                    "user, by what each kernel says: see docs/start-up.md.",
    )
    command.add_argument("--processes", type=int, metavar="N", default=min(2, os.cpu_count() or 1),
                         help="compile in so many processes, 1 or 2 (default: 2 where there are cores for them)")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if options.processes < 1:
        raise PaludariumError(f"--processes {options.processes}: allowed is 1 or more")
    start = perf_counter()
    compiled = warm(options.processes)
    what = f"{compiled} kernels compiled" if compiled else "nothing had to be compiled"
    print(f"ready: {what}, {perf_counter() - start:.1f} s")
    return 0


def warm(processes: int) -> int:
    """Take the short tour, in this process or in two; return how many kernels had to be compiled."""
    from .tour import short_tour

    halves = short_tour()
    context = multiprocessing.get_context("spawn")  # forked children of a threaded numba are killed
    with Progress("getting ready", sum(map(len, halves))) as bar:
        if processes < 2:
            return sum(_visit(half, lambda stop, steps: bar.advance(stop, steps)) for half in range(len(halves)))
        with context.Manager() as manager, ProcessPoolExecutor(len(halves), mp_context=context) as pool:
            news = manager.Queue()
            running = [pool.submit(_visit_telling, half, news) for half in range(len(halves))]
            while not all(job.done() for job in running):
                _show_next(bar, news)
            return sum(job.result() for job in as_completed(running))


def _visit(half: int, tell: Any) -> int:
    """One half of the short tour; `tell` hears of stops that are done and of kernels that are being compiled."""
    from ..engine.machine_code.compile_news import compiled_so_far, on_compile
    from .tour import short_tour

    before = compiled_so_far()
    take_back = on_compile(lambda progress: tell(f"compiling {progress.name}", 0))
    try:
        for stop in short_tour()[half]:
            stop.visit()
            tell(stop.name, 1)
    finally:
        take_back()
    return compiled_so_far() - before


def _visit_telling(half: int, news: Any) -> int:
    return _visit(half, lambda text, steps: news.put((text, steps)))


def _show_next(bar: Progress, news: Any) -> None:
    try:
        bar.advance(*news.get(timeout=0.1))
    except queue.Empty:
        return
