"""Plankton in the tick: it drifts, and what was eaten or carried out of the water comes back elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.props import ADRIFT
from .patches import PatchPool, add_pieces, places_in
from .plankton_step_kernel import drift_all

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World


class PlanktonSystem:
    """Update the places of plankton and let patches grow."""

    def __init__(self, world: World) -> None:
        self._world, self._food, self._patches = world, world.props.food, world.pool(PatchPool)
        self._version = (-1, -1)
        self._rows: Array = np.zeros(0, np.int32)
        self._lost: Array = np.zeros(0, np.bool_)
        self._missing: Array = np.zeros(0, np.int64)
        self._growing: Array = np.zeros(0, np.int32)

    def process(self, dt: float) -> None:
        self._look()
        if self._rows.size:
            drift_all(self._rows, self._food, self._world.sea.arrays, self._lost, dt)
            if self._lost.any():
                self._bring_back()
        if self._growing.size:
            self._grow(dt)

    def _look(self) -> None:
        """Find all plankton again after some was added or eaten."""
        version = (self._food.version, self._patches.version)
        if version == self._version:
            return
        rows = self._food.first_rows
        self._rows = rows[self._food.drift[rows] == ADRIFT]
        self._lost = np.zeros(self._rows.size, np.bool_)
        patch = self._food.patch[self._rows]
        known = (patch >= 0) & (patch < self._patches.capacity)
        self._missing = np.maximum(self._patches.wanted - np.bincount(patch[known], minlength=self._patches.capacity), 0)
        living = self._patches.first_rows
        self._growing = living[self._patches.regrow[living] > 0.0]
        self._version = version

    def _bring_back(self) -> None:
        """Plankton of a patch that left the water comes in again anywhere in its patch; other plankton stays at the edge."""
        rows = self._rows[self._lost]
        patches = self._food.patch[rows]
        for patch in np.intersect1d(patches, self._patches.spans[:, 0]).tolist():
            gone = rows[patches == patch]
            places = places_in(self._world, patch, gone.size)
            self._food.position[gone[: len(places)]] = places

    def _grow(self, dt: float) -> None:
        pool, growing = self._patches, self._growing
        missing, slowest = self._missing[growing], np.maximum(pool.regrow[growing], dt)
        due = np.where(missing > 0, pool.due[growing] + missing * dt / slowest, 0.0)
        pool.due[growing] = due
        for row in growing[due >= 1.0].tolist():
            count = min(int(pool.due[row]), int(self._missing[row]))
            pool.due[row] -= count
            add_pieces(self._world, row, places_in(self._world, row, count))
