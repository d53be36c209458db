"""Bodies of fishes outside any world: constant commands, water without an end, no pilot."""

from __future__ import annotations

from typing import Any

import numpy as np

from paludarium.components.fish.motor import MotorSpec
from paludarium.components.fish.springs import SpringSpec, blueprint_of
from paludarium.components.fish.topology import NODES, STATIONS, ring
from paludarium.engine.bundle import packed
from paludarium.engine.pool import Array
from paludarium.lab.fish.reference_fish import PublishedFish, published_fish
from paludarium.systems.fish.body.calibration import tank
from paludarium.systems.fish.body.calibration_kernel import swim_trials
from paludarium.systems.fish.body.springs_kernel import SCRATCH

TICK = 1.0 / 60.0
ALL, STIFFNESS, DAMPING, MASS, WATER = slice(None), 0, 1, 2, 3


class Tank:
    """Fishes of one kind that do what their motor pool says, without a pilot."""

    def __init__(self, springs: SpringSpec | None = None, motor: MotorSpec | None = None, count: int = 1) -> None:
        self.springs, self.motor, self.count = springs or SpringSpec(), motor or MotorSpec(), count
        self.kinds, self.fishes, self.motors, self.node_pool = tank(self.springs, self.motor, count)
        self.length, self.mass = self.springs.length, self.kinds.mass[0]
        self._rows, self._scratch = np.arange(count, dtype=np.int32), np.zeros((count, SCRATCH))

    @property
    def x(self) -> Array:
        return self.node_pool.position[: self.count * NODES].reshape(self.count, NODES, 3)

    @property
    def v(self) -> Array:
        return self.node_pool.velocity[: self.count * NODES].reshape(self.count, NODES, 3)

    @property
    def centre(self) -> Array:
        return np.asarray(np.einsum("n,inc->ic", self.mass, self.x) / self.mass.sum())

    @property
    def momentum(self) -> Array:
        return np.asarray(np.einsum("n,inc->ic", self.mass, self.v))

    def tune(self, which: int, factor: float) -> None:
        self.fishes.tuned[: self.count, which] = factor

    def beat(self, rate: Any, effort: Any, bend: Any = 0.0, tone: Any = 1.0) -> None:
        here = slice(0, self.count)
        self.motors.beat[here], self.motors.effort[here] = rate, effort
        self.motors.bend[here], self.motors.tone[here] = bend, tone

    def launch(self, speed: float) -> None:
        """Lengths per second, along x."""
        self.v[:, :, 0] = speed * self.length * self.springs.pace
        self.fishes.velocity[: self.count, 0] = speed * self.length * self.springs.pace

    def run(self, ticks: int, dt: float = TICK) -> None:
        way, turned, wave = np.zeros((self.count, 3)), np.zeros(self.count), np.zeros((self.count, STATIONS + 1, 4))
        swim_trials(self._rows, packed(self.kinds), self.fishes, self.motors, self.node_pool, 0, ticks,
                    dt, self._scratch, way, turned, wave)  # fmt: skip


def reference_of(springs: SpringSpec, mode: int, dt: float) -> PublishedFish:
    """A body of the game for the solvers of the source."""
    blueprint, fish = blueprint_of(springs), published_fish(faces="quads", mode=mode, dt=dt)
    body = fish.body._replace(stiffness=blueprint.stiffness, damping=blueprint.damping, mass=blueprint.mass)
    return PublishedFish(blueprint.rest.copy(), body, blueprint.rest_length, mode, dt, water=0.5)


def midline(x: Array) -> Array:
    """(7, 3) nose, middles of the rings, tail."""
    return np.stack([x[0], *(x[ring(k)].mean(axis=0) for k in range(5)), x[21:].mean(axis=0)])


def curvatures(x: Array) -> tuple[float, float]:
    """Of the spine at the two swimming segments, seen from above: positive to the left."""
    line = midline(x)[:, :2]
    steps = np.diff(line, axis=0)
    angles = np.unwrap(np.arctan2(steps[:, 1], steps[:, 0]))
    turns = np.diff(angles)  # at the five rings, from the head backward
    return float(turns[1] + turns[2]), float(turns[3])


