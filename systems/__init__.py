"""What happens each tick. This file is the whole tick of walking creatures, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..engine.world import World


def build(world: World) -> None:
    """Register the built-in systems, their shared resources, and the verbs of creatures."""
    from ..engine.schedule import Phase
    from .attachments import Attachments
    from .brain.mode_registry import ModeRegistry
    from .brain.system import BrainSystem
    from .feeding.system import FeedingSystem
    from .myriapod.body.system import FEMSystem
    from .myriapod.gait.switcher import SwitcherSystem
    from .myriapod.gait.targeter import TargeterSystem
    from .myriapod.headless_walk import GangliaSystem
    from .myriapod.painter.painter import MyriapodPainter
    from .myriapod.sever import HEAD_PARTS
    from .myriapod.swim.contacts import BankSystem
    from .myriapod.swim.immersion import ImmersionSystem
    from .myriapod.swim.muscles import MuscleSystem
    from .myriapod.swim.passing import PassingSystem
    from .orders import add_verbs, body_outline
    from .render.system import RenderSystem
    from .senses.system import SensorSystem
    from .spatial_index.index import Surroundings
    from .stimuli.system import Stimuli, StimulusSystem
    from .water.system import WaterSystem

    world.events.declare("ate", "died", "severed", "tissue_disturbed")
    world.resources["surroundings"] = Surroundings(world)
    world.resources["brain_modes"] = ModeRegistry(world)
    world.resources["stimuli"] = Stimuli(world)
    world.resources["attachments"] = Attachments(world)
    world.resources["head_parts"] = set(HEAD_PARTS)
    world.add_system(SensorSystem, phase=Phase.SENSE)
    world.add_system(ImmersionSystem, phase=Phase.SENSE)
    world.add_system(StimulusSystem, phase=Phase.SENSE)
    world.add_system(BrainSystem, phase=Phase.THINK)
    world.add_system(GangliaSystem, phase=Phase.THINK)
    world.add_system(TargeterSystem, phase=Phase.TARGET)
    world.add_system(SwitcherSystem, phase=Phase.SWITCH)
    world.add_system(BankSystem, phase=Phase.BODY)
    world.add_system(PassingSystem, phase=Phase.BODY)
    world.add_system(MuscleSystem, phase=Phase.BODY)
    world.add_system(FEMSystem, phase=Phase.BODY)
    world.add_system(WaterSystem, phase=Phase.WATER)
    world.add_system(FeedingSystem, phase=Phase.LIVE)
    world.resources["picture"] = RenderSystem(world)  # per frame, outside the tick
    world.resources["picture"].add_painter("myriapod", MyriapodPainter(world))
    world.resources["outline"] = body_outline  # what a point or an obstacle can hit
    add_verbs(world)
