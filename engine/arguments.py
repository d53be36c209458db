"""Checks of what callers give: every failure is one error of ours that names the argument, the value and what is allowed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .column_rules import LARGEST
from .errors import ArgumentError, PaludariumError, shortened

if TYPE_CHECKING:
    from .creature import Creature
    from .world import World

PLAIN_NUMBERS = (int, float, np.integer, np.floating)
Error = type[PaludariumError]


def number(name: str, value: Any, low: float = -LARGEST, high: float = LARGEST, *, above: bool = False,
           error: Error = ArgumentError) -> float:
    """A finite number in a range; with `above`, the lower limit itself is not allowed."""
    plain = isinstance(value, PLAIN_NUMBERS) and not isinstance(value, bool)
    huge = isinstance(value, int) and abs(value) > LARGEST  # of more digits than a float takes
    if not plain or huge or not low <= value <= high or (above and value == low):
        raise error(f"{name} = {shortened(value)}: allowed is a finite number{_range(low, high, above)}")
    return float(value)


def endless(name: str, value: Any, *, error: Error = ArgumentError) -> float:
    """A number above 0 that may be infinite."""
    if isinstance(value, PLAIN_NUMBERS) and not isinstance(value, bool) and value == math.inf:
        return math.inf
    return number(name, value, 0.0, above=True, error=error)


def whole(name: str, value: Any, low: int = 0, high: int = 2**62, *, error: Error = ArgumentError) -> int:
    """A whole number in a range."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise error(f"{name} = {shortened(value)}: allowed is a whole number{_range(low, high, False)}")
    return int(value)


def text(name: str, value: Any, longest: int = 1000, *, error: Error = ArgumentError) -> str:
    """A text that can be written to a file."""
    if not isinstance(value, str) or len(value) > longest or "\0" in value or not encodes(value):
        raise error(f"{name} = {shortened(value)}: allowed is a text of at most {longest} characters")
    return str(value)


def choice(name: str, value: Any, options: Iterable[str], *, error: Error = ArgumentError) -> str:
    """One of a few words."""
    known = tuple(options)
    if not isinstance(value, str) or value not in known:
        raise error(f"{name} = {shortened(value)}: allowed is {', '.join(known)}")
    return str(value)


def flag(name: str, value: Any, *, error: Error = ArgumentError) -> bool:
    """True or false."""
    if not isinstance(value, bool | np.bool_):
        raise error(f"{name} = {shortened(value)}: allowed is True or False")
    return bool(value)


def vector(name: str, value: Any, sizes: Sequence[int] = (2, 3), largest: float = LARGEST, *,
           error: Error = ArgumentError) -> npt.NDArray[np.float64]:
    """So many finite numbers, as an array."""
    try:
        items = list(value) if not isinstance(value, str | bytes | dict | set | frozenset) and len(value) in sizes else []
        numbers = [float(item) for item in items if isinstance(item, PLAIN_NUMBERS)]
    except (TypeError, ValueError, OverflowError):
        items, numbers = [], []
    if not items or len(numbers) != len(items) or not all(abs(item) <= largest for item in numbers):
        words = {(2, 3): "a finite (x, y) or (x, y, z)", (3,): "three finite numbers"}
        allowed = words.get(tuple(sizes), f"{' or '.join(map(str, sizes))} finite numbers")
        limit = f", none beyond {largest:g}" if largest < LARGEST else ""
        raise error(f"{name} = {shortened(value)}: allowed is {allowed}{limit}")
    return np.array(numbers)


def creature(name: str, value: Any, world: World, *, error: Error = ArgumentError) -> Creature:
    """A creature of this world, which may have left it."""
    from .creature import Creature

    if not isinstance(value, Creature) or value.world_ref() is not world:
        raise error(f"{name} = {shortened(value)}: allowed is a creature of this world")
    return value


def function(name: str, value: Any, *, error: Error = ArgumentError) -> Any:
    """Something that can be called."""
    if not callable(value):
        raise error(f"{name} = {shortened(value)}: allowed is a function")
    return value


def encodes(value: str) -> bool:
    """Whether a text can be written into a file: one with half a surrogate pair cannot."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _range(low: float, high: float, above: bool) -> str:
    if abs(low) >= LARGEST and high >= LARGEST:
        return ""
    if high >= LARGEST or high >= 2**62:
        return f" above {low:g}" if above else f", {low:g} or more"
    return f" above {low:g}, up to {high:g}" if above else f" from {low:g} to {high:g}"
