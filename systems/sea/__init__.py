"""What fills the water beside animals: currents, plankton, bubbles, seaweed, hooks. Loaded when a world has any of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...engine.world import World


def build(world: World) -> None:
    """Make the calls of the sea known; what they need is loaded by the first one that needs it."""
    from functools import partial

    from ..tick import SEA, names_of
    from . import sea_calls
    from .bubbles import BubblePool
    from .hooks import Hooks
    from .patches import PatchPool
    from .sea_life import PARTS, SeaLife
    from .seaweed import SeaweedPool

    for pool in (PatchPool, SeaweedPool, BubblePool):
        world.add_pool(pool)
    life = SeaLife(world)
    world.add_resource(Hooks(world))
    world.add_resource(life)
    world.add_state("sea_life", life)
    for part in PARTS:
        world.schedule.expect(names_of(SEA + part), partial(life.require, part))
    for name in sea_calls.CALLS:
        world.add_call(name, getattr(sea_calls, name))
    if world.sea.flows:
        life.require("current")
