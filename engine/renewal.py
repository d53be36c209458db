"""What follows from its species is not taken from a save: fixed columns of a creature are written anew when it is loaded.

A save may be of an earlier version, in which the species was another one, or from anywhere; kernels take lengths, counts and
strengths as they are. What a save has within rounding stays: on other processors, too, a world goes on to the last bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .pool import Array, Pool, Rows

if TYPE_CHECKING:
    from .creature import Creature
    from .world import World

ROUNDING = 1e-6
"""Share of a number by which other processors may differ."""
NOTHING = 1e-9
"""Share of the largest number of a row that is taken for 0."""


def renew(world: World, creature: Creature) -> None:
    """Let the parts of a creature that is loaded write what a birth writes into fixed columns; what agrees stays as it is.

    Parts say how with ``add_part(..., renew=...)``; columns of which none knows anything stay, too.
    """
    pools = [(_pool_of(world, name), rows) for name, rows in creature.rows.items()]
    kept = [(values, values.copy()) for pool, rows in pools for values in _fixed(pool, rows)]
    for name, spec in creature.species.specs.items():
        part = world.parts[name]
        if part.renew is not None:
            part.renew(creature, spec, world.pool(part.pool), creature.rows[name])
    for now, before in kept:
        if now.tobytes() != before.tobytes() and agrees(before, now):
            now[...] = before


def agrees(before: Array, now: Array) -> bool:
    """Whether two arrays hold the same, but for rounding."""
    if now.dtype.kind != "f":
        return np.array_equal(before, now)
    return np.allclose(before, now, rtol=ROUNDING, atol=NOTHING * float(np.abs(now).max(initial=0.0)))


def _pool_of(world: World, part: str) -> Pool:
    return world.creature_pool if part == "creature" else world.pool(world.parts[part].pool)


def _fixed(pool: Pool, rows: Rows) -> list[Array]:
    """The fixed columns of these rows, to be written to."""
    return [getattr(pool, name)[rows.slice] for name in pool.fixed_names] if rows.size else []
