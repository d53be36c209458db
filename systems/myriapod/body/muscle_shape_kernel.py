"""Muscles: the rest shape of a block from four side lengths, applied to F and P of its elements.

G(y, z) is the length of the block at a lateral position, as a fraction of its x size. Every rest edge matrix stays
upper triangular, so F = F0 [[1, -my, -mz], [0, g, 0], [0, 0, g]] / g, where F0 is the gradient against the unmorphed
lattice, g the length along the element's x edge and my, mz its shear. Masses and damping keep the initial shape
[myriapoda E-26].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....components.myriapod.construction.lattice import CELL_SIGNS
from ....engine.kernel import kernel
from .scratch_layout import (
    BLK_HALF,
    BLK_LENGTH_RATE,
    BLK_LENGTHS,
    ELEMENTS,
    GRADIENT,
    LANES,
    MORPH_G,
    MORPH_Y,
    MORPH_Z,
)

if TYPE_CHECKING:
    from ....engine.kernel_types import Array


@kernel()
def blended_length(left: float, right: float, top: float, bottom: float, y: float, z: float, half: float,
                   one: float) -> float:  # fmt: skip
    """Length fraction at lateral position y, z in [-1, 1], bilinear in both. [Fang15 eq. 5.1]"""
    sideways = half * (left * (one + y) + right * (one - y))
    return sideways * half * (top * (one + z) + bottom * (one - z))


@kernel()
def morph_coefficients(w: Array, s: Array, block: int, fraction: float) -> None:
    """Update g, my, mz of the 40 elements from the block's lengths at this fraction of the tick."""
    real = w.dtype.type
    half, one, zero = real(0.5), real(1.0), real(0.0)
    at, rate = block + BLK_LENGTHS, block + BLK_LENGTH_RATE
    left, right = s[at] + fraction * s[rate], s[at + 1] + fraction * s[rate + 1]
    top, bottom = s[at + 2] + fraction * s[rate + 2], s[at + 3] + fraction * s[rate + 3]
    ratio_y = s[block + BLK_HALF] / s[block + BLK_HALF + 1]
    ratio_z = s[block + BLK_HALF] / s[block + BLK_HALF + 2]
    for c in range(LANES):
        sy, sz = real(CELL_SIGNS[c, 1]), real(CELL_SIGNS[c, 2])
        shear_y, shear_z = real(CELL_SIGNS[c, 0]) * sy * ratio_y, real(CELL_SIGNS[c, 0]) * sz * ratio_z
        g00 = blended_length(left, right, top, bottom, zero, zero, half, one)
        g10 = blended_length(left, right, top, bottom, sy, zero, half, one)
        g01 = blended_length(left, right, top, bottom, zero, sz, half, one)
        g11 = blended_length(left, right, top, bottom, sy, sz, half, one)
        w[MORPH_G + c], w[MORPH_Y + c], w[MORPH_Z + c] = g00, zero, zero
        w[MORPH_G + 8 + c], w[MORPH_Y + 8 + c], w[MORPH_Z + 8 + c] = g11, zero, zero
        w[MORPH_G + 16 + c] = g01
        w[MORPH_Y + 16 + c] = shear_y * (g11 - g01)
        w[MORPH_Z + 16 + c] = shear_z * (g01 - g00)
        w[MORPH_G + 24 + c] = g10
        w[MORPH_Y + 24 + c] = shear_y * (g10 - g00)
        w[MORPH_Z + 24 + c] = shear_z * (g11 - g10)
        w[MORPH_G + 32 + c] = half * (g00 + g11)
        w[MORPH_Y + 32 + c] = half * shear_y * (g11 - g00)
        w[MORPH_Z + 32 + c] = half * shear_z * (g11 - g00)


@kernel()
def morph_gradients(w: Array) -> None:
    """Update F from the gradient against the unmorphed lattice."""
    real = w.dtype.type
    for e in range(ELEMENTS):
        inverse = real(1.0) / w[MORPH_G + e]
        my, mz = w[MORPH_Y + e], w[MORPH_Z + e]
        a, d, h = w[GRADIENT + e] * inverse, w[GRADIENT + 120 + e] * inverse, w[GRADIENT + 240 + e] * inverse
        w[GRADIENT + e], w[GRADIENT + 120 + e], w[GRADIENT + 240 + e] = a, d, h
        w[GRADIENT + 40 + e] -= my * a
        w[GRADIENT + 160 + e] -= my * d
        w[GRADIENT + 280 + e] -= my * h
        w[GRADIENT + 80 + e] -= mz * a
        w[GRADIENT + 200 + e] -= mz * d
        w[GRADIENT + 320 + e] -= mz * h


@kernel()
def morph_stresses(w: Array) -> None:
    """Update P so that the unmorphed area factors return the nodal forces of the morphed elements."""
    for e in range(ELEMENTS):
        g, my, mz = w[MORPH_G + e], w[MORPH_Y + e], w[MORPH_Z + e]
        for row in range(3):
            p = GRADIENT + 120 * row + e
            y, z = w[p + 40], w[p + 80]
            w[p] -= my * y + mz * z
            w[p + 40] = g * y
            w[p + 80] = g * z
