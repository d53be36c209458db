"""From the tables of a species to the rows of a body. What is the same for all of its kind is worked out once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....engine.parts import Birth
from ....engine.pool import Array, Rows
from ....engine.species import Species
from ...body import BodySpec
from ...segments import SegmentPool, SegmentSpec
from ..chain import ChainPool, ChainSpec
from ..tissue import TissuePool, TissueSpec
from .anatomy import damping_inverse, rest_nodes
from .joint_table import joint_table
from .placement import keep_out_of_obstacles, lay_chain
from .skeleton import skeleton_of
from .stability import steps_needed

FIRST_STEP_SECONDS = 0.5
"""A newborn that stands is held up for this long, until its feet have found the ground."""


@dataclass(frozen=True)
class Blueprint:
    """What all bodies of a species share. Blocks are those of a chain: block i joins segments i and i + 1."""

    species: Species
    half_extents: Array
    pitches: Array  # centre to centre
    half_pitch: Array  # of a segment with its half of the gap
    reach: float  # no part of the body is farther than this from its head
    length: float  # nose to tail
    mass: Array
    center_of_mass: Array
    inertia: Array
    inverse_inertia: Array
    block_size: Array
    anchor_a: Array
    anchor_b: Array
    elastic: Array
    joint: Array
    substeps: int
    damping: Array


class Blueprints(dict[str, Blueprint]):
    """The blueprints of one world by species key."""


def blueprint_of(birth: Birth) -> Blueprint:
    """The species' blueprint, drawn once per world and species version."""
    drawn = birth.world.resources.find(Blueprints)
    if drawn is None:
        drawn = Blueprints()
        birth.world.add_resource(drawn)
    blueprint = drawn.get(birth.species.key)
    if blueprint is None or blueprint.species is not birth.species:
        blueprint = drawn[birth.species.key] = draw_blueprint(birth.species, birth.world.clock.tick_seconds)
    return blueprint


def draw_blueprint(species: Species, tick_seconds: float) -> Blueprint:
    """Masses, anchors and the stable number of substeps of a species."""
    spec: SegmentSpec = species.specs["segments"]
    body, substeps = skeleton_of(species.specs), steps_needed(species.specs).per_tick(tick_seconds)
    half, pitches, material = body.half_extents, body.pitches, body.material
    return Blueprint(
        species, half, pitches, half[:, 0] + body.gap / 2, float(pitches.sum()) + spec.width,
        float(pitches.sum() + half[0, 0] + half[-1, 0]),
        body.mass, body.center_of_mass, body.inertia, np.linalg.inv(body.inertia),
        body.block_size, body.anchor_a, body.anchor_b, np.tile(material, (len(body.block_size), 1)),
        np.array([joint_table(edges, material[0], material[1]) for edges in body.block_size]), substeps,
        damping_inverse(material[3], material[2], tick_seconds / substeps),
    )  # fmt: skip


def place_segments(birth: Birth, spec: SegmentSpec, rows: Rows) -> None:
    """Lay the segments of a newborn behind its head, on the ground or in the air, and give them their masses."""
    pool, blueprint = birth.world.pool(SegmentPool), blueprint_of(birth)
    body: BodySpec | None = birth.species.specs.get("body")
    ride_height = body.ride_height if body is not None else spec.height / 2
    here = rows.slice
    centers = pool.position[here]
    standing = lay_chain(birth, blueprint.pitches, ride_height, centers, pool.orientation[here])
    keep_out_of_obstacles(birth, centers, spec.width / 2)
    pool.half_extents[here] = blueprint.half_extents
    pool.mass[here], pool.center_of_mass[here] = blueprint.mass, blueprint.center_of_mass
    pool.inertia[here], pool.inverse_inertia[here] = blueprint.inertia, blueprint.inverse_inertia
    pool.half_pitch[here] = blueprint.half_pitch
    pool.ride_height[here] = ride_height
    if standing:
        pool.kinematic[here], pool.support_timer[here] = 1, FIRST_STEP_SECONDS
    pool.gravity[here, 2] = -birth.world.map.physics.gravity
    pool.ground_point[here], pool.ground_normal[here, 2] = centers, 1.0
    pool.ground_point[here, 2] -= ride_height
    creature = birth.rows["creature"].start
    birth.world.creature_pool.position[creature] = centers[0]
    birth.world.creature_pool.reach[creature] = blueprint.reach
    birth.world.creature_pool.length[creature] = blueprint.length


def fill_tissue(birth: Birth, spec: TissueSpec, pool: TissuePool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    blueprint = blueprint_of(birth)
    first = birth.rows["segments"].start
    here = rows.slice
    pool.segment_a[here] = first + np.arange(rows.size)
    pool.segment_b[here] = first + np.arange(rows.size) + 1
    pool.size[here], pool.elastic[here] = blueprint.block_size, blueprint.elastic
    pool.joint[here] = blueprint.joint
    pool.anchor_a[here], pool.anchor_b[here] = blueprint.anchor_a, blueprint.anchor_b
    settle_tissue(birth.world.pool(SegmentPool), pool, rows)


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


def fill_chain(birth: Birth, spec: ChainSpec, pool: ChainPool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    row, blueprint = rows.start, blueprint_of(birth)
    owned = birth.rows.get("tissue", Rows(0, 0, 0))
    pool.first_block[row], pool.block_count[row] = owned.start, owned.size
    pool.substeps[row], pool.damping_inverse[row] = blueprint.substeps, blueprint.damping
    tissue: TissueSpec | None = birth.species.specs.get("tissue")
    pool.rotation_free[row] = tissue is not None and tissue.damping_kind == "rotation_free"
