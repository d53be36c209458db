"""How many threads a piece of work is worth. Starting a team for a handful of items costs more than it saves, and on a
busy machine a team waits for its slowest member."""

from __future__ import annotations

import numba

CREATURES_PER_THREAD = 16
"""For systems that spend some microseconds on a creature: below twice this, one thread is as fast."""

BODIES_PER_THREAD = 4
"""For the body simulation, which spends up to a tenth of a millisecond on a creature in a tick."""

ENOUGH_FOR_ALL_THREADS = CREATURES_PER_THREAD * numba.config.NUMBA_NUM_THREADS
"""Creatures from which on every thread has enough to do and nothing needs to be limited."""

POINTS_PER_THREAD = 2000
"""Ground queries; about a tenth of a millisecond."""


class ThreadsFor:
    """Within the block, compiled loops use as many threads as `items` are worth; the setting before returns after.

    No more than are set, that is: only with `most` the number may also rise, up to that.

    Example::

        with ThreadsFor(len(points), POINTS_PER_THREAD):
            sample_points(ground, points, distances, normals)
    """

    __slots__ = ("_before", "_most", "_wanted")

    def __init__(self, items: int, per_thread: int, most: int = 0) -> None:
        self._wanted = items // per_thread or 1
        self._before, self._most = 0, most

    def __enter__(self) -> None:
        self._before = numba.get_num_threads()
        self._wanted = min(self._wanted, self._most or self._before)
        if self._wanted != self._before:
            numba.set_num_threads(self._wanted)

    def __exit__(self, *_problem: object) -> None:
        if self._wanted != self._before:
            numba.set_num_threads(self._before)
