"""Bundles: many arrays and numbers as one argument of a kernel.

A kernel that takes `segments` and reads `segments.position` says what it works on; one that takes thirty arrays does not.
A pool is handed over as it is, and `packed` makes the same of a named tuple of arrays, numbers and further named tuples. To
compiled code both are the address of a small table (`table_type`): a call costs the same for three fields and for thirty,
where numba would take a tuple apart at every call, and refuses tuples of tuples in parallel loops.

Kernels take what they need into local names once per creature, and must not return such an array to Python.
"""

from __future__ import annotations

import struct
from ctypes import addressof, c_char
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
import numpy.typing as npt
from numba.extending import typeof_impl

from .table_type import NUMBER, RECORD, Field, TableType

Record = TypeVar("Record", bound=NamedTuple)

_TYPES: dict[tuple[Field, ...], TableType] = {}


def table_type(fields: tuple[Field, ...]) -> TableType:
    """The one type of all tables with these fields."""
    if fields not in _TYPES:
        _TYPES[fields] = TableType(fields)
    return _TYPES[fields]


def column_table(arrays: list[Any]) -> npt.NDArray[np.int64]:
    """What compiled code reads of columns: how many rows there are, then where each column begins. It keeps none alive."""
    return np.array([len(arrays[0]) if arrays else 0, *map(_address_of, arrays)], np.int64)


class Packed:
    """A named tuple of which compiled code gets the address; to other code it has the same fields.

    What lives for many ticks is packed once, and then told what has changed: that costs a fifth of packing it anew. Make
    one with `packed`, which says that it is the record: then a type checker knows the fields.
    """

    __slots__ = ("_address", "_kind", "_numba_type_", "_places", "_table", "_values")

    def __init__(self, record: NamedTuple) -> None:
        plan = _PLANS.get(type(record))  # most likely fields are as they were the last time
        table = None if plan is None else plan.whole.written(record)
        if plan is None or table is None:
            plan = _PLANS[type(record)] = _planned(record)
            table = plan.whole.written(record)
        assert table is not None  # the plan was made for it
        self._numba_type_, self._places, self._table = plan.kind, plan.places, bytearray(table)
        self._kind: Any = type(record)
        self._values = dict(zip(record._fields, record, strict=True))  # keeps the arrays alive, too
        self._address = addressof(c_char.from_buffer(self._table))

    def replace(self, **changes: Any) -> None:
        """Exchange some fields for others of the same types; what is in the table already costs next to nothing."""
        values = self._values
        for name, value in changes.items():
            if name in values and value is values[name]:
                continue
            place = self._places.get(name)
            words = None if place is None else place.written((value,))
            if place is None or words is None:
                place, words = self._refused_or_odd(name, value)
            self._table[place.start : place.start + len(words)] = words
            values[name] = value

    def _refused_or_odd(self, name: str, value: Any) -> tuple[_Form, bytes]:
        """An error for what the field cannot hold. numpy has two names for some dtypes: with the other one it can."""
        allowed, field = self._numba_type_.by_name.get(name, ("", "no such field")), _field(name, value)
        if allowed != field:
            raise TypeError(f"{name} is {field[1:]}, allowed is {allowed[1:]}")
        form = _form_of((value,), self._places[name].start)
        words = form.written((value,))
        assert words is not None  # the form was made for it
        return form, words

    def __getattr__(self, name: str) -> Any:
        """A field, for code that is not compiled."""
        if name in self._values:
            return self._values[name]
        return getattr(self._kind(**self._values), name)  # what named tuples can do, such as `_replace`


class _Form(NamedTuple):
    """How some values are written down, the numbers and arrays of records within them one after the other."""

    start: int
    """Byte of the table."""
    form: struct.Struct
    arrays: tuple[tuple[str, int] | None, ...]
    """Per number or array the letter of its dtype and its axes; None for a number."""
    nested: bool

    def written(self, values: Any) -> bytes | None:
        """The words of these values, or None if they are not of this form."""
        leaves = _leaves(values) if self.nested else values
        if len(leaves) != len(self.arrays):
            return None
        words: list[Any] = []
        for value, planned in zip(leaves, self.arrays, strict=True):
            if planned is None:
                words.append(value)
            elif isinstance(value, np.ndarray) and (value.dtype.char, value.ndim) == planned and value.flags.c_contiguous:
                words.append(_address_of(value))
                words += value.shape
            else:
                return None
        try:
            return self.form.pack(*words)
        except struct.error:
            return None


