"""The simulated surface on screen: slopes and curvature at the nodes of a tile, from a cubic spline through its heights.

The wave grid is coarse (several pixels per cell). A cubic B-spline has no corners, so its curvature is continuous and the
grid does not show; it also takes away what changes from one cell to the next, which is noise of the solver.
"""

from __future__ import annotations

import math

from numpy import float32 as f32

from .borrow import borrower
from .primitive_fields import TILE_H, TILE_W

# The wave vector (float64): place of the picture and of the wave grid, and the time.
PICTURE_X, PICTURE_Y, WORLD_SCALE, WAVE_X, WAVE_Y, WAVE_CELL, TIME = range(7)
NODE_STEP = 8  # px between the nodes
NODE_COLUMNS, NODE_ROWS = TILE_W // NODE_STEP + 1, TILE_H // NODE_STEP + 1
NODES = NODE_COLUMNS * NODE_ROWS


@borrower()
def spline(t):
    """Return the four weights of a cubic B-spline between two samples at t in 0..1, of its slope and of its curvature."""
    s, t2 = f32(1.0) - t, t * t
    t3, sixth, half = t2 * t, f32(1.0 / 6.0), f32(0.5)
    return (
        (s * s * s * sixth, (f32(3.0) * t3 - f32(6.0) * t2 + f32(4.0)) * sixth,
         (f32(-3.0) * t3 + f32(3.0) * t2 + f32(3.0) * t + f32(1.0)) * sixth, t3 * sixth),
        (-half * s * s, half * (f32(3.0) * t2 - f32(4.0) * t), half * (f32(-3.0) * t2 + f32(2.0) * t + f32(1.0)), half * t2),
        (s, f32(3.0) * t - f32(2.0), f32(1.0) - f32(3.0) * t, t),
    )  # fmt: skip


@borrower()
def waves_at(height, u, v):
    """Return slope along columns, slope along rows and Laplacian, per cell, at grid point (u, v); 0 outside the grid."""
    if not (u >= 1.0 and v >= 1.0 and u < height.shape[1] - 2 and v < height.shape[0] - 2):
        return f32(0.0), f32(0.0), f32(0.0)
    i, j = int(u), int(v)
    (a0, a1, a2, a3), (b0, b1, b2, b3), (c0, c1, c2, c3) = spline(f32(u - i))
    plain, slope, bend = spline(f32(v - j))
    along_x = along_y = laplacian = f32(0.0)
    for k in range(4):
        h0, h1, h2, h3 = height[j + k - 1, i - 1], height[j + k - 1, i], height[j + k - 1, i + 1], height[j + k - 1, i + 2]
        mean = a0 * h0 + a1 * h1 + a2 * h2 + a3 * h3
        along_x += plain[k] * (b0 * h0 + b1 * h1 + b2 * h2 + b3 * h3)
        along_y += slope[k] * mean
        laplacian += bend[k] * mean + plain[k] * (c0 * h0 + c1 * h1 + c2 * h2 + c3 * h3)
    return along_x, along_y, laplacian


@borrower()
def wave_nodes(height, wave, left, top, slope_x, slope_y, bend):
    """Update slopes (screen axes) and curvature (per unit) at the nodes of the tile whose first pixel is (left, top)."""
    cell = wave[WAVE_CELL]
    per_cell, per_square = f32(1.0 / cell), f32(1.0 / (cell * cell))
    for m in range(NODE_ROWS):
        y = -(wave[PICTURE_Y] + top + NODE_STEP * m) / wave[WORLD_SCALE]
        for n in range(NODE_COLUMNS):
            x = (wave[PICTURE_X] + left + NODE_STEP * n) / wave[WORLD_SCALE]
            sx, sy, laplacian = waves_at(height, (x - wave[WAVE_X]) / cell, (y - wave[WAVE_Y]) / cell)
            k = m * NODE_COLUMNS + n
            slope_x[k], slope_y[k], bend[k] = sx * per_cell, -sy * per_cell, laplacian * per_square


@borrower()
def node_range(place, last):
    """Return the node before a place (in node steps) and the way to the next one in 0..1; beyond the last it goes on."""
    k = min(int(math.floor(place)), last - 1)
    return k, f32(place - k)


@borrower()
def between_nodes(plane, k, a, b):
    """Return a node plane between node k, its neighbours along the row (a) and along the column (b)."""
    low = plane[k] + (plane[k + 1] - plane[k]) * a
    high = plane[k + NODE_COLUMNS] + (plane[k + NODE_COLUMNS + 1] - plane[k + NODE_COLUMNS]) * a
    return low + (high - low) * b
