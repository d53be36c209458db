"""Worlds of deep still water with fishes that have no minds: tests write what they want into the motor pool."""

from __future__ import annotations

from typing import Any

import numpy as np

from paludarium import World
from paludarium.components.fish.motor import MotorPool
from paludarium.components.fish.nodes import NodePool
from paludarium.components.fish.springs import FishBodyPool
from paludarium.components.fish.topology import NODES
from paludarium.engine.creature import Creature
from paludarium.engine.maps import Map
from paludarium.engine.pool import Array

TICK = 1.0 / 60.0
LENGTH = 2.0
DEPTH = 60.0
SIDE = 480.0


def sea(*, current: tuple[float, float] = (0.0, 0.0), depth: float = DEPTH) -> World:
    """A square of still water, 480 units wide; with a current it comes in and goes out at open sides."""
    edges = {f"edge_{side}": "absorbing" for side in ("west", "east", "south", "north")} if any(current) else {}
    far = SIDE / 2
    pond = {"bounds": [-far, -far, far, far], "level_u": 0.0, "cell_u": 8.0, "current_u_per_s": list(current)}
    sea_map = Map.define(name="sea", area={"width_u": SIDE, "height_u": SIDE},
                         terrain={"kind": "gaussians", "elevation": -depth, "hills": [[0, 0, 0.01, 50.0]]},
                         water=[{**pond, **edges}])  # fmt: skip
    return World(seed=1, map=sea_map)


class Fishes:
    """Some fishes of one kind in a world, far from each other, and their rows in the pools."""

    def __init__(self, world: World, count: int = 1, *, headings: Any = 0.0, depth: float = 0.5 * DEPTH,
                 key: str = "testfish", springs: dict[str, Any] | None = None, motor: dict[str, Any] | None = None) -> None:
        world.define_species(key, family="fish", springs={"length_u": LENGTH, **(springs or {})}, motor=motor or {})
        side = int(np.ceil(np.sqrt(count)))
        step = 0.8 * SIDE / side
        headings = np.broadcast_to(headings, count)
        middle = 0.5 * (side - 1)
        places = [((i % side - middle) * step, (i // side - middle) * step, -depth) for i in range(count)]
        self.take(world, [world.spawn(key, at=at, heading=float(turn)) for at, turn in zip(places, headings, strict=True)])

    def take(self, world: World, creatures: list[Creature]) -> None:
        """Of a world that has them already."""
        self.world, self.all = world, creatures
        self.bodies, self.motors, self.nodes = world.pool(FishBodyPool), world.pool(MotorPool), world.pool(NodePool)
        self.rows = np.array([creature.row for creature in self.all])
        self.length = self.bodies.length[self.rows]

    def want(self, direction: Any, speed: Any) -> None:
        """Head for a direction (3,) or (n, 3) with so many lengths per second."""
        self.motors.wish[self.rows], self.motors.wish_speed[self.rows] = direction, speed

    def run(self, seconds: float) -> None:
        self.world.step(round(seconds / TICK))

    @property
    def centre(self) -> Array:
        return np.asarray(self.bodies.centre[self.rows])

    @property
    def axes(self) -> Array:
        return np.asarray(self.bodies.axes[self.rows])

    @property
    def speed(self) -> Array:
        """(n,) lengths per second of the centre along its own axis."""
        ahead = np.einsum("ij,ij->i", self.bodies.velocity[self.rows] - self.bodies.stream[self.rows], self.axes[:, 0])
        return np.asarray(ahead / self.length)

    @property
    def x(self) -> Array:
        """(n, 23, 3) places of the nodes."""
        first = self.bodies.first_node[self.rows]
        return np.asarray(self.nodes.position[first[:, None] + np.arange(NODES)])

    @property
    def v(self) -> Array:
        first = self.bodies.first_node[self.rows]
        return np.asarray(self.nodes.velocity[first[:, None] + np.arange(NODES)])

    @property
    def heading(self) -> Array:
        """(n,) radians, averaged over the swing of the head."""
        mean = self.motors.heading[self.rows]
        return np.asarray(np.arctan2(mean[:, 1], mean[:, 0]))

    def launch(self, speed: float) -> None:
        """Give all of a body a velocity along its axis, lengths per second."""
        for row, length in zip(self.rows, self.length, strict=True):
            first = self.bodies.first_node[row]
            along = speed * length * self.bodies.pace[row] * self.bodies.axes[row, 0]
            self.nodes.velocity[first : first + NODES] = along
            self.bodies.velocity[row] = along
