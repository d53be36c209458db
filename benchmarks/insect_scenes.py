"""Scenes of insects: a thousand foragers with nest, food and trails, and the published ant beside its publication."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
from typing import Any

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


PUBLISHED_TRIANGLE = 0.068 / 61.0
"""Seconds on flat ground. [insect A13]"""
PUBLISHED_SWARM = 0.640
"""Seconds of 30 ants with 1,531 triangles, on four processes. [insect A14]"""
STRIDE_SECONDS = 0.125
"""Of the published walker at 15 mm/s. [insect A43]"""
TRIES = 9


def ant_walks(_figures: dict[str, Any]) -> dict[str, float]:
    """What the published ant costs here, in times of its publication and of real time. CPU time of one thread."""
    from ..lab.insect.ant_path import AntPath  # kernels of the laboratory are not in the packs
    from ..lab.insect.controller_table import load_table
    from ..lab.insect.triangle_placement import AntInputs, Placement, place_swarm, place_triangles
    from ..lab.insect.walker import walk_path

    how = Placement(spacing="consecutive")
    line, ant = AntPath.line(5000.0), AntInputs(speed=20.0)
    triangles = len(place_triangles(line, ant, how=how).vertices)
    rng, paths = np.random.default_rng(14), []
    for _ in range(30):
        way = AntPath.through(np.cumsum(rng.normal((50.0, 0.0), 15.0, (6, 2)), axis=0), radius=20.0)
        paths.append(AntPath(way.pieces, 7652.3 / 30.0))
    short, slow, table = AntPath.line(500.0), AntInputs(speed=15.0), load_table()
    strides = walk_path(short, slow, table).strides
    return {
        "triangles_against_published": PUBLISHED_TRIANGLE * triangles / _least(lambda: place_triangles(line, ant, how=how)),
        "swarm_against_published": PUBLISHED_SWARM / _least(lambda: place_swarm(paths, [ant] * 30, how=how)),
        "walks_against_real_time": STRIDE_SECONDS * strides / _least(lambda: walk_path(short, slow, table)),
    }


def _least(work: Callable[[], object]) -> float:
    """CPU seconds of the quickest of several runs, after one that may compile."""
    work()
    found = []
    for _ in range(TRIES):
        start = thread_time()
        work()
        found.append(thread_time() - start)
    return min(found)
