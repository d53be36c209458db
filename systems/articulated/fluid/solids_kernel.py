"""What swimmers cannot swim through, on the grid of a window: ground, obstacles and the edge of the map."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
from numba import prange

from ....engine.kernel import kernel
from ....engine.terrain.ground_kernel import sample_ground
from ...spatial_index.wall_contact_kernel import is_beyond_edge, nearest_solid


@kernel(refcount=False)
def is_solid(x, y, z, cell, around):
    """Return whether the middle of a cell is inside of something."""
    if is_beyond_edge(x, y, around.bounds):
        return True
    return sample_ground(around.ground, x, y, z)[0] < 0.0 or nearest_solid(x, y, z, cell, around)[0] < 0.0


@kernel(parallel=True)
def mark_solids(due, fluid, swimmers, around):
    """Update which cells of the listed windows are solid, at the height of the first member of each."""
    for d in prange(due.size):
        w = due[d]
        z, cell = swimmers.height[fluid.members[w, 0]], fluid.cell[w]
        any_ = 0
        for j in range(1, fluid.u.shape[1] - 1):
            for i in range(1, fluid.u.shape[2] - 1):
                x, y = fluid.origin[w, 0] + (i - 0.5) * cell, fluid.origin[w, 1] + (j - 0.5) * cell
                solid = 1 if is_solid(x, y, z, cell, around) else 0
                fluid.solid[w, j, i] = np.uint8(solid)
                any_ |= solid
        fluid.has_ground[w] = any_
