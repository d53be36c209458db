"""What happens each tick: `tick.py` lists all of it. This file builds what the steps share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..engine.world import World



def build(world: World) -> None:
    """Register what all families share: resources, the tick, and the calls and orders a game can give."""
    from ..engine.growths import GrowthPool, add_coral, add_plant
    from ..engine.roles import Outline, Picture, StimulusBoard
    from .articulated.swimmer_calls import add_swimmer_calls
    from .attachments import Attachments
    from .brain.mode_registry import ModeRegistry
    from .event_kinds import NAMES as EVENT_NAMES
    from .export.modellers import Modellers
    from .feeding.food_web import FoodWeb
    from .fish.tuning import add_verbs as add_fish_verbs
    from .insect.insect_calls import add_insect_calls
    from .myriapod.verbs import add_verbs as add_myriapod_verbs
    from .orders.orders import add_verbs
    from .render.system import RenderSystem
    from .sea import build as build_sea
    from .spatial_index.index import SpatialIndex
    from .stimuli.attraction import Attraction
    from .stimuli.stimuli import Stimuli
    from .tick import FAMILIES, begin

    world.events.declare(*EVENT_NAMES)
    index, stimuli = SpatialIndex(world), Stimuli(world)
    world.add_resource(FoodWeb(world))
    world.add_resource(index)
    world.add_resource(index, Outline)  # what a point or a ray can hit
    world.add_resource(ModeRegistry(world))
    world.add_resource(stimuli)
    world.add_resource(stimuli, StimulusBoard)
    world.add_resource(Attraction())
    world.add_resource(Attachments(world))
    world.add_resource(Modellers(world))  # what exports show of each family
    begin(world)
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
    for family in FAMILIES:
        world.families.add_systems(family, f"{__name__}.{family}")
