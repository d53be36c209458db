"""The family of insects: one trunk on six legs. [Guo15]"""

from __future__ import annotations

from math import cos, sin
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.errors import PlaceTakenError
from ...engine.families import Family, Tables
from ...engine.terrain.ground_kernel import NO_FLOOR
from ...engine.turns import quaternion_of_frame
from ..body import Answer, BodyPool, Physics, write_kind
from ..brain import BrainPool, has_a_brain
from ..diet import give_own_mouth, with_diet
from ..leg_states import LegState
from ..legs import LegPool
from ..parameters import renew_parameters
from ..segments import SegmentPool
from .colony import ColonyHandle, ColonyPool, ColonySpec, NestPool, fill_colony
from .shell import ShellHandle, ShellPool, ShellSpec, fill_shell, renew_shell
from .tripods import TripodHandle, TripodPool, TripodSpec, fill_tripods, renew_tripods
from .trunk import TrunkHandle, TrunkMode, TrunkPool, TrunkSpec, stance_of, write_trunk

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.parts import Birth
    from ...engine.pool import Array, Rows
    from ...engine.world import World

INSECT_SEGMENTS = 3
"""Head, thorax and gaster."""
THORAX = 1
PART_SIZES = ((0.96, 0.8, 0.72), (1.44, 0.72, 0.72), (2.0, 1.2, 1.1))
"""Lengths, widths and heights of the three, in widths of the trunk."""
DENSITY = 0.4
"""Mass of a trunk against a box around it."""
SNAP_STEPS = 4
"""Moves of a foot onto the ground."""
SEGMENT_SHARES = (0.25, 0.3, 0.45)
"""Of the mass."""


def add_insects(world: World) -> None:
    """Register the parts that only insects have, and the family itself."""
    world.add_part("trunk", TrunkSpec, TrunkPool, TrunkHandle, fill_insect, renew=renew_insect)
    world.add_part("tripods", TripodSpec, TripodPool, TripodHandle, fill_tripods, renew=renew_tripods)
    world.add_pool(NestPool)
    world.add_part("colony", ColonySpec, ColonyPool, ColonyHandle, fill_colony, renew=renew_parameters)
    world.add_part("shell", ShellSpec, ShellPool, ShellHandle, fill_shell, renew=renew_shell)
    tables = frozenset({"trunk", "tripods", "colony", "shell"})
    world.add_family(Family(
        "insect", tables=tables, required=frozenset({"trunk"}), complete=complete,
        place=place_insect, stun=let_go, carry=carry, bound=needs_full_detail, obeys=has_a_brain, doing=doing,
        places=(120, 400),
    ))  # fmt: skip


def complete(tables: Tables) -> Tables:
    """Add what follows from the file: three segments, six legs on the second, timing, and a head that is followed."""
    added: Tables = {"segments": {"count": INSECT_SEGMENTS}, "body": {}, "tripods": {}, "shell": {}, "head": {},
                     "legs": {"on_segments": [0, 1, 2]}}  # fmt: skip
    return with_diet({**added, **tables})


def place_insect(birth: Birth, _spec: Any, rows: Rows) -> None:
    """Put a newborn on the ground, or where it is to fall from."""
    world, row, spec = birth.world, birth.rows["creature"].start, birth.spec("trunk", TrunkSpec)
    u, height = spec.scale, spec.scale * spec.height
    forward = np.array([cos(birth.heading), sin(birth.heading), 0.0])
    middle, up = birth.at.copy(), np.array([0.0, 0.0, 1.0])
    if not birth.in_air:
        up = world.terrain.normal(middle[None])[0]
        forward = forward - (forward @ up) * up
        forward /= np.linalg.norm(forward)
        middle += height * up
    if float(world.terrain.height(middle[None])[0]) < 0.0:
        raise PlaceTakenError(f"{birth.species.key} at {tuple(np.round(middle, 2))} would start inside the ground")
    segments, here = world.pool(SegmentPool), rows.slice
    segments.position[here] = middle + np.array([[u * spec.head], [0.0], [u * spec.gaster]]) * forward
    turn = quaternion_of_frame(np.array([forward, np.cross(up, forward), up]))
    segments.orientation[here] = turn
    write_segments(segments, here, spec)
    creatures = world.creature_pool
    creatures.position[row] = segments.position[here][0]
    creatures.reach[row], creatures.length[row] = u * spec.length, u * spec.length
    body = world.pool(BodyPool)
    write_kind(body, row, Physics.TRUNK)
    body.answer[row] = Answer.NUDGE
    give_own_mouth(birth)
    trunks = world.pool(TrunkPool)
    trunks.position[row] = trunks.body[row] = middle
    trunks.forward[row], trunks.normal[row], trunks.turn[row] = forward, up, turn
    if birth.in_air and float(world.terrain.height(middle[None])[0]) > 2.0 * height:
        trunks.mode[row] = TrunkMode.TUMBLE


