"""Drawing alone: worlds that are built and stepped once, then shown again and again by a camera that stands or moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from ..engine.maps import Map, load_map
from ..engine.world import World
from ..systems.render.scene.camera import Camera

SIZE = (1280, 720)
SWARM = 300
WALK = 3.2
"""Units per second that a moving camera goes east, and half of it north: as fast as the player of the hunt."""
FRAMES_PER_SECOND = 60.0
SWARM_SCALE = 4.0
"""Pixels per unit of the swarm view [look 1]."""
ANT_SCALE = 10.0
"""Pixels per unit of the view of a colony."""


@dataclass(frozen=True)
class DrawScene:
    """One view to measure; figures are microseconds per frame."""

    name: str
    description: str
    build: Callable[[], World]
    pixels_per_unit: float
    center: Callable[[World], Any]
    warm_up_ticks: int = 120
    frames: int = 20
    moves: bool = False
    """The camera goes on as if it followed a walker, and new ground is painted on the way."""


def _first_creature(world: World) -> Any:
    return next(iter(world.creatures.values())).position[:2]


def _deepest_water(world: World) -> Any:
    """The middle of the wettest view: where the mean depth around a cell is largest."""
    grid = world.water.grids[0]
    reach = max(int(12.0 / grid.cell), 1)
    wet = np.cumsum(np.cumsum(np.pad(grid.depth > 0.0, reach).astype(float), axis=0), axis=1)
    box = wet[2 * reach :, 2 * reach :] - wet[: -2 * reach, 2 * reach :] - wet[2 * reach :, : -2 * reach]
    row, column = np.unravel_index(np.argmax(box + wet[: -2 * reach, : -2 * reach]), box.shape)
    return grid.origin[0] + column * grid.cell, grid.origin[1] + row * grid.cell


def _swarm() -> World:
    """300 centipedes, all of them in view, at random headings."""
    width, height = SIZE[0] / SWARM_SCALE, SIZE[1] / SWARM_SCALE
    world = World(seed=3, precision="float32", map=Map.define(
        name="swarm", area={"width_u": width + 80.0, "height_u": height + 80.0},
        terrain={"kind": "noise", "amplitude": 1.2, "scale": 24.0, "octaves": 3},
    ))  # fmt: skip
    draw = world.streams["swarm"]
    columns, rows = 20, 15
    for place in range(SWARM):
        x = ((place % columns) + 0.5) / columns * width - width / 2
        y = ((place // columns) + 0.5) / rows * height - height / 2
        world.spawn("giant_centipede", at=(x, y), heading=draw.uniform(-np.pi, np.pi), tier="follow")
    return world


def _stocked(name: str, *shoals: tuple[str, int, tuple[float, float], float, float]) -> World:
    """A map of clear water with fishes in view: species, count, middle, spread and depth of each shoal."""
    chart = load_map(name)
    world = World(seed=7, map=replace(chart, creatures=()), precision="float32")
    draw = world.streams["shoals"]
    for species, count, (x, y), spread, depth in shoals:
        for _ in range(count):
            far, turn = spread * np.sqrt(draw.random()), draw.uniform(-np.pi, np.pi)
            at = (x + far * np.cos(turn), y + far * np.sin(turn), -depth * draw.uniform(0.9, 1.1))
            world.spawn(species, at=at, heading=draw.uniform(-np.pi, np.pi))
    return world


def _reef() -> World:
    return _stocked("reef", ("silverside", 75, (6.0, 8.0), 18.0, 6.0), ("clownfish", 8, (-22.0, 6.0), 9.0, 8.0),
                    ("blue_tang", 8, (2.0, -10.0), 12.0, 7.0), ("butterflyfish", 8, (16.0, 9.0), 12.0, 6.0),
                    ("reef_shark", 1, (16.0, -2.0), 1.0, 5.0))  # fmt: skip


def _lagoon() -> World:
    """The lagoon with 100 swimmers of joints in view besides its own, all of them small."""
    shoals = (("eel", 6, (0.0, 0.0), 34.0, 5.0), ("sea_turtle", 2, (-16.0, 8.0), 12.0, 4.0),
              ("jointed_clownfish", 84, (4.0, -4.0), 30.0, 5.0), ("frog", 4, (20.0, 8.0), 16.0, 2.0),
              ("alien", 4, (-24.0, -12.0), 14.0, 3.0))  # fmt: skip
    return _stocked("lagoon", *shoals)


def _koi_pond() -> World:
    return _stocked("koi_pond", ("koi", 10, (0.0, 2.0), 18.0, 1.4), ("silverside", 30, (18.0, -6.0), 8.0, 1.2))


def _ants() -> World:
    """500 ants, all of them in view, at random headings."""
    width, height = SIZE[0] / ANT_SCALE, SIZE[1] / ANT_SCALE
    world = World(seed=3, precision="float32", map=Map.define(
        name="ants", area={"width_u": width + 40.0, "height_u": height + 40.0},
        terrain={"kind": "noise", "amplitude": 1.2, "scale": 24.0, "octaves": 3},
    ))  # fmt: skip
    draw = world.streams["swarm"]
    columns, rows = 25, 20
    for place in range(columns * rows):
        x = ((place % columns) + 0.5) / columns * width - width / 2
        y = ((place // columns) + 0.5) / rows * height - height / 2
        world.spawn("worker_ant", at=(x, y), heading=draw.uniform(-np.pi, np.pi))
    return world


def measure_drawing(scene: DrawScene, repeats: int, report: Callable[[str], None]) -> dict[str, Any]:
    """Microseconds per frame of the picture alone: the fastest of several runs."""
    world = scene.build()
    report("warming up")
    world.step(scene.warm_up_ticks)
    picture, camera = world.picture, Camera(SIZE, scene.center(world), scene.pixels_per_unit)
    picture.frame(camera, SIZE, still=True, around=True)  # while a camera stands there is nothing left to paint
    best = float("inf")
    for _ in range(repeats):
        start = perf_counter()
        for _ in range(scene.frames):
            if scene.moves:
                camera.center += (WALK / FRAMES_PER_SECOND, 0.5 * WALK / FRAMES_PER_SECOND)
            picture.frame(camera, SIZE)
        best = min(best, (perf_counter() - start) / scene.frames)
        report("measuring")
    return {"us_per_frame": best * 1e6, "frames_per_s": 1.0 / best, "population": len(world.creatures)}


_ALL = [
    DrawScene("draw_land", "drawing alone: the demo's default scene at 1280x720", lambda: World(
        seed=7, map="forest_floor", precision="float32"), 16.0, _first_creature),
    DrawScene("draw_pond", "drawing alone: the largest pool of the tide pool at 1280x720", lambda: World(
        seed=7, map="tide_pool", precision="float32"), 16.0, _deepest_water),
    DrawScene("draw_land_moving", "drawing alone: the default scene, the camera follows a walker", lambda: World(
        seed=7, map="forest_floor", precision="float32"), 16.0, _first_creature, moves=True),
    DrawScene("draw_pond_moving", "drawing alone: the largest pool, the camera follows a swimmer", lambda: World(
        seed=7, map="tide_pool", precision="float32"), 16.0, _deepest_water, moves=True),
    DrawScene("draw_reef", "drawing alone: a coral garden, weed and 100 fishes in clear water at 1280x720", _reef, 13.5,
              lambda _world: (-16.0, 2.0), warm_up_ticks=20),
    DrawScene("draw_koi_pond", "drawing alone: lilies, reed, pebbles and koi in clear water at 1280x720", _koi_pond, 14.0,
              lambda _world: (0.0, -3.0), warm_up_ticks=20),
    DrawScene("draw_lagoon", "drawing alone: sea grass and 100 articulated swimmers at 1280x720", _lagoon, 13.5,
              lambda _world: (0.0, 0.0), warm_up_ticks=20),
    DrawScene("draw_swarm", "drawing alone: 300 visible centipedes at swarm zoom, 1280x720", _swarm, SWARM_SCALE,
              lambda _world: (0.0, 0.0), warm_up_ticks=10),
    DrawScene("draw_ants", "drawing alone: 500 visible ants, 1280x720", _ants, ANT_SCALE, lambda _world: (0.0, 0.0),
              warm_up_ticks=10),
]  # fmt: skip
DRAW_SCENES = {scene.name: scene for scene in _ALL}
