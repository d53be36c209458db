"""The decorator of the ground queries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..kernel import kernel


def query() -> Callable[[Any], Any]:
    """Compile a function that allocates nothing and stores nothing, so reference counting can be left out.

    With counting, a sample of flat ground costs 280 ns instead of 11 (measured with a ground of sixteen arrays).
    """
    return kernel(_nrt=False)
