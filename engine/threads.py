"""How many threads a piece of work is worth. Starting a team for a handful of items costs more than it saves, and on a
busy machine a team waits for its slowest member."""

from __future__ import annotations

import numba

CREATURES_PER_THREAD = 4
"""A tick of fewer creatures than twice this runs on one thread: about a millisecond of work."""

ENOUGH_FOR_ALL_THREADS = CREATURES_PER_THREAD * numba.config.NUMBA_NUM_THREADS
"""Creatures from which on every thread has enough to do and nothing needs to be limited."""

POINTS_PER_THREAD = 2000
"""Ground queries; about a tenth of a millisecond."""


class ThreadsFor:
    """Within the block, compiled loops use no more threads than `items` are worth; the host's setting returns after.

    Example::

        with ThreadsFor(len(points), POINTS_PER_THREAD):
            sample_points(ground, points, distances, normals)
    """

    __slots__ = ("_before", "_wanted")

    def __init__(self, items: int, per_thread: int) -> None:
        self._wanted = items // per_thread or 1
        self._before = 0

    def __enter__(self) -> None:
        self._before = numba.get_num_threads()
        if self._wanted < self._before:
            numba.set_num_threads(self._wanted)

    def __exit__(self, *_problem: object) -> None:
        if self._wanted < self._before:
            numba.set_num_threads(self._before)
