"""The scenes: what is built, how long it runs, and what it is compared with. They reuse examples and maps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from ..components.myriapod.chain import ChainPool
from ..components.segments import SegmentPool
from ..engine.maps import Map
from ..engine.world import World
from ..examples import thousand_drifters
from .busy_core import threads_worth
from .draw_scenes import DRAW_SCENES, DrawScene
from .example_worlds import crowd_world, drifting_world, walking_world
from .fish_scenes import against_the_book, fish1000, fish_linearity, published_tank, sea_of
from .insect_scenes import ant_walks, foragers
from .play_scenes import PLAY_SCENES, PlayScene
from .swimmer_scenes import box_steps, eel_tank, swimmers200

LAB_SCENE = "ant_walks"
"""The scene that measures kernels of the laboratory: packs leave them out."""
PUBLISHED_STEPS, PUBLISHED_REAL_TIME = 17_000.0, 5.7
"""Steps of a body of 18 segments per second on six cores, and times real time. [myriapoda C71]"""
PUBLISHED_UPDATES = 500.0
"""Of 200 x 200 cells per second. [myriapoda C64]"""


@dataclass(frozen=True)
class Scene:
    """One thing to measure."""

    name: str
    description: str
    build: Callable[[], World]
    ticks: int = 60
    warm_up_ticks: int = 60
    each_tick: Callable[[World], None] | None = None
    compare: Callable[[dict[str, Any]], dict[str, float]] | None = None

    def substeps(self, world: World) -> float:
        """Body steps of all creatures in one tick; one that is not simulated in substeps counts once."""
        chain = world.pool(ChainPool)
        rows = world.creature_pool.spans[:, 0]
        simulated = np.isin(rows, chain.spans[:, 0]) & (world.creature_pool.tier[rows] == 0)
        return float(chain.substeps[rows[simulated]].sum() + (~simulated).sum())


def _python_overhead(_figures: dict[str, Any]) -> dict[str, float]:
    """Whatever a tick takes beyond the bare call of its one kernel on the same rows is Python."""
    world = drifting_world()
    segments = world.pool(SegmentPool)
    arguments = (segments.spans, segments.velocity, segments.position, world.clock.tick_seconds)
    tick = kernel = float("inf")
    for _ in range(40):  # in turns, so that both see the same machine
        start = perf_counter()
        world.step(100)
        tick = min(tick, (perf_counter() - start) / 100 * 1e6)
        start = perf_counter()
        for _ in range(100):
            thousand_drifters.drift(*arguments)
        kernel = min(kernel, (perf_counter() - start) / 100 * 1e6)
    return {"python_us_per_tick": max(tick - kernel, 0.0), "compiled_share": min(kernel / tick, 1.0)}


def _birth_and_death(world: World) -> None:
    world.spawn("drifter", at=(0.0, 0.0))
    next(iter(world.creatures.values())).despawn()


def _cost_of_life(figures: dict[str, Any]) -> dict[str, float]:
    """What one birth and one death per tick add to the quiet tick of the same world."""
    quiet = drifting_world()
    quiet.step(20)
    best = float("inf")
    for _ in range(20):
        start = perf_counter()
        quiet.step(20)
        best = min(best, (perf_counter() - start) / 20 * 1e6)
    return {"birth_and_death_us": figures["us_per_tick"] - best, "centipede_birth_us": _centipede_birth()}


def _centipede_birth() -> float:
    """Microseconds of one `spawn` of a giant centipede, in a world that has its blueprint; the least of many."""
    world = World(seed=1)
    best = float("inf")
    for _ in range(100):
        start = perf_counter()
        newborn = world.spawn("giant_centipede")
        best = min(best, (perf_counter() - start) * 1e6)
        newborn.despawn()
        world.step()
    return best


def _walkers(count: int, tier: str, precision: str = "float32") -> Callable[[], World]:
    return partial(walking_world, count=count, tier=tier, precision=precision)


def _fem_speed(figures: dict[str, Any]) -> dict[str, float]:
    """Substeps of the 18-segment body per second and core, from the time of the FEMSystem alone."""
    import numba

    seconds = figures["systems"]["FEMSystem"] * 1e-6
    steps = figures["steps_per_s"] * figures["us_per_tick"] * 1e-6
    return {"fem_steps_per_s_and_core": steps / seconds / numba.get_num_threads()}


def _against_the_thesis(figures: dict[str, Any]) -> dict[str, float]:
    """Body steps of one core, and times real time of one body on one core, against those of the thesis on six."""
    import numba

    found = _fem_speed(figures)
    real_time = figures["realtime_factor"] * figures["population"] / numba.get_num_threads()
    return {**found, "steps_against_published": found["fem_steps_per_s_and_core"] / PUBLISHED_STEPS,
            "realtime_against_published": real_time / PUBLISHED_REAL_TIME}  # fmt: skip


def _contact_share(figures: dict[str, Any]) -> dict[str, float]:
    """What of a tick goes to the contact of bodies."""
    return {"contact_share": figures["systems"]["ContactSystem"] / figures["us_per_tick"]}


def _per_creature(figures: dict[str, Any]) -> dict[str, float]:
    """Time per creature at this number against that at 50, in the same run."""
    few = walking_world(count=50, tier="follow", precision="float32")
    few.step(60)
    best = float("inf")
    for _ in range(10):
        start = perf_counter()
        few.step(30)
        best = min(best, (perf_counter() - start) / 30 * 1e6)
    return {"cost_per_creature_against_50": figures["us_per_tick"] / figures["population"] / (best / 50)}


def _linearity(_figures: dict[str, Any]) -> dict[str, float]:
    """Time per creature of 1,000 against 50 at the same density, measured in turns so that both see the same machine."""
    few = walking_world(count=50, tier="follow", precision="float32")
    many = walking_world(count=1000, tier="follow", precision="float32")
    few.step(60)
    many.step(60)
    best = {50: float("inf"), 1000: float("inf")}
    for _ in range(30):
        for world, count, ticks in ((few, 50, 20), (many, 1000, 3)):
            start = perf_counter()
            world.step(ticks)
            best[count] = min(best[count], (perf_counter() - start) / ticks / count * 1e6)
    return {"us_per_creature_of_50": best[50], "us_per_creature_of_1000": best[1000], "ratio": best[1000] / best[50]}


def _pond(swimmers: int, cells: int = 200, cell: float = 0.8, depth: float = 4.0, rain: float = 60.0) -> World:
    """A square pond of so many cells a side in the rain, with swimmers that hunt in it."""
    side = cells * cell
    water = {"bounds": [-side / 2, -side / 2, side / 2, side / 2], "level_u": depth, "cell_u": cell, "rain_per_s": rain}
    pond = Map.define(name="pond", area={"width_u": side, "height_u": side}, water=[water],
                      food=[{"count": max(swimmers, 1), "spread_u": 0.45 * side}])  # fmt: skip
    world = World(seed=3, map=pond, precision="float32")
    if swimmers:
        world.spawn("swimmer", count=swimmers, spread=0.38 * side)
    return world


def _water_update(_figures: dict[str, Any]) -> dict[str, float]:
    """One update of 200 x 200 cells at the source's spacing, without anything else of the tick."""
    grid = _pond(0, cell=0.4, depth=1.0).water.grids[0]
    best = float("inf")
    for _ in range(20):
        start = perf_counter()
        for _ in range(20):
            grid.step(1.0 / 60.0)
        best = min(best, (perf_counter() - start) / 20 * 1e6)
    return {"water_us_per_update": best, "substeps_per_update": float(grid.plan(1.0 / 60.0).substeps),
            "updates_against_published": 1e6 / best / PUBLISHED_UPDATES}  # fmt: skip


