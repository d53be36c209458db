"""The simulated surface on screen: slopes and curvature at the nodes of a tile, from a cubic spline through its heights.

The wave grid is coarse (several pixels per cell). A cubic B-spline has no corners, so its curvature is continuous and the
grid does not show; it also takes away what changes from one cell to the next, which is noise of the solver.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.kernel_types import int64
from ..creatures.primitive_fields import TILE_H, TILE_W

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Four
    from ..raster.frame import WaterView

NODE_STEP = 8  # px between the nodes
NODE_COLUMNS, NODE_ROWS = TILE_W // NODE_STEP + 1, TILE_H // NODE_STEP + 1
NODES = NODE_COLUMNS * NODE_ROWS


@kernel(refcount=False)
def spline(t: float) -> tuple[Four, Four, Four]:
    """Return the four weights of a cubic B-spline between two samples at t in 0..1, of its slope and of its curvature."""
    s, t2 = f32(1.0) - t, t * t
    t3, sixth, half = t2 * t, f32(1.0 / 6.0), f32(0.5)
    return (
        (s * s * s * sixth, (f32(3.0) * t3 - f32(6.0) * t2 + f32(4.0)) * sixth,
         (f32(-3.0) * t3 + f32(3.0) * t2 + f32(3.0) * t + f32(1.0)) * sixth, t3 * sixth),
        (-half * s * s, half * (f32(3.0) * t2 - f32(4.0) * t), half * (f32(-3.0) * t2 + f32(2.0) * t + f32(1.0)), half * t2),
        (s, f32(3.0) * t - f32(2.0), f32(1.0) - f32(3.0) * t, t),
    )  # fmt: skip


@kernel(refcount=False)
def spline_at(place: float, out: Array) -> None:
    """Update out (12) with the weights, slope weights and curvature weights of a cubic B-spline at a place, in cells."""
    (a0, a1, a2, a3), (b0, b1, b2, b3), (c0, c1, c2, c3) = spline(f32(place - math.floor(place)))
    out[0], out[1], out[2], out[3] = a0, a1, a2, a3
    out[4], out[5], out[6], out[7] = b0, b1, b2, b3
    out[8], out[9], out[10], out[11] = c0, c1, c2, c3


@kernel(refcount=False, inline=True)
def dot4(p: Array, a: Array) -> float:
    """Return the sum of products of the first four numbers of two rows."""
    return p[0] * a[0] + p[1] * a[1] + p[2] * a[2] + p[3] * a[3]


@kernel(refcount=False)
def mix_rows(w: Array, h0: Array, h1: Array, h2: Array, h3: Array, out: Array) -> None:
    """Update out with four rows mixed by four weights."""
    w0, w1, w2, w3 = w[0], w[1], w[2], w[3]
    for i in range(out.size):
        out[i] = h0[i] * w0 + h1[i] * w1 + h2[i] * w2 + h3[i] * w3


@kernel(refcount=False)
def wave_nodes(water: WaterView, left: int, top: int, splines: Array, buffer: Array, slope_x: Array, slope_y: Array,
               bend: Array) -> None:  # fmt: skip
    """Update slopes (screen axes) and curvature (per unit) at the nodes of the tile whose first pixel is (left, top).

    They are 0 outside the grid, and where a tile has more cells than a row of buffer (3 rows) holds: ten of them per pixel
    show nothing but noise. splines is scratch: 12 numbers per column, and for one row.
    """
    height, unit, per_cell = water.heights, 1.0 / water.scale, 1.0 / water.cell
    slope_scale, bend_scale = f32(per_cell), f32(per_cell * per_cell)
    first_u = ((water.picture_x + left) * unit - water.grid_x) * per_cell
    first_v = (-(water.picture_y + top) * unit - water.grid_y) * per_cell
    node = NODE_STEP * unit * per_cell
    end_u, end_v = height.shape[1] - 2, height.shape[0] - 2
    west = int64(min(max(first_u, 1.0), max(end_u, 1))) - 1
    east = int64(min(max(first_u + (NODE_COLUMNS - 1) * node, 1.0), max(end_u, 1))) + 3
    cells = min(east, height.shape[1]) - west
    for n in range(NODE_COLUMNS):
        spline_at(first_u + n * node, splines[12 * n : 12 * n + 12])
    for k in range(NODES):
        slope_x[k] = slope_y[k] = bend[k] = f32(0.0)
    if cells < 4 or cells > buffer.shape[1]:
        return
    down, plain, slope, curve = splines[12 * NODE_COLUMNS :], buffer[0, :cells], buffer[1, :cells], buffer[2, :cells]
    for m in range(NODE_ROWS):
        v = first_v - m * node
        if not (v >= 1.0 and v < end_v):
            continue
        j = int64(v)
        spline_at(v, down)
        h0, h1, h2, h3 = height[j - 1, west:], height[j, west:], height[j + 1, west:], height[j + 2, west:]
        mix_rows(down, h0, h1, h2, h3, plain)
        mix_rows(down[4:], h0, h1, h2, h3, slope)
        mix_rows(down[8:], h0, h1, h2, h3, curve)
        for n in range(NODE_COLUMNS):
            u, k = first_u + n * node, m * NODE_COLUMNS + n
            if not (u >= 1.0 and u < end_u):
                continue
            i, across = int64(u) - 1 - west, splines[12 * n : 12 * n + 12]
            slope_x[k] = dot4(plain[i:], across[4:]) * slope_scale
            slope_y[k] = -dot4(slope[i:], across) * slope_scale
            bend[k] = (dot4(curve[i:], across) + dot4(plain[i:], across[8:])) * bend_scale


@kernel(refcount=False, inline=True)
def between_nodes(plane: Array, row: int, b: float, gain: float, per: int, mixed: Array, out: Array) -> None:
    """Update out, a row of samples, `per` of them per node: a node plane after node row `row` by b, times gain."""
    k = NODE_COLUMNS * row
    for n in range(NODE_COLUMNS):
        mixed[n] = (plane[k + n] + (plane[k + NODE_COLUMNS + n] - plane[k + n]) * b) * gain
    for q in range(per):
        share = f32(q) / f32(per)
        for n in range(NODE_COLUMNS - 1):
            out[n * per + q] = mixed[n] + (mixed[n + 1] - mixed[n]) * share
    out[(NODE_COLUMNS - 1) * per] = mixed[NODE_COLUMNS - 1]
