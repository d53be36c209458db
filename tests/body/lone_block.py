"""The elastic forces of one block alone, by the kernels of the full tier."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from paludarium.engine.kernel import kernel
from paludarium.systems.myriapod.body.elastic_kernel import scatter_faces, scatter_middle
from paludarium.systems.myriapod.body.scratch_layout import (
    BLK_HALF,
    BLK_LAMBDA,
    BLK_LENGTHS,
    BLK_TWO_MU,
    BLK_X,
    BLOCK_STRIDE,
    DETERMINANT,
    ELEMENTS,
    NODE_FORCE,
    WORK,
)
from paludarium.systems.myriapod.body.tissue_forces_kernel import polar_floor, tissue_strain, tissue_stress


@kernel()
def force_nodes(s, w, morphing):
    """Update the node forces of the one block in `s`."""
    counts = tissue_strain(w, s, 0, morphing, s.dtype.type(0.0))
    tissue_stress(w, s, 0, morphing, counts, polar_floor(s))
    scatter_middle(w)
    scatter_faces(w)


def block_forces(
    nodes: ArrayLike,
    size: ArrayLike,
    mu: float,
    lam: float,
    lengths: ArrayLike = (1, 1, 1, 1),
    dtype: DTypeLike = np.float64,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Elastic forces (27, 3) on the nodes of one block, and the determinants of its 40 elements.

    Example::

        forces, determinants = block_forces(0.5 * UNIT_NODES, (1, 1, 1), 1428.57, 5714.29)  # zero, one
    """
    s, w = np.zeros(BLOCK_STRIDE, dtype), np.zeros(WORK, dtype)
    s[BLK_X : BLK_X + 81] = np.asarray(nodes).T.ravel()
    s[BLK_HALF : BLK_HALF + 3] = 0.5 * np.asarray(size)
    s[BLK_TWO_MU], s[BLK_LAMBDA] = 2.0 * mu, lam
    s[BLK_LENGTHS : BLK_LENGTHS + 4] = lengths
    force_nodes(s, w, bool(np.any(np.asarray(lengths) != 1)))
    forces = w[NODE_FORCE : NODE_FORCE + 81].reshape(3, 27).T.astype(np.float64)
    return forces, w[DETERMINANT : DETERMINANT + ELEMENTS].astype(np.float64)
