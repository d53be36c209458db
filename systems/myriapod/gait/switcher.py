"""SwitcherSystem: leg states by local rules; the wave along the body is planned nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....components.body import BodyPool
from ....components.head_command import HeadCommandPool
from ....components.legs import LegPool
from ....components.myriapod.chain_segments import ChainSegmentPool
from ....components.myriapod.gait import GaitPool
from ....components.segments import SegmentPool
from ...row_selection import TURN_TICKS, by_sight, has_turn, living_rows
from .switcher_kernel import glide_legs, switch_legs

if TYPE_CHECKING:
    from ....engine.world import World


class SwitcherSystem:
    """Update leg states, angles, feet and the share of standing legs."""

    def __init__(self, world: World) -> None:
        self.world, self.creatures = world, world.creature_pool
        self.bodies, self.segments, self.legs = world.pool(BodyPool), world.pool(SegmentPool), world.pool(LegPool)
        self.gaits, self.heads = world.pool(GaitPool), world.pool(HeadCommandPool)
        self.chained = world.pool(ChainSegmentPool)

    def process(self, dt: float) -> None:
        bodies, segments, chained = self.bodies, self.segments, self.chained
        legs, gaits, heads, ground = self.legs, self.gaits, self.heads, self.world.terrain.ground
        seen, unseen = by_sight(living_rows(self.gaits, self.creatures), self.creatures.tier)
        switch_legs(seen, bodies, segments, chained, legs, gaits, heads, ground, 1, dt)
        if unseen.size:  # feet are looked after every other tick, but all move in each: whoever looks would see them jump
            turn = has_turn(unseen, self.world.tick)
            switch_legs(unseen[turn], bodies, segments, chained, legs, gaits, heads, ground, TURN_TICKS, dt)
            glide_legs(unseen[~turn], bodies, segments, legs, gaits, heads, dt)
