"""Bodies move water: the five steps of the coupling, for capsules seen from above. [Fang15 5.3; myriapoda 1.16]

1 cells whose centre lies in a body's outline are occupied; 2 each gets the outline's normal and the body's velocity;
3 inside, the surface follows the body's underside; 4 at the outline it is the mean of the free water around;
5 at the outline the water takes the body's velocity along the normal and keeps its own along the outline; inside it
takes that across the body's axis, so that the shores of two bodies' cells do not tear apart.

In the source this is all, and one-way. Here a body that moves freely under the force of the water also says what momentum
it lost to it. The steps are then taken only as far as the body reaches through the surface, account is kept of what they
gave the water or took from it, and the columns around get the difference: in all exactly what the body lost.

Legend: ``bodies`` rows have the columns of `coupling_rows_kernel`; ``give`` is the momentum still due to the water per row;
s distance to the outline (negative inside), t place along the axis 0..1; (nx, ny) outward normal; ``owner`` holds the row
of the body that occupies a cell, or FREE.
"""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from ..kernel import kernel
from .coupling_rows_kernel import (
    AVX,
    AVY,
    AX,
    AY,
    AZ,
    BVX,
    BVY,
    BX,
    BY,
    BZ,
    FELT,
    GIVEN_X,
    GIVEN_Y,
    RADIUS,
    along_axis,
    cell_box,
)
from .edge_kernel import set_surface
from .exchange_kernel import DENSITY, X, Y, face_depth, open_face
from .pond_layout import (
    DEPTH,
    NEW_U,
    NEW_V,
    SHARE,
    SILL_X,
    SILL_Y,
    SURFACE,
    WET,
    U,
    V,
)

if TYPE_CHECKING:
    from ..kernel_types import Array

FREE = -1
AWASH = 0.1  # of its radius; so far out a body that weighs what the water weighs may float, and it is not in the surface yet
DISTANCE = SHARE  # scratch plane that holds s of occupied cells
HOLD = SHARE  # and later, how far their velocities follow the wanted ones, 0..1
TARGET_X, TARGET_Y = NEW_U, NEW_V  # scratch planes that hold the wanted velocity of occupied cells


@kernel()
def across_axis(body: Array, nx: float, ny: float) -> tuple[float, float]:
    """Return the unit vector across a capsule's axis, or the given one for a capsule without length.

    Inside a body the water takes only the motion across it. Taken along as a whole it would leave a stream in the swimmer's
    own direction behind it, although the force of water on a body has no part along its surface. [Fang15 eq. 5.2]
    """
    ax, ay = body[BX] - body[AX], body[BY] - body[AY]
    length = hypot(ax, ay)
    return (-ay / length, ax / length) if length > 0.0 else (nx, ny)


@kernel()
def occupy(fields: Array, owner: Array, body: Array, row: int, x0: float, y0: float, cell: float) -> None:
    """Update owner and distance of the wet cells whose centre is in this body's outline and whose water it touches."""
    j0, j1, i0, i1 = cell_box(body, x0, y0, cell, body[RADIUS], fields.shape[1], fields.shape[2])
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            t, s, _, _ = along_axis(body, x0 + (i - 0.5) * cell, y0 + (j - 0.5) * cell)
            under = body[AZ] + t * (body[BZ] - body[AZ]) - body[RADIUS]
            if s <= 0.0 and fields[DEPTH, j, i] > WET and under < fields[SURFACE, j, i]:
                if owner[j, i] == FREE or s < fields[DISTANCE, j, i]:
                    owner[j, i], fields[DISTANCE, j, i] = row, s


@kernel()
def is_outline(owner: Array, j: int, i: int) -> bool:
    """Return whether an occupied cell has a free neighbour."""
    return owner[j, i - 1] == FREE or owner[j, i + 1] == FREE or owner[j - 1, i] == FREE or owner[j + 1, i] == FREE


