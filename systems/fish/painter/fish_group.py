"""Fishes of one frame: plain arrays, and how they become primitives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....components.fish.topology import NODES
from ....engine.bundle import packed
from ...render.creatures.sheet import NO_CREATURE, Sheet, View
from .fish_kernel import build_fishes
from .school import FIN_FIELDS, School

Array = NDArray[Any]


@dataclass(frozen=True)
class FishGroup:
    """Fishes with 23 nodes each.

    ``fins`` rows: angles of the left and the right fin (neutral pi / 2), sine and cosine of their beat, how wide the mouth
    is open (0..1). ``tail_velocity`` is that of the tips of the tail against the body, ``looks`` rows are those of
    `look_rows`, ``creature`` the rows in `CreaturePool` that highlighting asks for.

    Example::

        FishGroup(nodes, looks=look_rows(parameters, colours, serials))
    """

    nodes: Array
    looks: Array
    fins: Array = field(default_factory=lambda: np.zeros((0, FIN_FIELDS)))
    tail_velocity: Array = field(default_factory=lambda: np.zeros((0, 3)))
    creature: Array = field(default_factory=lambda: np.array(NO_CREATURE))

    def put(self, sheet: Sheet, n: int, view: View) -> int:
        """Fill rows of the sheet from row n on and return the next free one."""
        count = len(self.nodes)
        fins = np.zeros((count, FIN_FIELDS))
        fins[:, :2] = 0.5 * np.pi
        if len(self.fins):
            fins[:] = self.fins
        tails = np.zeros((count, 3))
        if len(self.tail_velocity):
            tails[:] = self.tail_velocity
        school = School(
            nodes=np.ascontiguousarray(self.nodes, dtype=np.float64).reshape(-1, NODES, 3),
            fins=fins,
            tail_velocity=tails,
            looks=np.ascontiguousarray(self.looks, dtype=np.float32),
            creature=np.ascontiguousarray(np.broadcast_to(self.creature, count), dtype=np.int64),
        )
        return int(build_fishes(sheet, n, view, packed(school)))
