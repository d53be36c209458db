"""Types of the compiler and constants as plain data: what a stored kernel returns, and what it needs to box it.

Only what is listed here can be stored. Reading builds nothing but these, whatever a file says.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from ..bundle import table_type
from ..records import name_of_record, record_called
from ..table_type import TableType

NUMBERS: dict[str, Any] = {
    str(kind): kind
    for kind in (
        types.boolean, types.none, types.int8, types.int16, types.int32, types.int64, types.uint8, types.uint16,
        types.uint32, types.uint64, types.float32, types.float64, types.complex64, types.complex128, types.unicode_type,
    )
}  # fmt: skip
AXES = range(33)
DEEPEST = 16
"""Tuples within tuples; a file that says more is wrong."""


class NotStorableError(ValueError):
    """A type or constant that is not among those listed here."""


def type_to_plain(kind: Any) -> Any:
    """A type as strings, numbers and lists."""
    if str(kind) in NUMBERS and NUMBERS[str(kind)] == kind:
        return str(kind)
    if isinstance(kind, (types.NamedTuple, types.NamedUniTuple)):
        return ["record", _declared(kind), [_number(type_to_plain(each)) for each in kind.types]]
    if isinstance(kind, (types.UniTuple, types.Tuple)):
        return ["tuple", [type_to_plain(each) for each in kind.types]]
    if isinstance(kind, types.Array) and type(kind) is types.Array:
        return ["array", type_to_plain(kind.dtype), kind.ndim, kind.layout, kind.mutable, kind.aligned]
    if isinstance(kind, TableType):
        return ["table", _listed(kind.fields)]
    if isinstance(kind, (types.IntegerLiteral, types.BooleanLiteral, types.StringLiteral)):
        return ["literal", kind.literal_value]
    if isinstance(kind, types.Optional):
        return ["optional", type_to_plain(kind.type)]
    raise NotStorableError(f"the type {kind} cannot be stored")


def type_from_plain(plain: Any, depth: int = 0) -> Any:
    """The type that `type_to_plain` wrote; NotStorableError for anything else."""
    if isinstance(plain, str) and plain in NUMBERS:
        return NUMBERS[plain]
    if depth < DEEPEST and isinstance(plain, list) and plain:
        match plain:
            case ["tuple", list(items)]:
                return types.Tuple([type_from_plain(item, depth + 1) for item in items])
            case ["record", str(name), list(fields)]:
                return _record(name, fields)
            case ["array", str(number), int(axes), "C" | "F" | "A" as layout, bool(mutable), bool(aligned)] if axes in AXES:
                return types.Array(type_from_plain(number), axes, layout, readonly=not mutable, aligned=aligned)
            case ["table", list(fields)]:
                return table_type(_fields(fields))
            case ["literal", bool() | int() | str() as value]:
                return types.literal(value)
            case ["optional", inner]:
                return types.Optional(type_from_plain(inner, depth + 1))
    raise NotStorableError(f"{str(plain)[:60]!r} is no stored type")


def holds_record(kind: Any) -> bool:
    """Whether a type is that of a record, or has one within."""
    if isinstance(kind, types.Optional):
        return holds_record(kind.type)
    if isinstance(kind, types.BaseNamedTuple):
        return True
    return isinstance(kind, (types.UniTuple, types.Tuple)) and any(map(holds_record, kind.types))


def constant_to_plain(value: Any) -> Any:
    """A constant that compiled code hands to Python as plain data."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, np.dtype) and not value.hasobject and value.fields is None:
        return ["dtype", value.str]
    if isinstance(value, tuple):
        return ["tuple", [constant_to_plain(item) for item in value]]
    raise NotStorableError(f"a constant of kind {type(value).__qualname__} cannot be stored")


def constant_from_plain(plain: Any, depth: int = 0) -> Any:
    """The constant that `constant_to_plain` wrote."""
    if plain is None or type(plain) in (bool, int, float, str):
        return plain
    if depth < DEEPEST:
        match plain:
            case ["dtype", str(name)]:
                return np.dtype(name)
            case ["tuple", list(items)]:
                return tuple(constant_from_plain(item, depth + 1) for item in items)
    raise NotStorableError(f"{str(plain)[:60]!r} is no stored constant")


def _declared(kind: Any) -> str:
    """The name of a record's class; it is stored only if looking it up gives this very class."""
    name = name_of_record(kind.instance_class)
    if record_called(name) is not kind.instance_class:
        raise NotStorableError(f"{name} is not declared as a record")
    return name


def _number(plain: Any) -> Any:
    """The plain name of a number, which is all that records hold."""
    if not isinstance(plain, str) or not isinstance(NUMBERS.get(plain), (types.Number, types.Boolean)):
        raise NotStorableError(f"{str(plain)[:60]!r} is no number of a record")
    return plain


def _record(name: str, fields: list[Any]) -> Any:
    """The type of a record that is declared in this process and has as many fields."""
    kind = record_called(name)
    if kind is None or len(fields) != len(kind._fields):
        raise NotStorableError(f"{name[:60]!r} is no record of {len(fields)} numbers")
    return types.BaseTuple.from_types([NUMBERS[_number(field)] for field in fields], kind)


def _listed(value: Any) -> Any:
    return [_listed(item) for item in value] if isinstance(value, tuple) else value


def _fields(plain: list[Any]) -> tuple[Any, ...]:
    """Fields of a table: name, content (a dtype or more fields) and form (a number or the shape of a row)."""
    fields: list[Any] = []
    for field in plain:
        match field:
            case [str(name), str(dtype), int(form)]:
                fields.append((name, np.dtype(dtype).str, form))
            case [str(name), str(dtype), list(shape)] if all(isinstance(size, int) for size in shape):
                fields.append((name, np.dtype(dtype).str, tuple(shape)))
            case [str(name), list(inner), int(form)]:
                fields.append((name, _fields(inner), form))
            case _:
                raise NotStorableError(f"{str(field)[:60]!r} is no field of a table")
    return tuple(fields)
