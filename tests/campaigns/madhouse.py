"""Mods that do all they should not: raise, return NaN, write where they may not, hang, or are gone when a save is loaded.

In every run one mod goes mad and another one behaves. The mad one has a family of its own, a part of other animals, a pool,
a state, a kind of events and a kind of stimuli. The world must name it, tick on, keep the other mod, and keep what needs the
mad one through saves that are loaded without it, until one is loaded with it.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from paludarium import Phase, World
from paludarium.engine import schedule
from paludarium.engine.errors import PaludariumError
from paludarium.engine.maps import Map
from paludarium.engine.plugins import BUILT_IN
from paludarium.engine.pool import Pool, column
from paludarium.engine.spec import number
from paludarium.examples.mods import pheromones, rolling_ball
from paludarium.systems.brain.mode_registry import ModeRegistry, Wish
from paludarium.systems.stimuli.stimuli import Stimuli

from .file_cases import SMALL
from .outcome import LOADED, LONGEST_MESSAGE, REFUSED, Report, first_fault, what_became_of

NAME = "mad"
TICKS_BEFORE, TICKS_AFTER, TICKS_WITHOUT = 8, 60, 20
LONGEST_TICKS = 240
"""In which a mod that writes NaN has to be named when nobody asked for a check: the first time costs an animal."""
RARE = 5
"""Ticks from one madness to the next."""
LATE, ASLEEP = 0.02, 0.05
"""Seconds that count as a hang here, and that a mad mod takes."""
SECONDS_TO_START, SECONDS_TO_NAME = 120, 1.0
"""For a process to begin, and for its watchdog to wait until it names what hangs."""
HANG_EVERY = 50
"""Runs from one that hangs for ever, in a process of its own, to the next."""
HORNED = {"unicorn": "pauropod", "narwhal": "silverside", "torpedo": "eel"}
"""Animals of ours with a part of the mad mod."""
PLACES = {"pauropod": (-20, 10), "silverside": (0, 3), "worker_ant": (20, -12), "eel": (3, -3), "ball": (-22, -12),
          "unicorn": (-8, 25), "narwhal": (-4, 2), "torpedo": (4, 4)}  # fmt: skip
SWIMMERS = ("eel", "torpedo")
SHARE_OF_GRIDS = 0.25
"""Of runs in which swimmers have water of their own on a grid."""
WILD = (2**30, -7, 255, 127)


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


class Run:
    """One world with a mad mod and one that behaves."""

    def __init__(self, number: int, chance: np.random.Generator, folder: Path) -> None:
        self.chance, self.folder = chance, folder
        kinds = mads(chance)
        self.kind, self.where, self.deed, self.check = kinds[number % len(kinds)]
        self.failed: list[str] = []
        self.mad = mad_mod(self.where, self.deed)

    def go(self) -> str | None:
        """What went wrong, or None."""
        if self.where == "build":
            return self.broken_build()
        world = World(seed=int(self.chance.integers(99)), map=Map.define(**{**SMALL, "creatures": []}),
                      plugins=[*BUILT_IN, pheromones.build, self.mad])  # fmt: skip
        world.check = self.check
        world.on("mod_failed", lambda event: self.failed.append(event.mod))
        before = self.inhabit(world)
        return self.tick_on(world) or self.vanish(world, before)

    def broken_build(self) -> str | None:
        """A mod of a folder whose build raises is left out whole."""
        world, bare = (World(seed=5, map=Map.define(**SMALL), plugins=[*BUILT_IN, pheromones.build]) for _ in range(2))
        from paludarium.engine.plugins import install_mods

        world.on("mod_failed", lambda event: self.failed.append(event.mod))
        world.clock.tick = bare.clock.tick = TICKS_BEFORE
        install_mods(world, [self.mad])
        if [event.kind for event in world.events.queue] != ["born", "mod_failed"] and not self.failed:
            return "nobody was told" if not any(event.kind == "mod_failed" for event in world.events.queue) else None
        return None if world.pools.keys() == bare.pools.keys() and "diary" not in world.states else "something of it stays"

    def inhabit(self, world: World) -> int:
        tier = "full" if self.chance.random() < SHARE_OF_GRIDS else "bush"
        for species, at in PLACES.items():
            world.spawn(species, at=at, tier=tier if species in SWIMMERS else "full")
        world.spawn("ball", at=(22, 22))
        if self.chance.random() < 0.5:
            next(c for c in world.creatures.values() if c.species.key == "unicorn").sever(4)
        world.add_stimulus("dread", (-10, 20), seconds=1000)
        world.add_stimulus("threat", (10, 20), seconds=1000)
        world.step(TICKS_BEFORE)
        return len(world.creatures)

    def tick_on(self, world: World) -> str | None:
        """Run until the mod has been named, and a while longer."""
        with patch.object(schedule, "LATE_SECONDS", LATE):
            for _ in range(LONGEST_TICKS):
                world.emit("dreamt")
                world.step()
                if self.named(world):
                    break
            else:
                return "nobody named it"
            world.step(TICKS_AFTER)
        if "PheromoneSystem" not in world.schedule:
            return "the mod that behaves was taken out"
        if self.deed not in (None, sleep) and "MadSystem" in world.schedule:
            return "it was named and stayed"
        return first_fault(world)

    def named(self, world: World) -> bool:
        if self.deed is None:
            return True
        if self.deed is sleep:
            return "MadSystem" in world.schedule.late
        return any(mod.startswith(f"{NAME}.build") for mod in self.failed)

    def vanish(self, world: World, before: int) -> str | None:
        """Save, load without the mod, play, save, load with it; all of its animals have to be there again."""
        if self.check and len(world.creatures) != before:
            return f"{before - len(world.creatures)} animals were lost"
        saved = self.folder / "world.save"
        world.check = ""
        world.emit("dreamt", note="kept")
        world.save(saved)
        there, told = world.state_hash(), {c.serial: c.name for c in world.creatures.values()}
        asleep = {c.serial for c in world.creatures.values() if c.species.key == "ball"}
        others = [pheromones.build]
        without = World.load(saved, plugins=others, missing="dormant")
        if without.mods.dormant is None or without.mods.dormant.mods != [f"{NAME}.build"]:
            return "nobody says which mod is missing"
        if set(without.creatures) != set(told) - asleep or first_fault(without):
            return f"without the mod there are {sorted(without.creatures)} of {sorted(told)}"
        without.save(saved)
        sane = mad_mod("nowhere", None)
        if World.load(saved, plugins=[*others, sane]).state_hash() != there:
            return "it came back with another hash"
        without = World.load(saved, plugins=others, missing="dormant")
        for k in range(int(self.chance.integers(4))):
            without.spawn("pauropod", at=(20.0, 5.0 + 4.0 * k))
        for creature in list(without.creatures.values()):
            chance = self.chance.random()
            if chance < 0.2:
                creature.despawn()
            elif chance < 0.4 and creature.species.key.startswith(("pauropod", "unicorn")) and len(creature.segments) > 3:
                creature.sever(1)
        without.step(TICKS_WITHOUT)
        without.save(saved)
        expected = set(without.creatures) | asleep
        again = World.load(saved, plugins=[*others, sane])
        if set(again.creatures) != expected:
            return f"{sorted(again.creatures)} came back, expected are {sorted(expected)}"
        if any(again.creatures[serial].name != name for serial, name in told.items() if serial in expected):
            return "they came back under other names"
        again.step(TICKS_WITHOUT)
        return first_fault(again)


@contextmanager
def silence() -> Iterator[None]:
    """Errors of mods are logged with all of their lines; here there are hundreds."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def hangs_for_ever() -> str | None:
    """A system that never returns: nothing within the process can stop it, but a watchdog of the host can name it."""
    command = [sys.executable, "-m", "paludarium.tests.campaigns.madhouse"]
    told = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_TO_START, check=False).stdout
    lines = told.splitlines()
    named = lines and json.loads(lines[-1]) == [f"{NAME}.build", "MadSystem"]
    return None if named else f"the watchdog said {told[-200:]!r}"


