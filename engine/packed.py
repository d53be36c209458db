"""Packed records: several numbers and arrays that belong together as one argument of a kernel.

A kernel that takes `view` and `sheet` says what it works on; one that takes thirty numbers and arrays does not. Records are
declared as `NamedTuple`. Compiled code may take those as they are, but then every call copies every field: an array is up to
eleven words, and drawing 19,000 primitives took 40 % longer that way. Packed, a record is the address of a small table:
0.9 ms instead of 1.4 ms with loose arguments and 2.0 ms with tuples. Kernels read its fields by name, as in Python.

Arrays taken from a packed record are borrowed: no reference is counted, because the caller holds the record during the call.
A kernel must not return such an array to Python. Writing into them is fine, in parallel loops too; fields themselves cannot
be assigned. Kernels that make a record themselves make a plain tuple, which other kernels take just as well.
"""

from __future__ import annotations

import struct
from ctypes import addressof, c_char
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np.arrayobj import make_array, populate_array
from numba.np.numpy_support import from_dtype

Record = TypeVar("Record", bound=NamedTuple)
Field = tuple[str, str, int]
"""Name of a field, the letter of its dtype, and how many axes it has: NUMBER for a single number."""

NUMBER = -1
_NUMBERS: dict[type, tuple[str, str]] = {
    **dict.fromkeys((bool, np.bool_), ("?", "q")),
    **dict.fromkeys((int, np.int32, np.int64), ("q", "q")),
    np.float32: ("f", "f4x"),
}
"""How single numbers are stored: the dtype that kernels see, and the code of `struct`. All others are double precision."""
_KINDS: dict[tuple[Field, ...], PackedType] = {}
_PLANS: dict[type, _Plan] = {}


class PackedType(types.Type):
    """What the compiler knows of a packed record: names, types and places in the table of its fields."""

    def __init__(self, fields: tuple[Field, ...]) -> None:
        self.fields = fields
        self.places: dict[str, int] = {}
        self.kinds: dict[str, types.Type] = {}
        place = 0
        for name, dtype, axes in fields:
            number = from_dtype(np.dtype(dtype))
            self.places[name], self.kinds[name] = place, number if axes == NUMBER else types.Array(number, axes, "C")
            place += 1 if axes == NUMBER else 1 + axes  # an address and a shape
        said = (f"{name}:{np.dtype(dtype).str}:{axes}" for name, dtype, axes in fields)
        super().__init__(name=f"Packed({', '.join(said)})")


def packed(record: Record) -> Record:
    """The same record for kernels, which get the address of a table instead of all fields.

    Example::

        class View(NamedTuple):
            scale: float
            elevation: Array

        draw(packed(View(18.0, np.zeros((64, 64)))))      # in the kernel: view.scale, view.elevation[j, i]
    """
    return cast(Record, Packed(record))


class _Plan(NamedTuple):
    """How records of one kind are written down."""

    kind: PackedType
    form: struct.Struct
    arrays: tuple[tuple[str, int] | None, ...]
    """Per field the letter of its dtype and its axes, None for a number."""


class Packed:
    """A record of which compiled code gets the address; to other code it has the same fields."""

    __slots__ = ("_address", "_numba_type_", "_record", "_table")

    def __init__(self, record: NamedTuple) -> None:
        plan = _PLANS.get(type(record))  # most likely fields are as they were the last time
        table = None if plan is None else _written(record, plan)
        if plan is None or table is None:
            plan = _PLANS[type(record)] = _planned(record)
            table = _written(record, plan)
        assert table is not None  # the plan was made for it
        self._numba_type_, self._record, self._table = plan.kind, record, table
        self._address = addressof(c_char.from_buffer(table))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._record, name)


