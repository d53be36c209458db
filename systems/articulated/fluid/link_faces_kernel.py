"""Links on the grid: which share of each face is open, who closes the rest, and what moving links do to cells.

A link is a capsule whose width changes evenly. Faces are cut where the distance of their two nodes changes sign. Links
thinner than a cell would leak: every face is closed whose neighbouring cell centres lie on two sides of a link's axis, so
that bodies are watertight at any thickness. [swimmer 0.4, 1.1] [articulated-swimmers 6.3, 6.4]
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from ....components.articulated.link_plan import MOST_LINKS
from ....engine.kernel import kernel
from ....engine.kernel_types import int16, int64
from .cut_region_kernel import HIGH_I, HIGH_J, LOW_I, LOW_J
from .plane_body_kernel import COS, SIN, SPIN, VX, VY, X, Y
from .window_layout import GROUND, NOBODY

if TYPE_CHECKING:
    from ....components.articulated.links import LinkPool
    from ....components.articulated.servo import SwimPool
    from ....engine.kernel_types import Array
    from .window_layout import WindowArrays

SMALLEST_OPENING = 0.02
"""Share of a face below which it is closed. [swimmer 1.1]"""
NUDGE_X, NUDGE_Y = 0.0013, 0.0007
"""Cells that axes are moved by, so that none runs exactly through cell centres: ties would leak. [swimmer 8.3]"""
FAR = 1e9
MARGIN = 1.01
"""Cells around a link within which nodes can share a face with a node inside."""


@kernel(refcount=False)
def clear_row(open_u: Array, open_v: Array, owner_u: Array, owner_v: Array, distance: Array) -> None:
    """Update a row of faces to be open, and of nodes to be far from everything."""
    for i in range(open_u.size):
        open_u[i] = 1.0
        open_v[i] = 1.0
        owner_u[i] = NOBODY
        owner_v[i] = NOBODY
        distance[i] = FAR


@kernel(refcount=False)
def close_ground(solid: Array, open_u: Array, open_v: Array, owner_u: Array, owner_v: Array) -> None:
    """Update the faces of cells of ground."""
    for j in range(1, solid.shape[0] - 1):
        for i in range(1, solid.shape[1] - 1):
            if solid[j, i]:
                open_u[j, i] = open_u[j, i - 1] = open_v[j, i] = open_v[j - 1, i] = 0.0
                owner_u[j, i] = owner_u[j, i - 1] = owner_v[j, i] = owner_v[j - 1, i] = GROUND


@kernel(refcount=False)
def measure_link(name: int, ax: float, ay: float, bx: float, by: float, r0: float, r1: float, distance: Array,
                 nearest: Array, box: Array) -> None:  # fmt: skip
    """Update the distance of nodes from a link, in cells, and the box of all links; the node [j, i] is at (i, j)."""
    r = max(r0, r1) + MARGIN
    ny, nx = distance.shape[0] - 2, distance.shape[1] - 2
    low_i, high_i = max(int64(np.ceil(min(ax, bx) - r)), 0), min(int64(np.floor(max(ax, bx) + r)), nx)
    low_j, high_j = max(int64(np.ceil(min(ay, by) - r)), 0), min(int64(np.floor(max(ay, by) + r)), ny)
    ex, ey = bx - ax, by - ay
    size = max(ex * ex + ey * ey, 1e-30)
    for j in range(low_j, high_j + 1):
        for i in range(low_i, high_i + 1):
            px, py = i - ax, j - ay
            t = min(max((px * ex + py * ey) / size, 0.0), 1.0)
            qx, qy = px - t * ex, py - t * ey
            d = sqrt(qx * qx + qy * qy) - (r0 + t * (r1 - r0))
            if d < distance[j, i]:
                distance[j, i] = d
                nearest[j, i] = name
    box[LOW_J], box[HIGH_J] = min(box[LOW_J], low_j), max(box[HIGH_J], high_j)
    box[LOW_I], box[HIGH_I] = min(box[LOW_I], low_i), max(box[HIGH_I], high_i)


@kernel(refcount=False)
def opening(d0: float, d1: float) -> float:
    """Return the open share of a face between nodes of these distances."""
    if d0 >= 0.0 and d1 >= 0.0:
        return 1.0
    if d0 < 0.0 and d1 < 0.0:
        return 0.0
    share = max(d0, d1) / abs(d0 - d1)
    return share if share >= SMALLEST_OPENING else 0.0


@kernel(refcount=False)
def cut_faces(box: Array, distance: Array, nearest: Array, open_u: Array, open_v: Array, owner_u: Array,
              owner_v: Array) -> None:  # fmt: skip
    """Update the faces around all links from the distances of their nodes."""
    for j in range(max(box[LOW_J], 1), box[HIGH_J] + 1):
        for i in range(max(box[LOW_I], 1), box[HIGH_I] + 1):
            here = distance[j, i]
            south, west = distance[j - 1, i], distance[j, i - 1]
            if (here < 0.0 or south < 0.0) and owner_u[j, i] != GROUND:
                open_u[j, i] = opening(south, here)
                owner_u[j, i] = nearest[j, i] if here < south else nearest[j - 1, i]
            if (here < 0.0 or west < 0.0) and owner_v[j, i] != GROUND:
                open_v[j, i] = opening(west, here)
                owner_v[j, i] = nearest[j, i] if here < west else nearest[j, i - 1]


@kernel(refcount=False)
def close_along_axis(name: int, ax: float, ay: float, bx: float, by: float, open_u: Array, open_v: Array, owner_u: Array,
                     owner_v: Array) -> None:  # fmt: skip
    """Update the faces that lie between cell centres on two sides of a link's axis; the centre of cell [j, i] is (i, j)."""
    ny, nx = open_u.shape[0] - 2, open_u.shape[1] - 2
    for j in range(max(int64(np.ceil(min(ay, by))), 1), min(int64(np.floor(max(ay, by))), ny) + 1):
        i = int64(np.floor(ax + (j - ay) / (by - ay) * (bx - ax)))
        if 0 <= i <= nx and owner_u[j, i] != GROUND:
            open_u[j, i] = 0.0
            owner_u[j, i] = name
    for i in range(max(int64(np.ceil(min(ax, bx))), 1), min(int64(np.floor(max(ax, bx))), nx) + 1):
        j = int64(np.floor(ay + (i - ax) / (bx - ax) * (by - ay)))
        if 0 <= j <= ny and owner_v[j, i] != GROUND:
            open_v[j, i] = 0.0
            owner_v[j, i] = name


