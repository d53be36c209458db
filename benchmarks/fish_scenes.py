"""Scenes of fishes: how many fit into a tick, what one costs among many, and how that compares with the publication."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from ..engine.maps import Map
from ..engine.world import World

PUBLISHED_FRAMES = 4.0
"""Per second, of 10 fishes, 15 pieces of food and 4 obstacles. [Tu99 11.1]"""
DENSITY = 1000 / 300.0**2
"""Fishes per square unit."""
DEPTH = 20.0


def sea_of(count: int, hunters: int = 0, plankton: int = 0, pillars: int = 0) -> World:
    """A tank with so many silversides in full detail, as dense whatever their number, and hunters among them."""
    side = max((count / DENSITY) ** 0.5, 60.0)
    edges = {f"edge_{name}": "reflecting" for name in ("west", "east", "south", "north")}
    water = {"bounds": [-side / 2, -side / 2, side / 2, side / 2], "level_u": 0.0, "cell_u": 2.0, **edges}
    tables: dict[str, Any] = {}
    if plankton:
        tables["plankton"] = [{"count": plankton, "spread_u": 0.45 * side}]
    if pillars:
        pillar = {"kind": "cylinder", "radius_u": 2.0, "height_u": DEPTH}
        tables["obstacles"] = [{**pillar, "count": pillars, "spread_u": 0.4 * side}]
    sea = Map.define(name="sea", light={"clarity": 6.0}, area={"width_u": side, "height_u": side},
                     terrain={"kind": "flat", "elevation": -DEPTH}, water=[water], **tables)  # fmt: skip
    world = World(seed=1, map=sea)
    world.spawn("silverside", count=count - hunters, spread=0.4 * side)
    if hunters:
        world.spawn("reef_shark", count=hunters, spread=0.4 * side)
    return world


def fish1000() -> World:
    """1,000 fishes with minds, ten of them hunters, all in full detail."""
    return sea_of(1000, hunters=10, plankton=500)


def published_tank() -> World:
    """What the publication gives a frame rate for: 10 fishes, 15 pieces of food, 4 obstacles."""
    return sea_of(10, plankton=15, pillars=4)


def against_the_book(figures: dict[str, Any]) -> dict[str, float]:
    """Frames per second against those of the publication, at two of its steps per tick."""
    frames = 1e6 / figures["us_per_tick"]
    return {"frames_per_s": frames, "against_published": frames / PUBLISHED_FRAMES}


def fish_linearity(_figures: dict[str, Any]) -> dict[str, float]:
    """Time per fish of 1,000 against 50 at the same density, in turns so that both see the same machine."""
    few, many = sea_of(50, plankton=25), sea_of(1000, plankton=500)
    few.step(60)
    many.step(60)
    best = {50: np.inf, 1000: np.inf}
    for _ in range(20):
        for world, count, ticks in ((few, 50, 20), (many, 1000, 4)):
            start = perf_counter()
            world.step(ticks)
            best[count] = min(best[count], (perf_counter() - start) / ticks / count * 1e6)
    return {"us_per_fish_of_50": best[50], "us_per_fish_of_1000": best[1000], "ratio": best[1000] / best[50]}
