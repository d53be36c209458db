"""How far the head may go straight ahead and straight back before it comes too near to something.

The head is swept as a ball of radius HEAD_CLEARANCE along its own axis [walking-study 5, "swept head-only blocking"].
Solids are convex, so following the distance function is exact, and one that is already too near blocks only the
direction that leads closer to it: a head can always leave.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numba import prange

from ...components.antennae import Sense
from ...engine.kernel import kernel
from ...engine.spatial_hash import boxes_overlap, next_item, open_query
from ..legs.segment_frame_kernel import segment_frame
from ..spatial_index.solid_kernel import solid_distance
from ..spatial_index.solids import SolidField
from .touch_kernel import X_MAX, X_MIN, Y_MAX, Y_MIN

FORWARD, BACKWARD = 0, 1
MARCH_STEPS = 64  # more than a grazing path needs; a path that is not decided by then counts as blocked there
TOUCHING = 1e-4  # units; a remaining gap below this counts as none
CORNERED = 0.05  # share of a step that is left of the way; less than that leads nowhere
STANDSTILL = 1e-6  # share of a step of a head that is shut in; not zero, which means that nothing was felt
SIDEWISE = 0.5  # share of a sidewise step that two walls must leave
BARRIER_GAP = 0.02  # units; a head this near to its clearance slides along what it has met


@kernel()
def free_path_to_solid(solids, k, x, y, z, ux, uy, uz, clearance, reach):
    """Return how far a ball may go along the unit vector u before it meets solid k, at most reach."""
    travelled = 0.0
    for _ in range(MARCH_STEPS):
        d, nx, ny, nz = solid_distance(solids, k, x + travelled * ux, y + travelled * uy, z + travelled * uz)
        if d - clearance <= TOUCHING:
            return travelled if nx * ux + ny * uy + nz * uz < 0.0 else reach
        travelled += d - clearance
        if travelled >= reach:
            return reach
    return travelled


@kernel()
def free_path_to_solids(c, solids, hashed, x, y, z, ux, uy, uz, clearance, reach):
    """Return how far the head of creature c may go along u before it meets any solid that is not its own."""
    end_x, end_y = x + reach * ux, y + reach * uy
    x_min, x_max = min(x, end_x) - clearance, max(x, end_x) + clearance
    y_min, y_max = min(y, end_y) - clearance, max(y, end_y) + clearance
    free = reach
    cells, cursor = open_query(hashed, x_min, y_min, x_max, y_max)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            break
        if int(solids[k, SolidField.OWNER]) != c and boxes_overlap(hashed.boxes, k, x_min, y_min, x_max, y_max):
            free = min(free, free_path_to_solid(solids, k, x, y, z, ux, uy, uz, clearance, free))
    return free


@kernel()
def free_path_to_edge(gap, speed, reach):
    """Return how far one may go when a border lies ``gap`` away and is neared by ``speed`` per unit of way."""
    return min(reach, max(gap, 0.0) / speed) if speed > 0.0 else reach


@kernel()
def note_barrier(c, gap, nx, ny, nz, ux, uy, uz, barrier, way):
    """Update the barrier of a head to this normal if it is met and closes the way more squarely than the one known.

    The way the head may go loses its part into the barrier, whichever barrier it is.
    """
    against = nx * ux + ny * uy + nz * uz
    if gap > BARRIER_GAP:
        return
    inward = min(way[c, 0] * nx + way[c, 1] * ny + way[c, 2] * nz, 0.0)
    way[c, 0], way[c, 1], way[c, 2] = way[c, 0] - inward * nx, way[c, 1] - inward * ny, way[c, 2] - inward * nz
    known = barrier[c, 0] * ux + barrier[c, 1] * uy + barrier[c, 2] * uz
    if against < min(known, 0.0):
        barrier[c, 0], barrier[c, 1], barrier[c, 2] = nx, ny, nz


@kernel()
def note_barriers(c, x, y, z, ux, uy, uz, clearance, solids, hashed, bounds, barrier, way):
    """Update barrier and way of one head from everything it has met."""
    note_barrier(c, x - bounds[X_MIN] - clearance, 1.0, 0.0, 0.0, ux, uy, uz, barrier, way)
    note_barrier(c, bounds[X_MAX] - x - clearance, -1.0, 0.0, 0.0, ux, uy, uz, barrier, way)
    note_barrier(c, y - bounds[Y_MIN] - clearance, 0.0, 1.0, 0.0, ux, uy, uz, barrier, way)
    note_barrier(c, bounds[Y_MAX] - y - clearance, 0.0, -1.0, 0.0, ux, uy, uz, barrier, way)
    reach = clearance + BARRIER_GAP
    cells, cursor = open_query(hashed, x - reach, y - reach, x + reach, y + reach)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            return
        d, nx, ny, nz = solid_distance(solids, k, x, y, z)
        note_barrier(c, d - clearance, nx, ny, nz, ux, uy, uz, barrier, way)


@kernel()
def feel_barrier(c, frame, clearance, solids, hashed, bounds, barrier, way):
    """Update what one head has met ahead (its outward normal, or zero) and the direction in which it may go on.

    A head in a corner can go on along neither wall by its own heading. It then goes sidewise along the wall it faces,
    to the side that the other wall leaves open, and first to the one it leans to: always the left one first, and a head
    near a corner would go to and fro between a wall and the gap at which it no longer feels it.
    """
    x, y, z, ux, uy, uz = frame[:6]
    barrier[c, :] = 0.0
    way[c, 0], way[c, 1], way[c, 2] = ux, uy, uz
    note_barriers(c, x, y, z, ux, uy, uz, clearance, solids, hashed, bounds, barrier, way)
    left = sqrt(way[c, 0] * way[c, 0] + way[c, 1] * way[c, 1] + way[c, 2] * way[c, 2])
    if left > CORNERED:
        return
    lean = way[c, 0] * frame[6] + way[c, 1] * frame[7] + way[c, 2] * frame[8]
    first_side = -1.0 if lean < 0.0 else 1.0
    for side in (first_side, -first_side):
        sx, sy, sz = side * frame[6], side * frame[7], side * frame[8]
        way[c, 0], way[c, 1], way[c, 2] = sx, sy, sz
        for _ in range(2):  # twice, as leaving one wall may lead into the other
            note_barriers(c, x, y, z, ux, uy, uz, clearance, solids, hashed, bounds, barrier, way)
        if way[c, 0] * sx + way[c, 1] * sy + way[c, 2] * sz > SIDEWISE:
            return
    way[c, 0], way[c, 1], way[c, 2] = STANDSTILL * ux, STANDSTILL * uy, STANDSTILL * uz


@kernel()
def look_from_head(
    c, parameters, position, orientation, first_segment, solids, solid_hash, bodies, body_hash, bounds, free, barrier, way
):
    """Update the free path of one head, forward and backward, the barrier it has met and the way along it."""
    frame = segment_frame(position, orientation, np.int64(first_segment[c]))
    x, y, z, ux, uy, uz = frame[:6]
    clearance = parameters[c, Sense.HEAD_CLEARANCE]
    feel_barrier(c, frame, clearance, solids, solid_hash, bounds, barrier, way)
    for way in range(2):
        if way == BACKWARD:
            ux, uy, uz = -ux, -uy, -uz
        reach = parameters[c, Sense.LOOK_RANGE]
        reach = free_path_to_edge(x - bounds[X_MIN] - clearance, -ux, reach)
        reach = free_path_to_edge(bounds[X_MAX] - x - clearance, ux, reach)
        reach = free_path_to_edge(y - bounds[Y_MIN] - clearance, -uy, reach)
        reach = free_path_to_edge(bounds[Y_MAX] - y - clearance, uy, reach)
        reach = free_path_to_solids(c, solids, solid_hash, x, y, z, ux, uy, uz, clearance, reach)
        free[c, way] = free_path_to_solids(c, bodies, body_hash, x, y, z, ux, uy, uz, clearance, reach)


@kernel(parallel=True)
def look_ahead(
    rows, parameters, position, orientation, first_segment, solids, solid_hash, bodies, body_hash, bounds, free, barrier, way
):
    """Update free paths (forward, backward) and barriers of all heads from the solids, bodies and map edge around."""
    for r in prange(rows.size):
        look_from_head(
            np.int64(rows[r]), parameters, position, orientation, first_segment,
            solids, solid_hash, bodies, body_hash, bounds, free, barrier, way,
        )  # fmt: skip
