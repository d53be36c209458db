"""Scenes in which animals meet, and how deep they are in each other, measured apart from the contact step."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from paludarium import Map, World
from paludarium.components.segments import SegmentPool
from paludarium.engine.creature import Creature
from paludarium.tests.worlds.overlap import DEEP, deep_share, overlaps

LENGTHS = {"koi": 7.4, "eel": 8.0}
"""Units."""


def tank(seed: int = 1, side: float = 60.0, depth: float = 20.0) -> World:
    """A basin of still water with walls."""
    edges = {f"edge_{name}": "reflecting" for name in ("west", "east", "south", "north")}
    water = {"bounds": [-side / 2, -side / 2, side / 2, side / 2], "level_u": 0.0, "cell_u": 2.0, **edges}
    basin = Map.define(name="tank", light={"clarity": 6.0}, area={"width_u": side, "height_u": side},
                       terrain={"kind": "flat", "elevation": -depth}, water=[water])  # fmt: skip
    return World(seed=seed, map=basin)


def plain(seed: int = 1) -> World:
    """Flat dry ground."""
    return World(seed=seed, map=Map.define(name="plain", area={"width_u": 120, "height_u": 120}, terrain={"kind": "flat"}))


def school(seed: int, tier: str = "full") -> World:
    """Eighty silversides with a shark and a turtle among them."""
    world = tank(seed)
    world.spawn("silverside", count=80, spread=20.0, tier=tier)
    world.spawn("reef_shark", at=(-12, 0, -10), tier=tier)
    world.spawn("sea_turtle", at=(15, 5, -8), heading=2.0, tier=tier)
    return world


def mean_deep_share(world: World, seconds: float, every: int = 15) -> float:
    """That share over some seconds."""
    shares = []
    for _ in range(int(60 * seconds / every)):
        world.step(every)
        shares.append(deep_share(world))
    return float(np.mean(shares))


def fastest(world: World) -> float:
    """Speed of the fastest segment of all."""
    return float(np.linalg.norm(world.pool(SegmentPool).live("velocity"), axis=1).max())


def bearing(animal: Creature, other: Creature) -> float:
    """Radians from its heading to another one, left positive: as a turning rate it leads there."""
    x, y = (other.position - animal.position)[:2]
    return math.remainder(math.atan2(y, x) - animal.heading, math.tau)


def ticks_deep(species: tuple[str, str], tiers: tuple[str, str], across: bool, offset: float, seconds: int = 6) -> int:
    """Ticks in which two animals are deep in each other that are driven at each other."""
    world = tank(side=100.0, depth=12.0)
    length = LENGTHS[species[0]]
    far = (1.1 if species[0] == "eel" else 1.6) * length
    at: Any = (offset, -far, -5.0) if across else (far, offset, -5.0)
    pair = [world.spawn(species[0], at=(-far, 0.0, -5.0), heading=0.0, tier=tiers[0]),
            world.spawn(species[1], at=at, heading=np.pi / 2 if across else np.pi, tier=tiers[1])]  # fmt: skip
    deep = met = 0
    for _ in range(60 * seconds):
        for animal, other in zip(pair, reversed(pair), strict=True):
            animal.control(length, turn=0.0 if across else bearing(animal, other))
        world.step()
        depth, _ = overlaps(world)
        deep += bool(depth.max(initial=0.0) > DEEP)
        met += bool((world.pool(SegmentPool).live("contacts") > 0).any())
    assert np.isfinite(world.pool(SegmentPool).live("position")).all()
    assert met > 0
    return deep
