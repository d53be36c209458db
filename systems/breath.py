"""Animals that breathe water: who has been out of it for too long dies, whatever its family."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..engine.pool import Array
    from ..engine.world import World

AIR = "air"
"""The cause of death of an animal that was out of the water for too long."""


def let_die_of_air(world: World, breathers: Any, rows: Array, limits: Array) -> None:
    """Kill those of the listed creatures that have been out of the water for longer than their limit.

    breathers: an aligned pool with `air_seconds`, which `breath_kernel` counts. limits: seconds; 0 lives in air for ever.
    """
    late = (limits > 0.0) & (breathers.air_seconds[rows] > limits) & (world.creature_pool.dead[rows] == 0)
    for row in rows[late].tolist():
        world.creatures[int(breathers.owner[row])].kill(cause=AIR)
