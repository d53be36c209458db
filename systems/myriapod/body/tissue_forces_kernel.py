"""From the 27 node positions of a block to its nodal forces: the stages of :mod:`.elastic` in order."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ....engine.kernel import kernel
from .elastic_kernel import (
    COUNT_STRETCHED,
    corner_forces,
    deformation_gradients,
    examine,
    gather_corners,
    invariants,
    lane_constants,
    polar_trace,
    scatter_corners,
    stresses,
)
from .muscle_shape_kernel import morph_coefficients, morph_gradients, morph_stresses
from .scratch_layout import (
    BLK_HALF,
    BLK_INVERTED,
    BLK_LAMBDA,
    BLK_LENGTHS,
    BLK_TWO_MU,
    BLK_X,
    BLOCK_STRIDE,
    CORNER_X,
    DETERMINANT,
    ELEMENTS,
    NODE_FORCE,
    WORK,
)

COUNTER_MASK = COUNT_STRETCHED - 1  # one counter of `examine`


@kernel()
def overstretched(counts):
    """Whether an element is stretched beyond recovery."""
    return (counts // COUNT_STRETCHED) & COUNTER_MASK > 0


@kernel()
def polar_floor(s):
    """The relative floor of the polar denominator: rounding reaches it only where the rotation is undefined anyway."""
    real = s.dtype.type
    return real(np.finfo(s.dtype).eps ** (2.0 / 3.0))


@kernel()
def tissue_strain(w, s, o, morphing, fraction):
    """Update F and its invariants of block `o` from its nodes; returns the counts of `examine`."""
    lane_constants(w, s, o)
    gather_corners(w, s, o + BLK_X, CORNER_X)
    deformation_gradients(w)
    if morphing:
        morph_coefficients(w, s, o, fraction)
        morph_gradients(w)
    invariants(w)
    return examine(w)


@kernel()
def tissue_stress(w, s, o, morphing, counts, floor):
    """Update the corner forces of block `o` from its strain, and its count of substeps with inverted elements."""
    real = w.dtype.type
    if counts & COUNTER_MASK:
        s[o + BLK_INVERTED] += real(1.0)
    polar_trace(w, floor, counts)
    stresses(w, s[o + BLK_TWO_MU], s[o + BLK_LAMBDA], floor)
    if morphing:
        morph_stresses(w)
    corner_forces(w)


@kernel()
def single_block(s, w, morphing):
    """Update node forces of the one block in `s`."""
    floor = polar_floor(s)
    counts = tissue_strain(w, s, 0, morphing, s.dtype.type(0.0))
    tissue_stress(w, s, 0, morphing, counts, floor)
    scatter_corners(w)


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
    single_block(s, w, bool(np.any(np.asarray(lengths) != 1)))
    forces = w[NODE_FORCE : NODE_FORCE + 81].reshape(3, 27).T.astype(np.float64)
    return forces, w[DETERMINANT : DETERMINANT + ELEMENTS].astype(np.float64)
