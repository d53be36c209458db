"""Heavy mode on every map that ships: each tick runs a second time in a copy that was saved and loaded just before.

Animals of all families are in every world, at all tiers, on some maps one of a mod. They are pushed, cut, killed, born and
sent about meanwhile, and things are put up and taken away. A case is a tick.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from paludarium import World
from paludarium.engine.errors import PaludariumError
from paludarium.engine.heavy_check import HeavyCheckError
from paludarium.engine.plugins import BUILT_IN
from paludarium.examples.mods import bask, pheromones, rolling_ball

from .outcome import LOADED, SHIPPED_MAPS, Report, first_fault

MAPS = ("flat", *SHIPPED_MAPS)
MODS = (bask, pheromones, rolling_ball)
ANIMALS = ("stone_centipede", "swimmer", "clownfish", "silverside", "worker_ant", "ground_beetle", "eel", "frog", "ball")
TIERS = ("full", "full", "bush", "follow")
SHARE_WITH_MODS = 3
"""One map of so many has mods; looking at what these leave behind takes longer than a tick."""
TICKS_BETWEEN_DEEDS = 4
MOST_ADDED = 16
"""Animals beyond those that the map has; more only make ticks slower."""
REACH = 0.4
"""Share of a map's width and height that deeds happen within, to each side of its middle."""
DEEDS = ("spawn", "spawn", "despawn", "push", "push", "sever", "kill", "goto", "control", "release", "tier", "food",
         "stimulus", "obstacle", "weather", "splash", "plankton", "path", "faction")  # fmt: skip


class Visit:
    """One map and what is done on it."""

    def __init__(self, name: str, chance: np.random.Generator, mods: tuple[Any, ...]) -> None:
        self.chance = chance
        self.world = World(seed=int(chance.integers(1000)), map=name, plugins=[*BUILT_IN, *mods],
                           precision=str(chance.choice(["float64", "float64", "float32"])))  # fmt: skip
        self.most = len(self.world.creatures) + MOST_ADDED
        for species in ANIMALS:
            self.bring(species)
        self.world.check = "heavy"

    def place(self) -> tuple[float, float]:
        west, south, east, north = self.world.map.area.bounds
        x, y = self.chance.uniform(-REACH, REACH, size=2)
        return float((west + east) / 2 + x * (east - west)), float((south + north) / 2 + y * (north - south))

    def bring(self, species: str) -> None:
        with suppress(PaludariumError):  # there may be no room
            self.world.spawn(species, at=self.place(), spread=5.0, tier=str(self.chance.choice(TIERS)))

    def do_something(self) -> None:
        """One random deed; what the world refuses is left."""
        deed, chance = str(self.chance.choice(DEEDS)), self.chance
        with suppress(PaludariumError):
            if deed == "spawn":
                if len(self.world.creatures) < self.most:
                    self.bring(str(chance.choice(ANIMALS)))
            elif deed in ("food", "stimulus", "obstacle", "weather", "splash", "plankton"):
                self.to_the_world(deed)
            elif self.world.creatures:
                self.to_one(deed, self.world.creatures[int(chance.choice(list(self.world.creatures)))])

    def to_the_world(self, deed: str) -> None:
        world, chance = self.world, self.chance
        if deed == "food":
            world.add_food(self.place(), amount=float(chance.uniform(0.5, 4.0)))
        elif deed == "stimulus":
            kind = str(chance.choice(["threat", "food", "warmth"]))
            world.add_stimulus(kind, self.place(), seconds=float(chance.uniform(0.1, 5.0)))
        elif deed == "obstacle":
            world.add_obstacle("sphere", self.place(), radius=float(chance.uniform(0.3, 2.0)))
        elif deed == "weather":
            world.set_wind(float(chance.uniform(0.0, 2.0)), float(chance.uniform(-3.0, 3.0)))
        elif deed == "splash":
            world.water.splash(self.place(), 2.0, 0.5)
        else:
            world.add_plankton(20)

    def to_one(self, deed: str, one: Any) -> None:
        chance = self.chance
        if deed == "despawn":
            one.despawn()
        elif deed == "push":
            one.push(tuple(chance.normal(scale=4.0, size=3)), segment=int(chance.integers(len(one.segments))))
        elif deed == "sever":
            one.sever(int(chance.integers(1, max(len(one.segments) - 2, 2))))
        elif deed == "goto":
            one.goto(self.place())
        elif deed == "control":
            one.control(speed=float(chance.uniform(-2.0, 3.0)), turn=float(chance.uniform(-1.0, 1.0)))
        elif deed == "tier":
            one.tier = str(chance.choice(TIERS))
        elif deed == "path":
            one.follow_path([self.place(), self.place(), self.place()], loop=bool(chance.integers(2)))
        elif deed == "faction":
            one.faction = str(chance.choice(["red", "blue", ""]))
        else:
            getattr(one, deed)()

    def tick(self) -> str:
        try:
            if self.world.tick % TICKS_BETWEEN_DEEDS == 0:
                self.do_something()
            self.world.step()
        except HeavyCheckError as problem:
            return f"{problem.system}: {problem.place} differs"
        return LOADED


def run(seed: int, count: int) -> Report:
    """So many ticks, divided between the maps."""
    report = Report("heavy mode", seed)
    for place, name in enumerate(MAPS):
        mods = MODS if (seed + place) % SHARE_WITH_MODS == 0 else ()
        visit = Visit(name, np.random.default_rng([seed, place]), mods)
        ticks = count // len(MAPS) + (place < count % len(MAPS))
        for _ in range(ticks):
            number = visit.world.tick
            report.add(visit.tick(), f"{name}, tick {number}")
        fault = first_fault(visit.world)
        if fault is not None:
            report.add(fault, f"{name}, at the end")
    report.figures["maps"] = len(MAPS)
    return report