def watched_hang() -> None:
    """A host with a watchdog in a thread of its own, which names what runs for too long and ends the process."""
    import os
    import threading

    def spin(_world: World) -> None:
        while True:
            time.sleep(0.01)

    world = World(seed=1, plugins=[*BUILT_IN, mad_mod("system", spin)])

    def watch() -> None:
        while True:
            tick = world.tick
            time.sleep(SECONDS_TO_NAME)
            entry = world.schedule.running
            if world.tick == tick and entry is not None and entry.plugin is not None:
                print(json.dumps([entry.plugin, entry.name]), flush=True)
                os._exit(3)

    threading.Thread(target=watch, daemon=True).start()
    while True:
        world.step()


def _outcome(attempt: Callable[[], str | None]) -> str:
    """How a run ended; nothing is refused here, so every error is a failure."""
    refusals: list[str] = []

    def tried() -> str | None:
        try:
            return attempt()
        except PaludariumError as problem:
            refusals.append(f"{type(problem).__name__}: {problem}"[:LONGEST_MESSAGE])
            raise

    outcome = what_became_of(tried)
    return refusals[0] if outcome == REFUSED else outcome


def run(seed: int, count: int) -> Report:
    """So many worlds, each with its own mad mod."""
    report = Report("madhouse", seed)
    with silence(), tempfile.TemporaryDirectory() as folder:
        for number_ in range(count):
            chance = np.random.default_rng([seed, number_])
            one = Run(number_, chance, Path(folder))
            outcome = _outcome(hangs_for_ever if number_ % HANG_EVERY == HANG_EVERY - 1 else one.go)
            report.add(outcome if outcome == LOADED else f"{one.kind}: {outcome}", f"run {number_}")
    return report


if __name__ == "__main__":
    watched_hang()
