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
from pathlib import Path
from unittest.mock import patch

import numpy as np

from paludarium import World
from paludarium.engine import schedule
from paludarium.engine.errors import PaludariumError
from paludarium.engine.maps import Map
from paludarium.engine.plugins import BUILT_IN
from paludarium.examples.mods import pheromones

from .file_cases import SMALL
from .mad_mods import NAME, TICKS_BEFORE, mad_mod, mads, sleep
from .outcome import LOADED, LONGEST_MESSAGE, REFUSED, Report, first_fault, what_became_of

TICKS_AFTER, TICKS_WITHOUT = 60, 20
LONGEST_TICKS = 240
"""In which a mod that writes NaN has to be named when nobody asked for a check: the first time costs an animal."""
SECONDS_TO_START, SECONDS_TO_NAME = 120, 1.0
"""For a process to begin, and for its watchdog to wait until it names what hangs."""
HANG_EVERY = 50
"""Runs from one that hangs for ever, in a process of its own, to the next."""
PLACES = {"pauropod": (-20, 10), "silverside": (0, 3), "worker_ant": (20, -12), "eel": (3, -3), "ball": (-22, -12),
          "unicorn": (-8, 25), "narwhal": (-4, 2), "torpedo": (4, 4)}  # fmt: skip
SWIMMERS = ("eel", "torpedo")
SHARE_OF_GRIDS = 0.25
"""Of runs in which swimmers have water of their own on a grid."""
STRIDE = 5
"""From one kind to that of the next run: also the short form meets all sorts."""
LATE = 0.02
"""Seconds that count as a hang here."""


class Run:
    """One world with a mad mod and one that behaves."""

    def __init__(self, number: int, chance: np.random.Generator, folder: Path) -> None:
        self.chance, self.folder = chance, folder
        kinds = mads(chance)
        self.kind, self.where, self.deed, self.check = kinds[number * STRIDE % len(kinds)]
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

        world.clock.tick = bare.clock.tick = TICKS_BEFORE
        install_mods(world, [self.mad])
        if [event.values["mod"] for event in world.events.queue if event.kind == "mod_failed"] != [f"{NAME}.build"]:
            return "no event names it"
        world.step(TICKS_AFTER)
        kept = world.pools.keys() == bare.pools.keys() and world.states.keys() == bare.states.keys()
        return first_fault(world) if kept else "something of it stays"

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
