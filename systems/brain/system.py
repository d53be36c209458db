"""BrainSystem: senses and goals become head speed and yaw rate. Mods add modes to ``world.resource(ModeRegistry)``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...components.antennae import AntennaPool
from ...components.body import BodyPool
from ...components.brain import BrainPool
from ...components.brain_modes import BrainMode
from ...components.head_command import HeadCommandPool
from ...components.segments import SegmentPool
from ...components.vision import VisionPool
from ..row_selection import living_rows
from .brain_view import BrainColumns, Goals, Heads, Senses
from .mode_registry import ModeRegistry, run_brains

if TYPE_CHECKING:
    from ...engine.world import World


class BrainSystem:
    """Update modes, head speeds and yaw rates."""

    def __init__(self, world: World) -> None:
        self.brain, self.antennae, self.vision = world.pool(BrainPool), world.pool(AntennaPool), world.pool(VisionPool)
        self.body, self.segments, self.head = world.pool(BodyPool), world.pool(SegmentPool), world.pool(HeadCommandPool)
        self.creatures = world.creature_pool
        self.modes = world.resource(ModeRegistry)

    def process(self, dt: float) -> None:
        rows = living_rows(self.brain, self.creatures)
        run_brains(self.modes, self.columns(), self._heads(), rows, dt)
        self.head.adjusting[rows] = self.brain.mode[rows] == BrainMode.ADJUSTMENT

    def columns(self) -> BrainColumns:
        """The brain columns as modes see them."""
        b, a, v, c, head = self.brain, self.antennae, self.vision, self.creatures, self.head
        senses = Senses(a.contact, a.contact_normal, a.smell, a.free_path, a.barrier, b.footing, b.afloat, v.parameters,
                        v.food, v.alert)  # fmt: skip
        goals = Goals(c.goal_kind, c.goal_position, c.goal_radius, c.goal_speed, c.goal_row, c.drive)
        return BrainColumns(b.parameters, senses, goals, b.memory, b.mode, c.goal_done, b.stream, b.wish, head.speed,
                            head.yaw_rate)  # fmt: skip

    def _heads(self) -> Heads:
        s, body = self.segments, self.body
        return Heads(s.position, s.orientation, body.first_segment, body.segment_count)
