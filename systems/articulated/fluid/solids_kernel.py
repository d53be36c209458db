"""What swimmers cannot swim through, on the grid of a window: ground, obstacles and the edge of the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import prange

from ....engine.kernel import kernel
from ....engine.kernel_types import uint8
from ....engine.terrain.ground_kernel import sample_ground
from ...spatial_index.wall_contact_kernel import is_beyond_edge, nearest_solid

if TYPE_CHECKING:
    from ....components.articulated.servo import SwimPool
    from ....engine.kernel_types import Array
    from ...body_surroundings import BodySurroundings
    from .window_layout import WindowArrays


@kernel(refcount=False)
def is_solid(x: float, y: float, z: float, cell: float, around: BodySurroundings) -> bool:
    """Return whether the middle of a cell is inside of something."""
    if is_beyond_edge(x, y, around.bounds):
        return True
    return sample_ground(around.ground, x, y, z).distance < 0.0 or nearest_solid(x, y, z, cell, around).distance < 0.0


@kernel(parallel=True)
def mark_solids(due: Array, fluid: WindowArrays, swimmers: SwimPool, around: BodySurroundings) -> None:
    """Update which cells of the listed windows are solid, at the height of the first member of each."""
    for d in prange(due.size):
        w = due[d]
        z, cell = swimmers.height[fluid.members[w, 0]], fluid.cell[w]
        any_ = 0
        for j in range(1, fluid.u.shape[1] - 1):
            for i in range(1, fluid.u.shape[2] - 1):
                x, y = fluid.origin[w, 0] + (i - 0.5) * cell, fluid.origin[w, 1] + (j - 0.5) * cell
                solid = 1 if is_solid(x, y, z, cell, around) else 0
                fluid.solid[w, j, i] = uint8(solid)
                any_ |= solid
        fluid.has_ground[w] = any_