_ALL = [
    Scene("overhead", "1,000 drifting bodies of 18 segments, positions only: what Python costs per tick",
          drifting_world, ticks=200, compare=_python_overhead),
    Scene("births", "the same with one birth and one death per tick, and the birth of a giant centipede",
          drifting_world, ticks=200, each_tick=_birth_and_death, compare=_cost_of_life),
    Scene("one", "one centipede alone at full detail, whole tick", _walkers(1, "full", "float64"), ticks=200),
    Scene("fem64", "16 walking bodies at full detail in float64: finite-element steps per second and core",
          _walkers(16, "full", "float64"), compare=_against_the_thesis),
    Scene("fem32", "the same in float32", _walkers(16, "full"), compare=_fem_speed),
    Scene("full80", "80 walking centipedes at full detail, whole tick", _walkers(80, "full"), ticks=30),
    Scene("bush400", "400 at the bush tier", _walkers(400, "bush"), ticks=10, warm_up_ticks=30),
    Scene("follow1000", "1,000 at the follow tier, and their cost against 50", _walkers(1000, "follow"), ticks=10,
          warm_up_ticks=30, compare=_per_creature),
    Scene("linearity", "50 and 1,000 walkers at the follow tier in turns: cost per creature", _walkers(50, "follow"),
          compare=_linearity),
    Scene("crowd", "20 bodies climbing over each other in a pen", partial(crowd_world, precision="float32"),
          warm_up_ticks=600),
    Scene("pond60", "60 swimmers in one pond of 200 x 200 cells with wakes and rain, whole tick", partial(_pond, 60),
          ticks=30, compare=_fem_speed),
    Scene("water200", "200 x 200 cells of shallow water in the rain: the source's grid, one update per tick",
          partial(_pond, 0, cell=0.4, depth=1.0), ticks=200, compare=_water_update),
    Scene("busy", "200 walkers at tier full, on all threads and on one, alone and beside a program that keeps a core busy",
          _walkers(200, "full"), ticks=20, compare=lambda _figures: threads_worth(_walkers(200, "full"))),
    Scene("fish1000", "1,000 fishes with minds in full detail, ten of them hunters, whole tick", fish1000, ticks=12,
          warm_up_ticks=60, compare=lambda figures: {**fish_linearity(figures), **_contact_share(figures)}),
    Scene("fish10", "10 fishes, 15 pieces of food and 4 pillars: the publication draws 4 frames per second of that",
          published_tank, ticks=200, compare=against_the_book),
    Scene("fish50", "50 fishes with minds in full detail", partial(sea_of, 50, plankton=25), ticks=100),
    Scene("ants1000", "1,000 foragers in full detail with senses, nest, food and trails, whole tick", foragers, ticks=20,
          warm_up_ticks=1800, compare=_contact_share),
    Scene(LAB_SCENE, "one forager, and beside it the published ant: cost of triangles, swarms and walks",
          partial(foragers, 1), compare=ant_walks),
    Scene("eel_box", "one eel in its fluid window, whole tick, and steps by grid: the publication has 0.64 s per frame",
          eel_tank, ticks=60, compare=box_steps),
    Scene("swimmers200", "eight fluid windows of 64 x 64 cells and 200 swimmers by the fitted model", swimmers200, ticks=60),
    Scene("reef", "the reef without drawing", partial(World, seed=7, map="reef", precision="float32"), ticks=60),
    Scene("forest_floor", "the demo's default scene without drawing", partial(World, seed=7, map="forest_floor",
                                                                             precision="float32")),
]  # fmt: skip
SCENES: dict[str, Scene | DrawScene | PlayScene] = {scene.name: scene for scene in _ALL} | DRAW_SCENES | PLAY_SCENES
