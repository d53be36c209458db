"""What stands in files of unknown origin: JSON is plain data, and all errors are ours."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .arguments import encodes
from .errors import PaludariumError, shortened

LONGEST_REASON = 1000
"""Characters of a foreign message about a problem."""
DEEPEST = 40
"""Lists and tables within each other."""


@contextmanager
def told_as(error: type[PaludariumError], place: str) -> Iterator[None]:
    """Whatever goes wrong inside is told as one kind of error of ours that names the place, with its cause kept."""
    try:
        yield
    except Exception as problem:
        text = str(problem)[:LONGEST_REASON]
        if isinstance(problem, error) and text.startswith(place):
            raise
        said_by_us = isinstance(problem, PaludariumError) or type(problem) is ValueError
        raise error(f"{place}: {text}" if said_by_us else f"{place}: {type(problem).__name__}: {text}") from problem


def parsed(text: bytes, error: Callable[[str], Exception], *, endless: bool = False) -> Any:
    """JSON as data: no key twice, nothing nested too deep, no NaN, and infinity only where it may be."""
    try:
        value = json.loads(text, object_pairs_hook=_table, parse_constant=_constant if endless else _refused)
    except (ValueError, RecursionError, MemoryError) as problem:
        shown = shortened(text[:LONGEST_REASON].decode(errors="replace"))
        raise error(f"{shown} cannot be read as JSON ({str(problem)[:LONGEST_REASON]})") from None
    reason = not_plain(value)
    if reason:
        raise error(f"{shortened(value)} {reason}")
    return value


def not_plain(value: Any) -> str:
    """Why something is no plain data: nested too deep, NaN, or a text that cannot be written; empty if it is."""
    level = [value]
    for _ in range(DEEPEST):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                inner += [*item.keys(), *item.values()]
            elif isinstance(item, list | tuple):
                inner += item
            elif isinstance(item, str) and not encodes(item):
                return "holds half of a character"
            elif isinstance(item, float) and math.isnan(item):
                return "holds NaN"
        if not inner:
            return ""
        level = inner
    return f"is nested deeper than {DEEPEST}"


def is_whole(value: Any, low: int = 0, high: int = 2**62) -> bool:
    """Whether a value is a whole number in a range; True and False are not."""
    return type(value) is int and low <= value <= high


def is_number(value: Any, low: float = -1e30, high: float = 1e30) -> bool:
    """Whether a value is a number in a range."""
    return type(value) in (int, float) and low <= value <= high


def is_list_of(value: Any, *kinds: type) -> bool:
    """Whether a value is a list of these kinds only."""
    return isinstance(value, list) and all(type(item) in kinds for item in value)


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("a key comes twice")
    return table


def _refused(name: str) -> float:
    raise ValueError(f"{name} is not allowed")


def _constant(name: str) -> float:
    if name == "NaN":
        raise ValueError("NaN is not allowed")
    return float(name)
