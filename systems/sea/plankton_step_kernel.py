"""Plankton: points that go with the water around them. [Tu99 8.2]"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
from numba import prange

from ...engine.kernel import kernel
from ...engine.pool import NO_OWNER
from ...engine.sea.sea_flow_kernel import extra_flow
from ...engine.water.sample_kernel import sample_water
from .patches import MARGIN


@kernel()
def kept_within(z, surface, depth):
    """Return the height at which something stays in a column of water."""
    low, high = surface - depth + MARGIN, surface - MARGIN
    return 0.5 * (low + high) if low > high else min(max(z, low), high)


@kernel()
def drift_by(position, row, sea, dt):
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
def drift_all(rows, food, sea, lost, dt):
    """Update the places of plankton that nobody carries, and which of it the water has lost."""
    for r in prange(rows.size):
        row = np.int64(rows[r])
        lost[r] = food.carrier[row] == NO_OWNER and drift_by(food.position, row, sea, dt)
