"""How compiled code sees a table of arrays and numbers: as one address, from which fields are read by name.

A bundle of a pool's columns and a packed record (see `bundle`) are both such tables. An array that is read from one is an
ordinary array, borrowed: no reference is counted, because the caller holds the table during the call, and so threads never
meet at a counter. What is written into it arrives, in parallel loops too. Fields themselves cannot be assigned, and a kernel
must not return a borrowed array to Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, lower_getattr_generic, models, register_model, unbox
from numba.np.arrayobj import make_array, populate_array
from numba.np.numpy_support import from_dtype

Field = tuple[str, Any, Any]
"""Name, and what it is: (dtype, row shape) of a column, (dtype, number of axes) of an array, (dtype, NUMBER) of a single
number, or (fields, RECORD) of a table within the table."""

NUMBER, RECORD = -1, -2
WORD = types.int64
ROW_COUNT = 0
"""The word of a table of columns that says how many rows there are; addresses of columns follow."""


def words_of(field: Field) -> int:
    """How many words of the table a field takes: an address, a number, or an address and a shape."""
    _, content, form = field
    if form == RECORD:
        return sum(words_of(inner) for inner in content)
    return 1 if form == NUMBER or isinstance(form, tuple) else 1 + int(form)


class TableType(types.Type):
    """What the compiler knows of a table: names, types and places of its fields."""

    def __init__(self, fields: tuple[Field, ...]) -> None:
        self.fields = fields
        self.by_name = {field[0]: field for field in fields}
        self.places: dict[str, int] = {}
        self.kinds: dict[str, Any] = {}
        place = ROW_COUNT + 1 if any(isinstance(form, tuple) for _, _, form in fields) else 0
        for field in fields:
            self.places[field[0]], self.kinds[field[0]] = place, _kind_of(field)
            place += words_of(field)
        super().__init__(name=f"Table({', '.join(f'{name}:{content}:{form}' for name, content, form in fields)})")


def _kind_of(field: Field) -> Any:
    _, content, form = field
    if form == RECORD:
        return TableType(content)
    number = from_dtype(np.dtype(content))
    if form == NUMBER:
        return number
    return types.Array(number, 1 + len(form) if isinstance(form, tuple) else form, "C")


@register_model(TableType)
class _TableModel(models.PrimitiveModel):
    """One machine word: the address of the table."""

    def __init__(self, manager: Any, kind: TableType) -> None:
        super().__init__(manager, kind, cgutils.voidptr_t)


@unbox(TableType)
def _unbox_table(_kind: TableType, value: Any, c: Any) -> NativeValue:
    number = c.pyapi.object_getattr_string(value, "_address")
    address = c.pyapi.long_as_voidptr(number)
    c.pyapi.decref(number)
    return NativeValue(address, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@infer_getattr
class _TableFields(AttributeTemplate):
    key = TableType

    def generic_resolve(self, kind: TableType, name: str) -> Any:  # type: ignore[override]
        return kind.kinds.get(name)


@lower_getattr_generic(TableType)
def _take_field(context: Any, builder: Any, kind: TableType, address: Any, name: str) -> Any:
    word = context.get_value_type(WORD)
    table = builder.bitcast(address, word.as_pointer())
    place, field, form = kind.places[name], kind.kinds[name], kind.by_name[name][2]
    if form == RECORD:
        return builder.bitcast(cgutils.gep_inbounds(builder, table, place), cgutils.voidptr_t)
    content = builder.load(cgutils.gep_inbounds(builder, table, place))
    if form == NUMBER:
        return _number(context, builder, field, content)
    if isinstance(form, tuple):  # a column: the inner shape is known now, which makes for shorter code
        rows = builder.load(cgutils.gep_inbounds(builder, table, ROW_COUNT))
        shape = [rows, *(word(size) for size in form)]
    else:
        shape = [builder.load(cgutils.gep_inbounds(builder, table, place + 1 + axis)) for axis in range(field.ndim)]
    itemsize = word(context.get_abi_sizeof(context.get_data_type(field.dtype)))
    strides = [itemsize]
    for size in reversed(shape[1:]):
        strides.insert(0, builder.mul(size, strides[0]))
    array = make_array(field)(context, builder)
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
