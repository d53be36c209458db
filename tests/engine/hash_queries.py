"""Everything that a spatial hash finds, listed for comparisons."""

from __future__ import annotations

import numpy as np

from paludarium.engine.kernel import kernel
from paludarium.engine.spatial_hash import boxes_overlap, next_item, open_query


@kernel()
def write_items_near(hashed, x_min, y_min, x_max, y_max, items):
    """Update items from the boxes that touch the query box and return their number (which may exceed the room)."""
    found = 0
    cells, cursor = open_query(hashed, x_min, y_min, x_max, y_max)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            break
        if boxes_overlap(hashed.boxes, k, x_min, y_min, x_max, y_max):
            if found < items.size:
                items[found] = k
            found += 1
    return found


def touching_box(hashed, box):
    """The items whose box touches this one, ascending."""
    items = np.empty(len(hashed.boxes), np.int32)
    return np.sort(items[: write_items_near(hashed, *box, items)])


def items_near(hashed, x, y, reach):
    """The items whose box touches the square of half width `reach` about a point, ascending."""
    return touching_box(hashed, (x - reach, y - reach, x + reach, y + reach))


def touching_pairs(hashed):
    """All pairs (i, j), i < j, of items whose boxes touch, in ascending order."""
    pairs = [(i, j) for i, box in enumerate(hashed.boxes) for j in touching_box(hashed, box) if j > i]
    return np.array(pairs, np.int32).reshape(-1, 2)
