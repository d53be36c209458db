"""IndexSystem: brings what all others look things up in up to date, once per tick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .index import SpatialIndex

if TYPE_CHECKING:
    from ...engine.world import World


class IndexSystem:
    """Update where obstacles, bodies and food are."""

    def __init__(self, world: World) -> None:
        self.index = world.resource(SpatialIndex)

    def process(self, dt: float) -> None:  # noqa: ARG002 - a system's signature
        self.index.refresh()
