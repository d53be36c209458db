"""Articulated swimmers: strokes, fluid windows, bodies of links, and how they are drawn.

This file is their part of the tick, in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...engine.world import World
    from ..export.modellers import Modeller


def build(world: World) -> None:
    """Register the systems of the articulated swimmers; called when the first of them is born."""
    from ...engine.schedule import Phase
    from ..export.modellers import Modellers
    from .painter.swimmer_painter import add_painter
    from .system import StrokeSystem, SwimBodySystem
    from .window_sharing import SwimWindows

    windows = SwimWindows(world)
    world.add_resource(windows)
    world.add_state("fluid", windows)
    world.add_system(StrokeSystem, phase=Phase.TARGET)
    world.add_system(SwimBodySystem, phase=Phase.BODY)
    add_painter(world)
    world.resource(Modellers).add("articulated", _modeller)


def _modeller(world: World) -> Modeller:
    from .swimmer_modeller import SwimmerModeller

    return SwimmerModeller(world)
