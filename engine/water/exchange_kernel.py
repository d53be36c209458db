"""What water and bodies give to each other: horizontal momentum that a body got from the water is taken from the columns
around it, to the last bit of it.

The momentum of the water is that of its faces, rho A sum(h u), with h the mean depth of the two cells of a face. An impulse
goes to the cells under a capsule, by how much of each it covers, as one change of velocity: no column becomes faster than
its neighbours because it is shallower.

Legend: ``give`` momentum per body row (x, y) that is still to be given to the water.
"""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from numba import prange

from ..kernel import kernel
from .coupling_rows_kernel import AVX, AVY, BVX, BVY, FELT, RADIUS, along_axis, cell_box
from .pond_layout import CLOSED, DEPTH, FILM, SHARE, SILL_X, SILL_Y, SURFACE, WET, U, V

if TYPE_CHECKING:
    from ..kernel_types import Array, Four

DENSITY = 1.0  # of water, the unit of density
LEAST_REACH = 0.5  # cells; a body thinner than a cell still stands in one
X, Y = 0, 1
PART = SHARE  # scratch plane: half the share of a cell that the body at work covers


@kernel()
def open_face(fields: Array, sill: float, j: int, i: int, other_j: int, other_i: int) -> bool:
    """Return whether water stands above the sill on either side of a face that is not closed."""
    return sill < CLOSED and max(fields[SURFACE, j, i], fields[SURFACE, other_j, other_i]) - sill > FILM


@kernel()
def face_depth(fields: Array, j: int, i: int, other_j: int, other_i: int) -> float:
    """Return the depth that counts for the momentum of the face between two cells."""
    return 0.5 * (fields[DEPTH, j, i] + fields[DEPTH, other_j, other_i])


@kernel()
def covered(body: Array, x: float, y: float, reach: float, cell: float) -> float:
    """Return how much of the cell around a point a capsule covers, 0..1, growing smoothly over one cell."""
    _, s, _, _ = along_axis(body, x, y)
    return min(max((reach - body[RADIUS] - s) / cell + 0.5, 0.0), 1.0)


@kernel()
def box_of(body: Array, x0: float, y0: float, cell: float, rows: int, columns: int) -> tuple[int, int, int, int]:
    """Return the cells (first row, last, first column, last) that a capsule may cover a part of."""
    reach = max(body[RADIUS], LEAST_REACH * cell)
    return cell_box(body, x0, y0, cell, reach + 0.5 * cell, rows, columns)


@kernel()
def weigh(fields: Array, body: Array, x0: float, y0: float, cell: float) -> Four:
    """Return mass and momentum of the water around a capsule: mass of x faces and of y faces, then their momenta.

    The two faces of a cell count for a half each. How much of that is covered is left in the plane PART for `kick`.
    """
    reach = max(body[RADIUS], LEAST_REACH * cell)
    j0, j1, i0, i1 = box_of(body, x0, y0, cell, fields.shape[1], fields.shape[2])
    mass_x, mass_y, along_x, along_y, area = 0.0, 0.0, 0.0, 0.0, DENSITY * cell * cell
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            share = 0.0
            if fields[DEPTH, j, i] > WET:
                share = 0.5 * covered(body, x0 + (i - 0.5) * cell, y0 + (j - 0.5) * cell, reach, cell)
            fields[PART, j, i] = share
            if share == 0.0:
                continue
            for side in range(2):
                k = i + side
                if open_face(fields, fields[SILL_X, j, k], j, k, j, k - 1):
                    mass = area * share * face_depth(fields, j, k, j, k - 1)
                    mass_x, along_x = mass_x + mass, along_x + mass * fields[U, j, k]
                k = j + side
                if open_face(fields, fields[SILL_Y, k, i], k, i, k - 1, i):
                    mass = area * share * face_depth(fields, k, i, k - 1, i)
                    mass_y, along_y = mass_y + mass, along_y + mass * fields[V, k, i]
    return mass_x, mass_y, along_x, along_y


@kernel()
def kick(fields: Array, box: tuple[int, int, int, int], kick_x: float, kick_y: float) -> None:
    """Update the velocities in a box of cells by a kick, each as far as its cells are covered."""
    j0, j1, i0, i1 = box
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            share = fields[PART, j, i]
            if share == 0.0:
                continue
            for side in range(2):
                k = i + side
                if open_face(fields, fields[SILL_X, j, k], j, k, j, k - 1):
                    fields[U, j, k] += share * kick_x
                k = j + side
                if open_face(fields, fields[SILL_Y, k, i], k, i, k - 1, i):
                    fields[V, k, i] += share * kick_y


