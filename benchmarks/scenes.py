"""The scenes: what is built, how long it runs, and what it is compared with. They reuse examples and maps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np

from ..components.body import BodyPool
from ..engine.world import World
from ..examples import thousand_drifters


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
    tags: tuple[str, ...] = field(default=())

    def substeps(self, world: World) -> float:
        """Body steps of all creatures in one tick; one that is not simulated in substeps counts once."""
        body = world.pool(BodyPool)
        rows = world.creature_pool.spans[:, 0]
        simulated = np.isin(rows, body.spans[:, 0]) & (world.creature_pool.tier[rows] == 0)
        return float(body.substeps[rows[simulated]].sum() + (~simulated).sum())


def _python_overhead(figures: dict[str, Any]) -> dict[str, float]:
    """The same tick with nobody in it is all Python; the rest of the full tick is compiled code."""
    empty = thousand_drifters.build_world(count=0)
    empty.step(100)
    best = float("inf")
    for _ in range(20):
        start = perf_counter()
        empty.step(100)
        best = min(best, (perf_counter() - start) / 100 * 1e6)
    return {"python_us_per_tick": best, "compiled_share": 1.0 - best / figures["us_per_tick"]}


def _birth_and_death(world: World) -> None:
    world.spawn("drifter", at=(0.0, 0.0))
    next(iter(world.creatures.values())).despawn()


def _cost_of_life(figures: dict[str, Any]) -> dict[str, float]:
    """What one birth and one death per tick add to the quiet tick of the same world."""
    quiet = thousand_drifters.build_world()
    quiet.step(20)
    best = float("inf")
    for _ in range(20):
        start = perf_counter()
        quiet.step(20)
        best = min(best, (perf_counter() - start) / 20 * 1e6)
    return {"birth_and_death_us": figures["us_per_tick"] - best}


_ALL = [
    Scene("overhead", "1,000 drifting bodies of 18 segments, positions only: what Python costs per tick",
          thousand_drifters.build_world, ticks=200, compare=_python_overhead),
    Scene("births", "the same with one birth and one death per tick", thousand_drifters.build_world, ticks=200,
          each_tick=_birth_and_death, compare=_cost_of_life),
]
SCENES = {scene.name: scene for scene in _ALL}