class _Plan(NamedTuple):
    """How records of one kind are written down; made once, because records are packed many times in a frame."""

    kind: TableType
    whole: _Form
    places: dict[str, _Form]
    """Of each field."""


_PLANS: dict[type, _Plan] = {}
_NUMBERS: dict[type, tuple[str, str]] = {
    **dict.fromkeys((bool, np.bool_), ("|b1", "q")),
    **dict.fromkeys((int, np.int32, np.int64), ("<i8", "q")),
    np.float32: ("<f4", "f4x"),
    **dict.fromkeys((float, np.float64), ("<f8", "d")),
}
"""How single numbers are stored: the dtype that kernels see, and the code of `struct` for eight bytes."""


def packed(record: Record) -> Record:
    """The same record for kernels, which get the address of a table instead of all fields.

    Example::

        class View(NamedTuple):
            scale: float
            elevation: Array

        draw(packed(View(18.0, np.zeros((64, 64)))))      # in the kernel: view.scale, view.elevation[j, i]
    """
    return cast(Record, Packed(record))


def write_fields(record: NamedTuple, **changes: Any) -> None:
    """`Packed.replace`, for what `packed` has made: to a type checker that is the record itself.

    Example::

        write_fields(around, solids=more, solid_hash=hash_solids(more))
    """
    cast(Packed, record).replace(**changes)


def repacked(before: Record | None, record: Record) -> Record:
    """`packed`, in the table that was made of the record before, where there is one: only what is new is written.

    The caller keeps what it returns, and nothing else writes into that.

    Example::

        self._view = repacked(self._view, View(scale, elevation))
    """
    if before is None:
        return packed(record)
    try:
        write_fields(before, **record._asdict())
    except (TypeError, ValueError):  # its fields are of other types now: that needs a table of its own
        return packed(record)
    return before


def _is_record(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields")


def _planned(record: NamedTuple) -> _Plan:
    """How to write down a record and what the compiler has to know of it."""
    kind = table_type(tuple(_field(name, value) for name, value in zip(record._fields, record, strict=True)))
    named = zip(record._fields, record, strict=True)
    return _Plan(kind, _form_of(record), {name: _form_of((value,), 8 * kind.places[name]) for name, value in named})


def _field(name: str, value: Any) -> Field:
    """What the compiler has to know of a field."""
    if isinstance(value, np.ndarray):
        if not value.flags.c_contiguous:
            raise ValueError(f"{name}: an array whose rows lie behind each other is needed; use np.ascontiguousarray")
        return name, value.dtype.str, value.ndim
    if _is_record(value):
        return name, tuple(_field(*item) for item in zip(value._fields, value, strict=True)), RECORD
    if type(value) not in _NUMBERS:
        raise TypeError(f"{name}: a packed record holds arrays, numbers and named tuples, not {type(value).__name__}")
    return name, _NUMBERS[type(value)][0], NUMBER


def _form_of(values: Any, start: int = 0) -> _Form:
    """How to write values like these from a byte of a table on."""
    leaves = _leaves(values)
    arrays = tuple((leaf.dtype.char, leaf.ndim) if isinstance(leaf, np.ndarray) else None for leaf in leaves)
    form = struct.Struct("=" + "".join(map(_letters, leaves)))
    return _Form(start, form, arrays, any(map(_is_record, values)))


def _letters(leaf: Any) -> str:
    """The code of `struct`: one word for a number, an address and a shape for an array."""
    return "q" * (1 + leaf.ndim) if isinstance(leaf, np.ndarray) else _NUMBERS[type(leaf)][1]


def _leaves(record: Any) -> list[Any]:
    """All numbers and arrays of a record and of the records within, in order."""
    return [leaf for value in record for leaf in (_leaves(value) if _is_record(value) else (value,))]


def _address_of(array: Any) -> int:
    """Where an array begins: the short way where there is anything to write to, which takes a fifth of the time."""
    if not array.size:
        return 0
    return addressof(c_char.from_buffer(array)) if array.flags.writeable else int(array.ctypes.data)


@typeof_impl.register(Packed)
def typeof_table(value: Any, _context: Any) -> TableType:
    """What numba asks for when a table is handed to a kernel that has not seen one of its kind."""
    kind: TableType = value._numba_type_  # noqa: SLF001 - numba's own name for it
    return kind
