"""TripodSystem walks all insects on their feet; TrunkSystem moves those that are pushed, and writes what others see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.antennae import AntennaPool
from ....components.body import BodyPool
from ....components.brain import BrainPool
from ....components.diet import DietPool
from ....components.head_command import HeadCommandPool
from ....components.insect.tripods import TripodPool
from ....components.insect.trunk import TrunkPool
from ....components.legs import LegPool
from ....components.segments import SegmentPool
from ....engine.threads import CREATURES_PER_THREAD, ThreadsFor
from ...row_selection import in_turns, living_rows
from ...summary_kernel import clear_pushes, summarise_bodies
from .pushed_kernel import push
from .wading import turn_from_water
from .walk_kernel import walk
from .write_kernel import write_insects

if TYPE_CHECKING:
    from ....engine.world import World


class TripodSystem:
    """Update trunk, feet and footholds of all insects that walk."""

    def __init__(self, world: World) -> None:
        self.world, self.creatures = world, world.creature_pool
        self.trunks, self.tripods, self.legs = world.pool(TrunkPool), world.pool(TripodPool), world.pool(LegPool)
        self.heads, self.antennae, self.bodies = world.pool(HeadCommandPool), world.pool(AntennaPool), world.pool(BodyPool)

    def process(self, dt: float) -> None:
        rows = living_rows(self.trunks, self.creatures)
        if self.world.water.grids and rows.size:
            turn_from_water(rows, self.trunks, self.heads, self.world.water)
        for chosen, ticks in in_turns(rows, self.creatures.tier, self.world.tick):
            with ThreadsFor(chosen.size, CREATURES_PER_THREAD, most=self.world.threads):
                walk(chosen, self.trunks, self.tripods, self.heads, self.antennae,
                     self.bodies, self.legs, self.world.terrain.ground, ticks == 1, ticks * dt)  # fmt: skip


class TrunkSystem:
    """Update insects that something acts on, then segments, legs and mouths of all."""

    def __init__(self, world: World) -> None:
        self.world, self.creatures = world, world.creature_pool
        self.trunks, self.tripods, self.legs = world.pool(TrunkPool), world.pool(TripodPool), world.pool(LegPool)
        self.bodies, self.segments = world.pool(BodyPool), world.pool(SegmentPool)
        self.brains, self.diets = world.pool(BrainPool), world.pool(DietPool)
        self.wind = world.weather.wind
        self.wind.on_end(lambda: self.trunks.force.fill(0.0))  # nothing of the last gust is left

    def process(self, dt: float) -> None:
        rows = np.ascontiguousarray(self.trunks.spans[:, 0])
        creatures, trunks, tripods = self.creatures, self.trunks, self.tripods
        bodies, segments, legs = self.bodies, self.segments, self.legs
        if self.wind.blows:
            self.trunks.force[rows] = self.wind.now()
        with ThreadsFor(rows.size, CREATURES_PER_THREAD, most=self.world.threads):
            push(rows, creatures, trunks, tripods, bodies, segments, legs,
                 self.world.terrain.ground, self.world.map.physics.gravity, dt)  # fmt: skip
            write_insects(rows, trunks, tripods, self.brains, self.diets, bodies, segments, legs, dt)
            summarise_bodies(rows, bodies, segments, creatures)
        clear_pushes(rows, bodies, segments)
        for row in rows[self.trunks.fell[rows] != 0].tolist():
            self.world.emit("fell", self.world.creatures[int(self.trunks.owner[row])])