@kernel(refcount=False)
def shape_window(w: int, fluid: WindowArrays, swimmers: SwimPool, links: LinkPool, box: Array) -> None:
    """Update the openings and owners of all faces of a window, and the box of nodes that its members are in."""
    open_u, open_v, owner_u, owner_v = fluid.open_u[w], fluid.open_v[w], fluid.owner_u[w], fluid.owner_v[w]
    distance, nearest = fluid.distance[w], fluid.nearest[w]
    for j in range(open_u.shape[0]):
        clear_row(open_u[j], open_v[j], owner_u[j], owner_v[j], distance[j])
    if fluid.has_ground[w]:
        close_ground(fluid.solid[w], open_u, open_v, owner_u, owner_v)
    scale, x0, y0 = 1.0 / fluid.cell[w], fluid.origin[w, 0], fluid.origin[w, 1]
    box[LOW_J], box[HIGH_J], box[LOW_I], box[HIGH_I] = open_u.shape[0], -1, open_u.shape[1], -1
    for cutting in range(2):  # all faces are cut before any is closed
        for m in range(fluid.member_count[w]):
            c = fluid.members[w, m]
            first, frame = int64(swimmers.first_link[c]), fluid.frame[w, m]
            for k in range(swimmers.link_count[c]):
                row, name = first + k, int16(MOST_LINKS * m + k)
                if links.length[row] > 0.0:
                    ax, ay = (frame[k, X] - x0) * scale, (frame[k, Y] - y0) * scale
                    back = links.length[row] * scale
                    bx, by = ax - back * frame[k, COS], ay - back * frame[k, SIN]
                    if cutting == 0:
                        r0, r1 = links.radius[row, 0] * scale, links.radius[row, 1] * scale
                        measure_link(name, ax, ay, bx, by, r0, r1, distance, nearest, box)
                    else:
                        x, y = 0.5 + NUDGE_X, 0.5 + NUDGE_Y
                        close_along_axis(name, ax + x, ay + y, bx + x, by + y, open_u, open_v, owner_u, owner_v)
        if cutting == 0:
            cut_faces(box, distance, nearest, open_u, open_v, owner_u, owner_v)


