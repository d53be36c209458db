"""A mod's animals for tests of the demo: made of none of the built-in parts, some of which tell nonsense."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from paludarium import Reading, World
from paludarium.engine.parts import Birth
from paludarium.engine.plugins import BUILT_IN
from paludarium.engine.pool import Pool, Rows, column
from paludarium.engine.spec import number

LONG_NAME = "the exceedingly long and winding name of something that nobody has ever measured before"


@dataclass(frozen=True)
class LanternSpec:
    glow: float = number(0.5, low=0.0, high=1.0)

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1


class LanternPool(Pool):
    aligned = True
    glow = column(np.float64)


class Lantern:
    """Glows, and tells about it in every way there is."""

    def __init__(self, pool: LanternPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    def readings(self) -> list[Reading]:
        glow = float(self.pool.view(self.rows, "glow")[0])
        return [
            Reading("word", "light", "amber", text="GLOWING"),
            Reading("bar", "glow", "amber", glow, text=f"{glow:.2f}"),
            Reading("curve", "warmth", "red", glow, text="warm"),
            Reading("cells", "panes", "green", values=np.linspace(0.0, 1.0, 7)),
            Reading("cells", "wicks", values=[0, 1, 1], states=(("out", "grey"), ("lit", "amber"))),
            Reading("strip", "flames", values=[0, 1], states=(("dark", "slate"), ("bright", "amber"))),
        ]


class Silent:
    """Has nothing to tell."""

    def __init__(self, pool: Pool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows


def fill_lantern(birth: Birth, spec: LanternSpec, pool: LanternPool, rows: Rows) -> None:
    pool.glow[rows.start] = spec.glow
    birth.world.creature_pool.reach[birth.rows["creature"].start] = 1.0


def build(world: World) -> None:
    """A lamp that only glows, and a stone that tells nothing at all."""
    world.add_part("lantern", LanternSpec, LanternPool, Lantern, fill_lantern)
    world.define_species("lamp", name="lamp", lantern={"glow": 0.75})
    add_part(world, "stone", Silent)
    world.define_species("pebble", name="pebble", stone={})


def add_part(world: World, name: str, handle: Callable[[Any, Any], Any]) -> None:
    """A part of one empty row with this handle."""

    @dataclass(frozen=True)
    class EmptySpec:
        def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
            return 1

    pool = type(f"{name.title()}Pool", (Pool,), {"aligned": True})
    world.add_part(name, EmptySpec, pool, handle, lambda *_: None)


def telling(name: str, readings: Callable[[Any], Any]) -> type:
    """The class of a handle whose method `readings` is this function."""
    return type(name, (Silent,), {"readings": readings})


def strange_world(seed: int = 1) -> World:
    """A flat world with the built-in animals and the strangers."""
    return World(seed=seed, plugins=[*BUILT_IN, build], precision="float32")
