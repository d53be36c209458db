"""Jobs: numbered pieces of work that do not depend on each other, done on all cores of this machine.

A job is anything with ``measure(index)``. Dask does the same on a cluster: see `cluster`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Protocol, TypeVar

Found = TypeVar("Found", covariant=True)
Done = tuple[int, Found]
IN_FLIGHT = 2
"""Pieces handed out per thread: one that runs and one that waits."""


class Job(Protocol[Found]):
    """Work in numbered pieces; it must be possible to send one to another process.

    Example::

        @dataclass(frozen=True)
        class Squares:
            def measure(self, index: int) -> tuple[int, int]:
                return index, index * index
    """

    def measure(self, index: int) -> Done[Found]:
        """One piece: its number, and what was found."""
        ...


def measure_on_cores(job: Job[Found], indices: list[int], threads: int | None = None) -> Iterator[Done[Found]]:
    """The pieces in the order in which they are finished, one thread per core; kernels need no interpreter.

    Example::

        dict(measure_on_cores(Squares(), [1, 2, 3]))
    """
    workers = threads or os.cpu_count() or 1
    waiting = iter(indices)
    with ThreadPoolExecutor(workers) as pool:
        running: set[Future[Done[Found]]] = {pool.submit(job.measure, k) for k in islice(waiting, IN_FLIGHT * workers)}
        try:
            while running:
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                running |= {pool.submit(job.measure, k) for k in islice(waiting, len(finished))}
                # those that failed come last: no piece is lost to the error of another
                for piece in sorted(finished, key=lambda piece: piece.exception() is not None):
                    yield piece.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
