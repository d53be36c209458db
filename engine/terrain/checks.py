"""Checks of what people type: every failure is one `TerrainError` that names the value and what is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arguments import PLAIN_NUMBERS
from ..errors import shortened
from .terrain_error import TerrainError

LARGEST_NUMBER = 1.0e6  # units; beyond it steps of a leg tip drown in rounding
LARGEST_SEED = 2**64 - 1
MOST_THINGS = 10_000  # hills, and whatever says no limit of its own
MOST_SHAPES = 5_000  # of a map; all of them in one heap take five seconds to sort
HIGHEST = 10_000.0  # units up or down that ground may rise; creatures are looked for below that

Bounds = tuple[float, float, float, float]


def checked_number(value: Any, name: str) -> float:
    """A finite number of a size that worlds have."""
    fits = not isinstance(value, bool) and isinstance(value, PLAIN_NUMBERS)
    if not fits or not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        raise TerrainError(f"{name} is {shortened(value)}; allowed is a finite number up to {LARGEST_NUMBER:g}")
    return float(value)


def checked_within(value: Any, name: str, low: float, high: float) -> float:
    """A finite number in a range, its ends included."""
    number = checked_number(value, name)
    if not low <= number <= high:
        raise TerrainError(f"{name} is {number:g}; allowed is a number from {low:g} to {high:g}")
    return number


def checked_height(value: Any, name: str) -> float:
    """A height or depth of ground."""
    return checked_within(value, name, -HIGHEST, HIGHEST)


def checked_positive(value: Any, name: str) -> float:
    """A finite number above 0."""
    number = checked_number(value, name)
    if number <= 0.0:
        raise TerrainError(f"{name} is {number}; allowed is a number above 0")
    return number


def checked_count(value: Any, name: str, least: int = 1, most: int = MOST_THINGS) -> int:
    """A whole number from ``least`` to ``most``."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
        raise TerrainError(f"{name} is {shortened(value)}; allowed is a whole number from {least} to {most}")
    return int(value)


def checked_seed(value: Any) -> int:
    """The number that random ground is drawn with."""
    return checked_count(value, "seed", least=0, most=LARGEST_SEED)


def checked_vector(value: Any, name: str, size: int = 3) -> tuple[float, ...]:
    """As many finite numbers as asked for."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TerrainError(f"{name} is {shortened(value)}; allowed are {size} finite numbers")
    numbers = list(islice(value, size + 1))
    if len(numbers) != size:
        counted = f"more than {size}" if len(numbers) > size else f"{len(numbers)}"
        raise TerrainError(f"{name} has {counted} numbers; allowed are exactly {size}")
    return tuple(checked_number(number, f"{name}[{place}]") for place, number in enumerate(numbers))


def checked_range(value: Any, name: str) -> tuple[float, float]:
    """A low and a high number, in that order."""
    low, high = checked_vector(value, name, 2)
    if low > high:
        raise TerrainError(f"{name} is ({low}, {high}); allowed is (low, high) with low <= high")
    return low, high


def checked_bounds(value: Any, name: str = "bounds") -> Bounds:
    """A rectangle (xmin, ymin, xmax, ymax) with some area in it."""
    low_x, low_y, high_x, high_y = checked_vector(value, name, 4)
    if low_x >= high_x or low_y >= high_y:
        raise TerrainError(f"{name} is {tuple(value)}; allowed is (xmin, ymin, xmax, ymax) with some area in it")
    return low_x, low_y, high_x, high_y


def checked_points(points: ArrayLike, columns: tuple[int, ...]) -> NDArray[np.float64]:
    """Points as a contiguous float array with a row each; an empty list is no points."""
    try:
        array = np.ascontiguousarray(points, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TerrainError(f"points are {shortened(points)}; allowed are rows of numbers") from None
    if array.size == 0 and array.ndim <= 2:
        return np.zeros((0, array.shape[1] if array.ndim == 2 and array.shape[1] in columns else columns[0]))
    if array.ndim != 2 or array.shape[1] not in columns:
        allowed = " or ".join(f"(n, {width})" for width in columns)
        raise TerrainError(f"points have shape {array.shape}; allowed is {allowed}")
    bad = ~np.isfinite(array).all(axis=1)
    if bad.any():
        row = int(bad.argmax())
        raise TerrainError(f"point {row} is {array[row].tolist()}; allowed are finite coordinates")
    return array


def checked_keys(table: Mapping[str, Any], allowed: Iterable[str], required: Iterable[str], name: str) -> None:
    """No key beyond the allowed ones, none of the required ones missing."""
    known = sorted(allowed)
    for key in table:
        if key not in known:
            raise TerrainError(f"{name} has the unknown key {shortened(key)}; allowed are {', '.join(known)}")
    for key in required:
        if key not in table:
            raise TerrainError(f"{name} lacks the key {key!r}; allowed are {', '.join(known)}")
