"""Kernels that only borrow their arrays.

Every slice that a compiled function makes is counted, and the count is shared by all threads: rows of 64 pixels are so short
that counting them took half of the time of a wet tile, and two threads were slower than one. A borrower counts nothing. It
must not create arrays, return any, or assign one to a slice of another: compiling it would fail.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ...engine.kernel import kernel

Function = TypeVar("Function", bound=Callable[..., object])


def borrower(*, inline: bool = False) -> Callable[[Function], Function]:
    """Like `kernel()`, for functions whose arrays all belong to the caller; `inline` makes them part of it.

    A call hands over seven numbers per row of an array: for a row of 64 pixels that takes as long as the work on it.

    Example::

        @borrower()
        def darken(picture, y):
            row = picture[y]
            for x in range(row.size):
                row[x] *= 0.5
    """
    return kernel(_nrt=False, forceinline=inline)
