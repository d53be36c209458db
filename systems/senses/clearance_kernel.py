"""How far the head may go straight ahead, and the tail of a chain straight back, before they come too near to something.

Either is swept as a ball of radius HEAD_CLEARANCE along its own axis [walking 5].
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from ...components.antennae import FORWARD
from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ...engine.spatial_hash import next_item, open_query
from ...engine.vector_kernel import dot
from ..spatial_index.free_path_kernel import free_path_to_edges, free_path_to_solids
from ..spatial_index.solid_kernel import solid_distance
from ..spatial_index.wall_contact_kernel import EDGES, edge_gap

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...engine.kernel_types import Array, Vector
    from ..legs.segment_frame_kernel import Frame
    from ..spatial_index.index import Around

CORNERED = 0.05  # share of a step that is left of the way; less than that leads nowhere
STANDSTILL = 1e-6  # share of a step of a head that is shut in; not zero, which means that nothing was felt
SIDEWISE = 0.5  # share of a sidewise step that two walls must leave
BARRIER_GAP = 0.02  # units; a head this near to its clearance slides along what it has met


@kernel()
def note_barrier(gap: float, normal: Vector, u: Vector, barrier: Array, way: Array) -> None:
    """Note a barrier with this normal if the head is at it, and if it closes the way more squarely than the one known.

    The way the head may go loses its part into the barrier, whichever barrier it is.
    """
    if gap > BARRIER_GAP:
        return
    inward = min(dot(way, normal), 0.0)
    for axis in range(3):
        way[axis] -= inward * normal[axis]
    if dot(normal, u) < min(dot(barrier, u), 0.0):
        for axis in range(3):
            barrier[axis] = normal[axis]


@kernel()
def note_barriers(at: Vector, u: Vector, clearance: float, around: Around, barrier: Array, way: Array) -> None:
    """Note everything that one head has met."""
    x, y, z = at
    bounds, solids, hashed = around.bounds, around.solids, around.solid_hash
    for edge in range(EDGES):
        gap, nx, ny, nz = edge_gap(edge, x, y, bounds)
        note_barrier(gap - clearance, (nx, ny, nz), u, barrier, way)
    reach = clearance + BARRIER_GAP
    cells, cursor = open_query(hashed, x - reach, y - reach, x + reach, y + reach)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            return
        d, nx, ny, nz = solid_distance(solids, k, x, y, z)
        note_barrier(d - clearance, (nx, ny, nz), u, barrier, way)


@kernel()
def feel_barrier(frame: Frame, clearance: float, around: Around, barrier: Array, way: Array) -> None:
    """Find what one head has met ahead (its outward normal, or zero) and the direction in which it may go on.

    A head in a corner can go on along neither wall by its own heading. It then goes sidewise along the wall it faces,
    to the side that the other wall leaves open, and first to the one it leans to: always the left one first, and a head
    near a corner would go to and fro between a wall and the gap at which it no longer feels it.
    """
    at, ahead, aside = (frame.x, frame.y, frame.z), (frame.fx, frame.fy, frame.fz), (frame.lx, frame.ly, frame.lz)
    barrier[0], barrier[1], barrier[2] = 0.0, 0.0, 0.0
    way[0], way[1], way[2] = ahead
    note_barriers(at, ahead, clearance, around, barrier, way)
    if sqrt(dot(way, way)) > CORNERED:
        return
    first_side = -1.0 if dot(way, aside) < 0.0 else 1.0
    for side in (first_side, -first_side):
        sidewise = (side * aside[0], side * aside[1], side * aside[2])
        way[0], way[1], way[2] = sidewise
        for _ in range(2):  # twice, as leaving one wall may lead into the other
            note_barriers(at, ahead, clearance, around, barrier, way)
        if dot(way, sidewise) > SIDEWISE:
            return
    way[0], way[1], way[2] = STANDSTILL * ahead[0], STANDSTILL * ahead[1], STANDSTILL * ahead[2]


@kernel()
def leading_end(c: int, bodies: BodyPool, backward: bool) -> tuple[int, int]:
    """Return the segment of a creature that leads, and the next one: the tail leads a body backward whose segments trail."""
    first = int64(bodies.first_segment[c])
    if backward and bodies.trailing[c] != 0:
        last = first + bodies.segment_count[c] - 1
        return last, last - 1
    return first, first + 1


@kernel()
def look_ahead(frame: Frame, rear: Frame, clearance: float, look_range: float, around: Around, free_path: Array,
               barrier: Array, way: Array) -> None:  # fmt: skip
    """Find how far one head may go forward and its rear backward, the barrier the head has met, and the way along it.

    rear: frame of what leads backward. Bodies are climbed over, so only what stands fast closes the way.
    """
    feel_barrier(frame, clearance, around, barrier, way)
    for direction in range(2):
        sign, end = (1.0, frame) if direction == FORWARD else (-1.0, rear)
        at, u = (end.x, end.y, end.z), (sign * end.fx, sign * end.fy, sign * end.fz)
        reach = free_path_to_edges(around.bounds, at, u, clearance, look_range)
        free_path[direction] = free_path_to_solids(around, at, u, clearance, reach)[0]
