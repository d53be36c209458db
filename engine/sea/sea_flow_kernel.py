"""How fast water goes at a point: a current that is the same everywhere, sources at pillars, and the pond's own flow.

    u(x, t) = a sin(2 pi t / T) e + sum over pillars of min(s / (d - r)^2, 2 a) outward + u of the shallow water [Tu99 8.1]

d is the distance from a pillar's axis and r its radius; the sum has the pillars whose tops are above the point.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from numba import prange

from ..kernel import kernel
from ..kernel_types import int64
from ..spatial_hash import next_item, open_query
from ..water.sample_kernel import sample_water
from .sea_layout import FASTEST_SOURCE, FLOW_X, FLOW_Y, PILLAR_RADIUS, PILLAR_TOP, PILLAR_X, PILLAR_Y, SOURCE

if TYPE_CHECKING:
    from ..kernel_types import Array, Vector
    from .sea_layout import SeaArrays

REACH = 10.0  # times the root of the source's strength by that of the current: there a source is 1 % of the current
LEAST_DISTANCE = 1e-9  # units; on the axis of a pillar nothing is outward


@kernel()
def source_flow(sea: SeaArrays, x: float, y: float, z: float) -> tuple[float, float]:
    """Return the velocity (x, y) of the water away from all pillars whose tops are above the point."""
    u, v, source, fastest = 0.0, 0.0, sea.numbers[SOURCE], sea.numbers[FASTEST_SOURCE]
    if not source > 0.0 or sea.pillars.shape[0] == 0:
        return u, v
    cells, cursor = open_query(sea.pillar_hash, x, y, x, y)
    while True:
        k, cursor = next_item(sea.pillar_hash, cells, cursor)
        if k < 0:
            break
        dx, dy = x - sea.pillars[k, PILLAR_X], y - sea.pillars[k, PILLAR_Y]
        d = sqrt(dx * dx + dy * dy)
        gap = d - sea.pillars[k, PILLAR_RADIUS]
        if z > sea.pillars[k, PILLAR_TOP] or d < LEAST_DISTANCE or source < gap * gap * fastest / (2.0 * REACH * REACH):
            continue
        speed = fastest if gap <= 0.0 or source > fastest * gap * gap else source / (gap * gap)
        u, v = u + speed * dx / d, v + speed * dy / d
    return u, v


@kernel()
def extra_flow(sea: SeaArrays, x: float, y: float, z: float) -> tuple[float, float]:
    """Return the velocity (x, y) that the sea adds to that of the pond at a point in the water."""
    u, v = source_flow(sea, x, y, z)
    return u + sea.numbers[FLOW_X], v + sea.numbers[FLOW_Y]


@kernel()
def flow_at(sea: SeaArrays, x: float, y: float, z: float) -> Vector:
    """Return the velocity (x, y, z) of the water at a point; zeros where there is none: on land, above it, in the bed."""
    surface, depth, u, v = sample_water(sea.water, x, y)
    if not (depth > 0.0 and z <= surface and z >= surface - depth):
        return 0.0, 0.0, 0.0
    more_u, more_v = extra_flow(sea, x, y, z)
    return u + more_u, v + more_v, 0.0


@kernel(parallel=True)
def flow_at_points(sea: SeaArrays, points: Array, flows: Array) -> None:
    """Update the velocities (n, 3) of the water at points (n, 3)."""
    for i in prange(points.shape[0]):
        row = int64(i)
        u, v, w = flow_at(sea, points[row, 0], points[row, 1], points[row, 2])
        flows[row, 0], flows[row, 1], flows[row, 2] = u, v, w
