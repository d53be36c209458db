"""Shared builders. Tests run headless: no window, no sound."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from typing import Any

import numba
import numpy as np
import pytest

from paludarium.engine.machine_code.compile_news import compiled_so_far, cpu_seconds_so_far

PATIENCE = 20.0
"""Seconds after which a call counts as one that waits."""
COMPILED: list[tuple[int, float]] = []

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> None:
    """Recorded values travel between test processes as plain numbers."""
    item.user_properties[:] = [(name, _plain(value)) for name, value in item.user_properties]


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Test processes tell what they compiled: a fresh clone should not spend a minute on it."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["compiled"] = (compiled_so_far(), cpu_seconds_so_far())


def pytest_testnodedown(node: Any) -> None:
    COMPILED.append(getattr(node, "workeroutput", {}).get("compiled", (0, 0.0)))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    every = [*COMPILED, (compiled_so_far(), cpu_seconds_so_far())]
    kernels, seconds = sum(count for count, _ in every), sum(seconds for _, seconds in every)
    terminalreporter.write_line(f"compiling: {kernels} kernels in {seconds:.0f} CPU seconds, over all test processes")


@pytest.fixture
def threads() -> Iterator[Callable[[int], None]]:
    """Sets the number of threads; afterwards it is what it was."""
    before = numba.get_num_threads()
    yield numba.set_num_threads
    numba.set_num_threads(before)


class WaitsError(BaseException):
    """A call waits; nothing tells that as an error of its own."""


@pytest.fixture
def impatient() -> Iterator[None]:
    """Wakes up what waits for the other end of a pipe, and has it fail."""

    def wake(*_: Any) -> None:
        raise WaitsError

    before = signal.signal(signal.SIGALRM, wake)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    signal.signal(signal.SIGALRM, before)
