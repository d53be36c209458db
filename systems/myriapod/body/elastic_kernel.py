"""Fixed-corotated elastic forces of one soft block, vectorised over its cells and elements.

F = Ds Dm^-1, A = F^T F, C = cof F, J = det F, S = polar stretch with trace s, P = first Piola-Kirchhoff stress.
The stages keep their results in the flat work area of `scratch_layout`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.myriapod.construction.lattice import CELL_SIGNS, CORNER_NODES
from ....engine.kernel import kernel
from .scratch_layout import (
    AREA,
    BLK_HALF,
    COFACTOR,
    CORNER_FORCE,
    CORNER_X,
    DETERMINANT,
    ELEMENTS,
    GRADIENT,
    GRAM,
    INVARIANT_1,
    INVARIANT_2,
    INVERSE_EDGE,
    LANES,
    NODE_FORCE,
    TRACE_S,
)

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

# Distortion kappa = I^3 / (27 J^2), 1 for a pure scaling. Measured relative error of s from the start sqrt(3 I):
# below kappa = 2 it is 3e-15 after four iterations, below 30 it is 3e-16 after six; all others, and inverted
# elements, get twelve.
STRAINED = 27.0 * 2.0
SEVERE = 27.0 * 30.0
# A fourfold stretch in all directions has I = 48; a block held at full length by a muscle of length 0.2 has 27.
LARGEST_STRETCH_SQUARED = 48.0
# Units of the counters packed into the result of `examine`; a counter reaches 40 at most.
COUNT_STRETCHED, COUNT_STRAINED, COUNT_SEVERE = 1 << 8, 1 << 16, 1 << 24


@kernel()
def deformation_gradients(w: Array) -> None:
    """Update the 40 F from the corner positions. Each cube edge belongs to exactly one corner tetrahedron."""
    real = w.dtype.type
    half = real(0.5)
    for d in range(3):
        for c in range(LANES):
            ix, iy, iz = w[INVERSE_EDGE + c], w[INVERSE_EDGE + LANES + c], w[INVERSE_EDGE + 2 * LANES + c]
            x = CORNER_X + LANES * d + c  # corner q starts at 24 q
            x0, x1, x2, x3 = w[x], w[x + 24], w[x + 48], w[x + 72]
            x4, x5, x6, x7 = w[x + 96], w[x + 120], w[x + 144], w[x + 168]
            f = GRADIENT + 3 * ELEMENTS * d + c  # columns x, y, z at 0, 40, 80; kinds at 0, 8, 16, 24, 32
            w[f], w[f + 40], w[f + 80] = (x4 - x0) * ix, (x2 - x0) * iy, (x1 - x0) * iz
            w[f + 8], w[f + 48], w[f + 88] = (x7 - x3) * ix, (x3 - x1) * iy, (x3 - x2) * iz
            w[f + 16], w[f + 56], w[f + 96] = (x5 - x1) * ix, (x7 - x5) * iy, (x5 - x4) * iz
            w[f + 24], w[f + 64], w[f + 104] = (x6 - x2) * ix, (x6 - x4) * iy, (x7 - x6) * iz
            w[f + 32] = half * ((x4 + x7) - (x2 + x1)) * ix
            w[f + 72] = half * ((x2 + x7) - (x4 + x1)) * iy
            w[f + 112] = half * ((x1 + x7) - (x4 + x2)) * iz


@kernel()
def invariants(w: Array) -> None:
    """Update A, C, J, I, II and the starting trace from F."""
    real = w.dtype.type
    three = real(3.0)
    for e in range(ELEMENTS):
        a, b, c = w[GRADIENT + e], w[GRADIENT + 40 + e], w[GRADIENT + 80 + e]
        d, f, g = w[GRADIENT + 120 + e], w[GRADIENT + 160 + e], w[GRADIENT + 200 + e]
        h, k, m = w[GRADIENT + 240 + e], w[GRADIENT + 280 + e], w[GRADIENT + 320 + e]
        xx = a * a + d * d + h * h
        yy = b * b + f * f + k * k
        zz = c * c + g * g + m * m
        w[GRAM + e] = xx
        w[GRAM + 40 + e] = yy
        w[GRAM + 80 + e] = zz
        w[GRAM + 120 + e] = a * b + d * f + h * k
        w[GRAM + 160 + e] = a * c + d * g + h * m
        w[GRAM + 200 + e] = b * c + f * g + k * m
        ca, cb, cc = f * m - g * k, g * h - d * m, d * k - f * h
        cd, cf, cg = c * k - b * m, a * m - c * h, b * h - a * k
        ch, ck, cm = b * g - c * f, c * d - a * g, a * f - b * d
        w[COFACTOR + e] = ca
        w[COFACTOR + 40 + e] = cb
        w[COFACTOR + 80 + e] = cc
        w[COFACTOR + 120 + e] = cd
        w[COFACTOR + 160 + e] = cf
        w[COFACTOR + 200 + e] = cg
        w[COFACTOR + 240 + e] = ch
        w[COFACTOR + 280 + e] = ck
        w[COFACTOR + 320 + e] = cm
        first = xx + yy + zz
        w[INVARIANT_1 + e] = first
        second = (ca * ca + cb * cb + cc * cc) + (cd * cd + cf * cf + cg * cg)
        w[INVARIANT_2 + e] = second + (ch * ch + ck * ck + cm * cm)
        w[DETERMINANT + e] = a * ca + b * cb + c * cc
        w[TRACE_S + e] = np.sqrt(three * first)  # an upper bound of the wanted root


@kernel()
def newton_step(s: float, first: float, second: float, det: float, half: float, floor: float) -> float:
    """The Newton correction of the trace quartic ((s^2 - I)/2)^2 = II + 2 J s. [numerics 2]"""
    e = half * (s * s - first)
    below = e * s - det
    least = floor * (first * s + floor)  # keeps collapsed and degenerate elements finite
    return (half * (e * e - second) - det * s) / (below if below > least else least)


@kernel()
def polar_round(w: Array, floor: float) -> None:
    """Update s = tr S by two Newton iterations."""
    real = w.dtype.type
    half = real(0.5)
    for e in range(ELEMENTS):
        first, second, det = w[INVARIANT_1 + e], w[INVARIANT_2 + e], w[DETERMINANT + e]
        s = w[TRACE_S + e]
        s -= newton_step(s, first, second, det, half, floor)
        s -= newton_step(s, first, second, det, half, floor)
        w[TRACE_S + e] = s


@kernel()
def polar_trace(w: Array, floor: float, counts: int) -> None:
    """Update s = tr S from I, II and J by as many iterations as the worst element of the block needs."""
    polar_round(w, floor)
    polar_round(w, floor)
    if counts >= COUNT_STRAINED:
        polar_round(w, floor)
    if counts >= COUNT_SEVERE:
        polar_round(w, floor)
        polar_round(w, floor)
        polar_round(w, floor)


@kernel()
def stresses(w: Array, two_mu: float, lame: float, floor: float) -> None:
    """Update P (in place of F) from F, A, C, J and s.

    R = ((e + I) F - F A + s C) / (e s - J) is never formed: P = F (alpha 1 + beta A) + kappa C.
    """
    real = w.dtype.type
    half = real(0.5)
    one = real(1.0)
    for e in range(ELEMENTS):
        s, first, det = w[TRACE_S + e], w[INVARIANT_1 + e], w[DETERMINANT + e]
        q = half * (s * s - first)
        below = q * s - det
        least = floor * (first * s + floor)
        beta = two_mu / (below if below > least else least)
        alpha = two_mu - beta * (q + first)
        kappa = lame * (det - one) - beta * s  # [Fang15 eq. A.18]
        xx = beta * w[GRAM + e] + alpha
        yy = beta * w[GRAM + 40 + e] + alpha
        zz = beta * w[GRAM + 80 + e] + alpha
        xy, xz, yz = beta * w[GRAM + 120 + e], beta * w[GRAM + 160 + e], beta * w[GRAM + 200 + e]
        a, b, c = w[GRADIENT + e], w[GRADIENT + 40 + e], w[GRADIENT + 80 + e]
        w[GRADIENT + e] = a * xx + b * xy + c * xz + kappa * w[COFACTOR + e]
        w[GRADIENT + 40 + e] = a * xy + b * yy + c * yz + kappa * w[COFACTOR + 40 + e]
        w[GRADIENT + 80 + e] = a * xz + b * yz + c * zz + kappa * w[COFACTOR + 80 + e]
        a, b, c = w[GRADIENT + 120 + e], w[GRADIENT + 160 + e], w[GRADIENT + 200 + e]
        w[GRADIENT + 120 + e] = a * xx + b * xy + c * xz + kappa * w[COFACTOR + 120 + e]
        w[GRADIENT + 160 + e] = a * xy + b * yy + c * yz + kappa * w[COFACTOR + 160 + e]
        w[GRADIENT + 200 + e] = a * xz + b * yz + c * zz + kappa * w[COFACTOR + 200 + e]
        a, b, c = w[GRADIENT + 240 + e], w[GRADIENT + 280 + e], w[GRADIENT + 320 + e]
        w[GRADIENT + 240 + e] = a * xx + b * xy + c * xz + kappa * w[COFACTOR + 240 + e]
        w[GRADIENT + 280 + e] = a * xy + b * yy + c * yz + kappa * w[COFACTOR + 280 + e]
        w[GRADIENT + 320 + e] = a * xz + b * yz + c * zz + kappa * w[COFACTOR + 320 + e]


@kernel()
def corner_forces(w: Array) -> None:
    """Update the forces on the corners of each cell from P: column k of -V P Dm^-T acts along edge k."""
    for d in range(3):
        for c in range(LANES):
            ax, ay, az = w[AREA + c], w[AREA + LANES + c], w[AREA + 2 * LANES + c]
            p = GRADIENT + 3 * ELEMENTS * d + c
            x0, y0, z0 = w[p] * ax, w[p + 40] * ay, w[p + 80] * az
            x1, y1, z1 = w[p + 8] * ax, w[p + 48] * ay, w[p + 88] * az
            x2, y2, z2 = w[p + 16] * ax, w[p + 56] * ay, w[p + 96] * az
            x3, y3, z3 = w[p + 24] * ax, w[p + 64] * ay, w[p + 104] * az
            ux, uy, uz = w[p + 32] * ax, w[p + 72] * ay, w[p + 112] * az
            f = CORNER_FORCE + LANES * d + c
            w[f] = -((x0 + y0) + z0)
            w[f + 24] = (z0 - y1) - x2 + ((uz - ux) - uy)
            w[f + 48] = (y0 - z1) - x3 + ((uy - ux) - uz)
            w[f + 72] = (y1 + z1) - x1
            w[f + 96] = (x0 - z2) - y3 + ((ux - uy) - uz)
            w[f + 120] = (x2 + z2) - y2
            w[f + 144] = (x3 + y3) - z3
            w[f + 168] = (x1 + y2) + z3 + ((ux + uy) + uz)


@kernel()
def gather_corners(w: Array, nodes: Array, first: int, out: int) -> None:
    """Update the corner array at `out` from 27 node vectors stored coordinate by coordinate at `first`."""
    for d in range(3):
        for q in range(8):
            for c in range(LANES):
                w[out + 24 * q + LANES * d + c] = nodes[first + 27 * d + CORNER_NODES[8 * q + c]]


@kernel()
def scatter_middle(w: Array) -> None:
    """Update the forces on the nine free nodes from the corner forces of all cells; CORNER_NODES written out, for speed."""
    zero = w.dtype.type(0.0)
    for d in range(3):
        n, f = NODE_FORCE + 27 * d, CORNER_FORCE + LANES * d  # corner q starts at 24 q
        w[n + 13] = zero + w[f] + w[f + 1] + w[f + 2] + w[f + 3] + w[f + 4] + w[f + 5] + w[f + 6] + w[f + 7]
        w[n + 12] = zero + w[f + 24] + w[f + 26] + w[f + 28] + w[f + 30]
        w[n + 14] = zero + w[f + 25] + w[f + 27] + w[f + 29] + w[f + 31]
        w[n + 10] = zero + w[f + 48] + w[f + 49] + w[f + 52] + w[f + 53]
        w[n + 16] = zero + w[f + 50] + w[f + 51] + w[f + 54] + w[f + 55]
        w[n + 9], w[n + 11] = zero + w[f + 72] + w[f + 76], zero + w[f + 73] + w[f + 77]
        w[n + 15], w[n + 17] = zero + w[f + 74] + w[f + 78], zero + w[f + 75] + w[f + 79]


@kernel()
def scatter_faces(w: Array) -> None:
    """Update the forces on the nodes of both faces, front (cells 0..3) and rear, from the corner forces of the cells."""
    zero = w.dtype.type(0.0)
    for d in range(3):
        for rear in range(2):
            n, f = NODE_FORCE + 27 * d + 18 * rear, CORNER_FORCE + LANES * d + 4 * rear
            w[n + 4] = zero + w[f + 96] + w[f + 97] + w[f + 98] + w[f + 99]
            w[n + 3], w[n + 5] = zero + w[f + 120] + w[f + 122], zero + w[f + 121] + w[f + 123]
            w[n + 1], w[n + 7] = zero + w[f + 144] + w[f + 145], zero + w[f + 146] + w[f + 147]
            w[n], w[n + 2] = zero + w[f + 168], zero + w[f + 169]
            w[n + 6], w[n + 8] = zero + w[f + 170], zero + w[f + 171]


@kernel()
def lane_constants(w: Array, s: Array, block: int) -> None:
    """Update the signed inverse edges and area factors of the eight cells from the block's half sizes."""
    real = w.dtype.type
    hx, hy, hz = s[block + BLK_HALF], s[block + BLK_HALF + 1], s[block + BLK_HALF + 2]
    volume = hx * hy * hz / real(6.0)  # of a corner tetrahedron; the central one is twice that, on half the edge
    for d in range(3):
        inverse = real(1.0) / s[block + BLK_HALF + d]
        for c in range(LANES):
            signed = real(CELL_SIGNS[c, d]) * inverse
            w[INVERSE_EDGE + LANES * d + c] = signed
            w[AREA + LANES * d + c] = -volume * signed


@kernel()
def examine(w: Array) -> int:
    """Packed counts of the elements that are inverted, stretched beyond recovery, strained, severely strained."""
    real = w.dtype.type
    limit, strained, severe = real(LARGEST_STRETCH_SQUARED), real(STRAINED), real(SEVERE)
    counts = 0
    for e in range(ELEMENTS):
        first, det = w[INVARIANT_1 + e], w[DETERMINANT + e]
        cube, square = first * first * first, det * det
        counts += 0 if det > 0 else COUNT_SEVERE + 1
        counts += 0 if first < limit else COUNT_STRETCHED  # also where it is not a number
        counts += 0 if cube < strained * square else COUNT_STRAINED
        counts += 0 if cube < severe * square else COUNT_SEVERE
    return counts
