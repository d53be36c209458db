"""Foragers on a plane: a nest in the middle, food around it, and what is measured of their traffic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from paludarium import World
from paludarium.components.insect.colony import ColonyPool, NestPool
from paludarium.components.insect.trunk import TrunkPool
from paludarium.engine.maps import Map
from paludarium.engine.pool import Array
from paludarium.systems.insect.colony.trail_grid import Trails

TICKS_PER_LOOK = 30
"""Twice a second."""
LOOK = TICKS_PER_LOOK / 60.0
PLENTY = 1e6
"""Amount of a piece that never ends."""
STANDS = 0.1
"""Units in half a second: who moves less stands still."""


@dataclass(frozen=True)
class Traffic:
    """What was seen, twice a second."""

    loads: Array  # (looks,) pieces in the nest
    position: Array  # (looks, ants, 2)
    errand: Array  # (looks, ants)
    carries: Array  # (looks, ants) bool

    def per_minute(self, start: float, stop: float) -> float:
        """Loads per minute between two moments in seconds."""
        first, last = round(start / LOOK) - 1, round(stop / LOOK) - 1
        return float(self.loads[last] - (self.loads[first] if first >= 0 else 0)) / (stop - start) * 60.0

    def longest_standstill(self) -> float:
        """Seconds that any of them did not come away from where it stood."""
        moved = np.linalg.norm(np.diff(self.position, axis=0), axis=2)
        still = longest = np.zeros(self.position.shape[1])
        for step in moved:
            still = np.where(step < STANDS, still + LOOK, 0.0)
            longest = np.maximum(longest, still)
        return float(longest.max())

    def near(self, place: Any, reach: float) -> Array:
        """(looks,) how many are within reach of a place."""
        return (np.linalg.norm(self.position - np.asarray(place), axis=2) < reach).sum(axis=1)


class Arena:
    """Workers around a nest at (0, 0), and pieces of food that never end on a ring around it."""

    def __init__(
        self,
        count: int,
        seed: int,
        *,
        side: float = 128.0,
        far: float = 36.0,
        foods: int = 3,
        entrances: int = 6,
        **colony: Any,
    ) -> None:
        plane = Map.define(name="arena", area={"width_u": side, "height_u": side}, terrain={"kind": "flat"},
                           nests=[{"entrances": entrances, "spread_u": 5.0 if entrances > 1 else 0.0}])  # fmt: skip
        self.world = World(seed=seed, map=plane)
        worker = self.world.species["worker_ant"].source
        self.world.define_species("forager", **{**worker, "colony": {**worker["colony"], **colony}})
        turns = 0.4 + 2.0 * np.pi * np.arange(foods) / max(foods, 1)
        self.foods = far * np.column_stack([np.cos(turns), np.sin(turns)])
        for place in self.foods:
            self.world.add_food(place, amount=PLENTY)
        if count:
            self.world.spawn("forager", count=count, spread=max(0.35 * far, 0.9 * np.sqrt(count)))
        self.colonies, self.trunks = self.world.pool(ColonyPool), self.world.pool(TrunkPool)
        self.rows = self.colonies.spans[:, 0].copy()

    @property
    def trails(self) -> Trails:
        """There are some as soon as the first ant is born."""
        return self.world.resource(Trails)

    def run(self, seconds: float) -> Traffic:
        """Let them go about their errands and look twice a second."""
        seen: list[tuple[Any, ...]] = []
        nests, creatures = self.world.pool(NestPool), self.world.creature_pool
        doors = nests.spans[:, 0]
        for _ in range(round(seconds / LOOK)):
            self.world.step(TICKS_PER_LOOK)
            seen.append((nests.loads[doors].sum(), creatures.position[self.rows, :2].copy(),
                         self.colonies.errand[self.rows].copy(), self.colonies.carried[self.rows] >= 0))  # fmt: skip
        return Traffic(*(np.array(column) for column in zip(*seen, strict=True)))

    def reached(self, strength: float = 0.2, gap: float = 4.0) -> int:
        """Foods from which a trail of that strength leads without a gap to within reach of an entrance."""
        marked = self.trails.field >= strength
        doors = self.world.pool(NestPool).live("position")[:, :2]
        return sum(self._leads(marked, place, doors, gap) for place in self.foods)

    def _leads(self, marked: Array, food: Array, doors: Array, gap: float) -> bool:
        west, south, cell = self.trails.frame
        j, i = np.indices(marked.shape)
        x, y = west + (i + 0.5) * cell, south + (j + 0.5) * cell
        flood = marked & (np.hypot(x - food[0], y - food[1]) < gap)
        while True:
            wider = flood.copy()
            wider[1:] |= flood[:-1]
            wider[:-1] |= flood[1:]
            wider[:, 1:] |= flood[:, :-1]
            wider[:, :-1] |= flood[:, 1:]
            wider &= marked
            if (wider == flood).all():
                break
            flood = wider
        return any((flood & (np.hypot(x - door[0], y - door[1]) < gap)).any() for door in doors)
