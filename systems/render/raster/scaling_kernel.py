"""Pictures of half and of double the size, packed bytes in and out.

Halving takes the mean of four pixels. Doubling makes four of one, mixed with its neighbours three to one, as bilinear
scaling does. Every second byte is added up in one number, for between them there is room for the carry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import uint32
from ....engine.work_counter import take_next

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

RED_BLUE, GREEN = uint32(0xFF00FF), uint32(0x00FF00)
ROUND_RED_BLUE, ROUND_GREEN = uint32(0x020002), uint32(0x000200)
TWO, THREE, EIGHT = uint32(2), uint32(3), uint32(8)
BAND = 32  # rows that a thread takes at a time


@kernel()
def mean_of_four(a: int, b: int, c: int, d: int) -> int:
    """Return the mean of every byte of four numbers, rounded."""
    low = ((a & RED_BLUE) + (b & RED_BLUE) + (c & RED_BLUE) + (d & RED_BLUE) + ROUND_RED_BLUE) >> TWO
    high = ((a >> EIGHT) & RED_BLUE) + ((b >> EIGHT) & RED_BLUE) + ((c >> EIGHT) & RED_BLUE) + ((d >> EIGHT) & RED_BLUE)
    return (low & RED_BLUE) | ((((high + ROUND_RED_BLUE) >> TWO) & RED_BLUE) << EIGHT)


@kernel()
def halve(picture: Array, small: Array, _seat: int, taken: Array) -> None:
    """Update a picture of half the size (rounded up) from the whole one; a last odd row or column counts twice."""
    last_y, last_x = picture.shape[0] - 1, picture.shape[1] - 1
    first = BAND * take_next(taken)
    while first < small.shape[0]:
        for y in range(first, min(first + BAND, small.shape[0])):
            upper, lower, row = picture[2 * y], picture[min(2 * y + 1, last_y)], small[y]
            for x in range(row.size):
                right = min(2 * x + 1, last_x)
                row[x] = mean_of_four(upper[2 * x], upper[right], lower[2 * x], lower[right])
        first = BAND * take_next(taken)


@kernel()
def mostly(a: int, b: int) -> int:
    """Return three parts of colour `a` and one of `b`, rounded."""
    red_blue = (THREE * (a & RED_BLUE) + (b & RED_BLUE) + ROUND_RED_BLUE) >> TWO
    green = (THREE * (a & GREEN) + (b & GREEN) + ROUND_GREEN) >> TWO
    return (red_blue & RED_BLUE) | (green & GREEN)


@kernel()
def enlarge_row(near: Array, far: Array, mixed: Array, row: Array) -> None:
    """Update one row of the large picture from the two rows of the small one beside it; `mixed` is scratch."""
    for x in range(near.size):
        mixed[x] = mostly(near[x], far[x])
    last = near.size - 1
    for x in range(row.size // 2):
        row[2 * x] = mostly(mixed[x], mixed[max(x - 1, 0)])
        row[2 * x + 1] = mostly(mixed[x], mixed[min(x + 1, last)])
    if row.size % 2:
        row[row.size - 1] = mostly(mixed[last], mixed[max(last - 1, 0)])


@kernel()
def enlarge(small: Array, mixed: Array, picture: Array, seat: int, taken: Array) -> None:
    """Update a picture from one of half its size (rounded up); mixed: one row of scratch per seat."""
    last = small.shape[0] - 1
    first = BAND * take_next(taken)
    while first < picture.shape[0]:
        for y in range(first, min(first + BAND, picture.shape[0])):
            near = y // 2
            far = min(max(near + (1 if y % 2 else -1), 0), last)
            enlarge_row(small[near], small[far], mixed[seat], picture[y])
        first = BAND * take_next(taken)
