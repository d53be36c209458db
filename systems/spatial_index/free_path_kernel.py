"""How far a ball may go straight ahead before it comes to an obstacle or to the edge of the map.

Solids are convex, so following the distance function is exact, and one that is already too near blocks only the
direction that leads closer to it: a body can always leave.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ...engine.spatial_hash import boxes_overlap, next_item, open_query
from ...engine.vector_kernel import dot
from .solid_kernel import solid_distance
from .wall_contact_kernel import EDGES, edge_gap

if TYPE_CHECKING:
    from ...engine.kernel_types import Array, Vector
    from .index import Around

MARCH_STEPS = 64  # more than a grazing path needs; a path that is not decided by then counts as blocked there
TOUCHING = 1e-4  # units; a remaining gap below this counts as none
NOTHING = -1
"""The row of no solid."""


@kernel(refcount=False)
def free_path_to_solid(solids: Array, k: int, at: Vector, u: Vector, clearance: float, reach: float) -> float:
    """Return how far a ball may go along the unit vector u before it meets solid k, at most reach."""
    x, y, z = at
    travelled = 0.0
    for _ in range(MARCH_STEPS):
        d, nx, ny, nz = solid_distance(solids, k, x + travelled * u[0], y + travelled * u[1], z + travelled * u[2])
        if d - clearance <= TOUCHING:
            return travelled if dot((nx, ny, nz), u) < 0.0 else reach
        travelled += d - clearance
        if travelled >= reach:
            return reach
    return travelled


@kernel(refcount=False)
def free_path_to_solids(around: Around, at: Vector, u: Vector, clearance: float, reach: float) -> tuple[float, int]:
    """Return how far one may go along u before it meets an obstacle, at most reach, and the row of that one or NOTHING."""
    solids, hashed = around.solids, around.solid_hash
    free, first = reach, int64(NOTHING)
    end_x, end_y = at[0] + reach * u[0], at[1] + reach * u[1]
    x_min, x_max = min(at[0], end_x) - clearance, max(at[0], end_x) + clearance
    y_min, y_max = min(at[1], end_y) - clearance, max(at[1], end_y) + clearance
    cells, cursor = open_query(hashed, x_min, y_min, x_max, y_max)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            return free, first
        if boxes_overlap(hashed.boxes, k, x_min, y_min, x_max, y_max):
            way = free_path_to_solid(solids, k, at, u, clearance, free)
            if way < free:
                free, first = way, k


@kernel(refcount=False)
def free_path_to_edge(gap: float, speed: float, reach: float) -> float:
    """Return how far one may go when a border lies ``gap`` away and is neared by ``speed`` per unit of way."""
    return min(reach, max(gap, 0.0) / speed) if speed > 0.0 else reach


@kernel(refcount=False)
def free_path_to_edges(bounds: Array, at: Vector, u: Vector, clearance: float, reach: float) -> float:
    """Return how far one may go along u before the edge of the map is nearer than the clearance, at most reach."""
    for edge in range(EDGES):
        gap, nx, ny, _ = edge_gap(edge, at[0], at[1], bounds)
        reach = free_path_to_edge(gap - clearance, -(nx * u[0] + ny * u[1]), reach)
    return reach
