"""Insects: six legs, triangles, loads and pushes, colonies, and how they are drawn.

This file is their part of the tick, in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...engine.world import World
    from ..export.modellers import Modeller


def build(world: World) -> None:
    """Register the systems of the insects; called when the first of them is born."""
    from ...engine.schedule import Phase
    from ..export.modellers import Modellers
    from .colony.system import ColonySystem
    from .colony.trail_grid import Trails
    from .painter.insect_painter import add_painter
    from .walk.system import TripodSystem, TrunkSystem

    trails = Trails(world)
    world.add_resource(trails)
    world.add_state("trails", trails)
    world.add_system(TripodSystem, phase=Phase.SWITCH)
    world.add_system(TrunkSystem, phase=Phase.BODY)
    world.add_system(ColonySystem, phase=Phase.LIVE)
    add_painter(world)
    world.resource(Modellers).add("insect", _modeller)


def _modeller(world: World) -> Modeller:
    from .insect_modeller import InsectModeller

    return InsectModeller(world)
