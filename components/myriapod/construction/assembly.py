"""From the tables of a species to the rows of a body. What is the same for all of its kind is worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ....engine.parts import Birth
from ....engine.pool import Array, Rows
from ....engine.species import Species
from ....engine.turns import rotation_matrices
from ...body import Answer, BodyPool, BodySpec, Physics, write_kind
from ...segments import SegmentPool, SegmentSpec
from ..chain import ChainPool, ChainSpec
from ..chain_segments import ChainSegmentPool, ChainSegmentSpec
from ..tissue import TissuePool, TissueSpec
from .anatomy import damping_inverse, face_points, rest_nodes
from .joint_table import joint_table
from .placement import keep_out_of_obstacles, lay_chain, lay_graph
from .skeleton import Skeleton, skeleton_of
from .stability import steps_needed

if TYPE_CHECKING:
    from ....engine.world import World

FIRST_STEP_SECONDS = 0.5
"""A newborn that stands is held up for this long, until its feet have found the ground."""


@dataclass(frozen=True)
class Blueprint:
    """What all bodies of a species share."""

    species: Species
    skeleton: Skeleton
    half_pitch: Array
    ahead: Array
    inverse_inertia: Array
    elastic: Array
    faces: tuple[Array, Array]
    joint: Array
    substeps: int
    damping: Array


class Blueprints(dict[str, Blueprint]):
    """The blueprints of one world by species key."""


def blueprint_of(world: World, species: Species) -> Blueprint:
    """The species' blueprint, drawn once per world and species version."""
    drawn = world.resources.find(Blueprints)
    if drawn is None:
        drawn = Blueprints()
        world.add_resource(drawn)
    blueprint = drawn.get(species.key)
    if blueprint is None or blueprint.species is not species:
        blueprint = drawn[species.key] = draw_blueprint(species, world.clock.tick_seconds)
    return blueprint


def draw_blueprint(species: Species, tick_seconds: float, half_extents: Array | None = None,
                   substeps: int | None = None) -> Blueprint:  # fmt: skip
    """Masses, anchors and the stable number of substeps of a species; of a piece of an animal what it had as a whole."""
    body, substeps = skeleton_of(species.specs, half_extents), substeps or steps_of(species, tick_seconds)
    material, sizes = body.material, body.joints.size
    return Blueprint(
        species, body, body.half_pitch, body.ahead, np.linalg.inv(body.inertia), np.tile(material, (len(sizes), 1)),
        (face_points(body.joints.anchor_a, sizes, front=True), face_points(body.joints.anchor_b, sizes, front=False)),
        np.array([joint_table(edges, material[0], material[1]) for edges in sizes]), substeps,
        damping_inverse(material[3], material[2], tick_seconds / substeps),
    )  # fmt: skip


def steps_of(species: Species, tick_seconds: float) -> int:
    """Substeps per tick that keep a body of the species together."""
    return steps_needed(species.specs).per_tick(tick_seconds)


def place_segments(birth: Birth, spec: SegmentSpec, rows: Rows) -> None:
    """Lay the segments of a newborn behind its head, on the ground or in the air, and give them their masses."""
    pool, blueprint = birth.world.pool(SegmentPool), blueprint_of(birth.world, birth.species)
    ride_height = ride_height_of(birth.species)
    here, chained = rows.slice, birth.world.pool(ChainSegmentPool)
    centers = pool.position[here]
    skeleton = blueprint.skeleton
    if skeleton.is_chain:
        standing = lay_chain(birth, skeleton.pitches, ride_height, centers, pool.orientation[here])
    else:
        standing = lay_graph(birth, skeleton.places, ride_height, centers, pool.orientation[here])
    keep_out_of_obstacles(birth, centers, spec.width / 2)
    pool.half_extents[here], pool.mass[here] = skeleton.half_extents, skeleton.mass
    chained.ride_height[here] = ride_height
    if standing:
        chained.kinematic[here], chained.support_timer[here] = 1, FIRST_STEP_SECONDS
    creature = birth.rows["creature"].start
    birth.world.creature_pool.position[creature] = centers[0]
    birth.world.creature_pool.reach[creature] = skeleton.reach
    birth.world.creature_pool.length[creature] = skeleton.length


