"""From the 27 node positions of a block to the forces on its corners: the stages of `elastic_kernel` in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

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
    stresses,
)
from .muscle_shape_kernel import morph_coefficients, morph_gradients, morph_stresses
from .scratch_layout import BLK_INVERTED, BLK_LAMBDA, BLK_TWO_MU, BLK_X, CORNER_X

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

COUNTER_MASK = COUNT_STRETCHED - 1  # one counter of `examine`


@kernel()
def overstretched(counts: int) -> bool:
    """Whether an element is stretched beyond recovery."""
    return (counts // COUNT_STRETCHED) & COUNTER_MASK > 0


@kernel()
def polar_floor(s: Array) -> float:
    """The relative floor of the polar denominator: rounding reaches it only where the rotation is undefined anyway."""
    real = s.dtype.type
    return real(np.finfo(s.dtype).eps ** (2.0 / 3.0))


@kernel()
def tissue_strain(w: Array, s: Array, o: int, morphing: bool, fraction: float) -> int:
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
def tissue_stress(w: Array, s: Array, o: int, morphing: bool, counts: int, floor: float) -> None:
    """Update the corner forces of block `o` from its strain, and its count of substeps with inverted elements."""
    real = w.dtype.type
    if counts & COUNTER_MASK:
        s[o + BLK_INVERTED] += real(1.0)
    polar_trace(w, floor, counts)
    stresses(w, s[o + BLK_TWO_MU], s[o + BLK_LAMBDA], floor)
    if morphing:
        morph_stresses(w)
    corner_forces(w)
