"""The rows of one creature in a pool."""

from __future__ import annotations

from typing import NamedTuple


class Rows(NamedTuple):
    """A contiguous range of rows of one pool, valid for one generation."""

    start: int
    stop: int
    generation: int

    @property
    def size(self) -> int:
        return self.stop - self.start

    @property
    def slice(self) -> slice:  # noqa: A003 - reads as `column[rows.slice]`, which is what it is for
        return slice(self.start, self.stop)