def fill_chain_segments(birth: Birth, spec: ChainSegmentSpec, pool: ChainSegmentPool, rows: Rows) -> None:  # noqa: ARG001
    """What the boxes of its kind weigh and how they hang together, and bare ground below each; `place_segments` is done."""
    here = rows.slice
    write_boxes(pool, here, blueprint_of(birth.world, birth.species))
    pool.gravity[here, 2] = -birth.world.map.physics.gravity
    pool.ground_point[here], pool.ground_normal[here, 2] = birth.world.pool(SegmentPool).position[here], 1.0
    pool.ground_point[here, 2] -= pool.ride_height[here]


def write_boxes(pool: ChainSegmentPool, here: slice, blueprint: Blueprint) -> None:
    """Update what the boxes of one body weigh, and how they hang together."""
    pool.center_of_mass[here] = blueprint.skeleton.center_of_mass
    pool.inertia[here], pool.inverse_inertia[here] = blueprint.skeleton.inertia, blueprint.inverse_inertia
    pool.half_pitch[here], pool.ahead[here] = blueprint.half_pitch, blueprint.ahead


def write_blocks(pool: TissuePool, here: slice, blueprint: Blueprint, first_segment: int) -> None:
    """Update the sizes of the blocks of one body, and which segments they join."""
    joints = blueprint.skeleton.joints
    pool.segment_a[here], pool.segment_b[here] = first_segment + joints.segment_a, first_segment + joints.segment_b
    pool.size[here], pool.joint[here] = joints.size, blueprint.joint
    pool.anchor_a[here], pool.anchor_b[here] = joints.anchor_a, joints.anchor_b


def fill_tissue(birth: Birth, spec: TissueSpec, pool: TissuePool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    blueprint, here = blueprint_of(birth.world, birth.species), rows.slice
    write_blocks(pool, here, blueprint, birth.rows["segments"].start)
    pool.elastic[here] = blueprint.elastic
    pool.node_position[here] = resting_nodes(birth.world.pool(SegmentPool), pool, rows, blueprint.faces)


def resting_nodes(segments: SegmentPool, tissue: TissuePool, rows: Rows, faces: tuple[Array, Array]) -> Array:
    """(n, 9, 3) free nodes of the blocks of a newborn, which does not move: halfway between their faces.

    faces: nodes of the front and of the rear faces in the frames of their segments, the same for all of a species.
    """
    front, rear = (
        segments.position[of][:, None] + face @ np.swapaxes(rotation_matrices(segments.orientation[of]), -1, -2)
        for face, of in zip(faces, (tissue.segment_a[rows.slice], tissue.segment_b[rows.slice]), strict=True)
    )
    nodes: Array = 0.5 * (front + rear)
    return nodes


def settle_tissue(segments: SegmentPool, tissue: TissuePool, rows: Rows) -> None:
    """Put the free nodes of blocks halfway between their two segments, moving with them."""
    here = rows.slice
    ahead, behind = (
        (segments.position[of], segments.orientation[of], segments.velocity[of], segments.angular_velocity[of])
        for of in (tissue.segment_a[here], tissue.segment_b[here])
    )
    tissue.node_position[here], tissue.node_velocity[here] = rest_nodes(
        ahead, behind, tissue.anchor_a[here], tissue.anchor_b[here], tissue.size[here]
    )


def write_chain(pool: ChainPool, row: int, blueprint: Blueprint, bodies: BodyPool) -> None:
    """Update how the tissue of one body is stepped and damped, and what all families have to know about it."""
    specs = blueprint.species.specs
    tissue: TissueSpec | None = specs.get("tissue")
    pool.substeps[row], pool.damping_inverse[row] = blueprint.substeps, blueprint.damping
    pool.rotation_free[row] = tissue is not None and tissue.damping_kind == "rotation_free"
    pool.friction[row] = specs["chain"].friction
    write_kind(bodies, row, Physics.CHAIN, linked=0 if specs["chain"].is_graph else 1, trailing=1)


def ride_height_of(species: Species) -> float:
    """Of the middles of its segments above the ground."""
    body: BodySpec | None = species.specs.get("body")
    return float(body.ride_height if body is not None else species.specs["segments"].height / 2)


def fill_chain(birth: Birth, spec: ChainSpec, pool: ChainPool, rows: Rows) -> None:
    row, owned = rows.start, birth.rows.get("tissue", Rows(0, 0, 0))
    pool.first_block[row], pool.block_count[row] = owned.start, owned.size
    bodies = birth.world.pool(BodyPool)
    write_chain(pool, row, blueprint_of(birth.world, birth.species), bodies)
    bodies.answer[row] = Answer.OWN
    if spec.is_graph:
        birth.world.pool(ChainSegmentPool).kinematic[birth.rows["segments"].start + np.array(spec.pinned, int)] = 1
