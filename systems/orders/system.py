"""OrderSystem: keeps the game's orders up to date before anything obeys them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.paths import PathPool
from ...engine.pool import Rows
from .orders_kernel import follow_paths, forget_the_gone

if TYPE_CHECKING:
    from ...engine.world import World


class OrderSystem:
    """Update goals about creatures that are gone, and the next points of paths."""

    def __init__(self, world: World) -> None:
        self.creatures, self.paths = world.creature_pool, world.pool(PathPool)

    def process(self, dt: float) -> None:  # noqa: ARG002 - a system's signature
        forget_the_gone(self.creatures.spans[:, 0], self.creatures)
        spans = self.paths.spans
        if not len(spans):
            return
        over = np.zeros(len(spans), np.bool_)
        if follow_paths(spans, self.paths, self.creatures, over):
            for start, count in spans[over].tolist():
                self.paths.release(Rows(start, start + count, self.paths.generation_of(start)))
