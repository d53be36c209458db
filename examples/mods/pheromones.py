"""A mod: walkers leave a trail that fades, and others turn along it. One system and one brain mode, nothing else."""

from __future__ import annotations

import numpy as np

from paludarium import World
from paludarium.systems.brain import BrainColumns, Wish

CELL = 2.0  # units
HALF_LIFE = 20.0  # seconds
NOTICED = 0.05  # trail strength
AHEAD = 4.0  # units to where the two antennae's scent is compared
TURN = 0.35  # rad/s
PRIORITY = 30.0  # above the random walk, below food


class PheromoneSystem:
    """Update the trail: heads add to it, time takes from it."""

    def __init__(self, world: World) -> None:
        self.world = world
        west, south, east, north = world.map.area.bounds
        self.origin = np.array([west, south])
        self.trail = np.zeros((int((north - south) / CELL) + 1, int((east - west) / CELL) + 1))

    def process(self, dt: float) -> None:
        self.trail *= 0.5 ** (dt / HALF_LIFE)
        rows = self.world.creature_pool.spans[:, 0]
        np.add.at(self.trail, self.cells(self.world.creature_pool.position[rows, :2]), dt)

    def cells(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        column, row = np.clip(((points - self.origin) / CELL).astype(int), 0, np.array(self.trail.shape)[::-1] - 1).T
        return row, column

    def smell(self, rows: np.ndarray, aside: float) -> np.ndarray:
        pool = self.world.creature_pool
        angle = pool.heading[rows] + aside
        ahead = pool.position[rows, :2] + AHEAD * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return self.trail[self.cells(ahead)]


def build(world: World) -> None:
    system = world.add_system(PheromoneSystem, after="BrainSystem").system
    assert isinstance(system, PheromoneSystem)

    def follow_trail(_brain: BrainColumns, rows: np.ndarray) -> Wish:
        left, right = system.smell(rows, 0.6), system.smell(rows, -0.6)
        noticed = np.maximum(left, right) > NOTICED
        return Wish(wants=noticed, speed=np.full(rows.size, 2.0), yaw_rate=TURN * np.sign(left - right))

    world.resources["brain_modes"].add("follow_trail", priority=PRIORITY, decide=follow_trail)
