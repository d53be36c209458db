"""Centipedes and millipedes: walking, swimming, bodies of soft tissue, and how they are drawn.

Their steps in the tick are in `systems.tick`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...engine.world import World
    from ..export.modellers import Modeller


def build(world: World) -> None:
    """Register the systems of the myriapods; called when the first of them is born."""
    from ..export.modellers import Modellers
    from ..tick import join
    from .painter.painter import MyriapodPainter

    join(world, "myriapod")
    world.picture.add_painter("myriapod", MyriapodPainter(world))
    world.resource(Modellers).add("myriapod", _modeller)


def _modeller(world: World) -> Modeller:
    from .modeller import MyriapodModeller

    return MyriapodModeller(world)
