"""Packed tuples: a named tuple of arrays, numbers and further named tuples as one argument of a kernel.

numba's parallel loops take no tuple of tuples, and taking one apart costs a microsecond for every few arrays, at every
call. Packed, it is taken apart once: to compiled code it is the address of a table that says where each array begins and
how large it is. As with bundles, an array taken from it is borrowed (no reference is counted), kernels only read it and
must not return it to Python.
"""

# mypy: allow-untyped-defs
from __future__ import annotations

from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np.arrayobj import make_array, populate_array

from .kernel import kernel

WORD = types.intp


def words_of(kind: Any) -> int:
    """How many words of the table something needs: an array its address and shape, a number one."""
    if isinstance(kind, types.Array) and kind.layout == "C":
        return 1 + int(kind.ndim)
    if isinstance(kind, types.NamedTuple):
        return sum(words_of(inner) for inner in kind.types)
    if kind == types.float64:
        return 1
    raise TypeError(f"a packed tuple holds arrays without gaps, floats and named tuples of them, not {kind}")


class PackedType(types.Type):
    """What the compiler knows of a packed tuple: the tuple's own type, and where each field is in the table."""

    def __init__(self, content: Any) -> None:
        self.content = content
        self.kinds = dict(zip(content.fields, content.types, strict=True))
        *places, self.words = accumulate((words_of(kind) for kind in content.types), initial=0)
        self.places = dict(zip(content.fields, places, strict=True))
        super().__init__(name=f"Packed({content})")


class Packed:
    """A named tuple as kernels take it; Python reads the same names.

    Example::

        around = Packed(Around(solids, solid_hash, bounds))
        around.replace(solids=more, solid_hash=hash_solids(more))
        look_about(rows, around)
    """

    __slots__ = ("_address", "_fields", "_numba_type_", "_table")

    def __init__(self, content: NamedTuple) -> None:
        self._fields: dict[str, Any] = {}  # keeps the arrays alive
        self._numba_type_ = PackedType(typeof(content))
        self._table = np.zeros(self._numba_type_.words, np.intp)
        self._address = self._table.ctypes.data
        self.replace(**content._asdict())

    def replace(self, **changes: Any) -> None:
        """Exchange some fields for others of the same types."""
        for name, value in changes.items():
            write_field(self, self._numba_type_.places[name], value)
            self._fields[name] = value

    def __getattr__(self, name: str) -> Any:
        """A field, for code that is not compiled."""
        try:
            return self._fields[name]
        except KeyError:
            raise AttributeError(name) from None


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
    table = builder.bitcast(address, context.get_value_type(WORD).as_pointer())
    return _load(context, builder, kind.kinds[name], table, kind.places[name])


def _load(context: Any, builder: Any, kind: Any, table: Any, place: int) -> Any:
    """Code that reads a value of some type from its place in the table."""
    if isinstance(kind, types.NamedTuple):
        places = accumulate((words_of(inner) for inner in kind.types), initial=place)
        values = [_load(context, builder, inner, table, at) for inner, at in zip(kind.types, places, strict=False)]
        return context.make_tuple(builder, kind, values)
    if not isinstance(kind, types.Array):
        number = context.get_value_type(kind)
        return builder.load(builder.bitcast(cgutils.gep_inbounds(builder, table, place), number.as_pointer()))
    begin, *shape = (builder.load(cgutils.gep_inbounds(builder, table, place + k)) for k in range(1 + kind.ndim))
    array = make_array(kind)(context, builder)
    itemsize = context.get_constant(WORD, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    *strides, _ = accumulate([itemsize, *reversed(shape)], builder.mul)
    populate_array(
        array, data=builder.inttoptr(begin, array.data.type), shape=shape, strides=strides[::-1], itemsize=itemsize,
        meminfo=None,
    )  # fmt: skip
    return array._getvalue()  # noqa: SLF001 - how every lowering of numba ends


def _store(context: Any, builder: Any, kind: Any, value: Any, table: Any, place: int) -> None:
    """Code that writes a value of some type to its place in the table."""
    if isinstance(kind, types.NamedTuple):
        for k, inner in enumerate(kind.types):
            _store(context, builder, inner, builder.extract_value(value, k), table, place)
            place += words_of(inner)
        return
    word = context.get_value_type(WORD)
    if isinstance(kind, types.Array):
        array = make_array(kind)(context, builder, value)
        words = [builder.ptrtoint(array.data, word), *cgutils.unpack_tuple(builder, array.shape)]
    else:
        words = [builder.bitcast(value, word)]
    for k, item in enumerate(words):
        builder.store(item, cgutils.gep_inbounds(builder, table, place + k))


@intrinsic
def _store_words(_typing: Any, packed: Any, _place: Any, value: Any) -> Any:
    if value not in packed.kinds.values():
        raise TypeError(f"no field of {packed} is of type {value}")

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        table = builder.bitcast(arguments[0], context.get_value_type(WORD).as_pointer())
        _store(context, builder, value, arguments[2], builder.gep(table, [arguments[1]]), 0)
        return context.get_dummy_value()

    return types.void(packed, WORD, value), generate


@kernel()
def write_field(packed, place, value):
    """Write where the arrays of a value are, how large they are, and its numbers, into a table."""
    _store_words(packed, place, value)  # type: ignore[call-arg] # numba itself adds the first
