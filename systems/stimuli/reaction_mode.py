"""The brain mode `REACTION`: toward what attracts a creature, away from what repels it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.brain import Brain
from ..brain.mode_registry import Wish
from .attraction import Attraction

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World
    from ..brain.brain_view import BrainColumns


class ReactionMode:
    """Turns heads by what `StimulusSystem` found."""

    def __init__(self, world: World) -> None:
        self.creatures, self.attraction = world.creature_pool, world.resource(Attraction)

    def is_on(self) -> bool:
        """Whether anything attracts or repels in this tick."""
        return self.attraction.on

    def decide(self, brain: BrainColumns, rows: Array) -> Wish:
        """Toward what attracts, away from what repels."""
        c, p = self.creatures, brain.parameters[rows]
        aim, pull = self.attraction.aim, self.attraction.pull
        if len(pull) < c.capacity:  # a creature was born within this tick
            return Wish(wants=np.zeros(rows.size, bool), speed=np.zeros(rows.size), yaw_rate=np.zeros(rows.size))
        offset = aim[rows] - c.position[rows, :2]
        angle = np.arctan2(offset[:, 1], offset[:, 0]) - c.heading[rows]
        forward, left = np.hypot(*offset.T) * np.cos(angle), np.hypot(*offset.T) * np.sin(angle)
        limit = p[:, Brain.GOAL_YAW]
        yaw = np.clip(p[:, Brain.GOAL_GAIN] * np.arctan2(left, forward), -limit, limit)
        turn_radius, fleeing = p[:, Brain.MIN_TURN_RADIUS], pull[rows] < 0.0
        # What lies inside the turning circle cannot be reached by turning: straight on until the circle has passed it.
        inside = ~fleeing & (np.hypot(forward, np.abs(left) - turn_radius) < turn_radius)
        speed = p[:, Brain.SPEED] * np.where(fleeing, p[:, Brain.FLEE_SPEED], 1.0)
        return Wish(wants=pull[rows] != 0.0, speed=speed, yaw_rate=np.where(inside, 0.0, yaw))
