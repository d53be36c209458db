"""Bundles: all columns of a pool as one argument of a kernel.

A kernel that takes `segments` and reads `segments.position` says what it works on; one that takes thirty arrays does not.
To compiled code a bundle is the address of a small table: how many rows there are, and where each column begins. A column
taken from it is an ordinary array whose inner shape is known to the compiler. It is borrowed: no reference is counted,
because the pool's block outlives every call, and so threads never meet at a counter.

Kernels take what they need into local names once per creature and must not return such an array to Python.
"""

from __future__ import annotations

from typing import Any

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

Fields = tuple[tuple[str, str, tuple[int, ...]], ...]
"""Per column: its name, its dtype as text, and the shape of one row."""

ROW_COUNT = 0
"""Place of the number of rows in the table; the columns' addresses follow."""


class BundleType(types.Type):
    """What the compiler knows of a bundle: names, types and row shapes of its columns."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields
        self.places = {name: place for place, (name, _, _) in enumerate(fields, start=ROW_COUNT + 1)}
        self.columns = {
            name: types.Array(from_dtype(np.dtype(dtype)), 1 + len(shape), "C") for name, dtype, shape in fields
        }
        self.shapes = {name: shape for name, _, shape in fields}
        super().__init__(name=f"Bundle({', '.join(f'{name}:{dtype}{list(shape)}' for name, dtype, shape in fields)})")


class Bundle:
    """The columns of one pool as they are now; a pool that grows makes a new one."""

    __slots__ = ("_address", "_arrays", "_numba_type_", "_table")

    def __init__(self, kind: BundleType, arrays: list[Any]) -> None:
        self._numba_type_, self._arrays = kind, arrays
        rows = len(arrays[0]) if arrays else 0
        self._table = np.array([rows, *(array.ctypes.data for array in arrays)], np.intp)
        self._address = self._table.ctypes.data

    def __getattr__(self, name: str) -> Any:
        """The column itself, for code that is not compiled."""
        try:
            return self._arrays[self._numba_type_.places[name] - 1]
        except KeyError:
            raise AttributeError(name) from None


@typeof_impl.register(Bundle)
def _typeof_bundle(value: Bundle, _context: Any) -> BundleType:
    return value._numba_type_


@register_model(BundleType)
class _BundleModel(models.PrimitiveModel):
    """One machine word: the address of the table."""

    def __init__(self, manager: Any, kind: BundleType) -> None:
        super().__init__(manager, kind, cgutils.voidptr_t)


@unbox(BundleType)
def _unbox_bundle(_kind: BundleType, value: Any, c: Any) -> NativeValue:
    number = c.pyapi.object_getattr_string(value, "_address")
    address = c.pyapi.long_as_voidptr(number)
    c.pyapi.decref(number)
    return NativeValue(address, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@infer_getattr
class _BundleColumns(AttributeTemplate):
    key = BundleType

    def generic_resolve(self, kind: BundleType, name: str) -> Any:  # type: ignore[override]
        return kind.columns.get(name)


@lower_getattr_generic(BundleType)
def _take_column(context: Any, builder: Any, kind: BundleType, address: Any, name: str) -> Any:
    word = context.get_value_type(types.intp)
    table = builder.bitcast(address, word.as_pointer())
    count = builder.load(cgutils.gep_inbounds(builder, table, ROW_COUNT))
    column = kind.columns[name]
    place = builder.load(cgutils.gep_inbounds(builder, table, kind.places[name]))
    array = make_array(column)(context, builder)
    itemsize = context.get_abi_sizeof(context.get_data_type(column.dtype))
    inner = kind.shapes[name]
    strides = [itemsize * int(np.prod(inner[axis:], dtype=np.int64)) for axis in range(len(inner) + 1)]
    populate_array(
        array, data=builder.inttoptr(place, array.data.type), shape=[count, *(word(size) for size in inner)],
        strides=[word(stride) for stride in strides], itemsize=word(itemsize), meminfo=None,
    )  # fmt: skip
    return array._getvalue()  # noqa: SLF001 - how every lowering of numba ends
