"""The table behind the bush tier: six stiffnesses of a block, condensed from its own finite elements.

Relative motion of the two faces, measured in the frame halfway between them: axial, shear y, shear z, torsion, bending
about y, bending about z. By mirror symmetry these six are uncoupled for a block of uniform length.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .anatomy import rest_stiffness
from .lattice import FIRST_FREE, FIRST_REAR, UNIT_NODES

Floats = NDArray[np.float64]

SHORTEST_TABLED, TABLE_STEP, TABLE_ROWS = 0.2, 0.1, 11  # lengths 0.2 .. 1.2 as fractions of the x size


def joint_table(size: ArrayLike, mu: float, lam: float) -> Floats:
    """Stiffness (11, 6) at the lengths 0.2, 0.3, ... 1.2: axial, shear y, z, torsion, bending about y, z.

    Example::

        columns.joint[block] = joint_table((1, 1, 1), 1428.57, 5714.29)
    """
    x, y, z = (float(v) for v in np.asarray(size, dtype=np.float64))
    # similar blocks share a table: forces scale with mu * length, torques with mu * length^3
    table = _similar_table(round(y / x, 9), round(z / x, 9), round(lam / mu, 9))
    scale = mu * np.array([x, x, x, x**3, x**3, x**3])
    result: Floats = table * scale
    return result


@lru_cache(maxsize=256)
def _similar_table(width: float, height: float, lame_ratio: float) -> Floats:
    size = np.array([1.0, width, height])
    lengths = SHORTEST_TABLED + TABLE_STEP * np.arange(TABLE_ROWS)
    table = np.array([_condensed(size, lame_ratio, float(length)) for length in lengths])
    table.flags.writeable = False
    return table


def _condensed(size: Floats, lame_ratio: float, length: float) -> Floats:
    """The six stiffnesses at one length, for mu = 1: free nodes follow, faces move apart by half each."""
    stiffness = rest_stiffness(size, 1.0, lame_ratio, length)
    nodes = 0.5 * UNIT_NODES * size
    motion = np.zeros((27, 3, 6))
    for face, share in ((slice(0, FIRST_FREE), 0.5), (slice(FIRST_REAR, 27), -0.5)):
        arm = nodes[face] * [0.0, 1.0, 1.0]  # each face turns about its own centre
        for axis in range(3):
            motion[face, axis, axis] = share
            motion[face, :, 3 + axis] = share * np.cross(np.eye(3)[axis], arm)
    flat, forces = motion.reshape(81, 6), stiffness.reshape(81, 81)
    free = np.arange(3 * FIRST_FREE, 3 * FIRST_REAR)
    follow = -np.linalg.solve(forces[np.ix_(free, free)], forces[free] @ flat)
    flat = flat.copy()
    flat[free] += follow
    result: Floats = np.einsum("nm,nk,km->m", flat, forces, flat)
    return result
