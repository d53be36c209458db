"""FishMindSystem: what fishes perceive becomes intentions and wishes. Mods add to ``world.resource(Intentions)``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.body import BodyPool
from ....components.diet import DietPool
from ....components.fish.eyes import EyePool
from ....components.fish.intentions import About, Habit, Intention, Stage
from ....components.fish.mind import MindPool
from ....components.fish.motor import MotorPool
from ....components.fish.springs import FishBodyPool
from ....components.segments import SegmentPool
from ....engine.props import FoodPool
from ....engine.threads import CREATURES_PER_THREAD, ThreadsFor
from ...row_selection import living_rows
from ...sea.hooks import HookPool, Hooks
from ...spatial_index.index import SpatialIndex
from ..senses.sight import Sight
from ..senses.system import THINK_TICKS
from .behave_kernel import follow_mods, think_of_fishes
from .dodge_kernel import foresee_meetings
from .intention_registry import Intentions
from .tick_kernel import draw_prey, note_meals, show_minds

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.world import World

DONE = int(Stage.DONE)  # numpy takes ten times as long to compare with the member itself
BITE_REACH = 1.5
"""Reaches of a mouth from which a bait is bitten: it hangs and swings."""


class FishMindSystem:
    """Update urges, intentions and wishes of fishes; emit ``mated``."""

    def __init__(self, world: World) -> None:
        self.world, self.creatures, self.sight = world, world.creature_pool, world.resource(Sight)
        self.fishes, self.motors, self.eyes = world.pool(FishBodyPool), world.pool(MotorPool), world.pool(EyePool)
        self.minds, self.diets, self.food = world.pool(MindPool), world.pool(DietPool), world.pool(FoodPool)
        self.bodies, self.segments = world.pool(BodyPool), world.pool(SegmentPool)
        self.index, self.intentions = world.resource(SpatialIndex), world.resource(Intentions)
        self.minds.intention_names = self.intentions.names

    def process(self, dt: float) -> None:
        everybody, rows = living_rows(self.minds, self.creatures), self.sight.rows
        if not everybody.size:
            return
        note_meals(everybody, self.minds, self.diets)
        if rows.size:
            self._think(rows, THINK_TICKS * dt)
        draw_prey(everybody, self.creatures, self.bodies, self.fishes, self.minds, self.diets, dt)
        show_minds(everybody, self.eyes, self.minds)

    def _think(self, rows: Array, dt: float) -> None:
        around, sea, scene = self.index.around, self.world.sea.arrays, self.sight.scene
        assert scene is not None  # who thinks has looked in the same tick
        with ThreadsFor(rows.size, CREATURES_PER_THREAD, most=self.world.threads):
            foresee_meetings(rows, self.creatures, self.eyes, self.minds, self.bodies, self.segments)
            think_of_fishes(rows, self.creatures, self.fishes, self.motors, self.eyes,
                            self.minds, self.diets, self.food, around, sea, scene,
                            dt)  # fmt: skip
        if self.intentions.has_added_modes:
            self.intentions.overrule(self.minds, rows)
            follow_mods(rows, self.fishes, self.motors, self.eyes, self.minds, around,
                        self.world.water.arrays, dt)  # fmt: skip
        self._tell_matings(rows)
        if len(self.sight.hooks):
            self._bite(rows)

    def _bite(self, rows: Array) -> None:
        """Who has reached a bait bites, the nearest first."""
        minds, hooks = self.minds, self.world.pool(HookPool)
        rows = rows[(minds.mode[rows] == Intention.EAT) & (minds.about[rows] == About.BAIT)]
        rows = rows[(minds.target[rows] >= 0) & (minds.target[rows] < len(self.sight.hooks))]
        hook = self.sight.hooks[minds.target[rows]]
        distance = np.linalg.norm(hooks.position[hook] - self.fishes.mouth[rows], axis=1)
        for k in np.argsort(distance, kind="stable").tolist():
            if distance[k] <= BITE_REACH * self.diets.reach[rows[k]]:
                self.world.resource(Hooks).bite(int(hook[k]), int(minds.owner[rows[k]]))

    def _tell_matings(self, rows: Array) -> None:
        """A courtship that has come to its end is told once, by the male."""
        minds = self.minds
        done = rows[minds.stage[rows] == DONE]
        for row in done[minds.habits[done] & Habit.FEMALE == 0].tolist() if done.size else ():
            him = self.world.creatures[int(minds.owner[row])]
            her = self.world.creatures.get(int(minds.partner_serial[row]))
            self.world.emit("mated", him, partner=int(minds.partner_serial[row]), name=her.name if her else "")
