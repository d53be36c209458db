"""SwitcherSystem: leg states by local rules; the wave along the body is planned nowhere."""

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
        self.world, self.creatures = world, world.creature_pool
        self.bodies, self.segments, self.legs = world.pool(BodyPool), world.pool(SegmentPool), world.pool(LegPool)
        self.gaits, self.heads = world.pool(GaitPool), world.pool(HeadCommandPool)

    def process(self, dt: float) -> None:
        bodies, segments, legs = self.bodies.bundle, self.segments.bundle, self.legs.bundle
        gaits, heads, ground = self.gaits.bundle, self.heads.bundle, self.world.terrain.ground
        for rows, ticks in in_turns(living_rows(self.gaits, self.creatures), self.creatures.tier, self.world.tick):
            switch_legs(rows, bodies, segments, legs, gaits, heads, ground, ticks, dt)
