"""What a creature has: each part is a spec (the table in the species file), a pool and a handle."""

from __future__ import annotations

from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..engine.world import World


def build(world: World) -> None:
    """Register the parts and families that come with the package, and their species."""
    from .antennae import Antennae, AntennaPool, AntennaSpec, fill_antennae
    from .articulated.family import add_articulated
    from .body import Body, BodyPool, BodySpec, fill_body
    from .brain import BrainHandle, BrainPool, BrainSpec, fill_brain
    from .diet import Diet, DietPool, DietSpec, fill_diet, renew_diet
    from .fish.family import add_fishes
    from .head_command import HeadCommand, HeadCommandPool, HeadCommandSpec, fill_head_command
    from .insect.family import add_insects
    from .legs import LegPool, Legs, LegSpec, fill_legs, renew_legs
    from .myriapod.family import add_myriapods
    from .parameters import renew_parameters
    from .paths import PathPool
    from .reactions import STIMULUS_KINDS, ReactionPool, Reactions, fill_reactions, reaction_spec
    from .segments import SegmentPool, Segments, SegmentSpec, fill_segments
    from .vision import VisionHandle, VisionPool, VisionSpec, fill_vision

    # Parts are filled in this order: later ones look at the rows of earlier ones.
    world.add_part("segments", SegmentSpec, SegmentPool, Segments, fill_segments)
    world.add_part("legs", LegSpec, LegPool, Legs, fill_legs, renew=renew_legs)
    world.add_part("body", BodySpec, BodyPool, Body, fill_body)
    world.add_part("head", HeadCommandSpec, HeadCommandPool, HeadCommand, fill_head_command)
    world.add_part("antennae", AntennaSpec, AntennaPool, Antennae, fill_antennae, renew=renew_parameters)
    world.add_part("vision", VisionSpec, VisionPool, VisionHandle, fill_vision, renew=renew_parameters)
    brain = partial(BrainHandle, world.creature_pool, world.pool(HeadCommandPool))
    world.add_part("brain", BrainSpec, BrainPool, brain, fill_brain, renew=renew_parameters)
    world.add_part("diet", DietSpec, DietPool, Diet, fill_diet, renew=renew_diet)
    world.add_part("reactions", reaction_spec(STIMULUS_KINDS), ReactionPool, Reactions, fill_reactions)
    world.add_pool(PathPool)
    add_myriapods(world)
    add_fishes(world)
    add_insects(world)
    add_articulated(world)
    assets = Path(str(files("paludarium.assets")))
    world.species.add(assets / "species")
    world.species.add(assets / "bodies", listed=False)
