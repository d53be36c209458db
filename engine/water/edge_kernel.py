"""Absorbing edges: the first-order Higdon rule, on the outermost cells of a side. [Fang15 eq. B.31; myriapoda E-20, E-40]

The rule is written for the surface elevation, so that it holds over any bed. Corners between two absorbing sides take
the mean of the two neighbours along the sides.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from ..kernel import kernel
from .current_kernel import flow_through_edge, flows
from .pond_layout import ABSORBING, BED, DEPTH, SOLID, SURFACE, U, V

if TYPE_CHECKING:
    from ..kernel_types import Array


@kernel()
def keep_edges(fields: Array, kept: Array) -> None:
    """Update `kept` (west, east, south, north) with the surface of the outermost cells before the substep."""
    rows, columns = fields.shape[1], fields.shape[2]
    for j in range(rows):
        kept[0, j], kept[1, j] = fields[SURFACE, j, 1], fields[SURFACE, j, columns - 2]
    for i in range(columns):
        kept[2, i], kept[3, i] = fields[SURFACE, 1, i], fields[SURFACE, rows - 2, i]


@kernel()
def set_surface(fields: Array, j: int, i: int, e: float) -> None:
    """Update depth and surface of one cell so that its surface stands at e, or at its bed if that is higher."""
    if fields[SOLID, j, i] == 0.0:
        d = e - fields[BED, j, i]
        fields[DEPTH, j, i] = d if d > 0.0 else 0.0
        fields[SURFACE, j, i] = fields[BED, j, i] + fields[DEPTH, j, i]


@kernel()
def absorb_cell(fields: Array, before: float, j: int, i: int, inner_j: int, inner_i: int, k: float, gravity: float) -> None:
    """Update one outermost cell from its surface before the substep and its inner neighbour after it."""
    crossed = k * sqrt(gravity * fields[DEPTH, inner_j, inner_i])  # c dt / dx with the local depth
    # [Fang15 eq. B.31]: h0' = (dx h0 + dt c h1') / (dx + dt c)
    set_surface(fields, j, i, (before + crossed * fields[SURFACE, inner_j, inner_i]) / (1.0 + crossed))


@kernel()
def absorb_edges(fields: Array, edges: Array, kept: Array, k: float, gravity: float) -> None:
    """Update the outermost cells of absorbing sides; edges and kept are in the order west, east, south, north."""
    rows, columns = fields.shape[1], fields.shape[2]
    for side in range(2):
        i, inner = (1, 2) if side == 0 else (columns - 2, columns - 3)
        if edges[side] == ABSORBING:
            for j in range(1, rows - 1):
                absorb_cell(fields, kept[side, j], j, i, j, inner, k, gravity)
    for side in range(2, 4):
        j, inner = (1, 2) if side == 2 else (rows - 2, rows - 3)
        if edges[side] == ABSORBING:
            for i in range(1, columns - 1):
                absorb_cell(fields, kept[side, i], j, i, inner, i, k, gravity)
    for side in range(4):
        i, inner_i = (1, 2) if side % 2 == 0 else (columns - 2, columns - 3)
        j, inner_j = (1, 2) if side < 2 else (rows - 2, rows - 3)
        if edges[side % 2] == ABSORBING and edges[2 + side // 2] == ABSORBING:
            set_surface(fields, j, i, 0.5 * (fields[SURFACE, j, inner_i] + fields[SURFACE, inner_j, i]))


@kernel()
def still_edges(fields: Array, frame: Array, edges: Array) -> None:
    """Update the velocities along absorbing sides to 0, as the rule asks, or to those of the pond's current."""
    rows, columns = fields.shape[1], fields.shape[2]
    if flows(frame):
        for side in range(4):
            if edges[side] == ABSORBING:
                flow_through_edge(fields, frame, side)
        return
    for side in range(2):
        if edges[side] == ABSORBING:
            fields[V, :, 1 if side == 0 else columns - 2] = 0.0
        if edges[2 + side] == ABSORBING:
            fields[U, 1 if side == 0 else rows - 2, :] = 0.0
