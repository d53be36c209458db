"""A uniform hash over boxes in the plan view, built by counting sort.

Every item is a plan box ``(x_min, y_min, x_max, y_max)``; a point is a box without extent. The plane is cut into square
cells, an item is entered once in every cell its box touches, and cells are thrown into a power-of-two number of
buckets. Entries carry their cell, so bucket collisions are filtered out, and a query reports an item only in the
first cell that item and query share: each item is seen exactly once, in an order fixed by the data alone.
Heights are not hashed: callers keep the 3-D positions and finish the test themselves.

Example::

    hashed = hash_points(food_position, cell_size=4.0)
    cells, cursor = open_query(hashed, -2.0, -1.0, 4.0, 5.0)     # in a kernel; `next_item` hands out row numbers
"""

# mypy: allow-untyped-defs
from __future__ import annotations

import math
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .errors import ArgumentError
from .kernel import kernel
from .kernel_types import int64

if TYPE_CHECKING:
    from .kernel_types import Array

CELL_LIMIT = 2**30  # cells from the origin; what lies beyond (and NaN) shares the border cells, so loops stay finite
HASH_X = 73856093  # [Teschner03 4] large primes that spread neighbouring cells over the buckets
HASH_Y = 19349663
MIN_BUCKETS = 16  # smallest table; keeps the mask arithmetic valid for an empty world
NOT_STARTED = -1  # entry of a cursor that has just come to a cell
SOLID_CELL = 3.0  # units, of the hashes of obstacles and bodies; a body capsule touches one to four cells
ROOM = 0.25  # of the entries of a hash that is filled again: bodies touch more cells in one tick, less in another
MAX_ENTRIES = 2**26  # entries; one item covering this many cells means the cell size is wrong by orders of magnitude


class Edge(IntEnum):
    """Columns of plan boxes: least x and y, greatest x and y."""

    WEST = 0
    SOUTH = 1
    EAST = 2
    NORTH = 3


class SpatialHash(NamedTuple):
    """Cells, entries and boxes of one set of items; read-only for kernels. Behind the last entry there may be room."""

    bucket_start: NDArray[np.int32]  # (buckets + 1,) first entry of each bucket
    entry_item: NDArray[np.int32]  # (entries,) item row, ascending inside a bucket
    entry_cell: NDArray[np.int32]  # (entries, 2) the cell this entry stands for
    boxes: NDArray[np.float64]  # (items, 4) columns `Edge`
    cell_size: float


@kernel()
def cell_of(coordinate: float, cell_size: float) -> int:
    """Return the cell number of a coordinate, clamped to a finite range."""
    cell = np.floor(coordinate / cell_size)
    if not cell > -CELL_LIMIT:  # also true for NaN
        return int64(-CELL_LIMIT)
    return int64(min(cell, float(CELL_LIMIT)))


@kernel()
def bucket_of(cell_x: int, cell_y: int, bucket_count: int) -> int:
    """Return the bucket of a cell; ``bucket_count`` is a power of two."""
    return ((cell_x * HASH_X) ^ (cell_y * HASH_Y)) & (bucket_count - 1)


@kernel()
def count_entries(boxes: Array, cell_size: float) -> int:
    """Return how many cells all boxes touch together."""
    total = 0
    for i in range(boxes.shape[0]):
        wide = cell_of(boxes[i, Edge.EAST], cell_size) - cell_of(boxes[i, Edge.WEST], cell_size) + 1
        deep = cell_of(boxes[i, Edge.NORTH], cell_size) - cell_of(boxes[i, Edge.SOUTH], cell_size) + 1
        total += wide * deep
        if total > MAX_ENTRIES:
            break
    return total


