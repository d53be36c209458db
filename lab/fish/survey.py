"""What fishes do in a world over a while: meals, courtship, shores, what they swim into, how they school.

It reads pools and listens to events; the world goes on as it would without it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

from ...components.fish.intentions import Intention, Stage
from ...components.fish.mind import MindPool
from ...components.fish.motor import MotorPool
from ...components.fish.nodes import NodePool
from ...components.fish.springs import FishBodyPool
from ...components.fish.topology import NODES
from ...engine.props import OBSTACLE_KINDS, ObstaclePool
from ...engine.world import World

if TYPE_CHECKING:
    from ...engine.pool import Array

EVERY = 6
"""Ticks between two looks."""
LINK = 4.0
"""Lengths within which a neighbour is one, where polarisation is asked for."""
SHALLOW = 0.2
"""Units of water over which no fish of a pond is well."""
BOX = OBSTACLE_KINDS.index("box")


class Survey:
    """What the fishes of a world have done since it was made.

    Example::

        survey = Survey(world)
        survey.run(600.0)
        print(survey.report()["silverside"]["hunger"])
    """

    def __init__(self, world: World) -> None:
        self.world, self.minds, self.motors = world, world.pool(MindPool), world.pool(MotorPool)
        self.fishes, self.nodes = world.pool(FishBodyPool), world.pool(NodePool)
        self.events: Counter[tuple[str, str]] = Counter()
        self.stages: Counter[tuple[str, Stage]] = Counter()
        self.time: Counter[tuple[str, Intention]] = Counter()
        self.sums: defaultdict[tuple[str, str], float] = defaultdict(float)
        self.longest: dict[str, float] = {}
        self.matings: list[float] = []
        self.hunger: list[dict[str, float]] = []
        self._aground: dict[int, float] = {}
        self._stage: dict[int, int] = {}
        for name in ("ate", "died", "mated", "tissue_disturbed"):
            world.on(name, lambda event, name=name: self._note(name, event))

    def run(self, seconds: float) -> None:
        """Let the world go on, looking at it now and then."""
        end = self.world.time + seconds
        while self.world.time < end:
            self.world.step(EVERY)
            self.look()

    def look(self) -> None:
        """Note where all fishes are and what they do."""
        rows = self.fishes.spans[:, 0]
        rows = rows[self.world.creature_pool.dead[rows] == 0]
        kinds = np.array([self.world.creatures[int(self.fishes.owner[row])].species.key for row in rows])
        depth = self.world.water.depth(self.fishes.centre[rows, :2])
        inside = self._nodes_inside(rows)
        for key in set(kinds.tolist()):
            own = kinds == key
            self.sums[key, "looks"] += int(own.sum())
            self.sums[key, "shallow"] += int((depth[own] < SHALLOW).sum())
            self.sums[key, "aground"] += int(self._is_aground(rows[own], depth[own]).sum())
            self.sums[key, "inside"] += float(inside[own].sum())
            self.sums[key, "inside a pillar"] += int((inside[own] > 0).sum())
            order, pairs = self._order(rows[own])
            self.sums[key, "order"] += order
            self.sums[key, "pairs"] += pairs
        self._note_aground(rows, kinds, depth)
        for row, key in zip(rows.tolist(), kinds.tolist(), strict=True):
            self.time[key, Intention(min(int(self.minds.mode[row]), len(Intention) - 1))] += 1
            stage, serial = int(self.minds.stage[row]), int(self.fishes.owner[row])
            if stage != self._stage.get(serial, 0):
                self.stages[key, Stage(stage)] += 1
                self._stage[serial] = stage
        if int(self.world.time * 10) % 600 == 0:
            self.hunger.append(self._mean_hunger(rows, kinds))

    def report(self) -> dict[str, Any]:
        """All of it, by species."""
        rows = self.fishes.spans[:, 0]
        rows = rows[self.world.creature_pool.dead[rows] == 0]
        kinds = np.array([self.world.creatures[int(self.fishes.owner[row])].species.key for row in rows])
        hunger, told = self._mean_hunger(rows, kinds), {}
        for key in sorted({key for key, _ in self.sums}):
            looks = max(self.sums[key, "looks"], 1)
            told[key] = {
                "living": int((kinds == key).sum()),
                "hunger": hunger.get(key, 1.0),
                "events": {name: count for (who, name), count in sorted(self.events.items()) if who == key},
                "stages": {stage.name.lower(): count for (who, stage), count in sorted(self.stages.items()) if who == key},
                "time": {mode.name.lower(): round(count / looks, 3) for (who, mode), count in sorted(self.time.items())
                         if who == key},
                "over the shallows": round(self.sums[key, "shallow"] / looks, 4),
                "aground": round(self.sums[key, "aground"] / looks, 4),
                "longest aground [s]": round(self.longest.get(key, 0.0), 1),
                "nodes inside": round(self.sums[key, "inside"] / looks, 5),
                "polarisation": round(self.sums[key, "order"] / max(self.sums[key, "pairs"], 1), 3),
            }  # fmt: skip
        return {"seconds": round(self.world.time, 1), "matings at": [round(time, 1) for time in self.matings],
                "hunger by minute": self.hunger, **told}  # fmt: skip

    def _note(self, name: str, event: Any) -> None:
        key = event.creature.species.key
        cause = event.cause if name == "died" else None
        self.events[key, f"{name} {cause}" if cause else name] += 1
        if name == "mated":
            self.matings.append(self.world.time)

    def _is_aground(self, rows: Array, depth: Array) -> Array:
        return np.asarray(depth < self.fishes.height[rows])

    def _note_aground(self, rows: Array, kinds: Array, depth: Array) -> None:
        aground = self._is_aground(rows, depth)
        for row, key, is_so in zip(rows.tolist(), kinds.tolist(), aground.tolist(), strict=True):
            serial = int(self.fishes.owner[row])
            self._aground[serial] = self._aground.get(serial, 0.0) + EVERY / 60.0 if is_so else 0.0
            self.longest[key] = max(self.longest.get(key, 0.0), self._aground[serial])

    def _nodes_inside(self, rows: Array) -> Array:
        """Share of the nodes of each fish that are inside a round obstacle."""
        pool, share = self.world.pool(ObstaclePool), np.zeros(len(rows))
        first = self.fishes.first_node[rows][:, None] + np.arange(NODES)[None]
        places = self.nodes.position[first]
        for row in pool.spans[:, 0].tolist():
            if pool.kind[row] == BOX:
                continue
            offset, size = places - pool.position[row], pool.half_size[row]
            if OBSTACLE_KINDS[pool.kind[row]] == "cylinder":
                inside = (np.hypot(offset[..., 0], offset[..., 1]) < size[0]) & (offset[..., 2] < 2.0 * size[2])
            else:
                inside = np.linalg.norm(offset, axis=-1) < size[0]
            share += inside.mean(axis=1)
        return share

    def _order(self, rows: Array) -> tuple[float, int]:
        """Sum over the fishes with a neighbour of how well the headings near each agree, and how many they are."""
        if len(rows) < 5:
            return 0.0, 0
        gaps = np.linalg.norm(self.fishes.centre[rows][:, None] - self.fishes.centre[rows][None], axis=2)
        near = gaps < LINK * float(self.fishes.length[rows].mean())
        company = near.sum(axis=1) >= 4
        headings = self.motors.heading[rows] / np.maximum(np.linalg.norm(self.motors.heading[rows], axis=1), 1e-9)[:, None]
        order = np.linalg.norm(near @ headings, axis=1) / near.sum(axis=1)
        return float(order[company].sum()), int(company.sum())

    def _mean_hunger(self, rows: Array, kinds: Array) -> dict[str, float]:
        return {key: round(float(self.minds.urges[rows[kinds == key], 0].mean()), 3) for key in sorted(set(kinds.tolist()))}


def main() -> None:
    """Print what fishes do in a map that ships: ``python -m paludarium.lab.fish.survey reef --seed 3``."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("map")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600.0)
    asked = parser.parse_args()
    survey = Survey(World(seed=asked.seed, map=asked.map))
    survey.run(asked.seconds)
    sys.stdout.write(json.dumps(survey.report()) + "\n")


if __name__ == "__main__":
    main()
