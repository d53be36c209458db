"""Seaweed in the tick: it sways in the current and makes way for bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..spatial_index.index import SpatialIndex
from .seaweed import SeaweedPool, Thicket
from .seaweed_step_kernel import measure_thickets, sway

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World


class SeaweedSystem:
    """Update the nodes of all leaves."""

    def __init__(self, world: World) -> None:
        self._world, self._weed, self._index = world, world.pool(SeaweedPool), world.resource(SpatialIndex)
        self._version = -1
        self._rows: Array = np.zeros(0, np.int64)

    def process(self, dt: float) -> None:
        weed, index = self._weed, self._index
        if self._version != weed.version:
            self._version = weed.version
            self._rows = np.concatenate([np.arange(first, first + count) for first, count in [(0, 0), *weed.spans.tolist()]])
        if self._rows.size:
            sway(self._rows, weed, self._world.sea.arrays, index.bodies, index.body_hash,
                 self._world.creature_pool, dt)  # fmt: skip


def thickets_of(weed: SeaweedPool) -> Array:
    """(clusters, 7): lowest and highest corner of each cluster, and the share of light lost per unit in it, for eyes."""
    thickets = np.zeros((len(weed.spans), len(Thicket)))
    measure_thickets(weed.spans, weed, thickets)
    return thickets
