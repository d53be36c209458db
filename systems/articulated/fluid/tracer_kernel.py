"""Massless tracers in the water of a window: where each was in the last frames, and how the water turns there. [Tan11 7]"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import int64

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .window_layout import WindowArrays


@kernel(refcount=False)
def between(field: Array, x: float, y: float) -> float:
    """Return a field at (x, y), in columns and rows, from its four samples around."""
    i, j = int64(np.floor(x)), int64(np.floor(y))
    a, b = x - i, y - j
    south = (1.0 - a) * field[j, i] + a * field[j, i + 1]
    north = (1.0 - a) * field[j + 1, i] + a * field[j + 1, i + 1]
    return (1.0 - b) * south + b * north


@kernel(refcount=False)
def turning(u: Array, v: Array, x: float, y: float) -> float:
    """Return how fast the water turns at (x, y), per cell; from the corner that is nearest."""
    i, j = int64(np.rint(x)), int64(np.rint(y))
    return v[j, i + 1] - v[j, i] - u[j + 1, i] + u[j, i]


@kernel(refcount=False)
def inside(distance: Array, x: float, y: float) -> bool:
    """Return whether (x, y), in cells from the corner of the window, is in its water and not at the very edge."""
    ny, nx = distance.shape[0] - 2, distance.shape[1] - 2
    if not (1.0 < x < nx - 1.0 and 1.0 < y < ny - 1.0):
        return False
    return distance[int64(np.rint(y)), int64(np.rint(x))] >= 0.0


@kernel(refcount=False)
def move_tracers(w: int, fluid: WindowArrays, dt: float, trail: Array, frames: Array, left: Array, spin: Array,
                 chances: Array) -> None:  # fmt: skip
    """Update trails (n, frames, 2), newest place first, by one frame; those whose time is over begin anew by chance.

    frames (n,): places of a trail that are known. left (n,): seconds it has. spin (n,): vorticity. chances (n, 3): in 0..1.
    """
    u, v, distance, cell = fluid.u[w], fluid.v[w], fluid.distance[w], fluid.cell[w]
    x0, y0, scale = fluid.origin[w, 0], fluid.origin[w, 1], 1.0 / fluid.cell[w]
    ny, nx = u.shape[0] - 2, u.shape[1] - 2
    for k in range(trail.shape[0]):
        left[k] -= dt
        x, y = (trail[k, 0, 0] - x0) * scale, (trail[k, 0, 1] - y0) * scale
        if frames[k] > 0 and left[k] > 0.0 and inside(distance, x, y):
            h = 0.5 * dt * scale
            mx, my = x + h * between(u, x, y + 0.5), y + h * between(v, x + 0.5, y)
            if inside(distance, mx, my):
                x += 2.0 * h * between(u, mx, my + 0.5)
                y += 2.0 * h * between(v, mx + 0.5, my)
            x += 2.0 * h * fluid.drift[w, 0]
            y += 2.0 * h * fluid.drift[w, 1]
            for f in range(trail.shape[1] - 1, 0, -1):
                trail[k, f, 0], trail[k, f, 1] = trail[k, f - 1, 0], trail[k, f - 1, 1]
            frames[k] = min(frames[k] + 1, trail.shape[1])
        else:
            x, y = 1.0 + chances[k, 0] * (nx - 2.0), 1.0 + chances[k, 1] * (ny - 2.0)
            frames[k] = 1
            left[k] = 2.0 + 2.0 * chances[k, 2]  # s [articulated-swimmers 2.12]
            for f in range(trail.shape[1]):
                trail[k, f, 0], trail[k, f, 1] = x0 + x * cell, y0 + y * cell
        trail[k, 0, 0], trail[k, 0, 1] = x0 + x * cell, y0 + y * cell
        spin[k] = turning(u, v, x, y) * scale if inside(distance, x, y) else 0.0
