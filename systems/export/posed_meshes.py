"""Bodies as triangles: every shape of a plan at its place in a pose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engine.turns import rotation_matrices
from .body_plan import BodyPlan, BodyPose
from .unit_shapes import SHAPES, Mesh, link_tubes, smooth_normals

Array = NDArray[Any]


def block_meshes(plan: BodyPlan, pose: BodyPose) -> Iterator[tuple[Mesh, int]]:
    """The soft blocks of a body with their materials; corners are the simulated nodes."""
    for place, block in enumerate(plan.blocks):
        nodes = pose.nodes[plan.node_starts[place] : plan.node_starts[place + 1]].astype(np.float64)
        yield Mesh(nodes, block_normals(nodes, block.triangles, block.skin), block.triangles), block.material


def block_normals(nodes: Array, triangles: Array, skin: int) -> Array:
    """Normals of a block by its free sides; corners that only its ends have look outward along the ends."""
    normals = smooth_normals(nodes, triangles[:skin])
    lonely = np.setdiff1d(np.arange(len(nodes)), triangles[:skin])
    normals[lonely] = smooth_normals(nodes, triangles[skin:])[lonely]
    return normals


def solid_meshes(plan: BodyPlan) -> Iterator[tuple[Mesh, int, int]]:
    """Everything rigid of a body in its segments' frames, with segment and material."""
    for solid in plan.solids:
        yield SHAPES[solid.shape].stretched(solid.half_sizes, solid.center), solid.segment, solid.material
    for chain in plan.fixed_chains:
        assert chain.fixed is not None
        for mesh, material in zip(link_tubes(chain.fixed, chain.radii), chain.materials, strict=True):
            yield mesh, chain.segment, material


def limb_meshes(plan: BodyPlan, pose: BodyPose) -> Iterator[tuple[Mesh, int, int, int]]:
    """The links of all limbs that move, with chain, link and material."""
    for place, chain in enumerate(plan.moving_chains):
        points = pose.points[plan.point_starts[place] : plan.point_starts[place + 1]].astype(np.float64)
        for link, mesh in enumerate(link_tubes(points, chain.radii)):
            yield mesh, place, link, chain.materials[link]


def placed(mesh: Mesh, pose: BodyPose, segment: int, turns: Array | None = None) -> Mesh:
    """A mesh of a segment's frame in the world; `turns`: matrices of all segments, if they are at hand."""
    turn = rotation_matrices(pose.orientation[segment]) if turns is None else turns[segment]
    return Mesh(mesh.vertices @ turn.T + pose.position[segment], mesh.normals @ turn.T, mesh.triangles)


def body_meshes(plan: BodyPlan, pose: BodyPose) -> Iterator[tuple[str, Mesh, int]]:
    """All of a body in the world: what it is (``tissue``, ``plates``, ``limbs``), mesh and material."""
    turns = rotation_matrices(pose.orientation) if len(pose.orientation) else np.zeros((0, 3, 3))
    for mesh, material in block_meshes(plan, pose):
        yield "tissue", mesh, material
    for mesh, segment, material in solid_meshes(plan):
        yield "plates", placed(mesh, pose, segment, turns), material
    for mesh, _, _, material in limb_meshes(plan, pose):
        yield "limbs", mesh, material