@kernel()
def kick_of(given: float, mass: float, along: float, fastest: float) -> float:
    """Return the change of velocity that gives a momentum to a mass of water, cut where that would be too fast.

    Drag makes water no faster than what pushes it: in a film under a fast body the rest is lost to the ground.
    """
    if not mass > 0.0:
        return 0.0
    before = along / mass
    limit = max(abs(before), fastest)
    return min(max(before + given / mass, -limit), limit) - before


@kernel()
def top_speed(body: Array) -> float:
    """Return the speed of the faster end of a capsule."""
    return max(hypot(body[AVX], body[AVY]), hypot(body[BVX], body[BVY]))


@kernel()
def takes_part(body: Array, give: Array, row: int) -> bool:
    """Return whether a body that felt the water has momentum for it."""
    return body[FELT] != 0.0 and (give[row, X] != 0.0 or give[row, Y] != 0.0)


@kernel()
def leader_of(row: int, leaders: Array) -> int:
    """Return the first row of the group that a row belongs to, and shorten the way there for the next who asks."""
    while leaders[row] != row:
        leaders[row] = leaders[leaders[row]]
        row = leaders[row]
    return row


@kernel()
def gather_rows(owner: Array, bodies: Array, give: Array, x0: float, y0: float, cell: float, leaders: Array) -> None:
    """Join all rows that touch the same faces to groups; `owner`, free before, holds a row at every cell with such faces."""
    for row in range(bodies.shape[0]):
        leaders[row] = row
        if not takes_part(bodies[row], give, row):
            continue
        j0, j1, i0, i1 = faces_of(bodies[row], x0, y0, cell, owner.shape[0], owner.shape[1])
        for j in range(j0, j1 + 1):
            for i in range(i0, i1 + 1):
                if owner[j, i] >= 0:
                    here, other = leader_of(row, leaders), leader_of(owner[j, i], leaders)
                    leaders[max(here, other)] = min(here, other)
                owner[j, i] = row


@kernel()
def faces_of(body: Array, x0: float, y0: float, cell: float, rows: int, columns: int) -> tuple[int, int, int, int]:
    """Return the box of cells that have a west or south face which a capsule may move: its own, and one more each way."""
    j0, j1, i0, i1 = box_of(body, x0, y0, cell, rows, columns)
    return (j0, j1 + 1, i0, i1 + 1) if j0 <= j1 and i0 <= i1 else (j0, j1, i0, i1)


@kernel()
def group_rows(owner: Array, bodies: Array, give: Array, x0: float, y0: float, cell: float, free: int,
               scratch: Array) -> int:  # fmt: skip
    """Return how many groups of rows move water that no other group moves.

    owner: all `free` before and after. scratch: four rows of as many numbers as there are bodies, and one more: leaders,
    the rows sorted by group and within it as they come, where each group begins, and the group of each leader.
    """
    leaders, order, begins, groups = scratch[0], scratch[1], scratch[2], scratch[3]
    gather_rows(owner, bodies, give, x0, y0, cell, leaders)
    count = 0
    for row in range(bodies.shape[0]):
        if not takes_part(bodies[row], give, row):
            continue
        j0, j1, i0, i1 = faces_of(bodies[row], x0, y0, cell, owner.shape[0], owner.shape[1])
        owner[j0 : j1 + 1, i0 : i1 + 1] = free
        if leader_of(row, leaders) == row:
            groups[row] = count
            begins[count] = 0
            count += 1
        begins[groups[leader_of(row, leaders)]] += 1
    place = 0
    for group in range(count):
        begins[group], place = place, place + begins[group]
    for row in range(bodies.shape[0]):
        if takes_part(bodies[row], give, row):
            group = groups[leader_of(row, leaders)]
            order[begins[group]] = row
            begins[group] += 1
    for group in range(count, 0, -1):
        begins[group] = begins[group - 1]
    begins[0] = 0
    return count


@kernel(parallel=True)
def give_back(fields: Array, bodies: Array, give: Array, x0: float, y0: float, cell: float, count: int, order: Array,
              begins: Array) -> None:  # fmt: skip
    """Update velocities: the columns around every body that felt the water get what `give` holds for it.

    Row after row within a group, and groups touch no common face: the sums do not depend on threads.
    """
    for group in prange(count):
        for place in range(begins[group], begins[group + 1]):
            row = order[place]
            mass_x, mass_y, along_x, along_y = weigh(fields, bodies[row], x0, y0, cell)
            fastest = top_speed(bodies[row])
            kick_x = kick_of(give[row, X], mass_x, along_x, fastest)
            kick_y = kick_of(give[row, Y], mass_y, along_y, fastest)
            box = box_of(bodies[row], x0, y0, cell, fields.shape[1], fields.shape[2])
            kick(fields, box, kick_x, kick_y)
