"""Pools: one structure-of-arrays table per part kind, and the rows a creature owns in it.

Rows of one creature are contiguous and never move while it lives. Kernels take a pool as one argument, and ``spans``, an
int32 array of (start, count) sorted by start, so they meet living rows only. Row numbers are not names: a `Rows`
carries the generation of its first row, and using it after release raises instead of reading the data of another owner.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from typing import Any, ClassVar, Self
from weakref import WeakSet

import numpy as np
import numpy.typing as npt
from numba.extending import typeof_impl

from .bundle import column_table, table_type, typeof_table
from .column import Column as Column
from .column import MovedFrom as MovedFrom
from .column import column as column
from .column_rules import ENDLESS, SERIAL
from .errors import StaleHandleError
from .pool_kernel import any_not_finite, blank_rows, close_rows, first_bad_column, open_rows
from .rows import Rows as Rows
from .table_type import TableType

Array = npt.NDArray[Any]

FIRST_CAPACITY = 64
"""Rows allocated at first; doubling from there keeps growth cheap and rare."""

NO_OWNER = -1

CACHE_LINE = 64
"""Bytes; every column begins on a boundary of this, as if it had been allocated alone."""


class Pool:
    """Named numpy columns of equal length with claim and release of contiguous rows.

    Subclass it only to declare columns. ``owner`` holds the serial number of the creature each row belongs to. A kernel
    that is handed a pool reads its columns by the same names; it gets the address of a table that says where they are.

    Example::

        pool = LegPool()
        rows = pool.claim(34, owner=7)
        pool.tip[rows.slice] = 0.0
        move(pool.spans, pool)      # in the kernel: tip = legs.tip
        pool.release(rows)
    """

    columns: ClassVar[dict[str, Column]] = {}
    fixed_names: ClassVar[tuple[str, ...]] = ()
    """Those that no system writes in its tick."""
    blank: ClassVar[Array] = np.zeros(0, np.uint8)
    """The bytes of one fresh row, column after column."""
    _row_bytes: ClassVar[list[int]] = []
    """Of each column."""
    _fresh_begins: ClassVar[Array] = np.zeros(0, np.int64)
    """Where each column begins in `blank`; -1 where a fresh row is all zeros."""
    _numba_type_: ClassVar[TableType]
    """What compiled code knows of the columns, under the name that numba looks for."""
    format: ClassVar[int] = 1
    """Counts up when columns come, go or change their meaning; a save holds it."""
    aligned: ClassVar[bool] = False
    """True for tables with exactly one row per creature that use the creature's own row number: kernels then index
    all per-creature columns, whichever pool they are in, with one number. They are always as large as `CreaturePool`."""
    beside: ClassVar[str | None] = None
    """The pool whose row numbers this one uses: its owners have the same rows in both, and it is always as large as that
    one, so kernels index both with one number. Of aligned pools it is `CreaturePool`."""
    single: ClassVar[bool] = False
    """True for tables in which every owner has one row; aligned ones are."""
    packed: ClassVar[bool] = False
    """True for tables of which no row is ever given back."""
    most_rows: ClassVar[int | None] = None
    """How many there may be, if something else is only as wide."""

    owner: Array = column(np.int64, fill=NO_OWNER, holds=SERIAL)

    def __init_subclass__(cls) -> None:
        inherited = {**Pool.__dict__, **cls.__dict__}
        cls.columns = {name: value for name, value in inherited.items() if isinstance(value, Column)}
        cls.fixed_names = tuple(name for name, declared in cls.columns.items() if declared.fixed)
        if cls.aligned:
            cls.beside = "CreaturePool"
        fresh = [np.full(declared.shape, declared.fill, declared.dtype) for declared in cls.columns.values()]
        cls.blank = np.concatenate([values.reshape(-1).view(np.uint8) for values in fresh])
        cls._row_bytes = [values.nbytes for values in fresh]
        cls._fresh_begins = np.cumsum([0, *cls._row_bytes])[:-1]
        cls._fresh_begins[[not declared.fill for declared in cls.columns.values()]] = -1
        cls._numba_type_ = table_type(tuple((name, np.dtype(c.dtype).str, c.shape) for name, c in cls.columns.items()))

    def __init__(self, capacity: int = FIRST_CAPACITY) -> None:
        self.capacity = 0
        self.version = 0  # changes with every claim and release, so that derived tables know when they are old
        self.end = 0  # rows at and above `end` were never claimed or are all free
        self._free: list[tuple[int, int]] = []  # (start, stop) below `end`, sorted, never touching each other
        self._generation = np.zeros(0, dtype=np.int64)
        self._spans = np.zeros((0, 2), dtype=np.int32)
        self._span_count = 0
        self._first_rows: Array | None = None
        self._followers: WeakSet[Pool] = WeakSet()  # weak: a mod that fails takes its pools along
        self._grow(capacity)

    @property
    def spans(self) -> Array:
        """(n, 2) int32: first row and row count of every living owner, sorted by first row."""
        return self._spans[: self._span_count]

    @property
    def first_rows(self) -> Array:
        """(n,) int32: the first row of every living owner, ascending. One array until the next claim or release: for
        kernels that list what they work on, and not to be written to."""
        if self._first_rows is None:
            self._first_rows = np.ascontiguousarray(self.spans[:, 0])
        return self._first_rows

    @property
    def bundle(self) -> Self:
        """The pool itself, which kernels take. Another name for it, for mods that were written when they did not."""
        return self

    def claim(self, count: int, owner: int, at: int | None = None) -> Rows:
        """Take `count` contiguous rows, first fit, reset to their fill values. A pool beside another is told where."""
        self.version += 1
        self._first_rows = None
        start = self._take(count) if at is None else self._take_at(at, count)
        if not count:
            return Rows(start, start, 0)
        open_rows(self._storage, self._layout, self.blank, self._spans, self._span_count, start, count)
        self._span_count += 1
        self.owner[start : start + count] = owner
        return Rows(start, start + count, int(self._generation[start]))

    def release(self, rows: Rows) -> None:
        """Give rows back. Handles that still name them raise from now on."""
        if not rows.size:
            return
        self.check(rows)
        self.version += 1
        self._first_rows = None
        close_rows(self.owner, NO_OWNER, self._generation, self._spans, self._span_count, rows.start, rows.size)
        self._span_count -= 1
        if self.beside:  # other systems may look up a row that has no owner in this pool: it is as good as new
            blank_rows(self._storage, self._layout, self.blank, rows.start, rows.size)
            self.end = int(self.spans[-1].sum()) if self._span_count else 0
        else:
            self._give_back(rows.start, rows.stop)

    def reserve(self, capacity: int) -> None:
        """Make room for so many rows in all; content and row numbers stay."""
        if capacity > self.capacity:
            self._grow(capacity)

    def lead(self, follower: Pool) -> None:
        """Keep another pool, which uses the row numbers of this one, as large as this one from now on."""
        self._followers.add(follower)
        follower.reserve(self.capacity)

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
                f"this handle is stale: what it stood for has left the world, and rows {rows.start}..{rows.stop - 1} of "
                f"{type(self).__name__} may belong to another one. Check `creature.in_world` or `thing.exists` first."
            )

    def view(self, rows: Rows, name: str) -> Array:
        """A read-only view of one column for these rows, valid until the next step."""
        self.check(rows)
        view: Array = getattr(self, name)[rows.start : rows.stop]
        view.flags.writeable = False
        return view

    def first_bad_column(self, rows: Rows) -> str | None:
        """The name of a float column that holds NaN or infinity in these rows, or None."""
        for numbers, layout, names in self._floats:
            bad = first_bad_column(numbers, layout, rows.start, rows.size)
            if bad >= 0:
                return names[bad]
        return None

    def is_sound(self, start: int, stop: int) -> bool:
        """Whether no NaN or infinity is in the float columns of rows [start, stop), used or not.

        Columns that may be infinite (`ENDLESS`) are passed over.
        """
        return not any(any_not_finite(bits, infinite, layout, start, stop) for bits, infinite, layout in self._sound_checks)

    def unsound(self, start: int, stop: int) -> Iterator[tuple[int, str]]:
        """Owners and columns of which something in rows [start, stop) is not finite, each owner once."""
        named: set[int] = set()
        for name in self._checked_names():
            values = getattr(self, name)[start:stop]
            bad = ~np.isfinite(values.reshape(len(values), -1)).all(axis=1)
            for owner in np.unique(self.owner[start:stop][bad]).tolist():
                if owner != NO_OWNER and owner not in named:
                    named.add(owner)
                    yield owner, name

    def make_finite(self, rows: Rows) -> None:
        """Put 0 wherever these rows hold NaN or infinity."""
        for name in self._checked_names():
            values = getattr(self, name)[rows.slice]
            values[~np.isfinite(values)] = 0.0

    @classmethod
    @cache
    def _checked_names(cls) -> tuple[str, ...]:
        return tuple(name for name, c in cls.columns.items() if np.dtype(c.dtype).kind == "f" and c.holds is not ENDLESS)

    def moving_names(self) -> tuple[str, ...]:
        """The float columns that systems write in their ticks and that are always finite."""
        return tuple(name for name in self._checked_names() if not self.columns[name].fixed)

    def float_columns(self, names: tuple[str, ...]) -> list[tuple[Array, Any, Array]]:
        """For each width of floats: the storage as whole numbers, the bits of infinity, and where the columns begin."""
        checks: list[tuple[Array, Any, Array]] = []
        for kind, whole in ((np.float64, np.int64), (np.float32, np.int32)):
            chosen = self._places_of(np.dtype(kind).char, names)
            if chosen:
                infinite = np.array([np.inf], kind).view(whole)[0]
                layout = np.ascontiguousarray(self._layout[chosen, :2] // np.dtype(kind).itemsize)
                checks.append((self._storage.view(whole), infinite, layout))
        return checks

    @classmethod
    @cache
    def _places_of(cls, kind: str, names: tuple[str, ...]) -> list[int]:
        """Where those of these columns are that hold this kind of numbers, counted in columns."""
        return [place for place, (name, declared) in enumerate(cls.columns.items())
                if name in names and np.dtype(declared.dtype).char == kind]  # fmt: skip

    def live(self, name: str) -> Array:
        """A copy of one column with the living rows only, in row order."""
        values: Array = getattr(self, name)[: self.end][self.owner[: self.end] != NO_OWNER]
        return values

    def in_memory(self) -> tuple[Array, Array, Array]:
        """All of it as it lies in memory: columns, generations and spans, used or not. For copies that are put back."""
        return self._storage, self._generation, self._spans

    def in_words(self) -> Array:
        """All columns, used or not, as whole numbers: two pools are compared fastest so."""
        return self._storage.view(np.int64)

    def arrays(self) -> Iterator[tuple[str, Array]]:
        """Everything needed to rebuild the pool: columns up to `end`, generations and spans."""
        for name in self.columns:
            yield name, getattr(self, name)[: self.end]
        yield "generation", self._generation
        yield "spans", self.spans

    def restore(self, arrays: dict[str, Array]) -> None:
        """Replace the whole content by what `arrays` yielded elsewhere."""
        generation, spans = arrays["generation"], arrays["spans"]
        self._first_rows = None
        room = max(len(generation), FIRST_CAPACITY, self.capacity)
        untouched = self.version == 0 and room == self.capacity
        self.version += 1
        self.end = len(arrays["owner"])
        if not untouched:
            self.capacity, self._span_count = 0, 0
            self._grow(room)
        self._generation[: len(generation)] = generation
        self._span_count = len(spans)
        self._spans[: len(spans)] = spans
        for name in self.columns:
            getattr(self, name)[: self.end] = arrays[name]
        for start, stop in self._gaps():  # rows without an owner are as good as new
            blank_rows(self._storage, self._layout, self.blank, start, stop - start)
        self._free = [] if self.beside else self._gaps()

    def set_aside(self, spans: Array) -> None:
        """Let nobody claim these rows, which have no owner now: it will come back to them."""
        if self.beside:
            return  # its rows are those of another pool
        self._free = self._gaps(spans)
        self.reserve(max(self.end, *spans.sum(axis=1).tolist()))
        self.end = max(self.end, *spans.sum(axis=1).tolist())

    def _gaps(self, aside: Array | None = None) -> list[tuple[int, int]]:
        gaps, position = [], 0
        taken: list[tuple[int, int]] = [*self.spans.tolist(), *([] if aside is None else aside.tolist())]
        for start, count in sorted(taken):
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
        self.reserve(start + count)
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

    def _grow(self, capacity: int) -> None:
        """Lay all columns out in one new block of memory and move the content there."""
        before = {name: getattr(self, name) for name in self.columns} if self.capacity else {}
        lengths = [-(-capacity * size // CACHE_LINE) * CACHE_LINE for size in self._row_bytes]
        begins = np.cumsum([0, *lengths])
        block = np.zeros(int(begins[-1]) + CACHE_LINE, np.uint8)
        self._storage = block[-block.ctypes.data % CACHE_LINE :][: begins[-1]]
        self._layout = np.column_stack([begins[:-1], self._row_bytes, self._fresh_begins]).astype(np.int64)
        for (name, declared), begin in zip(self.columns.items(), begins.tolist(), strict=False):
            values: Array = np.ndarray((capacity, *declared.shape), declared.dtype, self._storage.data, begin)
            if declared.fill:
                values[:] = declared.fill
            if before:
                values[: self.capacity] = before[name]
            setattr(self, name, values)
        floats = [self._float_layout(kind) for kind in (np.float64, np.float32)]
        self._floats = [item for item in floats if item[2]]
        self._sound_checks = self.float_columns(self._checked_names())
        self._generation = np.concatenate([self._generation[: self.capacity], np.zeros(capacity - self.capacity, np.int64)])
        spans = np.zeros((capacity, 2), dtype=np.int32)  # an owner has at least one row
        spans[: self._span_count] = self.spans
        self._spans, self.capacity = spans, capacity
        # Read at every call of a kernel: attributes, because a property would cost more than all the rest of handing over.
        self._table = column_table([getattr(self, name) for name in self.columns])
        self._address = self._table.ctypes.data
        for follower in self._followers:
            follower.reserve(capacity)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """A copy by `copy` or `pickle` would have the address of this pool's columns beside columns of its own."""
        raise TypeError("pools are not copied: make a new one and `restore` what `arrays` yields")

    def _float_layout(self, kind: type[np.floating[Any]]) -> tuple[Array, Array, list[str]]:
        """The storage as numbers of one floating-point type, and which of its columns are of that type."""
        names = list(self.columns)
        chosen = self._places_of(np.dtype(kind).char, tuple(names))
        layout = self._layout[chosen, :2] // np.dtype(kind).itemsize
        return self._storage.view(kind), layout, [names[place] for place in chosen]


typeof_impl.register(Pool, typeof_table)


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
