"""What floats goes with the water: it moves as the surface does, up and down and along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.kernel import kernel
from ...engine.pool import NO_OWNER
from ...engine.props import FLOATING
from ...engine.water.sample_kernel import sample_water

if TYPE_CHECKING:
    from ...engine.kernel_types import Array
    from ...engine.props import FoodPool
    from ...engine.water.pond_layout import WaterArrays


@kernel()
def drift_one(position: Array, row: int, water: WaterArrays, dt: float) -> bool:
    """Update the place of one floating thing by a midpoint step; return whether it moved. Ashore it lies still."""
    x, y = position[row, 0], position[row, 1]
    _, depth, u, v = sample_water(water, x, y)
    if not depth > 0.0:
        return False
    _, depth, mid_u, mid_v = sample_water(water, x + 0.5 * dt * u, y + 0.5 * dt * v)
    if depth > 0.0:
        u, v = mid_u, mid_v
    next_x, next_y = x + dt * u, y + dt * v
    surface, depth, _, _ = sample_water(water, next_x, next_y)
    if not depth > 0.0:  # a shore or a rock: it stays where it is and rides on the waves there
        next_x, next_y = x, y
        surface, _, _, _ = sample_water(water, x, y)
    moved = next_x != x or next_y != y or surface != position[row, 2]
    position[row, 0], position[row, 1], position[row, 2] = next_x, next_y, surface
    return moved


@kernel()
def drift_floats(rows: Array, food: FoodPool, water: WaterArrays, dt: float) -> int:
    """Update the places of all floating food that nobody carries; return how many moved."""
    position, drift, carrier = food.position, food.drift, food.carrier
    moved = 0
    for r in range(rows.size):
        row = rows[r]
        if drift[row] == FLOATING and carrier[row] == NO_OWNER:
            moved += drift_one(position, row, water, dt)
    return moved
