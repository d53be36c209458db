"""What water and bodies give to each other: horizontal momentum that a body got from the water is taken from the columns
around it, to the last bit of it.

The momentum of the water is that of its faces, rho A sum(h u), with h the mean depth of the two cells of a face. An impulse
goes to the cells under a capsule, by how much of each it covers, as one change of velocity: no column becomes faster than
its neighbours because it is shallower.

Legend: ``give`` momentum per body row (x, y) that is still to be given to the water.
"""

# mypy: ignore-errors
from __future__ import annotations

from math import hypot

from ..kernel import kernel
from .coupling_rows_kernel import AVX, AVY, BVX, BVY, FELT, RADIUS, along_axis, cell_box
from .pond_layout import CLOSED, DEPTH, FILM, SILL_X, SILL_Y, SURFACE, WET, U, V

DENSITY = 1.0  # of water, the unit of density
LEAST_REACH = 0.5  # cells; a body thinner than a cell still stands in one
X, Y = 0, 1


@kernel()
def open_face(fields, sill, j, i, other_j, other_i):
    """Return whether water stands above the sill on either side of a face that is not closed."""
    return sill < CLOSED and max(fields[SURFACE, j, i], fields[SURFACE, other_j, other_i]) - sill > FILM


@kernel()
def face_depth(fields, j, i, other_j, other_i):
    """Return the depth that counts for the momentum of the face between two cells."""
    return 0.5 * (fields[DEPTH, j, i] + fields[DEPTH, other_j, other_i])


@kernel()
def covered(body, x, y, reach, cell):
    """Return how much of the cell around a point a capsule covers, 0..1, growing smoothly over one cell."""
    _, s, _, _ = along_axis(body, x, y)
    return min(max((reach - body[RADIUS] - s) / cell + 0.5, 0.0), 1.0)


@kernel()
def spread(fields, body, x0, y0, cell, kick_x, kick_y):
    """Update the velocities around a capsule by a kick; return mass and momentum of what it moves: x, y, then x, y.

    The two faces of a cell take a half each. With kicks of 0 it only tells how much water there is and how it goes.
    """
    reach = max(body[RADIUS], LEAST_REACH * cell)
    j0, j1, i0, i1 = cell_box(body, x0, y0, cell, reach + 0.5 * cell, fields.shape[1], fields.shape[2])
    mass_x, mass_y, along_x, along_y, area = 0.0, 0.0, 0.0, 0.0, DENSITY * cell * cell
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            if not fields[DEPTH, j, i] > WET:
                continue
            share = 0.5 * covered(body, x0 + (i - 0.5) * cell, y0 + (j - 0.5) * cell, reach, cell)
            if share == 0.0:
                continue
            for side in range(2):
                k = i + side
                if open_face(fields, fields[SILL_X, j, k], j, k, j, k - 1):
                    mass = area * share * face_depth(fields, j, k, j, k - 1)
                    mass_x, along_x = mass_x + mass, along_x + mass * fields[U, j, k]
                    fields[U, j, k] += share * kick_x
                k = j + side
                if open_face(fields, fields[SILL_Y, k, i], k, i, k - 1, i):
                    mass = area * share * face_depth(fields, k, i, k - 1, i)
                    mass_y, along_y = mass_y + mass, along_y + mass * fields[V, k, i]
                    fields[V, k, i] += share * kick_y
    return mass_x, mass_y, along_x, along_y


@kernel()
def kick_of(given, mass, along, fastest):
    """Return the change of velocity that gives a momentum to a mass of water, cut where that would be too fast.

    Drag makes water no faster than what pushes it: in a film under a fast body the rest is lost to the ground.
    """
    if not mass > 0.0:
        return 0.0
    before = along / mass
    limit = max(abs(before), fastest)
    return min(max(before + given / mass, -limit), limit) - before


@kernel()
def top_speed(body):
    """Return the speed of the faster end of a capsule."""
    return max(hypot(body[AVX], body[AVY]), hypot(body[BVX], body[BVY]))


@kernel()
def give_back(fields, bodies, give, x0, y0, cell):
    """Update velocities: the columns around every body that felt the water get what `give` holds for it.

    Row after row, so the sums do not depend on threads.
    """
    for row in range(bodies.shape[0]):
        if bodies[row, FELT] == 0.0 or (give[row, X] == 0.0 and give[row, Y] == 0.0):
            continue
        mass_x, mass_y, along_x, along_y = spread(fields, bodies[row], x0, y0, cell, 0.0, 0.0)
        fastest = top_speed(bodies[row])
        kick_x = kick_of(give[row, X], mass_x, along_x, fastest)
        kick_y = kick_of(give[row, Y], mass_y, along_y, fastest)
        spread(fields, bodies[row], x0, y0, cell, kick_x, kick_y)