def write_segments(segments: SegmentPool, here: slice, spec: TrunkSpec) -> None:
    """Update sizes and masses of the three segments of one insect."""
    u = spec.scale
    segments.half_extents[here] = 0.5 * u * spec.width * np.array(PART_SIZES)
    segments.mass[here] = DENSITY * u**3 * spec.length * spec.width**2 * np.array(SEGMENT_SHARES)


def write_hips(legs: LegPool, here: slice, first_segment: int, spec: TrunkSpec) -> None:
    """Update where the legs of one insect hang, all of them on the thorax, and how long they are."""
    stance = stance_of(spec)
    legs.segment_row[here] = first_segment + THORAX
    legs.hip[here], legs.links[here] = stance.hip, stance.links


def renew_insect(creature: Creature, spec: TrunkSpec, pool: TrunkPool, rows: Rows) -> None:
    """Sizes of the species."""
    world, segments = creature.world, creature.rows["segments"]
    write_trunk(pool, rows.start, spec)
    write_segments(world.pool(SegmentPool), segments.slice, spec)
    write_hips(world.pool(LegPool), creature.rows["legs"].slice, segments.start, spec)
    write_kind(world.pool(BodyPool), rows.start, Physics.TRUNK)
    world.creature_pool.length[rows.start] = spec.scale * spec.length


def fill_insect(birth: Birth, spec: TrunkSpec, pool: TrunkPool, rows: Rows) -> None:
    """Sizes of the species, and its legs: all hang on the thorax, and their feet are on the ground around it."""
    world, row, stance = birth.world, rows.start, stance_of(spec)
    write_trunk(pool, row, spec)
    legs, here = world.pool(LegPool), birth.rows["legs"].slice
    write_hips(legs, here, birth.rows["segments"].start, spec)
    middle, forward, up = pool.position[row], pool.forward[row], pool.normal[row]
    left = np.cross(up, forward)
    feet = middle + stance.foot[:, :1] * forward + stance.foot[:, 1:] * left - pool.height[row] * up
    for _ in range(SNAP_STEPS):
        feet -= world.terrain.height(feet)[:, None] * world.terrain.normal(feet)
    legs.tip[here] = legs.tip_before[here] = feet
    legs.state[here], legs.angles[here] = LegState.STANCE, (0.0, 0.8, 1.6)


def let_go(creature: Creature) -> None:
    """The dead let go of the ground; a push is felt by the trunk itself."""
    if creature.dead:
        trunks, row = creature.world.pool(TrunkPool), creature.row
        trunks.speed[row] = trunks.yaw_rate[row] = 0.0


def carry(creature: Creature, offset: Array) -> bool:
    """Move one in the plan view, onto the ground there and at rest."""
    world, row = creature.world, creature.row
    trunks, segments, legs = world.pool(TrunkPool), world.pool(SegmentPool), world.pool(LegPool)
    goal = trunks.position[row].copy()
    goal[:2] += offset
    ground = float(world.terrain.elevation(goal[None, :2])[0])
    if ground <= NO_FLOOR:
        return False
    move = np.array([*offset, ground + float(trunks.height[row]) - goal[2]])
    here, feet = creature.rows["segments"].slice, creature.rows["legs"].slice
    segments.position[here] += move
    segments.velocity[here] = segments.angular_velocity[here] = segments.push[here] = 0.0
    legs.tip[feet] += move
    legs.tip_before[feet] += move
    trunks.position[row] += move
    trunks.body[row] += move
    world.pool(TripodPool).target[row] += move
    trunks.velocity[row] = trunks.body_velocity[row] = trunks.spin[row] = trunks.offset[row] = 0.0
    trunks.speed[row] = trunks.yaw_rate[row] = 0.0
    world.creature_pool.position[row] += move
    world.creature_pool.velocity[row] = 0.0
    return True


def needs_full_detail(world: World, rows: Array) -> Array:
    """The dead, and those that something acts on: legs alone do not know what to do."""
    needs: Array = (world.creature_pool.dead[rows] != 0) | (world.pool(TrunkPool).mode[rows] != TrunkMode.WALK)
    return needs


def doing(creature: Creature) -> str:
    """What it does, in a word: its brain's mode, or that it has fallen."""
    world, row = creature.world, creature.row
    if world.pool(TrunkPool).mode[row] == TrunkMode.TUMBLE:
        return "tumble"
    if "brain" not in creature.rows:
        return "stand"
    brain = world.pool(BrainPool)
    return brain.mode_names[int(brain.mode[row])].lower().replace("_", " ")
