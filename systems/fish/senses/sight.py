"""What all fishes share when they look around in a tick."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....engine.pool import Array
from ....engine.spatial_hash import SpatialHash


class Scene(NamedTuple):
    """Creatures, hunters, threats and water of a tick, for kernels. Read-only."""

    herd: Array  # creature rows of the items in the next hash
    herd_hash: SpatialHash  # plan boxes of all bodies
    hunters: Array  # creature rows of those that somebody has to fear
    hunter_hash: SpatialHash  # squares around them from which they can be seen
    food_web: Array  # (kinds, kinds) who eats whom; empty where nobody does
    relation: Array  # (factions, factions)
    alarms: Array  # (n, 5) threats of the game, columns `Alarm`
    adrift: Array  # rows of `FoodPool` that drift, by item of the next hash
    adrift_hash: SpatialHash
    claims: Array  # how near the nearest fish is that goes for a piece of food, by row of `FoodPool`
    baits: Array  # (n, 3) places of hooks with bait
    thickets: Array  # (n, 7) clusters of seaweed, columns `Thicket`
    thicket_hash: SpatialHash
    clarity: float  # factor on how far one sees
    tick: int


class Sight:
    """What the senses of fishes hand on to their minds: ``world.resource(Sight)``."""

    def __init__(self) -> None:
        self.rows: Array = np.zeros(0, np.int32)
        """Creature rows of those who look, and so think, in this tick."""
        self.scene: Scene | None = None
        self.hooks: Array = np.zeros(0, np.int32)
        """Rows of `HookPool` by row of the scene's baits."""
