"""A tiny family of its own for engine tests: worms made of beads, so that nothing here depends on myriapods."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paludarium.engine.kernel import kernel
from paludarium.engine.parts import Birth, SpecProblem
from paludarium.engine.pool import Pool, Rows, column, view
from paludarium.engine.schedule import Phase
from paludarium.engine.spec import choice, color, flag, integer, number, numbers
from paludarium.engine.world import World

WORM = """
name = "test worm"
[beads]
count = 5
speed_u_per_s = 2.0
"""


@dataclass(frozen=True)
class BeadSpec:
    count: int = integer(low=1, high=100)
    speed: float = number(1.0, unit="u_per_s", low=0.0)
    turn: float = number(0.0, unit="deg", low=-180.0, high=180.0)
    weights: tuple[float, ...] = numbers((1.0, 2.0), count=2, low=0.0, above=True)
    mood: str = choice("calm", "calm", "wild")
    shiny: bool = flag(False)
    hue: tuple[float, float, float] = color("#102030")
    head_bead: int = integer(0)

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return self.count

    def check(self, specs: dict[str, Any]) -> None:  # noqa: ARG002 - the same signature for all parts
        if self.head_bead >= self.count:
            raise SpecProblem("head_bead", self.head_bead, f"a bead that exists, 0 to {self.count - 1}")


class BeadPool(Pool):
    position = column(np.float64, 3)
    velocity = column(np.float64, 3)


class Beads:
    __slots__ = ("pool", "rows")

    def __init__(self, pool: BeadPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    position = view("position", "(n, 3)")


def fill_beads(birth: Birth, spec: BeadSpec, pool: BeadPool, rows: Rows) -> None:
    pool.position[rows.slice] = birth.at
    jitter = birth.world.streams["beads"].normal(size=(rows.size, 3))
    pool.velocity[rows.slice] = spec.speed * jitter


@kernel()
def move_beads(spans, velocity, position, dt):
    """Update position from velocity."""
    for k in range(spans.shape[0]):
        for i in range(spans[k, 0], spans[k, 0] + spans[k, 1]):
            for c in range(3):
                position[i, c] += velocity[i, c] * dt


class BeadSystem:
    def __init__(self, world: World) -> None:
        self.beads = world.pool(BeadPool)

    def process(self, dt: float) -> None:
        move_beads(self.beads.spans, self.beads.velocity, self.beads.position, dt)


def build(world: World) -> None:
    world.add_part("beads", BeadSpec, BeadPool, Beads, fill_beads)
    world.add_system(BeadSystem, phase=Phase.BODY)


def worm_world(folder: Path, seed: int = 1, text: str = WORM, **options: Any) -> World:
    """A flat world that knows the species `worm`, written into `folder`."""
    (folder / "worm.toml").write_text(text)
    world = World(seed=seed, plugins=[build], **options)
    world.species.add(folder / "worm.toml")  # read when it is needed, so that tests see what a spawn says
    return world
