"""BrainSystem: senses and goals become head speed and yaw rate. Mods add modes to ``world.resources["brain_modes"]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.antennae import AntennaPool
from ...components.body import BodyPool
from ...components.brain import BrainPool
from ...components.myriapod.gait import GaitPool
from ...components.myriapod.muscles import MusclePool
from ...components.segments import SegmentPool
from ...components.vision import OUT_OF_SIGHT, VisionPool
from ...engine.pool import NO_OWNER
from ..row_selection import living_rows
from .brain_view import BrainColumns, Goals, Heads, Senses
from .footing_kernel import feel_footing, forget_the_gone, hand_over
from .mode_registry import ModeRegistry, run_brains

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World


def fitted(column: Array, count: int) -> Array:
    """A column of an aligned pool with at least so many rows; the added ones belong to creatures without the part."""
    if len(column) >= count:
        return column
    return np.concatenate([column, np.full((count - len(column), *column.shape[1:]), OUT_OF_SIGHT)])


class BrainSystem:
    """Update modes, head speeds and yaw rates."""

    def __init__(self, world: World) -> None:
        self.brain, self.antennae = world.pool(BrainPool), world.pool(AntennaPool)
        self.body, self.gait, self.segments = world.pool(BodyPool), world.pool(GaitPool), world.pool(SegmentPool)
        self.muscles, self.vision = world.pool(MusclePool), world.pool(VisionPool)
        self.creatures = world.creature_pool
        self.modes: ModeRegistry = world.resources["brain_modes"]

    def process(self, dt: float) -> None:
        rows, b, g, m = living_rows(self.brain, self.body), self.brain, self.gait, self.muscles
        forget_the_gone(rows, b.goal_row, b.goal_serial, self.creatures.owner, b.goal_kind)
        feel_footing(rows, NO_OWNER, g.owner, g.stance_share, m.owner, m.swimming, m.water_mode, b.footing, b.afloat)
        run_brains(self.modes, self.columns(), self._heads(), rows, dt)
        hand_over(rows, NO_OWNER, b.mode, g.owner, g.adjusting)

    def columns(self) -> BrainColumns:
        """The brain columns as modes see them."""
        b, a, v = self.brain, self.antennae, self.vision
        eyes, food, alert = (fitted(column, b.capacity) for column in (v.parameters, v.food, v.alert))
        senses = Senses(a.contact, a.contact_normal, a.smell, a.free_path, a.barrier, b.footing, b.afloat, eyes, food, alert)
        goals = Goals(b.goal_kind, b.goal_position, b.goal_radius, b.goal_speed, b.goal_row, b.drive)
        return BrainColumns(b.parameters, senses, goals, b.memory, b.mode, b.goal_done, b.stream, b.wish, b.speed,
                            b.yaw_rate)  # fmt: skip

    def _heads(self) -> Heads:
        s, body = self.segments, self.body
        return Heads(s.position, s.orientation, body.first_segment, body.segment_count)
