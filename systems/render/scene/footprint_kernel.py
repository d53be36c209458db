"""Footprints: which feet have come down on dry ground, and the ring of prints they leave."""

from __future__ import annotations

from math import floor, inf
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.spatial_hash import boxes_overlap

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

FIRST_GAP = 3**6  # of the sort; each gap after it is a third of the one before, down to 1
X, Y, HEADING, TIME = range(4)  # columns of prints
STRENGTH = TIME  # of prints that are shown
LEVEL = 4  # column of ponds, after their `Edge`s


@kernel()
def find_dry_feet(state: Array, standing_state: int, tips: Array, ponds: Array, standing: Array) -> None:
    """Update standing from leg states, tips and ponds (a plan box and a LEVEL each; the first one there counts)."""
    for leg in range(standing.shape[0]):
        standing[leg] = state[leg] == standing_state
        for pond in range(ponds.shape[0]):
            x, y = tips[leg, 0], tips[leg, 1]
            if boxes_overlap(ponds, pond, x, y, x, y):
                standing[leg] = standing[leg] and not tips[leg, 2] < ponds[pond, LEVEL]
                break


@kernel()
def goes_before(cells: Array, a: int, b: int) -> bool:
    """Return whether point a comes before point b: by cell, and in one cell as they came."""
    if cells[a, X] != cells[b, X]:
        return cells[a, X] < cells[b, X]
    return cells[a, Y] < cells[b, Y] if cells[a, Y] != cells[b, Y] else a < b


@kernel()
def sort_by_cell(cells: Array, order: Array) -> Array:
    """Update order to all points by cell (a shell sort: there are few) and return it without those in a cell once taken."""
    count = order.shape[0]
    for k in range(count):
        order[k] = k
    gap = FIRST_GAP
    while gap > 0:
        for k in range(gap, count):
            moved, at = order[k], k
            while at >= gap and goes_before(cells, moved, order[at - gap]):
                order[at] = order[at - gap]
                at -= gap
            order[at] = moved
        gap //= 3
    different = 0
    for k in range(count):
        last = order[different - 1]
        if different == 0 or cells[order[k], X] != cells[last, X] or cells[order[k], Y] != cells[last, Y]:
            order[different] = order[k]
            different += 1
    return order[:different]


@kernel()
def is_trodden(cells: Array, order: Array, x: float, y: float) -> bool:
    """Return whether a cell is among the sorted ones."""
    low, high = 0, order.shape[0]
    while low < high:
        middle = (low + high) // 2
        cx, cy = cells[order[middle], X], cells[order[middle], Y]
        if cx < x or (cx == x and cy < y):
            low = middle + 1
        else:
            high = middle
    return low < order.shape[0] and cells[order[low], X] == x and cells[order[low], Y] == y


@kernel()
def tread(points: Array, headings: Array, time: float, cell: float, cells: Array, order: Array, prints: Array,
          print_cells: Array, first: int) -> int:  # fmt: skip
    """Update the ring of prints, from place `first` on, by feet at points; return the place behind the last one.

    A foot in an old print treads it anew. cells and order are room for one entry per foot.
    """
    for k in range(points.shape[0]):
        cells[k, X], cells[k, Y] = floor(points[k, 0] / cell), floor(points[k, 1] / cell)
    order = sort_by_cell(cells, order)
    room = prints.shape[0]
    if order.shape[0] > 0:
        west, east = cells[order[0], X], cells[order[-1], X]
        for k in range(room):
            x = print_cells[k, X]
            if west <= x and x <= east and is_trodden(cells, order, x, print_cells[k, Y]):
                prints[k, TIME] = -inf
        for k in range(min(order.shape[0], room)):
            foot, place = order[k], (first + k) % room
            prints[place, X], prints[place, Y] = points[foot, 0], points[foot, 1]
            prints[place, HEADING], prints[place, TIME] = headings[foot], time
            print_cells[place, X], print_cells[place, Y] = cells[foot, X], cells[foot, Y]
        first = (first + min(order.shape[0], room)) % room
    for k in range(room):
        if time < prints[k, TIME]:  # the world was set back in time
            prints[:, TIME] = -inf
            break
    return first


@kernel()
def fade(prints: Array, time: float, seconds: float, shown: Array) -> int:
    """Update shown (x, y, heading, strength) from the prints that can still be seen; return their number."""
    count = 0
    for k in range(prints.shape[0]):
        strength = 1.0 - (time - prints[k, TIME]) / seconds
        if strength > 0.0:
            shown[count, X], shown[count, Y], shown[count, HEADING] = prints[k, X], prints[k, Y], prints[k, HEADING]
            shown[count, STRENGTH] = strength
            count += 1
    return count