@kernel(refcount=False)
def reach(j: int, i: int, open_u: Array, open_v: Array, reached: Array) -> int:
    """Return whether a cell has an open face to one that is reached."""
    east, west = open_u[j, i] > 0.0 and reached[j, i + 1], open_u[j, i - 1] > 0.0 and reached[j, i - 1]
    return east or west or (open_v[j, i] > 0.0 and reached[j + 1, i]) or (open_v[j - 1, i] > 0.0 and reached[j - 1, i])


@kernel(refcount=False)
def find_sealed(w: int, fluid: WindowArrays, box: Array) -> bool:
    """Update the list of cells that links have closed off from the water around; return whether there is room for all."""
    open_u, open_v, reached = fluid.open_u[w], fluid.open_v[w], fluid.reached[w]
    ny, nx = open_u.shape[0] - 2, open_u.shape[1] - 2
    low_j, high_j = max(box[LOW_J] - 1, 1), min(box[HIGH_J] + 2, ny)
    low_i, high_i = max(box[LOW_I] - 1, 1), min(box[HIGH_I] + 2, nx)
    for j in range(low_j, high_j + 1):
        for i in range(low_i, high_i + 1):
            edge = j == low_j or j == high_j or i == low_i or i == high_i
            reached[j, i] = 1 if edge else 0
    found, back = 1, False
    while found > 0 or back:  # there and back until a way there finds nothing new
        found = 0
        for b in range(low_j + 1, high_j):
            j = low_j + high_j - b if back else b
            for a in range(low_i + 1, high_i):
                i = low_i + high_i - a if back else a
                if not reached[j, i] and reach(j, i, open_u, open_v, reached):
                    reached[j, i] = 1
                    found += 1
        back = not back and found > 0
    count = 0
    fluid.sealed_count[w] = 0
    for j in range(low_j + 1, high_j):
        for i in range(low_i + 1, high_i):
            if not reached[j, i] and open_u[j, i] + open_u[j, i - 1] + open_v[j, i] + open_v[j - 1, i] > 0.0:
                if count == fluid.sealed.shape[1]:
                    return False
                fluid.sealed[w, count, 0], fluid.sealed[w, count, 1] = j, i
                count += 1
    fluid.sealed_count[w] = count
    return True


@kernel(refcount=False)
def hold_closed_faces(w: int, fluid: WindowArrays, box: Array, drift_x: float, drift_y: float) -> None:
    """Update the velocity of closed faces to that of the link that closes them; ground stays while water drifts."""
    u, v, open_u, open_v, owner_u, owner_v = (
        fluid.u[w], fluid.v[w], fluid.open_u[w], fluid.open_v[w], fluid.owner_u[w], fluid.owner_v[w]
    )  # fmt: skip
    frames, dx, x0, y0 = fluid.frame[w], fluid.cell[w], fluid.origin[w, 0], fluid.origin[w, 1]
    low_j, high_j, low_i, high_i = max(box[LOW_J], 0), box[HIGH_J], max(box[LOW_I], 0), box[HIGH_I]
    if fluid.has_ground[w]:
        low_j, high_j, low_i, high_i = 0, u.shape[0] - 2, 0, u.shape[1] - 2
    for j in range(low_j, high_j + 1):
        for i in range(low_i, high_i + 1):
            if open_u[j, i] == 0.0:
                name = int64(owner_u[j, i])
                if name == GROUND:
                    u[j, i] = -drift_x
                else:
                    m, k = name // MOST_LINKS, name % MOST_LINKS
                    u[j, i] = frames[m, k, VX] - frames[m, k, SPIN] * (y0 + (j - 0.5) * dx - frames[m, k, Y])
            if open_v[j, i] == 0.0:
                name = int64(owner_v[j, i])
                if name == GROUND:
                    v[j, i] = -drift_y
                else:
                    m, k = name // MOST_LINKS, name % MOST_LINKS
                    v[j, i] = frames[m, k, VY] + frames[m, k, SPIN] * (x0 + (i - 0.5) * dx - frames[m, k, X])


