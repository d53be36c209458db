"""SeaSystem: whatever of the sea a world has takes its turn, in one fixed order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .sea_life import SeaLife

if TYPE_CHECKING:
    from ...engine.world import World


class SeaSystem:
    """Update currents at bodies, plankton, bubbles, seaweed and hooks."""

    def __init__(self, world: World) -> None:
        self._life = world.resource(SeaLife)

    def process(self, dt: float) -> None:
        for step in self._life.steps.values():
            step.step(dt)
