"""Shared builders. Tests run headless: no window, no sound."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numba
import numpy as np
import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> None:
    """Recorded values travel between test processes as plain numbers."""
    item.user_properties[:] = [(name, _plain(value)) for name, value in item.user_properties]


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


@pytest.fixture
def threads() -> Iterator[Callable[[int], None]]:
    """Sets the number of threads; afterwards it is what it was."""
    before = numba.get_num_threads()
    yield numba.set_num_threads
    numba.set_num_threads(before)
