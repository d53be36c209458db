"""Which body is climbed by which when two of them meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....components.myriapod.headless_walk import NOBODY

if TYPE_CHECKING:
    from ....components.myriapod.headless_walk import GangliaPool
    from ....engine.creature import CreaturePool
    from ....engine.pool import Array


def climbing_order(creatures: CreaturePool, headless: GangliaPool) -> Array:
    """Numbers by creature row: a body climbs the backs of those with a lower one, which are the older ones.

    The halves of a fresh cut count as equally old, or the rear would leap onto the back of the front, which it touches.
    """
    rows = headless.spans[:, 0]
    fresh = rows[headless.leader[rows] != NOBODY]
    if not fresh.size:
        return creatures.owner
    order = creatures.owner.copy()
    for _ in range(fresh.size):  # a rear may have been cut again: pass the number of the foremost on
        before = order[fresh]
        order[fresh] = order[headless.leader_row[fresh]]
        if (order[fresh] == before).all():
            break
    return order
