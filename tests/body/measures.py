"""Conserved and dissipated quantities of a body, in plain numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paludarium.components.myriapod.construction.anatomy import face_points
from paludarium.components.myriapod.construction.lattice import FREE_MASSES, TETRAHEDRA, UNIT_NODES
from paludarium.engine.turns import rotation_matrices
from paludarium.tests.body.bodies import Bodies

Floats = NDArray[np.float64]


def _segments(columns: Bodies, creature: int) -> slice:
    first = int(columns.first_segment[creature])
    return slice(first, first + int(columns.segment_count[creature]))


def _blocks(columns: Bodies, creature: int) -> slice:
    first = int(columns.first_block[creature])
    return slice(first, first + int(columns.block_count[creature]))


def _masses(columns: Bodies, blocks: slice) -> Floats:
    """Masses (blocks, 9) of the free nodes."""
    total = columns.elastic[blocks, 2] * np.prod(columns.size[blocks], axis=1)
    masses: Floats = total[:, None] * FREE_MASSES
    return masses


def _centers(columns: Bodies, segments: slice) -> tuple[Floats, Floats, Floats]:
    """Centres of mass, their velocities, and world inertia of the segments."""
    turn = rotation_matrices(columns.orientation[segments])
    arm = np.einsum("nij,nj->ni", turn, columns.center_of_mass[segments])
    speed = columns.velocity[segments] + np.cross(columns.angular_velocity[segments], arm)
    inertia = turn @ columns.inertia[segments] @ turn.transpose(0, 2, 1)
    return columns.position[segments] + arm, speed, inertia


def kinetic_energy(columns: Bodies, creature: int) -> float:
    """Kinetic energy of all segments and free nodes of a creature.

    Example::

        before = kinetic_energy(columns, 0)
    """
    segments, blocks = _segments(columns, creature), _blocks(columns, creature)
    _, speed, inertia = _centers(columns, segments)
    spin = columns.angular_velocity[segments]
    energy = 0.5 * np.einsum("n,ni,ni->", columns.mass[segments], speed, speed)
    energy += 0.5 * np.einsum("ni,nij,nj->", spin, inertia, spin)
    nodes = columns.node_velocity[blocks]
    return float(energy + 0.5 * np.einsum("bn,bni,bni->", _masses(columns, blocks), nodes, nodes))


def momentum(columns: Bodies, creature: int) -> tuple[Floats, Floats]:
    """Linear momentum and angular momentum about the world origin of a creature."""
    segments, blocks = _segments(columns, creature), _blocks(columns, creature)
    center, speed, inertia = _centers(columns, segments)
    mass, weights = columns.mass[segments, None], _masses(columns, blocks)[..., None]
    linear = (mass * speed).sum(axis=0) + (weights * columns.node_velocity[blocks]).sum(axis=(0, 1))
    spin = np.einsum("nij,nj->i", inertia, columns.angular_velocity[segments])
    orbit = (mass * np.cross(center, speed)).sum(axis=0)
    nodes = (weights * np.cross(columns.node_position[blocks], columns.node_velocity[blocks])).sum(axis=(0, 1))
    return linear, spin + orbit + nodes


def block_nodes(columns: Bodies, block: int) -> Floats:
    """All 27 node positions of a block: front face, free mid-plane, rear face."""
    faces = []
    for row, anchor, front in (
        (columns.segment_a[block], columns.anchor_a[block], True),
        (columns.segment_b[block], columns.anchor_b[block], False),
    ):
        local = face_points(anchor, columns.size[block], front)
        faces.append(columns.position[row] + local @ rotation_matrices(columns.orientation[row]).T)
    return np.concatenate([faces[0], columns.node_position[block], faces[1]])


def rest_shape(size: Floats, lengths: Floats) -> Floats:
    """Rest positions (27, 3) of a block for the lengths left, right, top, bottom. [Fang15 eq. 5.1]"""
    left, right, top, bottom = lengths
    toward_left, toward_top = 0.5 + 0.5 * UNIT_NODES[:, 1], 0.5 + 0.5 * UNIT_NODES[:, 2]
    scale = (left * toward_left + right * (1 - toward_left)) * (top * toward_top + bottom * (1 - toward_top))
    rest = 0.5 * UNIT_NODES * size
    rest[:, 0] *= scale
    return rest


def elastic_energy(columns: Bodies, creature: int) -> float:
    """Energy stored in the tissue of a creature, against its rest shape at the end of the tick."""
    total = 0.0
    blocks = _blocks(columns, creature)
    for block in range(blocks.start, blocks.stop):
        nodes, rest = block_nodes(columns, block), rest_shape(columns.size[block], columns.lengths[block])
        total += tissue_energy(nodes, rest, float(columns.elastic[block, 0]), float(columns.elastic[block, 1]))
    return total


def tissue_energy(nodes: Floats, rest: Floats, mu: float, lam: float) -> float:
    """Fixed-corotated energy of 27 nodes against their rest positions."""
    edges, rest_edges = nodes[TETRAHEDRA], rest[TETRAHEDRA]
    now = (edges[:, 1:] - edges[:, :1]).transpose(0, 2, 1)
    before = (rest_edges[:, 1:] - rest_edges[:, :1]).transpose(0, 2, 1)
    gradient = now @ np.linalg.inv(before)
    determinant = np.linalg.det(gradient)
    stretches = np.linalg.svd(gradient, compute_uv=False)
    stretches[:, 2] *= np.sign(determinant)
    density = mu * ((stretches - 1.0) ** 2).sum(axis=1) + 0.5 * lam * (determinant - 1.0) ** 2
    return float((np.abs(np.linalg.det(before)) / 6.0 * density).sum())
