"""Mods that go mad in one place each, and what they do there; what they bring otherwise is as it should be."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from paludarium import Phase, World
from paludarium.engine.pool import Pool, column
from paludarium.engine.spec import number
from paludarium.examples.mods import rolling_ball
from paludarium.systems.brain.mode_registry import ModeRegistry, Wish
from paludarium.systems.stimuli.stimuli import Stimuli

NAME = "mad"
TICKS_BEFORE = 8
"""Until the first madness."""
RARE = 5
"""Ticks from one madness to the next."""
HORNED = {"unicorn": "pauropod", "narwhal": "silverside", "torpedo": "eel"}
"""Animals of ours with a part of the mad mod."""
WILD = (2**30, -7, 255, 127)
ASLEEP = 0.05
"""Seconds that a mad mod takes that hangs."""


@dataclass(frozen=True)
class HornSpec:
    length: float = number(0.5, low=0.0, high=9.0, doc="how long it is")
    row_count = staticmethod(lambda _specs: 1)


class HornPool(Pool):
    aligned, length = True, column(np.float64)


class MemoryPool(Pool):
    seen = column(np.float64)


class Horn:
    def __init__(self, pool: Any, rows: Any) -> None:
        self.pool, self.rows = pool, rows


class Diary:
    """A state beside the pools."""

    def __init__(self) -> None:
        self.pages = np.arange(6.0)

    def state(self) -> dict[str, np.ndarray]:
        return {"pages": self.pages.copy()}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        self.pages = state["pages"].copy()


def grow_horn(_birth: Any, spec: HornSpec, pool: HornPool, rows: Any) -> None:
    pool.length[rows.start] = spec.length


class MadSystem:
    """Behaves, but for what it is told to do every now and then."""

    def __init__(self, world: World, deed: Callable[[World], None] | None) -> None:
        self.world, self.deed = world, deed

    def process(self, dt: float) -> None:
        self.world.pools["MemoryPool"].seen[:1] += dt
        if self.deed is not None and self.world.tick >= TICKS_BEFORE and self.world.tick % RARE == 0:
            self.deed(self.world)


def mad_mod(where: str, deed: Callable[[World], Any] | None) -> Callable[[World], None]:
    """A mod that behaves everywhere but in one place, where it does its deed."""

    def build(world: World) -> None:
        rolling_ball.build(world)
        world.add_part("horn", HornSpec, HornPool, Horn, grow_horn)
        for name, like in HORNED.items():
            world.define_species(name, **world.species[like].source | {"horn": {"length": 2.0}})
        world.add_pool(MemoryPool).claim(3, owner=0)
        world.add_state("diary", Diary())
        world.events.declare("dreamt")
        world.resource(Stimuli).add_kind("dread", default=-0.5)
        at_work = [False]

        def mad(place: str) -> Any:
            now = deed is not None and place == where and world.tick >= TICKS_BEFORE and not at_work[0]
            at_work[0] = True
            try:
                return deed(world) if now and deed is not None else None
            finally:
                at_work[0] = False

        def decide(_brain: Any, rows: np.ndarray) -> Wish:
            return mad("mode") or Wish(np.zeros(rows.size, bool), np.zeros(rows.size), np.zeros(rows.size))

        world.resource(ModeRegistry).add("dream", priority=55.5, decide=decide, when=lambda: mad("when") is None)
        world.on("born", lambda event: mad("handler"))
        for kind in ("dreamt", "ate"):
            world.on(kind, lambda event: mad("handler"))
        world.add_system(lambda world: MadSystem(world, deed if where == "system" else None), phase=Phase.LIVE)
        if where == "build" and deed is not None:
            deed(world)

    build.__module__, build.__qualname__ = NAME, "build"
    return build


def fail(_world: World) -> None:
    raise KeyError("a mod has lost something")


def leave(_world: World) -> None:
    sys.exit("a mod ends the game")


def sleep(_world: World) -> None:
    time.sleep(ASLEEP)


def nan_somewhere(chance: np.random.Generator, shown: bool) -> Callable[[World], None]:
    """Write NaN into a number that systems change: of a body where everybody sees it, or anywhere."""

    def deed(world: World) -> None:
        filled = sorted(name for name, pool in world.pools.items() if pool.end and pool.moving_names())
        pool = world.pools["SegmentPool" if shown else str(chance.choice(filled))]
        names = ("position", "velocity") if shown else pool.moving_names()
        start, count = chance.choice(pool.spans)
        values = getattr(pool, str(chance.choice(names)))
        values[int(chance.integers(start, start + count))] = chance.choice([np.nan, np.inf])

    return deed


def nan_wish(world: World) -> Wish:
    rows = world.creature_pool.spans[:, 0]
    return Wish(np.ones(rows.size, bool), np.full(rows.size, np.nan), np.zeros(rows.size))


def nan_state(world: World) -> None:
    state = world.states["water"].state()
    state["numbers"][1] = np.nan
    world.states["water"].restore(state)


def beyond_the_end(world: World) -> None:
    pool = world.pools["SegmentPool"]
    pool.position[pool.capacity + 5] = 0.0


def owners(world: World) -> None:
    world.pools["SegmentPool"].owner[0] = 4711


def spans(world: World) -> None:
    world.pools["LegPool"].spans[0] = (3, 10**6)


def whole_numbers(chance: np.random.Generator) -> Callable[[World], None]:
    """Write a wild number where row numbers, counts and codes are."""
    places = (("BodyPool", "first_segment"), ("BodyPool", "segment_count"), ("LegPool", "state"), ("BrainPool", "mode"),
              ("CreaturePool", "faction"), ("CreaturePool", "tier"), ("BodyPool", "physics"), ("FishBodyPool", "first_node"),
              ("CreaturePool", "kind"))  # fmt: skip

    def deed(world: World) -> None:
        name, column_name = places[int(chance.integers(len(places)))]
        values = getattr(world.pools[name], column_name)
        limits = np.iinfo(values.dtype)
        values[world.pools[name].spans[0, 0]] = min(max(int(chance.choice(WILD)), int(limits.min)), int(limits.max))

    return deed


def mads(chance: np.random.Generator) -> list[tuple[str, str, Any, str]]:
    """What there is to go wrong: a name, where, the deed, and what `world.check` has to be for it to be noticed."""
    seen, hidden, wild = nan_somewhere(chance, True), nan_somewhere(chance, False), whole_numbers(chance)
    return [
        *((f"raises in its {where}", where, fail, "") for where in ("system", "handler", "mode", "when", "build")),
        *((f"ends the game in its {where}", where, leave, "") for where in ("system", "handler", "mode")),
        ("wishes NaN", "mode", nan_wish, ""), ("writes NaN into bodies", "system", seen, ""),
        ("writes NaN into bodies in its handler", "handler", seen, ""),
        ("writes NaN anywhere", "system", hidden, ""), ("writes NaN anywhere, watched", "system", hidden, "mods"),
        ("writes NaN into the water", "system", nan_state, "mods"),
        ("writes beyond the end", "system", beyond_the_end, ""), ("writes owners", "system", owners, "mods"),
        ("writes spans", "system", spans, "mods"), ("writes row numbers and codes", "system", wild, "mods"),
        ("writes row numbers and codes in its mode", "mode", wild, "mods"), ("hangs", "system", sleep, ""),
        ("behaves, and vanishes", "nowhere", None, ""),
    ]  # fmt: skip
