"""What is solid in fluid windows: shores, the bed where it rises to a swimmer, and obstacles."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
from numba import prange

from ...engine.kernel import kernel
from ...engine.terrain.ground_kernel import sample_ground
from ..spatial_index.nearest_solid_kernel import nearest_solid


@kernel(parallel=True)
def find_solids(windows, fluid, swimmers, world):
    """Update the solid cells of the listed windows: whose middle, at the height of the first member, is in something."""
    for k in prange(windows.size):
        w = windows[k]
        z, cell = swimmers.height[fluid.members[w, 0]], fluid.cell[w]
        found = 0
        for j in range(1, fluid.u.shape[1] - 1):
            y = fluid.origin[w, 1] + (j - 0.5) * cell
            for i in range(1, fluid.u.shape[2] - 1):
                x = fluid.origin[w, 0] + (i - 0.5) * cell
                is_solid = sample_ground(world.ground, x, y, z)[0] < 0.0 or nearest_solid(x, y, z, cell, world)[0] < 0.0
                fluid.solid[w, j, i] = np.uint8(1 if is_solid else 0)
                found += 1 if is_solid else 0
        fluid.has_ground[w] = 1 if found else 0
