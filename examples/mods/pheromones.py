"""A mod: walkers leave a trail that fades, and others turn along it. One system, one brain mode, one pool to save it in."""

from __future__ import annotations

import numpy as np

from paludarium import World
from paludarium.engine.pool import Pool, column
from paludarium.systems.brain import BrainColumns, Wish
from paludarium.systems.brain.mode_registry import ModeRegistry

CELL = 1.0  # units
HALF_LIFE = 20.0  # seconds
NOTICED = 0.02  # trail strength
AHEAD = np.array([1.5, 3.0, 4.5, 6.0])  # units to where left and right are compared
ASIDE = np.array([0.15, 0.5, 0.9, 1.3])  # radians to each side
TURN = 0.45  # rad/s
SPEED = 2.0  # u/s
PRIORITY = 30.0  # above the random walk, below food


class TrailPool(Pool):
    """One row per cell of the map: what lives in a pool is saved and hashed with the world."""

    strength = column(np.float64)


class PheromoneSystem:
    """Update the trail: heads add to it, time takes from it."""

    def __init__(self, world: World) -> None:
        self.creatures, self.pool = world.creature_pool, world.add_pool(TrailPool)
        west, south, east, north = world.map.area.bounds
        self.origin = np.array([west, south])
        self.shape = np.array([int((east - west) / CELL) + 1, int((north - south) / CELL) + 1])
        self.pool.claim(int(self.shape.prod()), owner=0)

    def process(self, dt: float) -> None:
        trail = self.pool.strength[: self.pool.end]
        trail *= 0.5 ** (dt / HALF_LIFE)
        np.add.at(trail, self.cells(self.creatures.position[self.creatures.spans[:, 0], :2]), dt)

    def cells(self, points: np.ndarray) -> np.ndarray:
        column_row = np.clip(((points - self.origin) / CELL).astype(int), 0, self.shape - 1)
        return column_row[:, 0] + self.shape[0] * column_row[:, 1]

    def smell(self, rows: np.ndarray, side: float) -> np.ndarray:
        """What lies before each head on one side (1 left, -1 right): the sum over a fan of places."""
        angle = self.creatures.heading[rows, None] + side * ASIDE
        fan = AHEAD[:, None, None, None] * np.stack([np.cos(angle), np.sin(angle)], axis=2)
        places = self.creatures.position[rows, None, :2] + fan
        return self.pool.strength[self.cells(places.reshape(-1, 2))].reshape(places.shape[:-1]).sum(axis=(0, 2))


def build(world: World) -> None:
    system = world.add_system(PheromoneSystem, after="BrainSystem").system
    assert isinstance(system, PheromoneSystem)

    def follow_trail(_brain: BrainColumns, rows: np.ndarray) -> Wish:
        left, right = system.smell(rows, 1.0), system.smell(rows, -1.0)
        both = left + right
        turn = TURN * (left - right) / np.maximum(both, NOTICED)
        return Wish(wants=both > NOTICED, speed=np.full(rows.size, SPEED), yaw_rate=turn)

    world.resource(ModeRegistry).add("follow_trail", priority=PRIORITY, decide=follow_trail)
