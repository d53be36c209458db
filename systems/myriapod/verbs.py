"""What only myriapods can be asked or told. The verbs are there before the first is born, so that others can say no."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...components.myriapod.body_modes import ON_LAND, BodyMode, land_mode
from ...components.myriapod.chain import ChainPool
from .sever import HEAD_PARTS, HeadParts, sever

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.world import World


def add_verbs(world: World) -> None:
    """Give creatures the verbs of myriapods."""
    world.add_resource(HeadParts(HEAD_PARTS))
    world.add_verb("sever", sever)
    world.add_attribute("body_mode", body_mode)


def body_mode(creature: Creature) -> BodyMode:
    """Where the body is: in the air, landing, on the ground, in the water, or between two of these."""
    if "chain" in creature.rows:
        mode = BodyMode(int(creature.world.pool(ChainPool).body_mode[creature.row]))
        if mode != ON_LAND:
            return mode
    return land_mode(creature.legs.history) if "legs" in creature.rows else ON_LAND
