"""Bubbles go with the water and up through it; at the surface they begin again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.kernel import kernel
from ...engine.sea.sea_flow_kernel import extra_flow
from ...engine.water.sample_kernel import sample_water

if TYPE_CHECKING:
    from ...engine.sea.sea_layout import SeaArrays
    from .bubbles import BubblePool


@kernel()
def rise_all(first: int, end: int, bubbles: BubblePool, sea: SeaArrays, dt: float) -> None:
    """Update the places of bubbles in rows [first, end)."""
    position, home = bubbles.position, bubbles.home
    for row in range(first, end):
        x, y, z = position[row, 0], position[row, 1], position[row, 2]
        _, depth, u, v = sample_water(sea.water, x, y)
        if depth > 0.0:
            more_u, more_v = extra_flow(sea, x, y, z)
            x, y, z = x + dt * (u + more_u), y + dt * (v + more_v), z + dt * bubbles.rise[row]
        surface, depth, _, _ = sample_water(sea.water, x, y)
        if not depth > 0.0 or z >= surface:
            x, y, z = home[row, 0], home[row, 1], home[row, 2]
        position[row, 0], position[row, 1], position[row, 2] = x, y, z
