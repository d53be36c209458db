"""Bubbles: air that rises from vents on the bed, again and again. [Tu99 8.2]"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine import arguments
from ...engine.column_rules import ON_MAP, Within
from ...engine.errors import PlaceTakenError, SpawnError
from ...engine.placed import PlacedGroup
from ...engine.places import FARTHEST
from ...engine.pool import Pool, column

if TYPE_CHECKING:
    from ...engine.world import World

MOST_BUBBLES = 1_000
"""Of one vent."""
STREAM = "bubbles"
SMALLEST, SLOWEST = 0.35, 0.7
"""Of a vent, as a share of the largest and the fastest one."""


class BubblePool(Pool):
    """One row per bubble; those of one vent are a span."""

    position = column(np.float64, 3, holds=ON_MAP)
    home = column(np.float64, 3, holds=ON_MAP, fixed=True)  # on the bed
    rise = column(np.float64, holds=Within(0.0, 100.0), fixed=True)  # units/s
    size = column(np.float64, holds=Within(0.0, 10.0), fixed=True)  # radius


@dataclass(frozen=True)
class Vent(PlacedGroup):
    """A place that bubbles rise from: ``world.add_bubbles(at=(3, 4), count=20)``. Its places are those of its bubbles."""


def open_vent(world: World, at: Any, count: int, spread: float, rise: float, size: float) -> Vent:
    """A vent whose bubbles are on their way already."""
    at = arguments.vector("bubbles at", at, (2,), largest=FARTHEST, error=SpawnError)
    count = arguments.whole("bubbles count", count, 1, MOST_BUBBLES, error=SpawnError)
    spread = arguments.number("bubbles spread", spread, 0.0, 1000.0, error=SpawnError)
    rise = arguments.number("bubbles rise", rise, 0.01, 100.0, error=SpawnError)
    size = arguments.number("bubbles size", size, 0.001, 10.0, error=SpawnError)
    if not float(world.water.depth(at[None])[0]) > 0.0:
        raise PlaceTakenError(f"bubbles at ({at[0]:g}, {at[1]:g}): allowed is a place in the water")
    draw = world.streams[STREAM].random((count, 4))
    radius, angle = spread * np.sqrt(draw[:, 0]), math.tau * draw[:, 1]
    plan = at + np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    dry = ~(world.water.depth(plan) > 0.0)
    plan[dry] = at
    surface, depth = world.water.surface(plan), world.water.depth(plan)
    pool = world.pool(BubblePool)
    rows = pool.claim(count, owner=0)
    pool.home[rows.slice] = np.column_stack([plan, surface - depth])
    pool.position[rows.slice] = np.column_stack([plan, surface - depth * draw[:, 2]])
    pool.size[rows.slice] = size * (SMALLEST + (1.0 - SMALLEST) * draw[:, 3])
    pool.rise[rows.slice] = rise * (SLOWEST + (1.0 - SLOWEST) * draw[:, 3])
    return Vent(pool, rows)
