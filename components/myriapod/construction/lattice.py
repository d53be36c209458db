"""The 3 x 3 x 3 node lattice of a soft block: nodes, alternating five-tetrahedron split, masses and damping.

A block has its centre at the origin, x forward, y left, z up. Node ``9 i + 3 j + k`` lies at
``((1 - i) hx, (j - 1) hy, (k - 1) hz)`` with half sizes h: nodes 0-8 form the front face (bound to ``segment_a``),
9-17 the free mid-plane, 18-26 the rear face (bound to ``segment_b``). Neighbouring cells are mirror images of each
other, so every cell is the same reference cell seen outward from the centre node. That makes all rest edges of the
corner tetrahedra parallel to the axes: no rest matrix has to be stored or multiplied.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

NODES = 27
FREE_NODES = 9
FIRST_FREE = 9
FIRST_REAR = 18
CELLS = 8

# Corners of the reference cell, index 4 a + 2 b + c, with a, b, c the steps outward from the centre node.
_CORNERS = tuple(product((0, 1), repeat=3))
# Corner tetrahedra sit on the even corners, the central one joins the odd corners. The other parity is the second
# mirror-symmetric choice; this one reproduces the joint stiffness table of [numerics 1.1].
_APEXES = ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0))


def _cell_signs() -> NDArray[np.float64]:
    """Outward direction of each cell (8, 3): +1 or -1 along x, y, z."""
    return np.array([(1 - 2 * i, 2 * j - 1, 2 * k - 1) for i, j, k in product((0, 1), repeat=3)], dtype=np.float64)


def _corner_nodes() -> NDArray[np.uint32]:
    """Node of corner q of cell c, as a flat table indexed 8 q + c."""
    table = np.zeros((8, CELLS), dtype=np.uint32)
    for corner, steps in enumerate(_CORNERS):
        for cell, (i, j, k) in enumerate(product((0, 1), repeat=3)):
            index = [1 + (2 * side - 1) * step for side, step in zip((i, j, k), steps, strict=True)]
            table[corner, cell] = 9 * index[0] + 3 * index[1] + index[2]
    return table.ravel()


def _tetrahedra() -> NDArray[np.int64]:
    """The four nodes of each of the 40 tetrahedra, in the lane order of the kernels (8 kind + cell)."""
    nodes = _corner_nodes().reshape(8, CELLS)
    index: dict[tuple[int, ...], int] = {steps: number for number, steps in enumerate(_CORNERS)}
    kinds: list[list[int]] = []
    for apex in _APEXES:
        flips = [tuple(v ^ (axis == place) for place, v in enumerate(apex)) for axis in range(3)]
        kinds.append([index[apex], *(index[steps] for steps in flips)])
    kinds.append([index[steps] for steps in _CORNERS if sum(steps) % 2 == 1])
    return np.array([[nodes[q, cell] for q in corners] for corners in kinds for cell in range(CELLS)], dtype=np.int64)


CELL_SIGNS = _cell_signs()
CORNER_NODES = _corner_nodes()
TETRAHEDRA = _tetrahedra()


def _side_triangles() -> NDArray[np.int64]:
    """The faces (32, 3) of the tetrahedra on the four sides between the end faces, seen counter-clockwise from outside."""
    corners = np.array([(1 - i, j - 1, k - 1) for i, j, k in product(range(3), repeat=3)], dtype=np.float64)
    result = []
    for axis, side in product((1, 2), (1.0, -1.0)):
        for tet in TETRAHEDRA:
            face = [int(node) for node in tet if corners[node, axis] == side]
            if len(face) == 3:
                a, b, c = corners[face]
                result.append(face if side * np.cross(b - a, c - a)[axis] > 0 else face[::-1])
    return np.array(result, dtype=np.int64)


SIDE_TRIANGLES = _side_triangles()
# Rest coordinates in units of the half sizes (27, 3).
UNIT_NODES = np.array([(1 - i, j - 1, k - 1) for i, j, k in product(range(3), repeat=3)], dtype=np.float64)


def _unit_matrices() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lumped masses (27,) and element-mean damping matrix (27, 27) of a block of volume 1, density 1, gamma 1."""
    masses = np.zeros(NODES)
    damping = np.zeros((NODES, NODES))
    for nodes in TETRAHEDRA:
        corners = 0.5 * UNIT_NODES[nodes]
        volume = abs(np.linalg.det(corners[1:] - corners[0])) / 6.0
        masses[nodes] += volume / 4.0  # [Fang15 eq. A.22]
        damping[np.ix_(nodes, nodes)] += volume * (np.eye(4) - 0.25)  # [Fang15 eq. A.23]
    return masses, damping


UNIT_MASSES, UNIT_DAMPING = _unit_matrices()


def _face_basis() -> NDArray[np.float64]:
    """Columns 1, y, z on the front face, then on the rear face (27, 6): a rigid face moves affinely in y and z."""
    basis = np.zeros((NODES, 6))
    for first, column in ((0, 0), (FIRST_REAR, 3)):
        face = slice(first, first + 9)
        basis[face, column] = 1.0
        basis[face, column + 1 : column + 3] = UNIT_NODES[face, 1:]
    return basis


FACE_BASIS = _face_basis()
_FREE = slice(FIRST_FREE, FIRST_REAR)
FREE_MASSES = UNIT_MASSES[_FREE].copy()
FREE_DAMPING = UNIT_DAMPING[_FREE, _FREE].copy()
# Damping between free nodes and face motions (9, 6), and among face motions (6, 6).
FACE_COUPLING = UNIT_DAMPING[_FREE] @ FACE_BASIS
FACE_DAMPING = FACE_BASIS.T @ UNIT_DAMPING @ FACE_BASIS
# Damping of the lattice for unit relative translation of the faces (the same along x, y and z by symmetry of the
# cube, and the damping of spin per squared edge length), and for relative turning per squared edge length.
RELATIVE_DAMPING = float(0.25 * UNIT_NODES[:, 0] @ UNIT_DAMPING @ UNIT_NODES[:, 0])
TURNING_DAMPING = float(
    0.0625 * (UNIT_NODES[:, 0] * UNIT_NODES[:, 1]) @ UNIT_DAMPING @ (UNIT_NODES[:, 0] * UNIT_NODES[:, 1])
)
