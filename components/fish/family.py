"""The family of fishes: nodes joined by springs, moved by muscles and fins. [Tu99]"""

from __future__ import annotations

from math import cos, sin
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.errors import PlaceTakenError
from ...engine.families import Family, Tables
from ..body import BodyPool, Physics, write_kind
from ..diet import give_own_mouth
from ..parameters import renew_parameters
from ..segments import SegmentPool
from .eyes import EyePool, Eyes, EyeSpec, fill_eyes
from .mind import MindHandle, MindPool, MindSpec, fill_mind, renew_mind
from .motor import CONTROLLER_WORDS, MotorHandle, MotorPool, MotorSpec, fill_motor, renew_motor
from .nodes import NodePool, Nodes, NodeSpec, fill_nodes
from .scales import ScalesHandle, ScalesPool, ScalesSpec, fill_scales, renew_scales
from .springs import SWIMS_IN, FishBodyPool, Springs, SpringSpec, blueprint_of, fill_springs, write_sizes
from .topology import SEGMENT_NODES
from .tuning_limits import UNTUNED, tuned_substeps, what_is_wrong

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.parts import Birth
    from ...engine.pool import Array, Rows
    from ...engine.species import Species
    from ...engine.world import World

FISH_SEGMENTS = 4
"""Head, fore, hind and tail: what hit tests, attachments and cameras know of a fish."""
UNFELT_WIDTHS = 4.0
"""Half widths below the surface from which on a fish no longer moves whole columns of water, but slips through."""
CLEARANCE = 0.5
"""Heights of its body that a newborn keeps from the surface, if there is room."""


def add_fishes(world: World) -> None:
    """Register the parts that only fishes have, and the family itself."""
    world.add_part("nodes", NodeSpec, NodePool, Nodes, fill_nodes)
    world.add_part("springs", SpringSpec, FishBodyPool, Springs, fill_springs, renew=renew_fish)
    world.add_part("motor", MotorSpec, MotorPool, MotorHandle, fill_motor, renew=renew_motor)
    world.add_part("eyes", EyeSpec, EyePool, Eyes, fill_eyes, renew=renew_parameters)
    world.add_part("mind", MindSpec, MindPool, MindHandle, fill_mind, renew=renew_mind)
    world.add_part("scales", ScalesSpec, ScalesPool, ScalesHandle, fill_scales, renew=renew_scales)
    tables = frozenset({"nodes", "springs", "motor", "eyes", "mind", "scales"})
    world.add_family(Family(
        "fish", tables=tables, required=frozenset({"springs"}),
        complete=complete, place=place_fish, suits=can_swim_at, stun=let_go, carry=carry,
        bound=needs_full_detail, doing=doing, places=(150, 400),
    ))  # fmt: skip


def complete(tables: Tables) -> Tables:
    """Add what follows from the file: nodes, four segments, a motor centre; whoever has a mind also sees and eats."""
    added: Tables = {"segments": {"count": FISH_SEGMENTS}, "body": {}, "nodes": {}, "motor": {}, "scales": {}}
    if "mind" in tables:
        added |= {"eyes": {}, "diet": {"eats": ["plankton"]}}
    return {**added, **tables}


def can_swim_at(world: World, species: Species, at: Array, heading: float) -> bool:
    """Whether the water at a place is deep enough for the largest of a species, and its body would be in no obstacle."""
    springs = species.specs["springs"]
    largest = (1.0 + springs.size_spread) * springs.length
    height = 2.0 * largest * max(springs.ring_half_height)
    if not world.water.depth(at[None, :2])[0] > SWIMS_IN * height:
        return False
    stations = largest / springs.length * _stations(blueprint_of(springs).rest)
    body = np.zeros((FISH_SEGMENTS, 3))
    body[:, :2] = at[:2] + (stations - stations[0]) * (cos(heading), sin(heading))
    surface, bed = world.water.surface(at[None, :2])[0], world.terrain.elevation(at[None, :2])[0]
    body[:, 2] = at[2] if len(at) == 3 else 0.5 * (surface + bed)
    return world.props.leave_free(body, largest * max(springs.ring_half_width) + 0.5 * height)


def place_fish(birth: Birth, _spec: Any, rows: Rows) -> None:
    """Put a newborn into the water: at a given height, or half way between bed and surface; on dry land it lies."""
    world, row = birth.world, birth.rows["creature"].start
    springs = birth.spec("springs", SpringSpec)
    size = 1.0
    if springs.size_spread:
        size += springs.size_spread * float(np.clip(world.streams["fish size"].normal(0.0, 0.5), -1.0, 1.0))
    length, height = size * springs.length, 2.0 * size * springs.length * max(springs.ring_half_height)
    head = birth.at.copy()
    if not birth.in_air:
        head[2] = _middle_of_water(birth, height)
    if float(world.terrain.height(head[None])[0]) < 0.0:
        raise PlaceTakenError(f"{birth.species.key} at {_text(head)} would start inside the ground")
    blueprint = blueprint_of(springs)
    forward = np.array([cos(birth.heading), sin(birth.heading), 0.0])
    segments, here = world.pool(SegmentPool), rows.slice
    stations = size * _stations(blueprint.rest)
    segments.position[here] = head + (stations - stations[0]) * forward
    segments.orientation[here] = (cos(birth.heading / 2), 0.0, 0.0, sin(birth.heading / 2))
    write_segments(segments, here, springs, size)
    creatures = world.creature_pool
    creatures.position[row], creatures.reach[row], creatures.length[row] = head, length, length
    write_kind(world.pool(BodyPool), row, Physics.SPRINGS, unfelt_widths=UNFELT_WIDTHS)
    give_own_mouth(birth)


