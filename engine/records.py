"""Records: numbers with names that one kernel hands to another.

`frame.forward_x` says what `frame[3]` does not, and to compiled code both are the same numbers. A class of records is
declared once, with `record`, so that kernels which return one can be stored: a stored kernel names the class, and reading
looks the name up here. Whatever a file says, nothing is imported for it.

Records hold numbers and nothing else, and they stay between kernels: Python takes them apart at every call, so what it hands
over is a bundle (`bundle`), and arrays that loops write to go in as arguments of their own.
"""

from __future__ import annotations

from typing import Any, TypeVar

Record = TypeVar("Record", bound=type[Any])

_RECORDS: dict[str, Any] = {}


def record(kind: Record) -> Record:
    """Declare a named tuple of numbers as one that stored kernels may return.

    Example::

        @record
        class Span(NamedTuple):
            first: int
            stop: int
    """
    fields = getattr(kind, "_fields", ())
    if not issubclass(kind, tuple) or not fields:
        raise TypeError(f"{kind.__name__} is no named tuple with fields")
    name = name_of_record(kind)
    if name in _RECORDS and _RECORDS[name]._fields != fields:
        raise ValueError(f"there is another record called {name}")
    _RECORDS[name] = kind
    return kind


def name_of_record(kind: Any) -> str:
    """The name under which a class is declared, or would be."""
    return f"{kind.__module__}.{kind.__qualname__}"


def record_called(name: str) -> Any:
    """The class of this name, or None if nothing of the kind is declared."""
    return _RECORDS.get(name)
