"""What a game can do with a sea: methods of the world, so that recordings write them down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .sea_life import SeaLife

if TYPE_CHECKING:
    from ...engine.world import World
    from .bubbles import Vent
    from .hooks import Hook
    from .patches import Patch
    from .seaweed import Seaweed

CALLS = ("set_flow", "set_climate", "add_plankton", "add_seaweed", "add_bubbles", "add_hook", "set_hook")
"""Names of the functions below."""


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


def add_seaweed(world: World, at: Any, clusters: int = 1, leaves: int = 12, height: float = 5.0,
                spread: float = 0.0) -> list[Seaweed]:
    """Plant clusters of seaweed on the bed, spread over a disc.

    Example::

        world.add_seaweed((0, 0), clusters=20, leaves=14, height=6, spread=25)
    """
    from .seaweed import plant

    planted = plant(world, at, clusters, leaves, height, spread)
    world.resource(SeaLife).require("seaweed")
    return planted


def add_bubbles(world: World, at: Any, count: int = 12, spread: float = 0.3, rise: float = 2.0, size: float = 0.12) -> Vent:
    """Let bubbles rise from a place on the bed.

    Example::

        world.add_bubbles((3, 4), count=20)
    """
    from .bubbles import open_vent

    vent = open_vent(world, at, count, spread, rise, size)
    world.resource(SeaLife).require("bubbles")
    return vent


def add_hook(world: World, at: Any, depth: float = 2.0, *, bait: bool = True, strength: float = 40.0) -> Hook:
    """Hang a hook into the water, so many units below the surface.

    `strength` is the largest acceleration (units/s^2) that its line gives to the catch; 40 is four times gravity.

    Example::

        hook = world.add_hook((3, 4), depth=5)
        hook.reel(2.0)
    """
    from .hooks import drop_hook

    hook = drop_hook(world, at, depth, bait, strength)
    world.resource(SeaLife).require("hooks")
    return hook


def set_hook(world: World, rows: Any, speed: float | None = None, bait: bool | None = None) -> None:
    """Reel a hook, or put bait on it; a `Hook` calls it."""
    from .hooks import change_hook

    change_hook(world, rows, speed, bait)
