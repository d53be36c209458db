"""The current of a sea at bodies and at what floats; the ponds' own currents are already there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.body import BodyPool
from ...components.segments import SegmentPool
from .current_step_kernel import carry_floats, feel_flow

if TYPE_CHECKING:
    from ...engine.world import World


class CurrentSystem:
    """Update the velocity of the water at all segments, and the places of floating food."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._bodies, self._segments = world.pool(BodyPool), world.pool(SegmentPool)

    def process(self, dt: float) -> None:
        world = self._world
        if not (world.sea.flows and world.water.grids):
            return
        rows = np.ascontiguousarray(self._bodies.spans[:, 0])
        if rows.size:
            feel_flow(rows, self._bodies, self._segments, world.sea.arrays)
        food = world.props.food
        rows = np.ascontiguousarray(food.spans[:, 0])
        if rows.size and carry_floats(rows, food, world.sea.arrays, dt):
            world.props.food_moves += 1
            world.props.changed = True
