"""What happens each tick. This file is the tick that all families share, in order; each family adds its own systems to it
when its first animal is born."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..engine.world import World

MYRIAPOD_TICK = (
    "ImmersionSystem", "FootingSystem", "HeadlessWalkSystem", "TargeterSystem", "SwitcherSystem", "SwimContactSystem",
    "PassingSystem", "MuscleSystem", "FEMSystem",
)  # fmt: skip
"""Systems that come with the first myriapod; a mod that names one of them loads them earlier."""

FISH_TICK = ("FishSenseSystem", "FishMindSystem", "FishMotorSystem", "FishBodySystem")

INSECT_TICK = ("TripodSystem", "TrunkSystem", "ColonySystem")

ARTICULATED_TICK = ("StrokeSystem", "SwimBodySystem")


def build(world: World) -> None:
    """Register the shared systems, their resources, and the orders a game can give."""
    from ..engine.growths import GrowthPool, add_coral, add_plant
    from ..engine.roles import Outline, Picture, StimulusBoard
    from ..engine.schedule import Phase
    from .articulated.swimmer_calls import add_swimmer_calls
    from .attachments import Attachments
    from .brain.mode_registry import ModeRegistry
    from .brain.system import BrainSystem
    from .event_kinds import NAMES as EVENT_NAMES
    from .export.modellers import Modellers
    from .feeding.bonds import Bonds
    from .feeding.system import FeedingSystem
    from .fish.tuning import add_verbs as add_fish_verbs
    from .insect.insect_calls import add_insect_calls
    from .myriapod.verbs import add_verbs as add_myriapod_verbs
    from .orders.orders import add_verbs
    from .orders.system import OrderSystem
    from .render.system import RenderSystem
    from .sea import build as build_sea
    from .senses.system import SensorSystem
    from .soundness.system import SoundnessSystem
    from .spatial_index.index import SpatialIndex
    from .stimuli.stimuli import Stimuli
    from .stimuli.system import StimulusSystem
    from .water.system import WaterSystem

    world.events.declare(*EVENT_NAMES)
    index, stimuli = SpatialIndex(world), Stimuli(world)
    world.add_resource(Bonds(world))
    world.add_resource(index)
    world.add_resource(index, Outline)  # what a point or a ray can hit
    world.add_resource(ModeRegistry(world))
    world.add_resource(stimuli)
    world.add_resource(stimuli, StimulusBoard)
    world.add_resource(Attachments(world))
    world.add_resource(Modellers(world))  # what exports show of each family
    world.add_system(SensorSystem, phase=Phase.SENSE)
    world.add_system(StimulusSystem, phase=Phase.SENSE)
    world.add_system(OrderSystem, phase=Phase.THINK)
    world.add_system(BrainSystem, phase=Phase.THINK)
    world.add_system(SoundnessSystem, phase=Phase.WATER)
    world.add_system(WaterSystem, phase=Phase.WATER)
    world.add_system(FeedingSystem, phase=Phase.LIVE)
    world.add_resource(RenderSystem(world), Picture)  # per frame, outside the tick
    build_sea(world)
    world.add_pool(GrowthPool)
    world.add_call("add_coral", add_coral)
    world.add_call("add_plant", add_plant)
    add_verbs(world)
    add_myriapod_verbs(world)
    add_fish_verbs(world)
    add_insect_calls(world)
    add_swimmer_calls(world)
    world.families.add_systems("myriapod", "paludarium.systems.myriapod", MYRIAPOD_TICK)
    world.families.add_systems("fish", "paludarium.systems.fish", FISH_TICK)
    world.families.add_systems("insect", "paludarium.systems.insect", INSECT_TICK)
    world.families.add_systems("articulated", "paludarium.systems.articulated", ARTICULATED_TICK)
