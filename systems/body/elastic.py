"""Fixed-corotated elastic forces of one soft block, vectorised over its cells and elements.

F = Ds Dm^-1, A = F^T F, C = cof F, J = det F, S = polar stretch with trace s, P = first Piola-Kirchhoff stress.
The stages keep their results in the flat work area of :mod:`.layout`.
"""

from __future__ import annotations

import numpy as np

from ...engine.kernel import kernel
from .lattice import CELL_SIGNS, CORNER_NODES
from .layout import (
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

# Iterations of the trace quartic always run, and the most that a block with inverted elements may get. Three
# suffice for mild strain, six for strong strain, twelve near the degenerate case [numerics-study 2].
FIRST_ITERATIONS = 4
MOST_ITERATIONS = 16


@kernel()
def difference(w, out, one, zero, scale):
    """Update one column of F from the two ends of an edge."""
    w[GRADIENT + out] = (w[CORNER_X + one] - w[CORNER_X + zero]) * scale
    w[GRADIENT + out + 3 * ELEMENTS] = (w[CORNER_X + one + LANES] - w[CORNER_X + zero + LANES]) * scale
    w[GRADIENT + out + 6 * ELEMENTS] = (w[CORNER_X + one + 2 * LANES] - w[CORNER_X + zero + 2 * LANES]) * scale


@kernel()
def deformation_gradients(w):
    """Update the 40 F from the corner positions. Each cube edge belongs to exactly one corner tetrahedron."""
    real = w.dtype.type
    half = real(0.5)
    for c in range(LANES):
        ix = w[INVERSE_EDGE + c]
        iy = w[INVERSE_EDGE + LANES + c]
        iz = w[INVERSE_EDGE + 2 * LANES + c]
        # out = column * 40 + 8 * kind; corner q starts at 24 q
        difference(w, c, 96 + c, c, ix)
        difference(w, 40 + c, 48 + c, c, iy)
        difference(w, 80 + c, 24 + c, c, iz)
        difference(w, 8 + c, 168 + c, 72 + c, ix)
        difference(w, 48 + c, 72 + c, 24 + c, iy)
        difference(w, 88 + c, 72 + c, 48 + c, iz)
        difference(w, 16 + c, 120 + c, 24 + c, ix)
        difference(w, 56 + c, 168 + c, 120 + c, iy)
        difference(w, 96 + c, 120 + c, 96 + c, iz)
        difference(w, 24 + c, 144 + c, 48 + c, ix)
        difference(w, 64 + c, 144 + c, 96 + c, iy)
        difference(w, 104 + c, 168 + c, 144 + c, iz)
    for d in range(3):
        for c in range(LANES):
            p = w[CORNER_X + LANES * d + 96 + c]
            q = w[CORNER_X + LANES * d + 48 + c]
            r = w[CORNER_X + LANES * d + 24 + c]
            t = w[CORNER_X + LANES * d + 168 + c]
            row = GRADIENT + 3 * ELEMENTS * d + 32 + c
            w[row] = half * ((p + t) - (q + r)) * w[INVERSE_EDGE + c]
            w[row + ELEMENTS] = half * ((q + t) - (p + r)) * w[INVERSE_EDGE + LANES + c]
            w[row + 2 * ELEMENTS] = half * ((r + t) - (p + q)) * w[INVERSE_EDGE + 2 * LANES + c]


@kernel()
def invariants(w):
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
        w[INVARIANT_2 + e] = (ca * ca + cb * cb + cc * cc) + (cd * cd + cf * cf + cg * cg) + (ch * ch + ck * ck + cm * cm)
        w[DETERMINANT + e] = a * ca + b * cb + c * cc
        w[TRACE_S + e] = np.sqrt(three * first)  # an upper bound of the wanted root


@kernel()
def newton_step(s, first, second, det, half, floor):
    """The Newton correction of the trace quartic ((s^2 - I)/2)^2 = II + 2 J s. [numerics-study 2]"""
    e = half * (s * s - first)
    below = e * s - det
    least = floor * (first * s + floor)  # keeps collapsed and degenerate elements finite
    return (half * (e * e - second) - det * s) / (below if below > least else least)


@kernel()
def polar_trace(w, floor, tolerance):
    """Update s = tr S from I, II and J; more rounds only for elements far from rest."""
    real = w.dtype.type
    half = real(0.5)
    for e in range(ELEMENTS):
        first, second, det = w[INVARIANT_1 + e], w[INVARIANT_2 + e], w[DETERMINANT + e]
        s = w[TRACE_S + e]
        s -= newton_step(s, first, second, det, half, floor)
        s -= newton_step(s, first, second, det, half, floor)
        s -= newton_step(s, first, second, det, half, floor)
        s -= newton_step(s, first, second, det, half, floor)
        w[TRACE_S + e] = s
    for _ in range(FIRST_ITERATIONS, MOST_ITERATIONS):
        moving = 0
        for e in range(ELEMENTS):
            s = w[TRACE_S + e]
            step = newton_step(s, w[INVARIANT_1 + e], w[INVARIANT_2 + e], w[DETERMINANT + e], half, floor)
            w[TRACE_S + e] = s - step
            moving += 1 if step > tolerance * s else 0
        if moving == 0:
            break


@kernel()
def stresses(w, two_mu, lame, floor):
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
def corner_forces(w):
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
def gather_corners(w, nodes, first, out):
    """Update the corner array at `out` from 27 node vectors stored coordinate by coordinate at `first`."""
    for d in range(3):
        for q in range(8):
            for c in range(LANES):
                w[out + 24 * q + LANES * d + c] = nodes[first + 27 * d + CORNER_NODES[8 * q + c]]


@kernel()
def scatter_corners(w):
    """Update the node forces from the corner forces of all cells."""
    real = w.dtype.type
    for n in range(81):
        w[NODE_FORCE + n] = real(0.0)
    for d in range(3):
        for q in range(8):
            for c in range(LANES):
                w[NODE_FORCE + 27 * d + CORNER_NODES[8 * q + c]] += w[CORNER_FORCE + 24 * q + LANES * d + c]


@kernel()
def lane_constants(w, s, block):
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
def count_inverted(w):
    """The number of elements whose determinant is not positive."""
    count = 0
    for e in range(ELEMENTS):
        count += 0 if w[DETERMINANT + e] > 0 else 1
    return count


@kernel()
def largest_stretch_squared(w):
    """The largest I = tr F^T F of all elements (3 at rest)."""
    largest = w[INVARIANT_1]
    for e in range(1, ELEMENTS):
        largest = w[INVARIANT_1 + e] if w[INVARIANT_1 + e] > largest else largest
    return largest
