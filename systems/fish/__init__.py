"""Fishes: senses, minds, bodies of springs in water, motor centre, and how they are drawn.

This file is their part of the tick, in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...engine.world import World
    from ..export.modellers import Modeller


def build(world: World) -> None:
    """Register the systems of the fishes; called when the first of them is born."""
    from ...engine.schedule import Phase
    from ..export.modellers import Modellers
    from .body.kind_table import KindTable
    from .body.system import FishBodySystem, FishMotorSystem
    from .eye_view.eye_calls import add_eye_calls
    from .mind.registry import Intentions
    from .mind.system import FishMindSystem
    from .painter.fish_painter import add_painter
    from .senses.scene import Sight
    from .senses.system import FishSenseSystem

    world.add_resource(KindTable(world))
    world.add_resource(Sight())
    world.add_resource(Intentions(world))
    world.add_system(FishSenseSystem, phase=Phase.SENSE)
    world.add_system(FishMindSystem, after="BrainSystem")
    world.add_system(FishMotorSystem, phase=Phase.BODY)
    world.add_system(FishBodySystem, phase=Phase.BODY)
    add_painter(world)
    add_eye_calls(world)
    world.resource(Modellers).add("fish", _modeller)


def _modeller(world: World) -> Modeller:
    from .fish_modeller import FishModeller

    return FishModeller(world)
