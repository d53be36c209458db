"""Body modes: where an animal is between air, ground and water. [Fang15 6.3]"""

from __future__ import annotations

from enum import IntEnum

from ...engine.pool import Array
from ..leg_states import STANDING_SHARE, LegState


class BodyMode(IntEnum):
    """Where the body is. The names that speak of water need a world with water."""

    IN_AIR = 0
    AIR_TO_GROUND = 1
    ON_GROUND = 2
    GROUND_TO_WATER = 3
    IN_WATER = 4
    WATER_TO_GROUND = 5
    AIR_TO_WATER = 6


ON_LAND = BodyMode.ON_GROUND
"""Stored while no water is involved; which of the three dry modes it is, the legs tell when the game asks."""


def land_mode(history: Array) -> BodyMode:
    """The mode of an animal on dry land from the leg states (..., ticks) of its last second."""
    stood = (history == LegState.STANCE).any(axis=-1)
    if not stood.any():
        return BodyMode.IN_AIR
    return BodyMode.ON_GROUND if stood.mean() >= STANDING_SHARE else BodyMode.AIR_TO_GROUND