@kernel(refcount=False)
def add_face(row: Array, share: float, along_x: bool, x: float, y: float, k: int, first: int, links: LinkPool,
             frame: Array) -> None:  # fmt: skip
    """Update a row of K by a face: what flows out through it, per unit of each rate, times its closed share."""
    if along_x:
        row[0] += share
    else:
        row[1] += share
    while k >= 0:
        row[2 + k] += share * (-(y - frame[k, Y]) if along_x else x - frame[k, X])
        k = int64(links.parent[first + k])


@kernel(refcount=False)
def write_rows(w: int, fluid: WindowArrays, swimmers: SwimPool, links: LinkPool, box: Array) -> bool:
    """Update the rows of K: one per member and cell that it cuts; return whether there is room for all of them."""
    open_u, open_v, owner_u, owner_v = fluid.open_u[w], fluid.open_v[w], fluid.owner_u[w], fluid.owner_v[w]
    dx, x0, y0 = fluid.cell[w], fluid.origin[w, 0], fluid.origin[w, 1]
    count = 0
    fluid.row_count[w] = 0
    for j in range(max(box[LOW_J], 1), min(box[HIGH_J] + 1, open_u.shape[0] - 2) + 1):
        for i in range(max(box[LOW_I], 1), min(box[HIGH_I] + 1, open_u.shape[1] - 2) + 1):
            west, east, south, north = open_u[j, i - 1], open_u[j, i], open_v[j - 1, i], open_v[j, i]
            inside = west + east + south + north
            if inside == 4.0 or inside == 0.0:
                continue
            ow, oe, os, on = owner_u[j, i - 1], owner_u[j, i], owner_v[j - 1, i], owner_v[j, i]
            x, y = x0 + (i - 0.5) * dx, y0 + (j - 0.5) * dx
            for m in range(fluid.member_count[w]):
                low = MOST_LINKS * m
                high = low + MOST_LINKS
                mine_west, mine_east = low <= ow < high, low <= oe < high
                mine_south, mine_north = low <= os < high, low <= on < high
                if not (mine_west or mine_east or mine_south or mine_north):
                    continue
                if count == fluid.row.shape[1]:
                    return False
                c = fluid.members[w, m]
                first, n, frame = int64(swimmers.first_link[c]), swimmers.link_count[c], fluid.frame[w, m]
                row = fluid.row[w, count]
                for q in range(n + 2):
                    row[q] = 0.0
                if mine_west and west < 1.0:
                    add_face(row, -dx * (1.0 - west), True, x - 0.5 * dx, y, ow - low, first, links, frame)
                if mine_east and east < 1.0:
                    add_face(row, dx * (1.0 - east), True, x + 0.5 * dx, y, oe - low, first, links, frame)
                if mine_south and south < 1.0:
                    add_face(row, -dx * (1.0 - south), False, x, y - 0.5 * dx, os - low, first, links, frame)
                if mine_north and north < 1.0:
                    add_face(row, dx * (1.0 - north), False, x, y + 0.5 * dx, on - low, first, links, frame)
                fluid.row_cell[w, count, 0], fluid.row_cell[w, count, 1] = j, i
                fluid.row_member[w, count] = m
                count += 1
    fluid.row_count[w] = count
    return True