@kernel()
def sort_entries(boxes: Array, cell_size: float, bucket_start: Array, entry_item: Array, entry_cell: Array) -> None:
    """Update bucket starts and entries from boxes by a stable counting sort."""
    bucket_count = int64(bucket_start.size - 1)
    bucket_start[:] = 0
    for i in range(boxes.shape[0]):
        for cx in range(cell_of(boxes[i, Edge.WEST], cell_size), cell_of(boxes[i, Edge.EAST], cell_size) + 1):
            for cy in range(cell_of(boxes[i, Edge.SOUTH], cell_size), cell_of(boxes[i, Edge.NORTH], cell_size) + 1):
                bucket_start[bucket_of(cx, cy, bucket_count) + 1] += 1
    for b in range(bucket_count):
        bucket_start[b + 1] += bucket_start[b]
    entries = bucket_start[bucket_count]
    # Filling from the last item backwards moves every start down to its final place and keeps items ascending.
    for i in range(boxes.shape[0] - 1, -1, -1):
        for cx in range(cell_of(boxes[i, Edge.WEST], cell_size), cell_of(boxes[i, Edge.EAST], cell_size) + 1):
            for cy in range(cell_of(boxes[i, Edge.SOUTH], cell_size), cell_of(boxes[i, Edge.NORTH], cell_size) + 1):
                b = bucket_of(cx, cy, bucket_count)
                bucket_start[b + 1] -= 1
                entry = bucket_start[b + 1]
                entry_item[entry] = i
                entry_cell[entry, 0] = cx
                entry_cell[entry, 1] = cy
    for b in range(bucket_count):
        bucket_start[b] = bucket_start[b + 1]
    bucket_start[bucket_count] = entries


@kernel()
def sort_again(boxes: Array, cell_size: float, bucket_start: Array, entry_item: Array, entry_cell: Array) -> bool:
    """`sort_entries` into tables that have been used before; return whether there was room."""
    if count_entries(boxes, cell_size) > entry_item.size:
        return False
    sort_entries(boxes, cell_size, bucket_start, entry_item, entry_cell)
    return True


@kernel()
def open_query(hashed: SpatialHash, x_min: float, y_min: float, x_max: float,
               y_max: float) -> tuple[tuple[int, int, int, int], tuple[int, int, int]]:  # fmt: skip
    """Return (cells, cursor) of a query box, for `next_item`.

    The loop of all neighbour kernels (a generator would read better, but numba cannot load one from its cache)::

        cells, cursor = open_query(hashed, x_min, y_min, x_max, y_max)
        while True:
            k, cursor = next_item(hashed, cells, cursor)
            if k < 0:
                break
            ...                                     # item k is a candidate: make the exact test here
    """
    size = hashed.cell_size
    first_x, first_y, last_x, last_y = cell_of(x_min, size), cell_of(y_min, size), cell_of(x_max, size), cell_of(y_max, size)
    begin = first_x if hashed.entry_item.size > 0 else last_x + 1  # nothing to find: begin behind the last cell
    return (first_x, first_y, last_x, last_y), (begin, first_y, int64(NOT_STARTED))


@kernel()
def next_item(hashed: SpatialHash, cells: tuple[int, int, int, int],
              cursor: tuple[int, int, int]) -> tuple[int, tuple[int, int, int]]:  # fmt: skip
    """Return the next item that shares a cell with the query (each once, -1 at the end) and the cursor behind it."""
    first_x, first_y, last_x, last_y = cells
    cx, cy, entry = cursor
    bucket_count = int64(hashed.bucket_start.size - 1)
    while cx <= last_x:
        b = bucket_of(cx, cy, bucket_count)
        if entry == NOT_STARTED:
            entry = int64(hashed.bucket_start[b])
        stop = int64(hashed.bucket_start[b + 1])
        while entry < stop:
            here, entry = entry, entry + 1
            if hashed.entry_cell[here, 0] != cx or hashed.entry_cell[here, 1] != cy:
                continue
            item = int64(hashed.entry_item[here])
            # An item wider than a cell is reported only in the first cell it shares with the query.
            if cx > first_x and cell_of(hashed.boxes[item, Edge.WEST], hashed.cell_size) < cx:
                continue
            if cy > first_y and cell_of(hashed.boxes[item, Edge.SOUTH], hashed.cell_size) < cy:
                continue
            return item, (cx, cy, entry)
        entry, cy = int64(NOT_STARTED), cy + 1
        if cy > last_y:
            cx, cy = cx + 1, first_y
    return int64(-1), (cx, cy, entry)


