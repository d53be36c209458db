"""Flat pools of still water, for the checks of the shallow water."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paludarium.engine.terrain import Terrain
from paludarium.engine.water import Pond, Water, WaterGrid

GRAVITY = 9.8
TICK = 1.0 / 60.0
FLAT = Terrain.flat(bounds=(-100, -100, 100, 100))
ABSORBING_EDGES = {f"edge_{side}": "absorbing" for side in ("west", "east", "south", "north")}


def pool(east: float, north: float, cell: float = 0.4, level: float = 1.0, gravity: float = GRAVITY,
         **settings: Any) -> WaterGrid:
    """A pool of these sizes with its south-western corner at the origin."""
    pond = Pond(bounds=(0, 0, east, north), level=level, cell=cell, **settings)
    return Water([pond], FLAT, gravity=gravity, seed=1).grids[0]


def centers(grid: WaterGrid) -> NDArray[np.float64]:
    """Where the middles of the columns are, from the western edge."""
    return (np.arange(grid.size[0]) + 0.5) * grid.cell
