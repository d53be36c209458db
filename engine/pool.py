"""Pools: one structure-of-arrays table per part kind, and the rows a creature owns in it.

Rows of one creature are contiguous and never move while it lives. Kernels get whole columns plus ``spans``, an
int32 array of (start, count) sorted by start, so they meet living rows only. Row numbers are not names: a `Rows`
carries the generation of its first row, and using it after release raises instead of reading somebody else's data.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from .errors import StaleHandleError

Array = npt.NDArray[Any]

FIRST_CAPACITY = 64
"""Rows allocated at first; doubling from there keeps growth cheap and rare."""

NO_OWNER = -1


@cache
def _zeros(size: int) -> Array:
    return np.zeros(size)


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


class Column(NamedTuple):
    """The declaration of one column: its type, the shape of one row and the value a fresh row starts with."""

    dtype: npt.DTypeLike
    shape: tuple[int, ...]
    fill: float


def column(dtype: npt.DTypeLike, *shape: int, fill: float = 0) -> Any:
    """Declare a column in the body of a `Pool` subclass; on instances the name holds the array itself.

    Example::

        class LegPool(Pool):
            segment_row = column(np.int32)
            tip = column(np.float64, 3)
    """
    return Column(dtype, shape, fill)


class Pool:
    """Named numpy columns of equal length with claim and release of contiguous rows.

    Subclass it only to declare columns. ``owner`` holds the serial number of the creature each row belongs to.

    Example::

        pool = LegPool()
        rows = pool.claim(34, owner=7)
        pool.tip[rows.slice] = 0.0
        pool.release(rows)
    """

    columns: ClassVar[dict[str, Column]] = {}
    float_columns: ClassVar[tuple[str, ...]] = ()
    fills: ClassVar[tuple[tuple[str, float], ...]] = ()
    aligned: ClassVar[bool] = False
    """True for tables with exactly one row per creature that use the creature's own row number: kernels then index
    all per-creature columns, whichever pool they are in, with one number."""

    owner: Array = column(np.int64, fill=NO_OWNER)

    def __init_subclass__(cls) -> None:
        inherited = {**Pool.__dict__, **cls.__dict__}
        cls.columns = {name: value for name, value in inherited.items() if isinstance(value, Column)}
        cls.fills = tuple((name, declared.fill) for name, declared in cls.columns.items())
        cls.float_columns = tuple(n for n, c in cls.columns.items() if np.issubdtype(c.dtype, np.floating))

    def __init__(self, capacity: int = FIRST_CAPACITY) -> None:
        self.capacity = 0
        self.version = 0  # changes with every claim and release, so that derived tables know when they are old
        self.end = 0  # rows at and above `end` were never claimed or are all free
        self._free: list[tuple[int, int]] = []  # (start, stop) below `end`, sorted, never touching each other
        self._generation = np.zeros(0, dtype=np.int64)
        self._spans = np.zeros((0, 2), dtype=np.int32)
        self._span_count = 0
        self._grow(capacity)

    @property
    def spans(self) -> Array:
        """(n, 2) int32: first row and row count of every living owner, sorted by first row."""
        return self._spans[: self._span_count]

    @property
    def live_rows(self) -> int:
        """How many rows are claimed now."""
        return int(self.spans[:, 1].sum())

    def claim(self, count: int, owner: int, at: int | None = None) -> Rows:
        """Take `count` contiguous rows, first fit, reset to each column's fill value. Aligned pools are told where."""
        self.version += 1
        start = self._take(count) if at is None else self._take_at(at, count)
        stop = start + count
        columns = self.__dict__
        for name, fill in self.fills:
            columns[name][start:stop] = fill
        self.owner[start:stop] = owner
        if count:
            place = int(self.spans[:, 0].searchsorted(start))
            self._insert_span(place, start, count)
        return Rows(start, stop, int(self._generation[start]) if count else 0)

    def release(self, rows: Rows) -> None:
        """Give rows back. Handles that still name them raise from now on."""
        if not rows.size:
            return
        self.check(rows)
        self.version += 1
        self._generation[rows.start] += 1
        self.owner[rows.slice] = NO_OWNER
        place = int(self.spans[:, 0].searchsorted(rows.start))
        self._spans[place : self._span_count - 1] = self._spans[place + 1 : self._span_count]
        self._span_count -= 1
        if self.aligned:
            self.end = int(self.spans[-1].sum()) if self._span_count else 0
        else:
            self._give_back(rows.start, rows.stop)

    def is_current(self, rows: Rows) -> bool:
        """True while the rows belong to the owner they were claimed for."""
        return not rows.size or int(self._generation[rows.start]) == rows.generation

    def generation_of(self, row: int) -> int:
        """The generation that a `Rows` starting at this row needs to be current."""
        return int(self._generation[row])

    def check(self, rows: Rows) -> None:
        """Raise `StaleHandleError` unless the rows are current."""
        if not self.is_current(rows):
            raise StaleHandleError(
                f"this handle is stale: its creature has left the world, and rows {rows.start}..{rows.stop - 1} of "
                f"{type(self).__name__} may belong to another one. Check `creature.alive` before using a kept handle."
            )

    def view(self, rows: Rows, name: str) -> Array:
        """A read-only view of one column for these rows, valid until the next step."""
        self.check(rows)
        view: Array = getattr(self, name)[rows.start : rows.stop]
        view.flags.writeable = False
        return view

    def first_bad_column(self, rows: Rows) -> str | None:
        """The name of a float column that holds NaN or infinity in these rows, or None."""
        columns, start, stop = self.__dict__, rows.start, rows.stop
        pieces = [columns[name][start:stop].reshape(-1) for name in self.float_columns]
        everything = np.concatenate(pieces) if pieces else np.zeros(0)
        # Zero times anything finite is zero: one product is the cheapest test numpy has for a few rows of many columns.
        if everything.dot(_zeros(everything.size)) == 0.0:
            return None
        return next(name for name, piece in zip(self.float_columns, pieces, strict=True) if not np.isfinite(piece).all())

    def live(self, name: str) -> Array:
        """A copy of one column with the living rows only, in row order."""
        values: Array = getattr(self, name)[: self.end][self.owner[: self.end] != NO_OWNER]
        return values

    def arrays(self) -> Iterator[tuple[str, Array]]:
        """Everything needed to rebuild the pool: columns up to `end`, generations and spans."""
        for name in self.columns:
            yield name, getattr(self, name)[: self.end]
        yield "generation", self._generation
        yield "spans", self.spans

    def restore(self, arrays: dict[str, Array]) -> None:
        """Replace the whole content by what `arrays` yielded elsewhere."""
        generation, spans = arrays["generation"], arrays["spans"]
        self.version += 1
        self.capacity, self.end = 0, len(arrays["owner"])
        self._grow(max(len(generation), FIRST_CAPACITY))
        self._generation[: len(generation)] = generation
        self._span_count = len(spans)
        self._spans[: len(spans)] = spans
        for name in self.columns:
            getattr(self, name)[: self.end] = arrays[name]
        self._free = [] if self.aligned else self._gaps()

    def _gaps(self) -> list[tuple[int, int]]:
        gaps, position = [], 0
        for start, count in self.spans.tolist():
            if start > position:
                gaps.append((position, start))
            position = start + count
        return gaps

    def _take(self, count: int) -> int:
        for place, (start, stop) in enumerate(self._free):
            if stop - start >= count > 0:
                if stop - start == count:
                    del self._free[place]
                else:
                    self._free[place] = (start + count, stop)
                return start
        start = self.end
        if start + count > self.capacity:
            self._grow(max(2 * self.capacity, start + count))
        self.end += count
        return start

    def _take_at(self, start: int, count: int) -> int:
        if start + count > self.capacity:
            self._grow(max(2 * self.capacity, start + count))
        self.end = max(self.end, start + count)
        return start

    def _give_back(self, start: int, stop: int) -> None:
        place = bisect_left(self._free, (start, stop))
        if place < len(self._free) and self._free[place][0] == stop:
            stop = self._free.pop(place)[1]
        if place > 0 and self._free[place - 1][1] == start:
            place -= 1
            start = self._free.pop(place)[0]
        if stop == self.end:
            self.end = start
        else:
            self._free.insert(place, (start, stop))

    def _insert_span(self, place: int, start: int, count: int) -> None:
        if self._span_count == len(self._spans):
            self._spans = np.concatenate([self._spans, np.zeros_like(self._spans)])
        self._spans[place + 1 : self._span_count + 1] = self._spans[place : self._span_count].copy()
        self._spans[place] = (start, count)
        self._span_count += 1

    def _grow(self, capacity: int) -> None:
        for name, declared in self.columns.items():
            fresh = np.full((capacity, *declared.shape), declared.fill, dtype=declared.dtype)
            if self.capacity:
                fresh[: self.capacity] = getattr(self, name)
            setattr(self, name, fresh)
        self._generation = np.concatenate([self._generation[: self.capacity], np.zeros(capacity - self.capacity, np.int64)])
        if not len(self._spans) or not self.capacity:
            self._spans = np.zeros((capacity, 2), dtype=np.int32)
        self.capacity = capacity


class view:  # noqa: N801 - used like a field declaration
    """A property of a handle: the read-only slice of one pool column for the handle's rows.

    Example::

        class Legs:
            tip = view("tip", "(n, 3) world position of the foot")
    """

    def __init__(self, name: str, doc: str) -> None:
        self.name, self.__doc__ = name, doc

    def __get__(self, handle: Any, kind: type | None = None) -> Any:
        return self if handle is None else handle.pool.view(handle.rows, self.name)
