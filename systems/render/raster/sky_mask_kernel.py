"""No shadow where there is no ground: beside a floating ball it would fall on the sky."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .frame import Sky


@kernel(refcount=False)
def clear_of_ground(sky: Sky, x: float, y: float) -> float:
    """Return the way (units) from a vertical line at (x, y) to the nearest solid, negative through one: bilinear."""
    rows, columns = sky.clearance.shape
    u, v = (x - sky.grid_x) / sky.cell, (y - sky.grid_y) / sky.cell
    if not (u >= 0.0 and v >= 0.0 and u < columns - 1.0 and v < rows - 1.0):
        return sky.cell  # beyond the map
    i, j = int(u), int(v)
    a, b = u - i, v - j
    low = sky.clearance[j, i] * (1.0 - a) + sky.clearance[j, i + 1] * a
    high = sky.clearance[j + 1, i] * (1.0 - a) + sky.clearance[j + 1, i + 1] * a
    return low * (1.0 - b) + high * b


@kernel(refcount=False)
def leave_sky(sky: Sky, shadow: Array, left: int, top: int, right: int, bottom: int) -> None:
    """Update a box of the half-res shadow image: it ends where the ground does."""
    if sky.clearance.size == 0:
        return
    for j in range(top, bottom):
        y = -(sky.picture_y + 2.0 * j + 1.0) / sky.scale
        for i in range(left, right):
            if shadow[j + 1, i + 1] > f32(0.0):
                away = clear_of_ground(sky, (sky.picture_x + 2.0 * i + 1.0) / sky.scale, y)
                shadow[j + 1, i + 1] *= f32(min(max(-0.5 * away * sky.scale, 0.0), 1.0))
