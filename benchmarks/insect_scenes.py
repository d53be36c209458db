"""Scenes of insects: a thousand foragers with nest, food and trails, and what their colony costs within a tick."""

from __future__ import annotations

import numpy as np

from ..engine.maps import Map
from ..engine.world import World

ARENA = 128.0
"""Units: side of the ground, as dense as the study's. [insect 7]"""
FOOD_AT = 36.0
"""Units from the nest."""
FOODS, ENTRANCES = 3, 6
PLENTY = 1e6
"""Amount of a piece that never ends."""


def foragers(count: int = 1000, seed: int = 1) -> World:
    """A nest in the middle of a plane, food on three sides of it, and so many workers around it, all in full detail."""
    plane = Map.define(name="foragers", area={"width_u": ARENA, "height_u": ARENA}, terrain={"kind": "flat"},
                       nests=[{"entrances": ENTRANCES, "spread_u": 5.0}])  # fmt: skip
    world = World(seed=seed, map=plane, precision="float32")
    for place in range(FOODS):
        turn = 0.4 + 2.0 * np.pi * place / FOODS
        world.add_food((FOOD_AT * np.cos(turn), FOOD_AT * np.sin(turn)), amount=PLENTY)
    world.spawn("worker_ant", count=count, spread=30.0)
    return world
