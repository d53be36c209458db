"""What a creature has: each part is a spec (the table in the species file), a pool and a handle."""

from __future__ import annotations

from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..engine.world import World


def build(world: World) -> None:
    """Register the parts of segmented animals and the species that come with the package."""
    from .antennae import Antennae, AntennaPool, AntennaSpec, fill_antennae
    from .appearance import Appearance, AppearancePool, AppearanceSpec, fill_appearance
    from .body import Body, BodyPool, BodySpec
    from .brain import BrainHandle, BrainPool, BrainSpec, fill_brain
    from .legs import LegPool, Legs, LegSpec, fill_legs
    from .myriapod.construction.assembly import fill_body, fill_segments, fill_tissue
    from .myriapod.gait import GaitHandle, GaitPool, GaitSpec, fill_gait
    from .myriapod.headless_walk import Ganglia, GangliaPool, GangliaSpec, fill_ganglia
    from .myriapod.muscles import MusclePool, Muscles, MuscleSpec, fill_muscles
    from .myriapod.tissue import Tissue, TissuePool, TissueSpec
    from .reactions import STIMULUS_KINDS, ReactionPool, Reactions, fill_reactions, reaction_spec
    from .segments import SegmentPool, Segments, SegmentSpec
    from .vision import VisionHandle, VisionPool, VisionSpec, fill_vision

    # Parts are filled in this order: later ones look at the rows of earlier ones.
    world.add_part("segments", SegmentSpec, SegmentPool, Segments, fill_segments)
    world.add_part("tissue", TissueSpec, TissuePool, Tissue, fill_tissue)
    world.add_part("legs", LegSpec, LegPool, Legs, fill_legs)
    world.add_part("body", BodySpec, BodyPool, Body, fill_body)
    world.add_part("muscles", MuscleSpec, MusclePool, partial(Muscles, world.pool(TissuePool)), fill_muscles)
    world.add_part("gait", GaitSpec, GaitPool, GaitHandle, fill_gait)
    world.add_part("antennae", AntennaSpec, AntennaPool, Antennae, fill_antennae)
    world.add_part("vision", VisionSpec, VisionPool, VisionHandle, fill_vision)
    world.add_part("brain", BrainSpec, BrainPool, BrainHandle, fill_brain)
    world.add_part("ganglia", GangliaSpec, GangliaPool, Ganglia, fill_ganglia)
    world.add_part("reactions", reaction_spec(STIMULUS_KINDS), ReactionPool, Reactions, fill_reactions)
    world.add_part("appearance", AppearanceSpec, AppearancePool, Appearance, fill_appearance)
    world.add_species(Path(str(files("paludarium.assets"))) / "species")