def _written(record: NamedTuple, plan: _Plan) -> bytearray | None:
    """The table of a record: its numbers, addresses and shapes of its arrays; None if they are not as planned."""
    words: list[Any] = []
    for value, planned in zip(record, plan.arrays, strict=True):
        if planned is None:
            words.append(value)
        elif isinstance(value, np.ndarray) and (value.dtype.char, value.ndim) == planned and value.flags.c_contiguous:
            words.append(_address_of(value))
            words += value.shape
        else:
            return None
    try:
        return bytearray(plan.form.pack(*words))
    except struct.error:
        return None


def _planned(record: NamedTuple) -> _Plan:
    """How to write down a record and what the compiler has to know of it."""
    fields: list[Field] = []
    form = "="
    for name, value in zip(record._fields, record, strict=True):
        if isinstance(value, np.ndarray):
            if not value.flags.c_contiguous:
                raise ValueError(f"{name}: rows of the array must lie behind each other; use np.ascontiguousarray")
            fields.append((name, value.dtype.char, value.ndim))
            form += "q" * (1 + value.ndim)
        else:
            kind, code = _NUMBERS.get(type(value), ("d", "d"))
            fields.append((name, kind, NUMBER))
            form += code
    key = tuple(fields)
    if key not in _KINDS:
        _KINDS[key] = PackedType(key)
    arrays = tuple(None if axes == NUMBER else (letter, axes) for _, letter, axes in fields)
    return _Plan(_KINDS[key], struct.Struct(form), arrays)


def _address_of(array: Any) -> int:
    """Where an array begins: the short way, which takes a fifth of the time, where there is anything to write to."""
    if not array.size:
        return 0
    return addressof(c_char.from_buffer(array)) if array.flags.writeable else int(array.ctypes.data)


@typeof_impl.register(Packed)
def _typeof_packed(value: Packed, _context: Any) -> PackedType:
    return value._numba_type_


@register_model(PackedType)
class _PackedModel(models.PrimitiveModel):
    """One machine word: the address of the table."""

    def __init__(self, manager: Any, kind: PackedType) -> None:
        super().__init__(manager, kind, cgutils.voidptr_t)


@unbox(PackedType)
def _unbox_packed(_kind: PackedType, value: Any, c: Any) -> NativeValue:
    number = c.pyapi.object_getattr_string(value, "_address")
    address = c.pyapi.long_as_voidptr(number)
    c.pyapi.decref(number)
    return NativeValue(address, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@infer_getattr
class _PackedFields(AttributeTemplate):
    key = PackedType

    def generic_resolve(self, kind: PackedType, name: str) -> Any:  # type: ignore[override]
        return kind.kinds.get(name)


@lower_getattr_generic(PackedType)
def _take_field(context: Any, builder: Any, kind: PackedType, address: Any, name: str) -> Any:
    word = context.get_value_type(types.int64)
    table = builder.bitcast(address, word.as_pointer())
    place, field = kind.places[name], kind.kinds[name]
    content = builder.load(cgutils.gep_inbounds(builder, table, place))
    if not isinstance(field, types.Array):
        return _number(context, builder, field, content)
    array = make_array(field)(context, builder)
    itemsize = word(context.get_abi_sizeof(context.get_data_type(field.dtype)))
    shape = [builder.load(cgutils.gep_inbounds(builder, table, place + 1 + axis)) for axis in range(field.ndim)]
    strides = [itemsize]
    for size in reversed(shape[1:]):
        strides.insert(0, builder.mul(size, strides[0]))
    populate_array(
        array, data=builder.inttoptr(content, array.data.type), shape=shape, strides=strides, itemsize=itemsize, meminfo=None
    )
    return array._getvalue()  # noqa: SLF001 - how every lowering of numba ends


def _number(context: Any, builder: Any, field: Any, content: Any) -> Any:
    """A single number from its word in the table."""
    if field == types.boolean:
        return builder.icmp_signed("!=", content, content.type(0))
    if field == types.float64:
        return builder.bitcast(content, context.get_value_type(field))
    if field == types.float32:
        half = builder.trunc(content, context.get_value_type(types.int32))
        return builder.bitcast(half, context.get_value_type(field))
    return content