@kernel()
def emergence(body: Array, t: float, level: float) -> float:
    """Return how far out of still water a body is at t: 0 below the surface or awash, 1 half out of it or more.

    The source's swimmer lies with its middle in the surface, which follows its underside, 1. A body below passes under the
    surface and leaves it alone, 0. Between the two the rules change over smoothly, or a body that floats just awash would
    beat the water like a plunger; a tenth of its radius out it still lies there without a ripple.
    """
    top = body[AZ] + t * (body[BZ] - body[AZ]) + body[RADIUS]
    return min(max(((top - level) / body[RADIUS] - AWASH) / (1.0 - AWASH), 0.0), 1.0)


@kernel()
def blocked(body: Array, depth: float) -> float:
    """Return the part of its speed that a body gives to a column of water, on the mean over the depth.

    In the source a body moves all the water in its way: 1, as here where it fills the column. In deeper water it fills a
    share b, and we let only a share b of what it meets follow it, the rest passes above or below: b^2. Our choice, by trial:
    after 10 s six swimmers in four units of water had raised waves of 1.0 unit with b, of 0.5 with b^2.
    """
    filled = min(1.0, 2.0 * body[RADIUS] / depth)
    return filled * filled


@kernel()
def taken_along(body_speed: float, water_speed: float, part: float, share: float) -> float:
    """Return the change of the water's speed along a normal, towards a part of the body's.

    Water that is faster already is held back only by a body that reaches through the surface.
    """
    change = part * body_speed - water_speed
    return change if change * body_speed > 0.0 else share * change


@kernel()
def aim(fields: Array, owner: Array, body: Array, row: int, x0: float, y0: float, cell: float, level: float) -> None:
    """Update the wanted velocity of the cells this body occupies, and how firmly it is wanted. [Fang15 eq. 5.4]"""
    j0, j1, i0, i1 = cell_box(body, x0, y0, cell, body[RADIUS], fields.shape[1], fields.shape[2])
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            if owner[j, i] != row:
                continue
            t, _, nx, ny = along_axis(body, x0 + (i - 0.5) * cell, y0 + (j - 0.5) * cell)
            vx = body[AVX] + t * (body[BVX] - body[AVX])
            vy = body[AVY] + t * (body[BVY] - body[AVY])
            u, v = 0.5 * (fields[U, j, i] + fields[U, j, i + 1]), 0.5 * (fields[V, j, i] + fields[V, j + 1, i])
            share = emergence(body, t, level)
            part = blocked(body, fields[DEPTH, j, i])
            if not is_outline(owner, j, i):
                nx, ny = across_axis(body, nx, ny)
            normal = taken_along(vx * nx + vy * ny, u * nx + v * ny, part, share)
            fields[TARGET_X, j, i], fields[TARGET_Y, j, i] = u + normal * nx, v + normal * ny
            fields[HOLD, j, i] = share if body[FELT] != 0.0 else 1.0


@kernel()
def face_target(fields: Array, owner: Array, plane: int, j: int, i: int, other_j: int, other_i: int) -> float:
    """Return the wanted velocity of the face between an occupied cell and another one."""
    here = fields[plane, j, i]
    return here if owner[other_j, other_i] == FREE else 0.5 * (here + fields[plane, other_j, other_i])


@kernel()
def drive_face(fields: Array, plane: int, j: int, i: int, other_j: int, other_i: int, target: float, hold: float) -> float:
    """Update the velocity of a face towards its target; return the water's momentum that came of it, per area of a cell."""
    before = fields[plane, j, i]
    fields[plane, j, i] = target if hold == 1.0 else before + hold * (target - before)
    change = fields[plane, j, i] - before
    return DENSITY * change * face_depth(fields, j, i, other_j, other_i)


