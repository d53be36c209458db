"""What stops a body: the nearest obstacle and the edge of the map at a place. How it moves out of it is its own affair.

The ground is asked by `sample_ground`, which gives the same: a distance, negative inside, and the outward normal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.gap import Gap
from ...engine.kernel import kernel
from ...engine.spatial_hash import next_item, open_query
from .solid_kernel import solid_distance

if TYPE_CHECKING:
    from ...engine.kernel_types import Array, Four
    from ..body_surroundings import BodySurroundings
    from .index import Around

X_MIN, Y_MIN, X_MAX, Y_MAX = 0, 1, 2, 3  # columns of the map bounds
EDGES = 4  # of the map: left, right, near, far
FIRST_EDGE = 1
WALLS = FIRST_EDGE + EDGES  # that a body may touch: the nearest obstacle, then the edges


@kernel(refcount=False)
def edge_gap(edge: int, x: float, y: float, bounds: Array) -> Gap:
    """Return how far a place is inside of an edge of the map, and the normal of the edge, which points into the map."""
    if edge == 0:
        return Gap(x - bounds[X_MIN], 1.0, 0.0, 0.0)
    if edge == 1:
        return Gap(bounds[X_MAX] - x, -1.0, 0.0, 0.0)
    if edge == 2:
        return Gap(y - bounds[Y_MIN], 0.0, 1.0, 0.0)
    return Gap(bounds[Y_MAX] - y, 0.0, -1.0, 0.0)


@kernel(refcount=False)
def nearest_edge(x: float, y: float, bounds: Array) -> Gap:
    """Return distance and normal of the nearest edge of the map."""
    nearest, nx, ny, nz = edge_gap(0, x, y, bounds)
    for edge in range(1, EDGES):
        gap, mx, my, mz = edge_gap(edge, x, y, bounds)
        if gap < nearest:
            nearest, nx, ny, nz = gap, mx, my, mz
    return Gap(nearest, nx, ny, nz)


@kernel(refcount=False)
def is_beyond_edge(x: float, y: float, bounds: Array) -> bool:
    """Return whether a place is not on the map."""
    return x < bounds[X_MIN] or y < bounds[Y_MIN] or x > bounds[X_MAX] or y > bounds[Y_MAX]


@kernel(refcount=False)
def nearest_solid(x: float, y: float, z: float, reach: float, around: Around | BodySurroundings) -> Gap:
    """Return distance and outward normal of the nearest obstacle, reach if none is nearer."""
    nearest, nx, ny, nz = reach, 0.0, 0.0, 1.0
    cells, cursor = open_query(around.solid_hash, x - reach, y - reach, x + reach, y + reach)
    while True:
        k, cursor = next_item(around.solid_hash, cells, cursor)
        if k < 0:
            return Gap(nearest, nx, ny, nz)
        d, mx, my, mz = solid_distance(around.solids, k, x, y, z)
        if d < nearest:
            nearest, nx, ny, nz = d, mx, my, mz


@kernel(refcount=False)
def nearest_wall(x: float, y: float, z: float, reach: float, around: Around) -> Gap:
    """Return distance and outward normal of the nearest obstacle or edge of the map; reach if none is nearer."""
    solid, edge = nearest_solid(x, y, z, reach, around), nearest_edge(x, y, around.bounds)
    return edge if edge.distance < reach and edge.distance <= solid.distance else solid


@kernel(refcount=False)
def wall_contact(wall: int, x: float, y: float, z: float, radius: float, around: Around | BodySurroundings) -> Four:
    """Return how deep a ball is in one of the `WALLS`, and the normal that leads out of it; above 0 they touch."""
    if wall < FIRST_EDGE:
        d, nx, ny, nz = nearest_solid(x, y, z, radius, around)
    else:
        d, nx, ny, nz = edge_gap(wall - FIRST_EDGE, x, y, around.bounds)
    return radius - d, nx, ny, nz
