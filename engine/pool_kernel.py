"""Claiming, checking and releasing rows of all columns of a pool in one compiled call each.

A pool keeps its columns in one block of memory. `layout` has a row per column: where the column begins in the block,
how many bytes (or, for the finite check, numbers) one row takes, and where its fresh row begins in `blank`, or -1 when
a fresh row is all zeros.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from .kernel import kernel

if TYPE_CHECKING:
    from .kernel_types import Array


@kernel()
def place_of(spans: Array, span_count: int, start: int) -> int:
    """Return how many of the sorted spans begin before `start`."""
    low, high = 0, span_count
    while low < high:
        middle = (low + high) // 2
        if spans[middle, 0] < start:
            low = middle + 1
        else:
            high = middle
    return low


@kernel()
def blank_rows(storage: Array, layout: Array, blank: Array, start: int, count: int) -> None:
    """Update storage to fresh rows [start, start + count) in every column."""
    for column in range(layout.shape[0]):
        begin, size, fresh = layout[column, 0] + start * layout[column, 1], layout[column, 1], layout[column, 2]
        if fresh < 0:
            storage[begin : begin + count * size] = 0
            continue
        for row in range(count):
            for byte in range(size):
                storage[begin + row * size + byte] = blank[fresh + byte]


@kernel()
def open_rows(storage: Array, layout: Array, blank: Array, spans: Array, span_count: int, start: int, count: int) -> None:
    """Update storage to fresh rows [start, start + count) in every column, and insert their span."""
    blank_rows(storage, layout, blank, start, count)
    place = place_of(spans, span_count, start)
    for k in range(span_count, place, -1):
        spans[k, 0], spans[k, 1] = spans[k - 1, 0], spans[k - 1, 1]
    spans[place, 0], spans[place, 1] = start, count


@kernel()
def close_rows(owner: Array, no_owner: int, generation: Array, spans: Array, span_count: int, start: int,
               count: int) -> None:  # fmt: skip
    """Update owner and generation of rows [start, start + count) to free ones, and remove their span."""
    generation[start] += 1
    for row in range(start, start + count):
        owner[row] = no_owner
    for k in range(place_of(spans, span_count, start), span_count - 1):
        spans[k, 0], spans[k, 1] = spans[k + 1, 0], spans[k + 1, 1]


@kernel()
def any_not_finite(bits: Array, infinite: int, layout: Array, start: int, stop: int) -> bool:
    """Return whether any of some columns holds NaN or infinity in rows [start, stop).

    bits: the storage as whole numbers as wide as the floating-point ones; infinite: the bits of infinity, which NaN has as
    well. Whole numbers, because such a loop is done many at a time.
    """
    bad = 0
    for column in range(layout.shape[0]):
        begin, width = layout[column, 0], layout[column, 1]
        for place in range(begin + start * width, begin + stop * width):
            bad |= (bits[place] & infinite) == infinite
    return bad != 0


@kernel()
def first_bad_column(numbers: Array, layout: Array, start: int, count: int) -> int:
    """Return the first column of floating-point `numbers` with NaN or infinity in rows [start, start + count), or -1."""
    for column in range(layout.shape[0]):
        begin, width = layout[column, 0], layout[column, 1]
        for place in range(begin + start * width, begin + (start + count) * width):
            if not isfinite(numbers[place]):
                return column
    return -1
