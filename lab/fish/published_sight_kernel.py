"""Tests of sight as published that no animal asks: pillars by their distance, weed by the corners of its box. [Tu99 6.4]

Legend: o is the eye, p the point looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.kernel import kernel
from ...systems.fish.senses.fish_view_kernel import distance_between, in_view, solids_hide

if TYPE_CHECKING:
    from ...engine.kernel_types import Vector
    from ...systems.spatial_index.index import Around


@kernel(refcount=False)
def sees_point(o: Vector, axis: Vector, p: Vector, reach: float, narrowest: float, around: Around) -> bool:
    """Return whether a point is seen. [Tu99 6.4.1]"""
    return in_view(o, axis, p, reach, narrowest) and not solids_hide(o, p, around)


@kernel(refcount=False)
def sees_pillar(o: Vector, x: float, y: float, radius: float, bottom: float, top: float, reach: float) -> bool:
    """Return whether a pillar is near enough to be seen, whichever way one looks. [Tu99 6.4.3]"""
    z = min(max(o[2], bottom), top)
    return distance_between(o, (x, y, z)) - radius < reach


@kernel(refcount=False)
def sees_box(o: Vector, axis: Vector, low: Vector, high: Vector, reach: float, narrowest: float, around: Around) -> bool:
    """Return whether any corner of a box along the axes is seen: a cluster of seaweed. [Tu99 6.4.4]"""
    for corner in range(8):
        p = (high[0] if corner & 1 else low[0], high[1] if corner & 2 else low[1], high[2] if corner & 4 else low[2])
        if sees_point(o, axis, p, reach, narrowest, around):
            return True
    return False
