"""Looking through seaweed: what is behind it is seen from less far, and what is deep in it hardly at all.

A cluster of leaves is a box of haze: of the light on its way through, each unit of it takes the same share (Beer and
Lambert), by the area of leaves in the box. An eye sees as far as it would without weed, times the light that is left.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.spatial_hash import boxes_overlap, next_item, open_query
from ...sea.seaweed import Thicket

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from .sight import Scene


@kernel(refcount=False)
def way_in_box(o: Vector, p: Vector, box: Array) -> float:
    """Return which share of the way from o to p is inside a box, a row of `Thicket`s."""
    low, high = 0.0, 1.0
    for axis in range(3):
        start, step = o[axis], p[axis] - o[axis]
        if step == 0.0:
            if not box[axis] <= start <= box[Thicket.HIGH_X + axis]:
                return 0.0
        else:
            a, b = (box[axis] - start) / step, (box[Thicket.HIGH_X + axis] - start) / step
            low, high = max(low, min(a, b)), min(high, max(a, b))
    return max(high - low, 0.0)


@kernel(refcount=False)
def light_through_weed(o: Vector, p: Vector, scene: Scene) -> float:
    """Return which share of the light from p reaches an eye at o through all the weed between, 0 to 1."""
    thickets, hashed = scene.thickets, scene.thicket_hash
    if thickets.shape[0] == 0:
        return 1.0
    dx, dy, dz = p[0] - o[0], p[1] - o[1], p[2] - o[2]
    x_min, x_max, y_min, y_max = min(o[0], p[0]), max(o[0], p[0]), min(o[1], p[1]), max(o[1], p[1])
    lost = 0.0
    cells, cursor = open_query(hashed, x_min, y_min, x_max, y_max)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            return exp(-lost * sqrt(dx * dx + dy * dy + dz * dz))
        if boxes_overlap(hashed.boxes, k, x_min, y_min, x_max, y_max):
            lost += thickets[k, Thicket.LOSS] * way_in_box(o, p, thickets[k])
