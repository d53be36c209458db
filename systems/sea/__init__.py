"""What fills the water beside animals: currents, plankton, bubbles, seaweed, hooks. Loaded when a world has any of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...engine.world import World


def build(world: World) -> None:
    """Make the calls of the sea known; what they need is loaded by the first one that needs it."""
    from .patches import PatchPool
    from .sea_calls import add_plankton, set_climate, set_flow
    from .sea_life import SeaLife

    world.add_pool(PatchPool)
    life = SeaLife(world)
    world.add_resource(life)
    world.add_state("sea_life", life)
    for call in (set_flow, set_climate, add_plankton):
        world.add_call(call.__name__, call)
    if world.sea.flows:
        life.require("current")
