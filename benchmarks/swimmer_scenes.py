"""Scenes of articulated swimmers: an eel in its fluid window, and what a step of one costs beside the publication."""

from __future__ import annotations

from time import thread_time
from typing import Any

from ..engine.maps import Map
from ..engine.world import World
from ..lab.articulated.training.bench import Bench, Water

PUBLISHED_SECONDS = 0.64
"""Per frame of the plane eel, 128 x 64 cells. [Tan11 Tab. 1]"""
GRIDS = ("64x32", "64x64", "128x64")
STEPS, TRIES = 60, 5


KINDS = ("eel", "jointed_clownfish", "sea_turtle", "frog")
APART = 20.0
"""Units between those with a window: nobody is in the window of another."""


def _tank(half: float, cell: float) -> World:
    """Deep water, so many units to each side of the middle."""
    water = {"bounds": [-half, -half, half, half], "level_u": 0.0, "cell_u": cell}
    tank = Map.define(name="tank", area={"width_u": 2.0 * half, "height_u": 2.0 * half},
                      terrain={"kind": "flat", "elevation": -12.0}, water=[water])  # fmt: skip
    return World(seed=1, map=tank)


def eel_tank() -> World:
    """One eel in deep water, in a fluid window of its own."""
    world = _tank(60.0, 2.0)
    world.spawn("eel")
    return world


def swimmers200() -> World:
    """Eight eels in fluid windows, and two hundred swimmers of four kinds without a grid."""
    world = _tank(150.0, 5.0)
    for place in range(8):
        world.spawn("eel", at=(APART * (place % 4 - 1.5), APART * (place // 4 - 0.5)))
    for kind in KINDS:
        world.spawn(kind, count=200 // len(KINDS), spread=130.0, tier="bush")
    return world


def box_steps(_figures: dict[str, Any]) -> dict[str, float]:
    """CPU milliseconds of a step of body and water by grid, on one thread, and how many fit into a published frame."""
    species, found = World(seed=1, populate=False).species["eel"], {}
    for grid in GRIDS:
        bench = Bench.of_species(species, Water.named(grid))
        bench.swim(STEPS)
        best = float("inf")
        for _ in range(TRIES):
            start = thread_time()
            bench.swim(STEPS)
            best = min(best, (thread_time() - start) / STEPS)
        found[f"ms_per_step_{grid}"] = 1e3 * best
    return {**found, "against_published": 1e3 * PUBLISHED_SECONDS / found["ms_per_step_128x64"]}
