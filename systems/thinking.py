"""BrainSystem: senses and goals become head speed and yaw rate. Mods add modes to ``world.resources["brain_modes"]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..components.antennae import AntennaPool
from ..components.body import BodyPool
from ..components.brain import BrainPool
from ..components.brain_modes import BrainMode, GoalKind
from ..components.gait import GaitPool
from ..components.segments import SegmentPool
from .brain.columns import BrainColumns, Goals, Heads, Senses
from .brain.registry import ModeRegistry, run_brains
from .living import living_rows

if TYPE_CHECKING:
    from ..engine.pool import Array
    from ..engine.world import World

GOALS_ABOUT_SOMEBODY = (GoalKind.FOLLOW, GoalKind.FLEE_CREATURE)


class BrainSystem:
    """Update modes, head speeds and yaw rates."""

    def __init__(self, world: World) -> None:
        self.brain, self.antennae = world.pool(BrainPool), world.pool(AntennaPool)
        self.body, self.gait, self.segments = world.pool(BodyPool), world.pool(GaitPool), world.pool(SegmentPool)
        self.creatures = world.creature_pool
        self.modes: ModeRegistry = world.resources["brain_modes"]

    def process(self, dt: float) -> None:
        rows = living_rows(self.brain, self.body)
        self._forget_the_gone(rows)
        run_brains(self.modes, self.columns(), self._heads(), rows, dt)
        self.gait.adjusting[rows] = self.brain.mode[rows] == BrainMode.ADJUSTMENT

    def columns(self) -> BrainColumns:
        """The brain columns as modes see them."""
        b, a = self.brain, self.antennae
        senses = Senses(a.contact, a.contact_normal, a.smell, a.free_path, a.barrier, self.gait.stance_share)
        goals = Goals(b.goal_kind, b.goal_position, b.goal_radius, b.goal_speed, b.goal_row, b.drive)
        return BrainColumns(b.parameters, senses, goals, b.memory, b.mode, b.goal_done, b.stream, b.wish, b.speed,
                            b.yaw_rate)  # fmt: skip

    def _heads(self) -> Heads:
        s, body = self.segments, self.body
        return Heads(s.position, s.orientation, body.first_segment, body.segment_count)

    def _forget_the_gone(self, rows: Array) -> None:
        """Goals about a creature that has left the world end; rows are used again, serial numbers are not."""
        b = self.brain
        about = rows[np.isin(b.goal_kind[rows], GOALS_ABOUT_SOMEBODY)]
        gone = about[self.creatures.owner[b.goal_row[about]] != b.goal_serial[about]]
        b.goal_kind[gone] = GoalKind.NONE
