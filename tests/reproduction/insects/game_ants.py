"""Ants of the game on open ground, far from each other, driven by hand; and what their feet do, tick by tick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from paludarium import World
from paludarium.components.insect.tripods import TripodPool
from paludarium.components.insect.trunk import TrunkMode, TrunkPool
from paludarium.components.legs import LegPool
from paludarium.engine.creature import Creature
from paludarium.engine.maps import Map
from paludarium.engine.pool import Array

TICK = 1.0 / 60.0
SCALE, PACE = 0.3, 0.5
"""Units per millimetre and seconds of the animal per second of the world, of the worker ant."""
SIDE = 400.0
SPEED_OF_MM = SCALE * PACE
"""u/s of one mm/s."""
LEGS_IN_SOURCE_ORDER = (0, 2, 4, 1, 3, 5)
"""Rows L1 R1 L2 R2 L3 R3 of the game as L1 L2 L3 R1 R2 R3."""


def open_ground(terrain: dict[str, Any] | None = None) -> World:
    """A plane, or what the table of a map describes."""
    ground = {"kind": "flat"} if terrain is None else terrain
    return World(seed=1, map=Map.define(name="open", area={"width_u": SIDE, "height_u": SIDE}, terrain=ground))


@dataclass
class Steps:
    """What was seen, one row per tick."""

    stands: Array  # (ticks, ants, 6)
    tips: Array  # (ticks, ants, 6, 3)
    stretched: Array  # (ticks, ants, 6)
    position: Array  # (ticks, ants, 3)
    mode: Array  # (ticks, ants)


class GameAnts:
    """Some worker ants in a world of their own."""

    def __init__(self, count: int = 1, terrain: dict[str, Any] | None = None, heading: float = 0.0) -> None:
        self.world = open_ground(terrain)
        side = int(np.ceil(np.sqrt(count)))
        gap = 0.8 * SIDE / side
        self.all: list[Creature] = []
        for k in range(count):
            at = (gap * (k % side - 0.5 * (side - 1)), gap * (k // side - 0.5 * (side - 1)))
            self.all.append(self.world.spawn("worker_ant", at=at, heading=heading))
        self.rows = np.array([ant.row for ant in self.all])
        self.trunks, self.tripods, self.legs = (self.world.pool(kind) for kind in (TrunkPool, TripodPool, LegPool))
        self.first = np.array([ant.rows["legs"].start for ant in self.all])

    def drive(self, speed: Any, turn: float = 0.0) -> None:
        """Speeds in mm/s of the animal."""
        for ant, mm_per_s in zip(self.all, np.broadcast_to(speed, len(self.all)), strict=True):
            ant.control(float(mm_per_s) * SPEED_OF_MM, turn)

    def run(self, seconds: float, before: Any = None) -> Steps:
        """Seconds of the animal; `before` is called with the number of each tick."""
        seen: list[tuple[Array, ...]] = []
        legs = self.first[:, None] + np.array(LEGS_IN_SOURCE_ORDER)
        for tick in range(round(seconds / PACE / TICK)):
            if before is not None:
                before(tick)
            self.world.step()
            stands = self.tripods.stands[self.rows][:, LEGS_IN_SOURCE_ORDER].astype(np.bool_)
            seen.append(
                (
                    stands,
                    self.legs.tip[legs].copy(),
                    self.tripods.stretched[self.rows][:, LEGS_IN_SOURCE_ORDER].copy(),
                    self.trunks.position[self.rows].copy(),
                    self.trunks.mode[self.rows].copy(),
                )
            )
        return Steps(*(np.array(column) for column in zip(*seen, strict=True)))


def fallen(steps: Steps) -> Array:
    """(ants,) which of them lost their feet at any time."""
    return (steps.mode == TrunkMode.TUMBLE).any(axis=0)
