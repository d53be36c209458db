"""Scenes of articulated swimmers: an eel in its fluid window, and what a step of one costs beside the publication."""

from __future__ import annotations

from time import thread_time
from typing import Any

from ..engine.maps import Map
from ..engine.world import World
from ..systems.articulated.training.bench import Bench, Water

PUBLISHED_SECONDS = 0.64
"""Per frame of the plane eel, 128 x 64 cells. [Tan11 Tab. 1]"""
GRIDS = ("64x32", "64x64", "128x64")
STEPS, TRIES = 60, 5


def eel_tank() -> World:
    """One eel in deep water, in a fluid window of its own."""
    water = {"bounds": [-60.0, -60.0, 60.0, 60.0], "level_u": 0.0, "cell_u": 2.0}
    tank = Map.define(name="eel tank", area={"width_u": 120, "height_u": 120},
                      terrain={"kind": "flat", "elevation": -12.0}, water=[water])  # fmt: skip
    world = World(seed=1, map=tank)
    world.spawn("eel")
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
