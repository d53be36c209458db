"""How many threads a piece of work is worth. Starting a team for a handful of items costs more than it saves, and on a
busy machine a team waits for its slowest member."""

from __future__ import annotations

import threading

import numba

CREATURES_PER_THREAD = 16
"""For systems that spend some microseconds on a creature: below twice this, one thread is as fast."""

BODIES_PER_THREAD = 4
"""For the body simulation, which spends up to a tenth of a millisecond on a creature in a tick."""

POINTS_PER_THREAD = 2000
"""Ground queries; about a tenth of a millisecond."""


class _Setting(threading.local):
    """How many threads the innermost block of this thread has set; 0 outside of all blocks."""

    threads = 0


_SETTING = _Setting()


class ThreadsFor:
    """Within the block, compiled loops use as many threads as `items` are worth; the setting before returns after.

    No more than are set, that is: only with `most` the number may also rise, up to that. A block within a block takes the
    number from the outer one, because asking numba takes longer than some of our loops.

    Example::

        with ThreadsFor(len(points), POINTS_PER_THREAD):
            sample_points(ground, points, distances, normals)
    """

    __slots__ = ("_before", "_most", "_outer", "_wanted")

    def __init__(self, items: int, per_thread: int, most: int = 0) -> None:
        self._wanted = items // per_thread or 1
        self._before, self._outer, self._most = 0, 0, most

    def __enter__(self) -> None:
        self._outer = _SETTING.threads
        self._before = self._outer or numba.get_num_threads()
        self._wanted = min(self._wanted, self._most or self._before)
        if self._wanted != self._before:
            numba.set_num_threads(self._wanted)
        _SETTING.threads = self._wanted

    def __exit__(self, *_problem: object) -> None:
        _SETTING.threads = self._outer
        if self._wanted != self._before:
            numba.set_num_threads(self._before)
