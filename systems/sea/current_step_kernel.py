"""What the current of a sea does to bodies and to what floats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import prange

from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ...engine.pool import NO_OWNER
from ...engine.props import FLOATING
from ...engine.sea.sea_flow_kernel import extra_flow
from ...engine.water.sample_kernel import sample_water

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...components.segments import SegmentPool
    from ...engine.kernel_types import Array
    from ...engine.props import FoodPool
    from ...engine.sea.sea_layout import SeaArrays


@kernel(parallel=True)
def feel_flow(rows: Array, bodies: BodyPool, segments: SegmentPool, sea: SeaArrays) -> None:
    """Update the velocity of the water at all wet segments of the listed creatures: the sea's comes to the pond's."""
    position, velocity = segments.position, segments.water_velocity
    for r in prange(rows.size):
        c = int64(rows[r])
        first = int64(bodies.first_segment[c])
        for i in range(first, first + bodies.segment_count[c]):
            if sample_water(sea.water, position[i, 0], position[i, 1]).depth > 0.0:
                u, v = extra_flow(sea, position[i, 0], position[i, 1], position[i, 2])
                velocity[i, 0] += u
                velocity[i, 1] += v


@kernel()
def carry_floats(rows: Array, food: FoodPool, sea: SeaArrays, dt: float) -> int:
    """Update the places of all floating food that nobody carries; return how many moved. At a shore it stays."""
    position, moved = food.position, 0
    for r in range(rows.size):
        row = rows[r]
        if food.drift[row] != FLOATING or food.carrier[row] != NO_OWNER:
            continue
        x, y, z = position[row, 0], position[row, 1], position[row, 2]
        if not sample_water(sea.water, x, y).depth > 0.0:
            continue
        u, v = extra_flow(sea, x, y, z)
        if sample_water(sea.water, x + dt * u, y + dt * v).depth > 0.0 and (u != 0.0 or v != 0.0):
            position[row, 0], position[row, 1] = x + dt * u, y + dt * v
            moved += 1
    return moved
