"""Centipedes and millipedes: walking, swimming, bodies of soft tissue, and how they are drawn.

This file is their part of the tick, in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...engine.world import World
    from ..export.modellers import Modeller


def build(world: World) -> None:
    """Register the systems of the myriapods; called when the first of them is born."""
    from ...engine.schedule import Phase
    from ..export.modellers import Modellers
    from .body.system import FEMSystem
    from .footing import FootingSystem
    from .gait.switcher import SwitcherSystem
    from .gait.targeter import TargeterSystem
    from .headless_walk import HeadlessWalkSystem
    from .painter.painter import MyriapodPainter
    from .sides.pressing import PressingSystem
    from .swim.contacts import SwimContactSystem
    from .swim.immersion import ImmersionSystem
    from .swim.muscles import MuscleSystem
    from .swim.passing import PassingSystem

    world.add_system(ImmersionSystem, after="SensorSystem")
    world.add_system(FootingSystem, before="BrainSystem")
    world.add_system(HeadlessWalkSystem, after="BrainSystem")
    world.add_system(PressingSystem, phase=Phase.TARGET)
    world.add_system(TargeterSystem, phase=Phase.TARGET)
    world.add_system(SwitcherSystem, phase=Phase.SWITCH)
    world.add_system(SwimContactSystem, phase=Phase.BODY)
    world.add_system(PassingSystem, phase=Phase.BODY)
    world.add_system(MuscleSystem, phase=Phase.BODY)
    world.add_system(FEMSystem, phase=Phase.BODY)
    world.picture.add_painter("myriapod", MyriapodPainter(world))
    world.resource(Modellers).add("myriapod", _modeller)


def _modeller(world: World) -> Modeller:
    from .modeller import MyriapodModeller

    return MyriapodModeller(world)
