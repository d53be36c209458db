"""Bubbles in the tick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .bubbles import BubblePool
from .bubbles_step_kernel import rise_all

if TYPE_CHECKING:
    from ...engine.world import World


class BubblesSystem:
    """Update the places of all bubbles."""

    def __init__(self, world: World) -> None:
        self._world, self._bubbles = world, world.pool(BubblePool)

    def process(self, dt: float) -> None:
        for first, count in self._bubbles.spans.tolist():
            rise_all(first, first + count, self._bubbles, self._world.sea.arrays, dt)
