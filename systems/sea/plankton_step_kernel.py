"""Plankton: points that go with the water around them. [Tu99 8.2]"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import prange

from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ...engine.pool import NO_OWNER
from ...engine.sea.sea_flow_kernel import extra_flow
from ...engine.water.sample_kernel import sample_water
from .patches import MARGIN

if TYPE_CHECKING:
    from ...engine.kernel_types import Array
    from ...engine.props import FoodPool
    from ...engine.sea.sea_layout import SeaArrays


@kernel()
def kept_within(z: float, surface: float, depth: float) -> float:
    """Return the height at which something stays in a column of water."""
    low, high = surface - depth + MARGIN, surface - MARGIN
    return 0.5 * (low + high) if low > high else min(max(z, low), high)


@kernel()
def drift_by(position: Array, row: int, sea: SeaArrays, dt: float) -> bool:
    """Update the place of one piece by the flow where it is; return whether the water carried it to where there is none."""
    x, y, z = position[row, 0], position[row, 1], position[row, 2]
    surface, depth, u, v = sample_water(sea.water, x, y)
    if not depth > 0.0:
        return True
    more_u, more_v = extra_flow(sea, x, y, z)
    next_x, next_y = x + dt * (u + more_u), y + dt * (v + more_v)
    next_surface, next_depth, _, _ = sample_water(sea.water, next_x, next_y)
    if not next_depth > 0.0:  # a wall, a shore or a rock
        position[row, 2] = kept_within(z, surface, depth)
        return True
    position[row, 0], position[row, 1], position[row, 2] = next_x, next_y, kept_within(z, next_surface, next_depth)
    return False


@kernel(parallel=True)
def drift_all(rows: Array, food: FoodPool, sea: SeaArrays, lost: Array, dt: float) -> None:
    """Update the places of plankton that nobody carries, and which of it the water has lost."""
    for r in prange(rows.size):
        row = int64(rows[r])
        lost[r] = food.carrier[row] == NO_OWNER and drift_by(food.position, row, sea, dt)
