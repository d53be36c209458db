"""Settings of numba: the one place that reads them.

numba makes the names of its module of settings when it is imported, from the environment: no type checker knows them.
"""

from __future__ import annotations

from typing import Any

from numba.core import config


def setting(name: str) -> Any:
    """A setting of numba by its name; None if this numba has none of that name.

    Example::

        setting("THREADING_LAYER")        # "default"
    """
    return getattr(config, name, None)


def threads_at_most() -> int:
    """How many threads numba has at most."""
    return int(setting("NUMBA_NUM_THREADS"))


def jit_is_off() -> bool:
    """Whether functions stay as they are written, uncompiled."""
    return bool(setting("DISABLE_JIT"))
