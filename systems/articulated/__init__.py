"""Articulated swimmers: strokes, fluid windows, bodies of links, and how they are drawn.

Their steps in the tick are in `systems.tick`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...engine.world import World
    from ..export.modellers import Modeller


def build(world: World) -> None:
    """Register the systems of the articulated swimmers; called when the first of them is born."""
    from ..export.modellers import Modellers
    from ..tick import join
    from .painter.swimmer_painter import add_painter
    from .space.swimmer_boxes import SwimBoxes
    from .window_sharing import SwimWindows

    windows, boxes = SwimWindows(world), SwimBoxes(world)
    world.add_resource(windows)
    world.add_resource(boxes)
    world.add_state("fluid", windows)
    world.add_state("boxes of water", boxes)
    join(world, "articulated")
    add_painter(world)
    world.resource(Modellers).add("articulated", _modeller)


def _modeller(world: World) -> Modeller:
    from .swimmer_modeller import SwimmerModeller

    return SwimmerModeller(world)
