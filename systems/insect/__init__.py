"""Insects: six legs, triangles, loads and pushes, colonies, and how they are drawn.

Their steps in the tick are in `systems.tick`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...engine.world import World
    from ..export.modellers import Modeller


def build(world: World) -> None:
    """Register the systems of the insects; called when the first of them is born."""
    from ..export.modellers import Modellers
    from ..tick import join
    from .colony.trail_grid import Trails
    from .painter.insect_painter import add_painter

    trails = Trails(world)
    world.add_resource(trails)
    world.add_state("trails", trails)
    join(world, "insect")
    add_painter(world)
    world.resource(Modellers).add("insect", _modeller)


def _modeller(world: World) -> Modeller:
    from .insect_modeller import InsectModeller

    return InsectModeller(world)
