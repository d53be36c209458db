"""Which creatures a system works on."""

from __future__ import annotations

import numpy as np

from ..components.body import BodyPool
from ..engine.creature import TIERS
from ..engine.pool import NO_OWNER, Array, Pool


def living_rows(pool: Pool, body: BodyPool) -> Array:
    """Rows of an aligned pool whose creatures are not ragdolls, as int32."""
    rows = pool.spans[:, 0]
    return np.ascontiguousarray(rows[body.dead[rows] == 0])


def in_turns(rows: Array, tiers: Array, tick: int) -> list[tuple[Array, int]]:
    """The rows to work on now, with the ticks to make up for: those nobody sees have their turn every other tick."""
    unseen = tiers[rows] == TIERS.index("follow")
    if not unseen.any():
        return [(rows, 1)]
    waiting = rows[unseen]
    return [(rows[~unseen], 1), (waiting[waiting % 2 == tick % 2], 2)]


def rows_with(pool: Pool, rows: Array) -> Array:
    """Those of the creature rows that have a row in an aligned pool."""
    inside = rows[rows < pool.capacity]
    return inside[pool.owner[inside] != NO_OWNER]
