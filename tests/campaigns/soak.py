"""Long life: the shipped worlds for many ticks, with animals that are pushed, cut, driven and killed all the while.

Watched are memory (RSS), the time per tick, numbers that are not finite, and how often tissue had to be untangled
(`tissue_disturbed`). The population is kept: bodies go after half a minute, and new animals come for those that died.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from time import perf_counter

import numpy as np

from paludarium import World
from paludarium.engine.creature import Creature
from paludarium.engine.errors import PlaceTakenError

from .outcome import LOADED, SHIPPED_MAPS, Report, first_fault, what_became_of

DEEDS = ("push", "push", "sever", "sever", "drive", "drive", "kill")
TICKS_BETWEEN_DEEDS = 150
TICKS_BETWEEN_LOOKS = 600
BODY_TICKS = 1800
MOST_CREATURES = 18
HARDEST_PUSH = 15.0
MOST_GROWTH = 1.25
"""Of memory, last quarter against second, and of the time per tick against a fresh copy: more would be a leak."""
ROUNDS, TICKS_PER_ROUND = 12, 10
QUARTERS = 4
"""Of a soak, for its memory; with fewer looks than this nothing is known of it."""


class Soak:
    """One scene and what is done in it."""

    def __init__(self, scene: str, seed: int, report: Report) -> None:
        self.scene, self.report = scene, report
        self.world = World(seed=seed, map=scene)
        self.chance = np.random.default_rng(seed)
        self.shipped = Counter(creature.species.key for creature in self.world.creatures.values())
        self.died: dict[int, int] = {}
        self.driven: list[Creature] = []
        self.disturbed: Counter[str] = Counter()
        self.memory: list[float] = []
        self.world.on("tissue_disturbed", lambda event: self.note(event.creature))

    def note(self, creature: Creature) -> None:
        kind = "dead" if creature.dead else "cut" if "[" in creature.species.key else "whole"
        self.disturbed[f"{creature.species.key.partition('[')[0]}, {kind}"] += 1

    def run(self, ticks: int) -> None:
        """Let so many ticks pass, or fewer if an error comes out of one."""
        while self.world.tick < ticks:
            outcome = what_became_of(lambda: self.world.step(TICKS_BETWEEN_DEEDS))
            if outcome != LOADED:
                self.report.add(outcome, f"{self.scene}, tick {self.world.tick}")
                return
            self.hurt_somebody()
            self.keep_population()
            if self.world.tick % TICKS_BETWEEN_LOOKS == 0:
                self.memory.append(resident_megabytes())
                self.report.add(first_fault(self.world) or LOADED, f"{self.scene}, tick {self.world.tick}")

    def slower_than_its_copy(self) -> float:
        """Time per tick of the old world over that of one just loaded from its save; both do the same, in turns."""
        with tempfile.TemporaryDirectory() as folder:
            self.world.save(Path(folder) / "world.palu")
            worlds = (self.world, World.load(Path(folder) / "world.palu"))
        best = [float("inf"), float("inf")]
        for _ in range(ROUNDS):
            for place, world in enumerate(worlds):
                begin = perf_counter()
                world.step(TICKS_PER_ROUND)
                best[place] = min(best[place], perf_counter() - begin)
        same = worlds[0].state_hash() == worlds[1].state_hash()
        self.report.add(LOADED if same else f"{self.scene} differs from its copy", f"tick {self.world.tick}")
        return best[0] / best[1]

    def hurt_somebody(self) -> None:
        living = [creature for creature in self.world.creatures.values() if not creature.dead]
        for creature in self.driven[:-2]:  # a player lets go of one when he takes the third
            self.driven.remove(creature)
            if creature.alive:
                creature.release()
        deed, creature = str(self.chance.choice(DEEDS)), living[int(self.chance.integers(len(living)))]
        count = len(creature.segments)
        if deed == "push":
            impulse = self.chance.normal(size=3)
            impulse *= self.chance.uniform(2.0, HARDEST_PUSH) / np.linalg.norm(impulse)
            creature.push(impulse, segment=int(self.chance.integers(count)))
        elif deed == "kill":
            creature.kill()
        elif deed == "drive":
            if "brain" in creature.rows:
                creature.control(speed=self.chance.uniform(-3.0, 4.0), turn=self.chance.uniform(-1.0, 1.0))
                self.driven.append(creature)
        elif count >= 4 and creature.species.family == "myriapod":  # others cannot be cut
            creature.sever(int(self.chance.integers(1, count - 2)))

    def keep_population(self) -> None:
        world = self.world
        for creature in list(world.creatures.values()):
            if creature.dead and world.tick - self.died.setdefault(creature.serial, world.tick) > BODY_TICKS:
                creature.despawn()
        rears = [creature for creature in world.creatures.values() if "ganglia" in creature.rows]
        for creature in rears[: max(len(world.creatures) - MOST_CREATURES, 0)]:
            creature.despawn()
        whole = Counter(creature.species.key for creature in world.creatures.values() if not creature.dead)
        for key, count in self.shipped.items():
            if whole[key] < (count + 1) // 2:
                with suppress(PlaceTakenError):  # later, where there is room
                    world.spawn(key, spread=40)


def resident_megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def growth(values: list[float]) -> float:
    """The median of the last quarter over that of the second: the first one warms up."""
    quarter = len(values) // QUARTERS
    return float(np.median(values[-quarter:]) / np.median(values[quarter : 2 * quarter])) if quarter else 1.0


def run(seed: int, count: int) -> Report:
    """So many ticks, divided between the scenes."""
    report = Report("soak", seed)
    disturbed: Counter[str] = Counter()
    for scene in SHIPPED_MAPS:
        soak = Soak(scene, seed, report)
        soak.run(count // len(SHIPPED_MAPS))
        memory, time = growth(soak.memory), soak.slower_than_its_copy()
        report.add(LOADED if memory < MOST_GROWTH else f"memory grows in {scene}", f"by {memory:.2f}")
        report.add(LOADED if time < MOST_GROWTH else f"ticks become slower in {scene}", f"by {time:.2f}")
        if len(soak.memory) >= QUARTERS:
            report.figures[f"{scene}: memory"] = f"{memory:.2f}"
        report.figures |= {f"{scene}: time per tick": f"{time:.2f}",
                           f"{scene}: disturbed": sum(soak.disturbed.values())}  # fmt: skip
        disturbed += soak.disturbed
    report.figures |= {"ticks": count, "disturbed": sum(disturbed.values()), "of these": dict(disturbed.most_common())}
    return report
