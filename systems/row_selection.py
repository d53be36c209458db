"""Which creatures a system works on."""

from __future__ import annotations

import numpy as np

from ..engine.creature import FOLLOW, CreaturePool
from ..engine.pool import NO_OWNER, Array, Pool
from .row_selection_kernel import pick_living, pick_owned, pick_tier

TURN_TICKS = 2
"""Ticks from one turn of a creature out of sight to its next."""


def living_rows(pool: Pool, creatures: CreaturePool) -> Array:
    """Rows of an aligned pool whose creatures are not ragdolls, as int32."""
    first_rows = pool.first_rows
    if not first_rows.size:
        return first_rows
    chosen = np.empty(first_rows.size, np.int32)
    return chosen[: pick_living(pool.spans, creatures.dead, chosen)]


def by_sight(rows: Array, tiers: Array) -> tuple[Array, Array]:
    """The rows of creatures that are simulated, and of those out of sight."""
    seen, unseen = np.empty_like(rows), np.empty_like(rows)
    count = pick_tier(rows, tiers, FOLLOW, seen, unseen)
    return seen[: rows.size - count], unseen[:count]


def in_turns(rows: Array, tiers: Array, tick: int) -> list[tuple[Array, int]]:
    """The rows to work on now, with the ticks to make up for: those out of sight have their turn every other tick."""
    seen, waiting = by_sight(rows, tiers)
    if not waiting.size:
        return [(seen, 1)]
    return [(seen, 1), (waiting[has_turn(waiting, tick)], TURN_TICKS)]


def has_turn(rows: Array, tick: int) -> Array:
    """For each row whether its turn is in this tick."""
    turn: Array = rows % TURN_TICKS == tick % TURN_TICKS
    return turn


def rows_with(pool: Pool, rows: Array) -> Array:
    """Those of the creature rows that have a row in an aligned pool."""
    chosen = np.empty_like(rows)
    return chosen[: pick_owned(rows, pool.owner, NO_OWNER, chosen)]
