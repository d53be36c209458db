"""Masses, damping inverse, stable substeps and rest nodes: plain numpy, run when a body is made."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....engine.turns import rotation_matrices
from .lattice import (
    FIRST_FREE,
    FIRST_REAR,
    FREE_DAMPING,
    FREE_MASSES,
    NODES,
    TETRAHEDRA,
    UNIT_MASSES,
    UNIT_NODES,
)

Floats = NDArray[np.float64]

# A substep uses at most this share of the explicit limit 2 / omega_max: unit blocks with E = 4000 then get 600 Hz.
STABILITY_SHARE = 0.5


def face_points(anchor: ArrayLike, size: ArrayLike, front: bool) -> Floats:
    """The nine nodes (9, 3) of one face in the frame of the segment that carries it; of many blocks (..., 9, 3)."""
    place = np.asarray(anchor, dtype=np.float64)
    nodes = UNIT_NODES[:FIRST_FREE] if front else UNIT_NODES[FIRST_REAR:]
    turned = np.swapaxes(rotation_matrices(place[..., 3:]), -1, -2)
    local: Floats = place[..., None, :3] + (0.5 * nodes * np.asarray(size)[..., None, :]) @ turned
    return local


def rigid_properties(
    half_extents: ArrayLike, density: float, attached: Sequence[tuple[ArrayLike, ArrayLike, float, bool]] = ()
) -> tuple[float, Floats, Floats]:
    """Mass, centre of mass and inertia about it (body frame) of a box with the face nodes bound to it.

    Each attached block is (anchor, size, density, front): front is True where the block's front face is bound here,
    that is where this segment is the block's ``segment_a``.

    Example::

        block = ((-1, 0, 0, 1, 0, 0, 0), (1, 1, 1), 1.0, True)
        mass, center, inertia = rigid_properties((0.5, 0.5, 0.5), 1.0, [block])
    """
    half = np.asarray(half_extents, dtype=np.float64)
    box_mass = 8.0 * density * float(np.prod(half))
    squares = half**2
    points, masses = [np.zeros((1, 3))], [np.array([box_mass])]
    for anchor, size, block_density, front in attached:
        points.append(face_points(anchor, size, front))
        face = UNIT_MASSES[:FIRST_FREE] if front else UNIT_MASSES[FIRST_REAR:]
        masses.append(face * block_density * float(np.prod(np.asarray(size, dtype=np.float64))))
    place, weight = np.concatenate(points), np.concatenate(masses)
    mass = float(weight.sum())
    center = weight @ place / mass
    arm = place - center
    box = np.diag(box_mass / 3.0 * (squares.sum() - squares))
    spread = np.einsum("n,nk,nk->", weight, arm, arm) * np.eye(3) - np.einsum("n,ni,nj->ij", weight, arm, arm)
    return mass, center, np.asarray(box + spread, dtype=np.float64)


def damping_inverse(gamma: float, density: float, substep: float) -> Floats:
    """The inverse (9, 9) of (M + dt D) of the free nodes, for a block of unit mass.

    It depends on dt gamma / rho only: masses and damping both scale with the block's volume.

    Example::

        columns.damping_inverse[row] = damping_inverse(50.0, 1.0, tick / substeps)
    """
    matrix = np.diag(FREE_MASSES) + substep * gamma / density * FREE_DAMPING
    return np.asarray(np.linalg.inv(matrix), dtype=np.float64)


def rest_stiffness(size: ArrayLike, mu: float, lam: float, length: float = 1.0) -> Floats:
    """Stiffness (27, 3, 27, 3) of a block at rest, shortened uniformly to this fraction of its x size."""
    nodes = 0.5 * UNIT_NODES * np.asarray(size, dtype=np.float64) * np.array([length, 1.0, 1.0])
    edges = np.swapaxes(nodes[TETRAHEDRA[:, 1:]] - nodes[TETRAHEDRA[:, :1]], 1, 2)
    volume = np.abs(np.linalg.det(edges)) / 6.0
    inverse = np.linalg.inv(edges)
    slopes = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)
    # at rest the stress is that of linear elasticity: mu (F + F^T - 2) + lambda tr(F - 1)
    local = mu * np.einsum("tam,tbm,ik->taibk", slopes, slopes, np.eye(3))
    local += mu * np.einsum("tak,tbi->taibk", slopes, slopes) + lam * np.einsum("tai,tbk->taibk", slopes, slopes)
    stiffness = np.zeros((NODES, 3, NODES, 3))
    axes, row, column = np.arange(3), TETRAHEDRA[:, :, None, None, None], TETRAHEDRA[:, None, None, :, None]
    np.add.at(stiffness, (row, axes[:, None, None], column, axes), volume[:, None, None, None, None] * local)
    return stiffness


def largest_frequency(size: ArrayLike, mu: float, lam: float, density: float, length: float = 1.0) -> float:
    """Largest eigenfrequency (rad/s) of the free nodes of a block between fixed faces, at this uniform length."""
    free = slice(FIRST_FREE, FIRST_REAR)
    matrix = rest_stiffness(size, mu, lam, length)[free][:, :, free].reshape(27, 27)
    mass = np.repeat(FREE_MASSES, 3) * density * float(np.prod(np.asarray(size, dtype=np.float64)))
    return float(np.sqrt(np.linalg.eigvalsh(matrix / np.sqrt(np.outer(mass, mass)))[-1]))


def rest_nodes(
    pose_a: tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike],
    pose_b: tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike],
    anchor_a: ArrayLike,
    anchor_b: ArrayLike,
    size: ArrayLike,
) -> tuple[Floats, Floats]:
    """Positions and velocities (9, 3) of the mid-plane nodes halfway between the two faces; of many blocks (..., 9, 3).

    A pose is (position, orientation, velocity, angular velocity) of a segment. Used at spawn and when a creature
    changes to the full tier: frames keep their place, the tissue starts between them.
    """
    places, speeds = [], []
    for (position, orientation, velocity, spin), anchor, front in ((pose_a, anchor_a, True), (pose_b, anchor_b, False)):
        arm = face_points(anchor, size, front) @ np.swapaxes(rotation_matrices(orientation), -1, -2)
        places.append(np.asarray(position)[..., None, :] + arm)
        speeds.append(np.asarray(velocity)[..., None, :] + np.cross(np.asarray(spin, dtype=np.float64)[..., None, :], arm))
    return 0.5 * (places[0] + places[1]), 0.5 * (speeds[0] + speeds[1])
