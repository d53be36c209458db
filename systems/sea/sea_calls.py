"""What a game can do with a sea: methods of the world, so that recordings write them down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .sea_life import SeaLife

if TYPE_CHECKING:
    from ...engine.world import World
    from .patches import Patch


def set_flow(world: World, direction: float = 0.0, strength: float = 0.0, period: float = 0.0, source: float = 1.0) -> None:
    """Let all water of a world flow, beside the currents of its ponds; a strength of 0 ends it. See `Sea.set_flow`.

    Example::

        world.set_flow(direction=0.5, strength=0.4, period=6.0)
    """
    world.sea.set_flow(direction, strength, period, source)
    if world.sea.flows:
        world.resource(SeaLife).require("current")


def set_climate(world: World, surface_temperature: float | None = None, bed_temperature: float | None = None,
                gradient: Any = None, brightness: float | None = None) -> None:
    """Change how warm and how bright the water is, each from 0 to 1. See `Sea.set_climate`.

    Example::

        world.set_climate(surface_temperature=0.8, bed_temperature=0.2)
    """
    world.sea.set_climate(surface_temperature, bed_temperature, gradient, brightness)


def add_plankton(world: World, count: int = 100, at: Any = (0.0, 0.0), spread: float = 0.0, box: Any = None,
                 depth: Any = (0.2, 1000.0), amount: float = 1.0, regrow: float = 0.0) -> Patch:
    """Put plankton into the water of a disc, of a box (west, south, east, north), or of the whole world.

    Example::

        world.add_plankton(500, at=(0, 0), spread=20, depth=(1, 6), regrow=30)
    """
    from .patches import plant_patch, region_of

    patch = plant_patch(world, count, region_of(world, at, spread, box), spread, depth, amount, regrow)
    world.resource(SeaLife).require("plankton")
    return patch
