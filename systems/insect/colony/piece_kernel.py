"""What stands in the way of a heavy piece that is pulled over the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.gap import Gap
from ....engine.kernel import kernel
from ....engine.terrain.ground_kernel import sample_ground
from ...spatial_index.solid_kernel import solid_distance

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from ....engine.terrain.ground_layout import Ground


@kernel()
def nearest_wall(ground: Ground, solids: Array, x: float, y: float, z: float) -> Gap:
    """Return distance and normal of what is nearest to a point: ground, or one of the obstacles."""
    nearest = sample_ground(ground, x, y, z)
    for k in range(solids.shape[0]):
        gap = solid_distance(solids, k, x, y, z)
        if gap.distance < nearest.distance:
            nearest = gap
    return nearest
