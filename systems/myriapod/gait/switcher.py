"""SwitcherSystem: leg states by local rules; the wave along the body is nobody's plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....components.body import BodyPool
from ....components.head_command import HeadCommandPool
from ....components.legs import LegPool
from ....components.myriapod.gait import GaitPool
from ....components.segments import SegmentPool
from ...row_selection import in_turns, living_rows
from .switcher_kernel import switch_legs

if TYPE_CHECKING:
    from ....engine.world import World


class SwitcherSystem:
    """Update leg states, angles, feet and the share of standing legs."""

    def __init__(self, world: World) -> None:
        self.body, self.gait, self.head = world.pool(BodyPool), world.pool(GaitPool), world.pool(HeadCommandPool)
        self.segments, self.legs = world.pool(SegmentPool), world.pool(LegPool)
        self.world = world

    def process(self, dt: float) -> None:
        b, g, s, legs, creatures = self.body, self.gait, self.segments, self.legs, self.world.creature_pool
        for rows, ticks in in_turns(living_rows(g, creatures), creatures.tier, self.world.tick):
            switch_legs(rows, b.first_leg, b.leg_count, self.head.speed, g.parameters, legs.segment_row, legs.hip,
                        legs.links, s.position, s.orientation, s.submerged, s.lift_share, legs.state, legs.angles,
                        legs.tip, legs.armed, legs.entered, legs.events, legs.history, b.history_cursor,
                        g.stance_share, self.world.terrain.ground, ticks, dt)  # fmt: skip
