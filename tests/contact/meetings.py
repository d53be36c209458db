"""Scenes in which animals meet, and how deep they are in each other, measured apart from the contact step."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from paludarium import Map, World
from paludarium.components.body import BodyPool
from paludarium.components.segments import SegmentPool
from paludarium.engine.creature import Creature
from paludarium.engine.pool import Array
from paludarium.systems.spatial_index.index import SpatialIndex
from paludarium.systems.spatial_index.solids import SolidField

DEEP = 0.2
"""Of the narrower radius: overlaps deeper than this count."""
LENGTHS = {"koi": 7.4, "eel": 8.0}
"""Units."""
SAMPLES = np.linspace(0.0, 1.0, 7)[None, :, None]


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


def squeezed_distance(points: Array, start: Array, way: Array, squeeze: Array) -> Array:
    """(n,) from the nearest of (n, 7, 3) points to lines, heights multiplied by (n,) squeezes before."""
    scale = np.stack([np.ones_like(squeeze), np.ones_like(squeeze), squeeze], axis=1)
    from_start, way = points * scale[:, None] - (start * scale)[:, None], way * scale
    share = (from_start * way[:, None]).sum(axis=-1) / np.maximum((way * way).sum(axis=-1), 1e-12)[:, None]
    gap = from_start - np.clip(share, 0.0, 1.0)[..., None] * way[:, None]
    return np.asarray(np.linalg.norm(gap, axis=-1).min(axis=1))


def overlaps(world: World) -> tuple[Array, Array]:
    """(n,) depths of overlaps of elliptic capsules, as shares of the narrower radius, and (n, 2) whose."""
    index = world.resource(SpatialIndex)
    index.refresh()
    bodies, segments, capsules, box = world.pool(BodyPool), world.pool(SegmentPool), index.bodies, index.body_hash.boxes
    owner, radius = capsules[:, SolidField.OWNER].astype(int), capsules[:, SolidField.RADIUS]
    row = bodies.first_segment[owner] + np.arange(len(capsules)) - index.places[owner]
    high = radius * segments.half_extents[row, 2] / segments.half_extents[row, 1]
    start = capsules[:, [SolidField.X, SolidField.Y, SolidField.Z]]
    way = capsules[:, [SolidField.EXTENT_X, SolidField.EXTENT_Y, SolidField.EXTENT_Z]]
    order = np.argsort(box[:, 0])
    first, second = [], []
    for place, k in enumerate(order):
        others = order[place + 1 : np.searchsorted(box[order, 0], box[k, 2], side="right")]
        others = others[(owner[others] != owner[k]) & (box[others, 1] <= box[k, 3]) & (box[others, 3] >= box[k, 1])]
        first.append(np.full(others.size, k))
        second.append(others)
    i, j = np.concatenate(first), np.concatenate(second)
    squeeze = (radius[i] + radius[j]) / (high[i] + high[j])
    near = [squeezed_distance(start[a][:, None] + SAMPLES * way[a][:, None], start[b], way[b], squeeze)
            for a, b in ((i, j), (j, i))]  # fmt: skip
    depth = (radius[i] + radius[j] - np.minimum(*near)) / np.minimum(radius[i], radius[j])
    return depth[depth > 0.0], np.stack([owner[i], owner[j]], axis=1)[depth > 0.0]


def deep_share(world: World) -> float:
    """Share of the animals that are deep in another one."""
    depth, whose = overlaps(world)
    return float(np.unique(whose[depth > DEEP]).size / len(world.creatures))


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
