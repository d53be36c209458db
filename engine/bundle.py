"""Bundles: many arrays and numbers as one argument of a kernel.

A kernel that takes `segments` and reads `segments.position` says what it works on; one that takes thirty arrays does not.
`Bundle` holds the columns of a pool, `packed` a named tuple of arrays, numbers and further named tuples. To compiled code
both are the address of a small table (`table_type`): a call costs the same for three fields and for thirty, where numba
would take a tuple apart at every call, and refuses tuples of tuples in parallel loops.

Kernels take what they need into local names once per creature, and must not return such an array to Python.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numba.extending import typeof_impl

from .table_type import NUMBER, RECORD, Field, TableType, words_of

Record = TypeVar("Record", bound=NamedTuple)

_TYPES: dict[tuple[Field, ...], TableType] = {}


def table_type(fields: tuple[Field, ...]) -> TableType:
    """The one type of all tables with these fields."""
    if fields not in _TYPES:
        _TYPES[fields] = TableType(fields)
    return _TYPES[fields]


class Bundle:
    """The columns of one pool as they are now; a pool that grows makes a new one.

    Example::

        move(rows, segments.bundle, dt)      # in the kernel: position, velocity = segments.position, segments.velocity
    """

    __slots__ = ("_address", "_arrays", "_numba_type_", "_table")

    def __init__(self, kind: TableType, arrays: list[Any]) -> None:
        self._numba_type_, self._arrays = kind, arrays
        self._table = np.array([len(arrays[0]) if arrays else 0, *map(_address_of, arrays)], np.int64)
        self._address = self._table.ctypes.data

    def __getattr__(self, name: str) -> Any:
        """The column itself, for code that is not compiled."""
        place = self._numba_type_.places.get(name)
        if place is None:
            raise AttributeError(name)
        return self._arrays[place - 1]


class Packed:
    """A named tuple of which compiled code gets the address; to other code it has the same fields.

    Example::

        around = Packed(Around(solids, solid_hash, bounds))
        around.replace(solids=more, solid_hash=hash_solids(more))
        look_about(rows, around)
    """

    __slots__ = ("_address", "_numba_type_", "_record", "_table")

    def __init__(self, record: NamedTuple) -> None:
        (_, fields, _), words = _described("", record)
        self._numba_type_, self._record = table_type(fields), record
        self._table = np.array(words, np.int64)
        self._address = self._table.ctypes.data

    def replace(self, **changes: Any) -> None:
        """Exchange some fields for others of the same types."""
        kind = self._numba_type_
        for name, value in changes.items():
            field, words = _described(name, value)
            if kind.by_name.get(name) != field:
                raise TypeError(f"{name} is {field[1:]}, allowed is {kind.by_name.get(name, ('', 'no such field'))[1:]}")
            self._table[kind.places[name] : kind.places[name] + words_of(field)] = words
        self._record = self._record._replace(**changes)

    def __getattr__(self, name: str) -> Any:
        """A field, for code that is not compiled."""
        return getattr(self._record, name)


def packed(record: Record) -> Record:
    """The same record for kernels, which get the address of a table instead of all fields.

    Example::

        class View(NamedTuple):
            scale: float
            elevation: Array

        draw(packed(View(18.0, np.zeros((64, 64)))))      # in the kernel: view.scale, view.elevation[j, i]
    """
    return cast(Record, Packed(record))


def _described(name: str, value: Any) -> tuple[Field, list[int]]:
    """What the compiler has to know of a field, and its words in the table."""
    if isinstance(value, np.ndarray):
        if not value.flags.c_contiguous:
            raise ValueError(f"{name}: an array whose rows lie behind each other is needed; use np.ascontiguousarray")
        return (name, value.dtype.str, value.ndim), [_address_of(value), *value.shape]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        inner = [_described(*item) for item in zip(value._fields, value, strict=True)]
        return (name, tuple(field for field, _ in inner), RECORD), [word for _, words in inner for word in words]
    if isinstance(value, (bool, np.bool_)):
        return (name, "|b1", NUMBER), [int(value)]
    if isinstance(value, (int, np.integer)):
        return (name, "<i8", NUMBER), [int(value)]
    if isinstance(value, np.float32):
        return (name, "<f4", NUMBER), [int(value.view(np.int32))]
    if isinstance(value, (float, np.floating)):
        return (name, "<f8", NUMBER), [int(np.float64(value).view(np.int64))]
    raise TypeError(f"{name}: a packed record holds arrays, numbers and named tuples of them, not {type(value).__name__}")


def _address_of(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


@typeof_impl.register(Bundle)
@typeof_impl.register(Packed)
def _typeof_table(value: Any, _context: Any) -> TableType:
    kind: TableType = value._numba_type_  # noqa: SLF001 - numba's own name for it
    return kind