def write_segments(segments: SegmentPool, here: slice, springs: SpringSpec, size: float) -> None:
    """Update sizes and masses of the segments of one fish, that has some size against its species."""
    length, masses = size * springs.length, blueprint_of(springs).mass
    half_widths = np.array([springs.ring_half_width[k] for k in (0, 1, 2, 4)])
    half_heights = np.array([springs.ring_half_height[k] for k in (0, 1, 2, 4)])
    segments.half_extents[here] = np.column_stack([np.full(4, length / 8), length * half_widths, length * half_heights])
    segments.mass[here] = [size**3 * masses[first:last].sum() for first, last in SEGMENT_NODES]


def renew_fish(creature: Creature, spec: SpringSpec, pool: FishBodyPool, rows: Rows) -> None:
    """The body of the species, of its own size, and as it was tuned, if that can be."""
    world, row = creature.world, rows.start
    size = float(np.clip(pool.size[row], 1.0 - spec.size_spread, 1.0 + spec.size_spread))
    write_sizes(pool, row, spec, size)
    beat = float(creature.species.specs["motor"].beat_scale)
    if what_is_wrong(spec, beat, pool.tuned[row], world.clock.tick_seconds):
        pool.tuned[row] = UNTUNED
    pool.substeps[row] = tuned_substeps(spec, pool.tuned[row], world.clock.tick_seconds)
    write_segments(world.pool(SegmentPool), creature.rows["segments"].slice, spec, size)
    write_kind(world.pool(BodyPool), row, Physics.SPRINGS, unfelt_widths=UNFELT_WIDTHS)
    world.creature_pool.length[row] = size * spec.length


def _stations(rest: Array) -> Array:
    """(4, 1) places of the segments along a body at rest, as `systems.fish.body.frame_kernel.station` has them."""
    along = rest[:, 0]
    rings = [along[1 + 4 * k] for k in range(5)]
    places = (0.5 * (along[0] + rings[0]), rings[1], 0.5 * (rings[2] + rings[3]), 0.5 * (rings[4] + along[21]))
    return np.array(places)[:, None]


def _middle_of_water(birth: Birth, height: float) -> float:
    """Half way between bed and surface; with little water as deep as it allows; without any on the ground."""
    point = birth.at[None, :2]
    ground, depth = float(birth.at[2]), float(birth.world.water.depth(point)[0])
    if not depth > 0.0:
        return ground + 0.5 * height
    return ground + max(0.5 * depth, min(CLEARANCE * height, depth))


def let_go(creature: Creature) -> None:
    """The dead want nothing; a push is felt by the body alone."""
    if creature.dead:
        motors, row = creature.world.pool(MotorPool), creature.row
        motors.wish_speed[row], motors.brake[row], motors.backward[row], motors.reflex[row] = 0.0, 0, 0.0, 0


def carry(creature: Creature, offset: Array) -> bool:
    """Move all of a body in the plan view, to half the depth of the water there, at rest."""
    world, segments, nodes = creature.world, creature.world.pool(SegmentPool), creature.world.pool(NodePool)
    here, own = creature.rows["segments"].slice, creature.rows["nodes"].slice
    goal = segments.position[here][0].copy()
    goal[:2] += offset
    ground = float(world.terrain.elevation(goal[None, :2])[0])
    depth = float(world.water.depth(goal[None, :2])[0])
    if not np.isfinite(ground) or ground < -1e5:
        return False
    move = np.array([*offset, ground + max(0.5 * depth, float(segments.half_extents[here, 2].max())) - goal[2]])
    segments.position[here] += move
    nodes.position[own] += move
    segments.velocity[here] = segments.angular_velocity[here] = segments.push[here] = nodes.velocity[own] = 0.0
    fishes, row = world.pool(FishBodyPool), creature.row
    fishes.centre[row] += move
    fishes.mouth[row] += move
    fishes.velocity[row] = 0.0
    world.creature_pool.position[row] += move
    world.creature_pool.velocity[row] = 0.0
    return True


def needs_full_detail(world: World, rows: Array) -> Array:
    """The dead, and whatever lies on land: a wave along the spine is not what they do."""
    fishes = world.pool(FishBodyPool)
    needs: Array = (world.creature_pool.dead[rows] != 0) | (fishes.wet[rows] < 0.5)
    return needs


def doing(creature: Creature) -> str:
    """What it does, in a word: its intention, or its motor controller if it has no mind."""
    if "mind" in creature.rows and not creature.dead:
        minds = creature.world.pool(MindPool)
        return minds.intention_names[int(minds.mode[creature.row])].lower().replace("_", " ")
    return CONTROLLER_WORDS[int(creature.world.pool(MotorPool).controller[creature.row])]


def _text(point: Array) -> str:
    return "(" + ", ".join(f"{value:.1f}" for value in point) + ")"