@kernel()
def drive(fields: Array, owner: Array, body: Array, row: int, x0: float, y0: float, cell: float) -> tuple[float, float]:
    """Update the velocities on the faces of the cells this body occupies; closed and dry faces stay still.

    Returns the momentum (x, y) that the water got of it.
    """
    j0, j1, i0, i1 = cell_box(body, x0, y0, cell, body[RADIUS], fields.shape[1], fields.shape[2])
    got_x, got_y = 0.0, 0.0
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            hold = fields[HOLD, j, i]
            if owner[j, i] != row or hold == 0.0:
                continue
            for side in range(2):
                k, other = i + side, i - 1 + 2 * side  # the face and the cell beyond it
                if open_face(fields, fields[SILL_X, j, k], j, k, j, k - 1):
                    target = face_target(fields, owner, TARGET_X, j, i, j, other)
                    got_x += drive_face(fields, U, j, k, j, k - 1, target, hold)
                k, other = j + side, j - 1 + 2 * side
                if open_face(fields, fields[SILL_Y, k, i], k, i, k - 1, i):
                    target = face_target(fields, owner, TARGET_Y, j, i, other, i)
                    got_y += drive_face(fields, V, k, i, k - 1, i, target, hold)
    return got_x * cell * cell, got_y * cell * cell


@kernel()
def free_mean(fields: Array, owner: Array, j: int, i: int) -> float:
    """Return the mean surface of the free wet neighbours of a cell, or its own if there are none."""
    total, count = 0.0, 0
    for side in range(4):
        jj = j + (1 if side == 3 else (-1 if side == 2 else 0))
        ii = i + (1 if side == 1 else (-1 if side == 0 else 0))
        if owner[jj, ii] == FREE and fields[DEPTH, jj, ii] > WET:
            total, count = total + fields[SURFACE, jj, ii], count + 1
    return total / count if count > 0 else fields[SURFACE, j, i]


@kernel()
def sink(fields: Array, owner: Array, body: Array, row: int, x0: float, y0: float, cell: float, level: float) -> float:
    """Update the surface of the cells this body occupies; return the depth it took away, summed over cells.

    Water that is pressed away takes its momentum along, and comes back elsewhere with the velocity it finds there.
    """
    j0, j1, i0, i1 = cell_box(body, x0, y0, cell, body[RADIUS], fields.shape[1], fields.shape[2])
    taken = 0.0
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            if owner[j, i] != row:
                continue
            before = fields[DEPTH, j, i]
            t, _, _, _ = along_axis(body, x0 + (i - 0.5) * cell, y0 + (j - 0.5) * cell)
            under = body[AZ] + t * (body[BZ] - body[AZ]) - body[RADIUS]
            share = emergence(body, t, level)
            if share == 0.0:  # a body under the surface leaves it alone
                continue
            here = fields[SURFACE, j, i]
            if is_outline(owner, j, i):
                set_surface(fields, j, i, here + share * (free_mean(fields, owner, j, i) - here))
            else:  # a hull presses water down and lifts none; from one step to the next it presses no deeper
                still = max(here, level)
                set_surface(fields, j, i, min(here, still + share * (under - still)))
            taken += before - fields[DEPTH, j, i]
    return taken


@kernel()
def couple_bodies(fields: Array, owner: Array, bodies: Array, give: Array, x0: float, y0: float, cell: float,
                  level: float) -> float:  # fmt: skip
    """Update depth, surface and velocities from all bodies; return the displaced volume. `owner` is FREE before and after.

    `level` is the elevation of the surface at rest. `give`, two columns and a row per body, is what is still due to
    the water afterwards: see `exchange_kernel`.

    Rows with numbers that are not finite, or without a width, are passed over.
    """
    taken = 0.0
    for row in range(bodies.shape[0]):
        occupy(fields, owner, bodies[row], row, x0, y0, cell)
    for row in range(bodies.shape[0]):
        aim(fields, owner, bodies[row], row, x0, y0, cell, level)
    for row in range(bodies.shape[0]):
        taken += sink(fields, owner, bodies[row], row, x0, y0, cell, level)
    for row in range(bodies.shape[0]):
        got_x, got_y = drive(fields, owner, bodies[row], row, x0, y0, cell)
        give[row, X], give[row, Y] = bodies[row, GIVEN_X] - got_x, bodies[row, GIVEN_Y] - got_y
    for row in range(bodies.shape[0]):
        j0, j1, i0, i1 = cell_box(bodies[row], x0, y0, cell, bodies[row, RADIUS], fields.shape[1], fields.shape[2])
        owner[j0 : j1 + 1, i0 : i1 + 1] = FREE
    return taken * cell * cell
