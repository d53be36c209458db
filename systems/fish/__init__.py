"""Fishes: bodies of springs in water, motor centre, and how they are drawn.

This file is their part of the tick, in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...engine.world import World


def build(world: World) -> None:
    """Register the systems of the fishes; called when the first of them is born."""
    from ...engine.schedule import Phase
    from .body.kind_table import KindTable
    from .body.system import FishBodySystem, FishMotorSystem
    from .painter.fish_painter import add_painter

    world.add_resource(KindTable(world))
    world.add_system(FishMotorSystem, phase=Phase.BODY)
    world.add_system(FishBodySystem, phase=Phase.BODY)
    add_painter(world)
