"""The family of centipedes and millipedes: rigid segments in a chain of soft tissue, legs in pairs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...engine.creature import FULL
from ...engine.families import DEFAULT_FAMILY, Family, Tables
from ...engine.parts import SpecProblem
from ...engine.pool import NO_OWNER
from ...engine.terrain.ground_kernel import NO_FLOOR
from ..body import BodyPool
from ..brain import BrainPool, has_a_brain
from ..brain_modes import BrainMode
from ..diet import with_diet
from ..head_command import HeadCommandPool
from ..leg_states import LegState
from ..legs import LegPool
from ..parameters import renew_parameters
from ..segments import SegmentPool
from .appearance import Appearance, AppearancePool, AppearanceSpec, fill_appearance, renew_appearance
from .body_modes import ON_LAND
from .chain import Chain, ChainPool, ChainSpec
from .chain_segments import ChainSegmentPool, ChainSegments, ChainSegmentSpec
from .construction.assembly import fill_chain, fill_chain_segments, fill_tissue, place_segments, settle_tissue
from .construction.renewed_body import renew_body
from .gait import GaitHandle, GaitPool, GaitSpec, fill_gait
from .headless_walk import Ganglia, GangliaPool, GangliaSpec, fill_ganglia, renew_ganglia
from .muscles import MusclePool, Muscles, MuscleSpec, fill_muscles, renew_muscles
from .tissue import Tissue, TissuePool, TissueSpec

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.pool import Array
    from ...engine.world import World

FEWEST_SEGMENTS = 2
"""A head and a tail; joints are between two segments."""
HIGHEST_DROP = 5.0
"""Units above the ground from which a body falls that was brought back."""
TABLES = frozenset({"chain_segments", "chain", "tissue", "muscles", "gait", "ganglia", "appearance"})
"""Tables that only myriapods have."""
LED_BY_A_HEAD = {"antennae", "brain", "ganglia", "gait", "muscles"}
"""Parts that write or read the command of the head."""


def add_myriapods(world: World) -> None:
    """Register the parts that only myriapods have, and the family itself."""
    world.add_part("chain_segments", ChainSegmentSpec, ChainSegmentPool, ChainSegments, fill_chain_segments,
                   renew=renew_body)  # fmt: skip
    world.add_part("chain", ChainSpec, ChainPool, Chain, fill_chain)  # its joints are checked before tissue asks
    world.add_part("tissue", TissueSpec, TissuePool, Tissue, fill_tissue)
    muscles = partial(Muscles, world.pool(TissuePool), world.pool(ChainPool))
    world.add_part("muscles", MuscleSpec, MusclePool, muscles, fill_muscles, renew=renew_muscles)
    world.add_part("gait", GaitSpec, GaitPool, GaitHandle, fill_gait, renew=renew_parameters)
    world.add_part("ganglia", GangliaSpec, GangliaPool, partial(Ganglia, world.pool(HeadCommandPool)), fill_ganglia,
                   renew=renew_ganglia)  # fmt: skip
    world.add_part("appearance", AppearanceSpec, AppearancePool, Appearance, fill_appearance, renew=renew_appearance)
    world.add_family(Family(
        DEFAULT_FAMILY, tables=TABLES,
        required=frozenset(), complete=complete, place=place_segments, stun=lose_footing, carry=carry,
        release=rest, bound=needs_full_detail, obeys=has_a_brain, doing=doing,
    ))  # fmt: skip


def complete(tables: Tables) -> Tables:
    """Add what follows from the file: a body is a chain, and whatever walks or swims has a head to follow."""
    segments = tables.get("segments")
    if isinstance(segments, dict) and segments.get("count") == 1:
        raise SpecProblem("count", 1, f"{FEWEST_SEGMENTS} or more, a head and a tail")
    added: Tables = {"chain_segments": {}} if "segments" in tables else {}
    if "body" in tables:
        added["chain"] = {}
    if LED_BY_A_HEAD & tables.keys():
        added["head"] = {}
    return with_diet({**added, **tables})


def lose_footing(creature: Creature) -> None:
    """Take the ground away: all legs swing, the head stops, and the body is left to the dynamics."""
    world, row = creature.world, creature.row
    if "legs" in creature.rows:
        legs, here = world.pool(LegPool), creature.rows["legs"].slice
        legs.state[here] = LegState.SF1
        legs.armed[here] = 0
    head = world.pool(HeadCommandPool)
    if "gait" in creature.rows:
        head.adjusting[row], world.pool(GaitPool).stance_share[row] = 1, 0.0
    if "brain" in creature.rows:
        world.pool(BrainPool).mode[row] = BrainMode.ADJUSTMENT
        head.speed[row], head.yaw_rate[row] = 0.0, 0.0
    if "segments" in creature.rows:
        world.pool(ChainSegmentPool).support_timer[creature.rows["segments"].slice] = 0.0


def carry(creature: Creature, offset: Array) -> bool:
    """Move all of a body in the plan view and lay it on or above the ground there, at rest and off its feet."""
    world, segments = creature.world, creature.world.pool(SegmentPool)
    here = creature.rows["segments"].slice
    position = segments.position[here].copy()
    position[:, :2] += offset
    ground = world.terrain.elevation(position[:, :2])
    if (ground <= NO_FLOOR).any():
        return False
    gap = float((position[:, 2] - segments.half_extents[here, 2] - ground).min())
    move = np.array([*offset, -gap if gap < 0.0 else min(0.0, HIGHEST_DROP - gap)])
    segments.position[here] += move
    world.pool(ChainSegmentPool).ground_point[here] += move
    segments.velocity[here] = segments.angular_velocity[here] = segments.push[here] = 0.0
    if "tissue" in creature.rows:
        settle_tissue(segments, world.pool(TissuePool), creature.rows["tissue"])
    if "legs" in creature.rows:
        legs, feet = world.pool(LegPool), creature.rows["legs"].slice
        legs.tip[feet] += move
        legs.tip_before[feet] += move
    world.creature_pool.position[creature.row] += move
    world.creature_pool.velocity[creature.row] = 0.0
    lose_footing(creature)
    return True


def rest(creature: Creature) -> None:
    """The rear half of a cut body has no will of its own to give back: it stands still."""
    if "ganglia" in creature.rows:
        creature.world.pool(GangliaPool).seconds_left[creature.row] = 0.0


def needs_full_detail(world: World, rows: Array) -> Array:
    """Ragdolls, branching bodies, what is in the water, and what no leg carries: the other tiers cannot move them."""
    creatures, gait, segments = world.creature_pool, world.pool(GaitPool), world.pool(SegmentPool)
    wet = segments.owner[: segments.end][segments.submerged[: segments.end] != 0]
    falls = (gait.owner[rows] != NO_OWNER) & (gait.stance_share[rows] == 0.0) & (creatures.tier[rows] == FULL)
    branches = world.pool(BodyPool).linked[rows] == 0
    needs: Array = (creatures.dead[rows] != 0) | np.isin(creatures.owner[rows], wet) | falls | branches
    return needs


def doing(creature: Creature) -> str:
    """What it does, in a word: its brain's mode, or where its body is."""
    if "brain" in creature.rows:
        brain = creature.world.pool(BrainPool)
        return brain.mode_names[int(brain.mode[creature.row])].lower().replace("_", " ")
    if "ganglia" in creature.rows:
        return "walk without a head" if creature.ganglia.seconds_left > 0.0 else "rest"
    chain = creature.world.pool(ChainPool)
    return "swim" if "chain" in creature.rows and chain.body_mode[creature.row] != ON_LAND else "lie"
