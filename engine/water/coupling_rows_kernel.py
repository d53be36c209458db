"""The rows in which bodies and legs are told to the water, and where a capsule lies on the grid.

A row holds the ends of a capsule's axis, its radius and the horizontal velocities of its ends. A body that moves freely
under the force of the water says so, and how much momentum it has lost to the water since the last step: the water gets that
and nothing else. One that is led, by feet or by hand, gives the water what it takes to get out of its way.
"""

from __future__ import annotations

from math import floor, hypot, isfinite
from typing import TYPE_CHECKING

from ..kernel import kernel

if TYPE_CHECKING:
    from ..kernel_types import Array, Four

AX, AY, AZ, BX, BY, BZ = 0, 1, 2, 3, 4, 5  # ends of the axis, world
RADIUS = 6
AVX, AVY, BVX, BVY = 7, 8, 9, 10  # horizontal velocities of the ends
LED_COLUMNS = 11
FELT = 11  # 1: the body moves freely, and the next two say what the water gets from it
GIVEN_X, GIVEN_Y = 12, 13  # momentum
BODY_COLUMNS = 14


@kernel()
def usable(body: Array) -> bool:
    """Return whether all numbers of a capsule are finite and it has a width."""
    total = 0.0
    for column in range(body.size):
        total += abs(body[column])
    return isfinite(total) and body[RADIUS] > 0.0


@kernel()
def cell_box(body: Array, x0: float, y0: float, cell: float, reach: float, rows: int,
             columns: int) -> tuple[int, int, int, int]:  # fmt: skip
    """Return the cells (first row, last, first column, last) a capsule may touch, inside the pond."""
    low_x, high_x = min(body[AX], body[BX]) - reach, max(body[AX], body[BX]) + reach
    low_y, high_y = min(body[AY], body[BY]) - reach, max(body[AY], body[BY]) + reach
    i0, i1 = max((low_x - x0) / cell, 0.0) + 1.0, min((high_x - x0) / cell, columns - 3.0) + 1.0
    j0, j1 = max((low_y - y0) / cell, 0.0) + 1.0, min((high_y - y0) / cell, rows - 3.0) + 1.0
    if not (usable(body) and i0 <= i1 and j0 <= j1):  # also keeps wild numbers away from the conversion
        return 1, 0, 1, 0
    return int(floor(j0)), int(floor(j1)), int(floor(i0)), int(floor(i1))


@kernel()
def along_axis(body: Array, x: float, y: float) -> Four:
    """Return t, s and the outward normal of a capsule's outline at a point."""
    ax, ay = body[BX] - body[AX], body[BY] - body[AY]
    square = ax * ax + ay * ay
    t = ((x - body[AX]) * ax + (y - body[AY]) * ay) / square if square > 0.0 else 0.0
    t = min(max(t, 0.0), 1.0)
    dx, dy = x - (body[AX] + t * ax), y - (body[AY] + t * ay)
    d = hypot(dx, dy)
    if d > 0.0:
        return t, d - body[RADIUS], dx / d, dy / d
    length = hypot(ax, ay)  # on the axis itself: any of its two sides
    return (t, -body[RADIUS], -ay / length, ax / length) if length > 0.0 else (t, -body[RADIUS], 1.0, 0.0)
