"""Who paints: pieces of a picture are shared out among threads, and a whole picture can be left to them.

The threads are Python's own; kernels let go of the interpreter while they run. So the caller may go on with something else,
a tick of the world, and join in with the painting once it has nothing better to do: two cores are then never idle, whichever
of tick and picture takes longer. Teams of compiled loops cannot do that, and some of them must not even run side by side.

A caller never waits for a thread that has not begun: if none is free, it does all of the work alone.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numba
import numpy as np

from ...engine.threads import ThreadsFor

Work = Callable[[int], object]


@dataclass
class _Job:
    """Work for several: each one who joins gets a seat, a number below `seats`."""

    work: Work | None
    seats: int
    taken: int = 0
    inside: int = 0
    problem: BaseException | None = None


@dataclass
class Task:
    """A picture that is painted while its owner does something else; see `Crew.begin`."""

    run: Callable[[], object] | None
    threads: int
    begun: bool = False
    done: bool = False
    problem: BaseException | None = field(default=None, repr=False)


class Crew:
    """Threads that wait for work.

    Example::

        crew = Crew()
        crew.share(lambda seat: paint_tiles(seat, taken), seats=2)      # on this thread and another one
        task = crew.begin(lambda: renderer.draw(scene, camera, time))   # on another one
        world.step()
        crew.finish(task)                                               # helps until it is done
    """

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._jobs: list[_Job] = []
        self._tasks: deque[Task] = deque()
        self._members = 0

    def share(self, work: Work, seats: int) -> None:
        """Call `work` with 0 here and with 1 up to `seats` - 1 on threads that are free; return when all have returned."""
        if seats <= 1:
            work(0)
            return
        job = _Job(work, seats, taken=1)
        with self._news:
            self._hire(seats - 1)
            self._jobs.append(job)
            self._news.notify_all()
        try:
            work(0)
        finally:
            with self._news:
                self._jobs.remove(job)
                while job.inside:
                    self._news.wait()
                job.work = None  # let go of its arrays: one of them may be a surface of the host's
        if job.problem is not None:
            raise job.problem

    def begin(self, run: Callable[[], object], threads: int) -> Task:
        """Leave a task to the crew; what it shares goes to up to `threads` threads. End it with `finish`."""
        task = Task(run, threads)
        if threads > 1:  # else `finish` does it
            with self._news:
                self._hire(threads - 1)
                self._tasks.append(task)
                self._news.notify_all()
        return task

    def finish(self, task: Task) -> None:
        """Help until a task is done; what went wrong in it is raised here."""
        while not task.done:
            with self._news:
                if not task.begun:
                    duty = self._take_up(task)
                else:
                    while not task.done and not self._joinable():
                        self._news.wait()
                    if task.done:
                        break
                    duty = self._join()
            duty()
        if task.problem is not None:
            raise task.problem

    # -- inside; the lock is held unless said otherwise ---------------------------------------------------------------

    def _hire(self, members: int) -> None:
        while self._members < members:
            self._members += 1
            threading.Thread(target=self._serve, name=f"paludarium painter {self._members}", daemon=True).start()

    def _serve(self) -> None:
        """The life of a member. Without the lock."""
        while True:
            with self._news:
                while not self._tasks and not self._joinable():
                    self._news.wait()
                duty = self._join() if self._joinable() else self._take_up(self._tasks[0])
            duty()

    def _joinable(self) -> bool:
        return any(job.taken < job.seats for job in self._jobs)

    def _join(self) -> Callable[[], None]:
        job = next(job for job in self._jobs if job.taken < job.seats)
        seat, job.taken, job.inside = job.taken, job.taken + 1, job.inside + 1
        return lambda: self._sit(job, seat)

    def _sit(self, job: _Job, seat: int) -> None:
        """Do a part of a job. Without the lock."""
        assert job.work is not None  # until the last one has left
        try:
            job.work(seat)
        except BaseException as problem:
            job.problem = problem
        with self._news:
            job.inside -= 1
            self._news.notify_all()

    def _take_up(self, task: Task) -> Callable[[], None]:
        if task in self._tasks:
            self._tasks.remove(task)
        task.begun = True
        return lambda: self._carry_out(task)

    def _carry_out(self, task: Task) -> None:
        """Do a task, with as many threads as its owner may use. Without the lock."""
        assert task.run is not None  # until it is done
        try:
            with ThreadsFor(task.threads, 1, most=task.threads):
                task.run()
        except BaseException as problem:
            task.problem = problem
        finally:
            with self._news:
                task.run, task.done = None, True
                self._news.notify_all()


CREW = Crew()
"""The one of this process."""


def share(kernel: Any, *arguments: object) -> None:
    """Run a kernel on as many threads as compiled loops of this thread may use, until together they are through.

    After its arguments the kernel gets the number of its seat, for scratch space of its own, and an array with a counter:
    the pieces of the work it does are those that `take_next` gives it. One that has to be compiled first is not shared.

    Example::

        share(paint_tiles, picture, np.empty((numba.get_num_threads(), 32, 64)))
    """
    taken = np.zeros(1, dtype=np.int64)
    CREW.share(lambda seat: kernel(*arguments, seat, taken), numba.get_num_threads() if kernel.signatures else 1)


def alone(kernel: Any, *arguments: object) -> None:
    """Like `share` on this thread only: for work that is done before anybody would have come."""
    kernel(*arguments, 0, np.zeros(1, dtype=np.int64))