@kernel()
def boxes_overlap(boxes: Array, i: int, x_min: float, y_min: float, x_max: float, y_max: float) -> bool:
    """Return whether item i's box and a query box touch."""
    beside = boxes[i, Edge.WEST] <= x_max and boxes[i, Edge.EAST] >= x_min
    return beside and boxes[i, Edge.SOUTH] <= y_max and boxes[i, Edge.NORTH] >= y_min


def hash_boxes(boxes: NDArray[np.float64], cell_size: float, room: float = 0.0) -> SpatialHash:
    """Hash plan boxes ``(x_min, y_min, x_max, y_max)``; a good cell size is about twice the common item.

    `room` is the share of entries there is room for beside those that are needed now, see `hash_again`.

    Example: ``hash_boxes(np.array([[0.0, 0.0, 2.0, 1.0]]), cell_size=2.0)``.
    """
    if not cell_size > 0.0:
        raise ArgumentError(f"cell size must be positive, got {cell_size}")
    boxes, cell_size = np.ascontiguousarray(boxes, dtype=np.float64), float(cell_size)
    if boxes.ndim != 2:  # else the array itself stays: `hash_again` asks whether it is the same one
        boxes = boxes.reshape(-1, 4)
    entries = int(count_entries(boxes, cell_size))
    if entries > MAX_ENTRIES:
        raise ArgumentError(f"boxes cover more than {MAX_ENTRIES} cells: enlarge the cell size {cell_size}")
    entries += math.ceil(room * entries)
    buckets = max(MIN_BUCKETS, 1 << max(entries - 1, 0).bit_length())
    bucket_start = np.empty(buckets + 1, np.int32)
    entry_item = np.empty(entries, np.int32)
    entry_cell = np.empty((entries, 2), np.int32)
    sort_entries(boxes, cell_size, bucket_start, entry_item, entry_cell)
    return SpatialHash(bucket_start, entry_item, entry_cell, boxes, cell_size)


def hash_again(hashed: SpatialHash, boxes: NDArray[np.float64]) -> SpatialHash:
    """Hash boxes in place of what a hash held before; it may be another one that is returned, where there was no room.

    For what moves in every tick: it takes half the time, and records that hold the hash need not be packed anew.

    Example: ``self.hashed = hash_again(self.hashed, boxes)``.
    """
    if not sort_again(boxes, hashed.cell_size, hashed.bucket_start, hashed.entry_item, hashed.entry_cell):
        return hash_boxes(boxes, hashed.cell_size, ROOM)
    return hashed if boxes is hashed.boxes else hashed._replace(boxes=boxes)


def hash_points(points: NDArray[np.float64], cell_size: float) -> SpatialHash:
    """Hash points by their first two coordinates: ``hash_points(np.zeros((5, 3)), cell_size=1.0)``."""
    plan = np.asarray(points, dtype=np.float64)[:, :2]
    boxes = np.empty((len(plan), 4))
    boxes[:, :2] = boxes[:, 2:] = plan
    return hash_boxes(boxes, cell_size)


def hash_circles(centres: NDArray[np.float64], radius: Any, cell_size: float) -> SpatialHash:
    """Hash circles by their bounding squares; ``radius`` is one number or one per circle.

    Example: ``hash_circles(segment_position, 0.6, cell_size=2.0)``.
    """
    plan = np.asarray(centres, dtype=np.float64)[:, :2]
    reach = np.broadcast_to(np.asarray(radius, dtype=np.float64), (plan.shape[0],))[:, None]
    return hash_boxes(np.concatenate((plan - reach, plan + reach), axis=1), cell_size)
