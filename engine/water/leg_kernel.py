"""Legs stir the water: thin capsules give their velocity to the cells they pass through. [myriapoda 1.16, E-55]

A leg is thinner than a cell, and so is what it takes along: the drag of a cylinder, 1/2 rho C d L v^2 along the direction
the leg moves in. As a share of the cell's water that is C/2 times the part the leg sweeps through in a step, so that many
legs in shallow water do not empty it. A little water is shoved from the cell behind the leg to the one ahead, and none is
created.
"""

from __future__ import annotations

from math import ceil, hypot
from typing import TYPE_CHECKING

from ..kernel import kernel
from .coupling_rows_kernel import AVX, AVY, AX, AY, AZ, BVX, BVY, BX, BY, BZ, RADIUS, usable
from .pond_layout import BED, CLOSED, DEPTH, SILL_X, SILL_Y, SOLID, SURFACE, WET, U, V

if TYPE_CHECKING:
    from ..kernel_types import Array

MOST_SAMPLES = 32  # per leg; a leg that long is no leg
HALF_DRAG = 0.5  # of a drag coefficient of 1, a cylinder across the stream [Hoerner65 3-9]
DIP = 0.02  # of the depth, for a leg that crosses one cell in one step


@kernel()
def shove(fields: Array, j: int, i: int, other_j: int, other_i: int, part: float) -> None:
    """Update depth and surface of two cells: move a part of the first one's water to the second, if both are wet."""
    if fields[DEPTH, other_j, other_i] > WET and fields[SOLID, other_j, other_i] == 0.0:
        moved = part * fields[DEPTH, j, i]
        fields[DEPTH, j, i] -= moved
        fields[DEPTH, other_j, other_i] += moved
        fields[SURFACE, j, i] = fields[BED, j, i] + fields[DEPTH, j, i]
        fields[SURFACE, other_j, other_i] = fields[BED, other_j, other_i] + fields[DEPTH, other_j, other_i]


@kernel()
def stir_cell(fields: Array, j: int, i: int, vx: float, vy: float, part: float, crossed: float) -> None:
    """Update one cell's face velocities towards (vx, vy) along its own direction, and dip its surface."""
    speed = hypot(vx, vy)
    nx, ny = vx / speed, vy / speed
    u, v = 0.5 * (fields[U, j, i] + fields[U, j, i + 1]), 0.5 * (fields[V, j, i] + fields[V, j + 1, i])
    swept = part * min(1.0, crossed)
    normal = HALF_DRAG * swept * ((vx - u) * nx + (vy - v) * ny)
    for step in range(2):
        if fields[SILL_X, j, i + step] < CLOSED:
            fields[U, j, i + step] += normal * nx
        if fields[SILL_Y, j + step, i] < CLOSED:
            fields[V, j + step, i] += normal * ny
    dip = DIP * swept
    if abs(nx) > abs(ny):
        shove(fields, j, i, j, i + (1 if nx > 0.0 else -1), dip)
    else:
        shove(fields, j, i, j + (1 if ny > 0.0 else -1), i, dip)


@kernel()
def stir_legs(fields: Array, legs: Array, x0: float, y0: float, cell: float, dt: float) -> None:
    """Update velocities, depth and surface from leg capsules (columns as for bodies, end B is the tip)."""
    rows, columns = fields.shape[1], fields.shape[2]
    for row in range(legs.shape[0]):
        leg = legs[row]
        if not usable(leg):
            continue
        width = min(1.0, 2.0 * leg[RADIUS] / cell)
        length = hypot(leg[BX] - leg[AX], leg[BY] - leg[AY])
        rise = 2.0 * leg[RADIUS] + abs(leg[BZ] - leg[AZ]) / max(1.0, length / cell)  # of what is in one cell
        samples = int(ceil(min(2.0 * length / cell, MOST_SAMPLES - 1.0))) + 1
        last_i, last_j = -1, -1
        for k in range(samples):
            t = 1.0 - k / samples
            x, y = leg[AX] + t * (leg[BX] - leg[AX]), leg[AY] + t * (leg[BY] - leg[AY])
            gx, gy = (x - x0) / cell, (y - y0) / cell
            if not (gx >= 0.0 and gx < columns - 2.0 and gy >= 0.0 and gy < rows - 2.0):
                continue
            i, j = int(gx) + 1, int(gy) + 1
            vx, vy = leg[AVX] + t * (leg[BVX] - leg[AVX]), leg[AVY] + t * (leg[BVY] - leg[AVY])
            under_water = leg[AZ] + t * (leg[BZ] - leg[AZ]) < fields[SURFACE, j, i] and fields[DEPTH, j, i] > WET
            if under_water and (i != last_i or j != last_j) and hypot(vx, vy) > 0.0:
                part = width * min(1.0, rise / fields[DEPTH, j, i])
                stir_cell(fields, j, i, vx, vy, part, hypot(vx, vy) * dt / cell)
                last_i, last_j = i, j
