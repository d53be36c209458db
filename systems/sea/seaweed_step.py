"""Seaweed in the tick: it sways in the current and makes way for bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..spatial_index.index import SpatialIndex
from .seaweed import SeaweedPool
from .seaweed_step_kernel import bound_clusters, sway

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World


class SeaweedStep:
    """Update the nodes of all leaves."""

    def __init__(self, world: World) -> None:
        self._world, self._weed, self._index = world, world.pool(SeaweedPool), world.resource(SpatialIndex)
        self._version = -1
        self._rows: Array = np.zeros(0, np.int64)
        self._boxes: Array = np.zeros((0, 6))
        self._boxes_of = (-1, -1)

    def step(self, dt: float) -> None:
        """Let one tick pass."""
        weed, index = self._weed, self._index
        if self._version != weed.version:
            self._version = weed.version
            self._rows = np.concatenate([np.arange(first, first + count) for first, count in [(0, 0), *weed.spans.tolist()]])
        if self._rows.size:
            sway(self._rows, weed.bundle, self._world.sea.arrays, index.bodies, index.body_hash,
                 self._world.creature_pool.bundle, dt)  # fmt: skip

    def boxes(self) -> Array:
        """(clusters, 6): the lowest and the highest corner of each cluster, as of this tick, for eyes."""
        now = (self._world.tick, self._weed.version)
        if now != self._boxes_of:
            self._boxes = np.zeros((len(self._weed.spans), 6))
            bound_clusters(self._weed.spans, self._weed.bundle, self._boxes)
            self._boxes_of = now
        return self._boxes
