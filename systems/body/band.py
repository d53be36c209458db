"""The linear system of the bush tier: assembly into a symmetric band, prescribed velocities, direct solution.

Row 6 i + p belongs to segment i: p 0-2 its velocity, 3-5 its angular velocity. Entry (i, j) with i >= j lies at
band + 12 i + (i - j).
"""

from __future__ import annotations

from ...engine.kernel import kernel
from .frames import add_force
from .layout import (
    BAND_WIDTH,
    END_EX,
    JOINT_MATRIX,
    SEG_FORCE,
    SEG_GRAVITY,
    SEG_MASS,
    SEG_Q,
    SEG_R,
    SEG_TORQUE,
    SEG_V,
    SEG_W,
    SEG_X,
    SEGMENT_STRIDE,
)
from .rotation import rotate, rotation_matrix, turn


@kernel()
def add_to_band(s, band, i, j, value):
    """Update the lower band entry of row i, column j; entries above the diagonal are implied."""
    if i >= j:
        s[band + i * BAND_WIDTH + i - j] += value


@kernel()
def load_inertia(s, band, i, inertia, row):
    """Update the band rows of segment `i` to its mass and world inertia, in place of whatever was there."""
    real = s.dtype.type
    o, first = i * SEGMENT_STRIDE, 6 * i
    for k in range(6 * BAND_WIDTH):
        s[band + first * BAND_WIDTH + k] = real(0.0)
    for d in range(3):
        add_to_band(s, band, first + d, first + d, s[o + SEG_MASS])
        # column d of R I R^T
        b = (s[o + SEG_R + 3 * d], s[o + SEG_R + 3 * d + 1], s[o + SEG_R + 3 * d + 2])
        x = real(inertia[row, 0, 0]) * b[0] + real(inertia[row, 0, 1]) * b[1] + real(inertia[row, 0, 2]) * b[2]
        y = real(inertia[row, 1, 0]) * b[0] + real(inertia[row, 1, 1]) * b[1] + real(inertia[row, 1, 2]) * b[2]
        z = real(inertia[row, 2, 0]) * b[0] + real(inertia[row, 2, 1]) * b[1] + real(inertia[row, 2, 2]) * b[2]
        column = rotate(s, o + SEG_R, x, y, z)
        for k in range(3):
            add_to_band(s, band, first + 3 + k, first + 3 + d, column[k])


@kernel()
def add_lump(s, w, band, i, end, side, half_x, mass):
    """Update band rows and force of segment `i` by a point mass at the block centre behind one face."""
    o, first = i * SEGMENT_STRIDE, 6 * i
    shift = side * half_x
    x = w[end] - shift * w[end + END_EX] - s[o + SEG_X]
    y = w[end + 1] - shift * w[end + END_EX + 1] - s[o + SEG_X + 1]
    z = w[end + 2] - shift * w[end + END_EX + 2] - s[o + SEG_X + 2]
    for d in range(3):
        add_to_band(s, band, first + d, first + d, mass)
    # lower left block: mass [r]x, lower right: mass (r.r 1 - r r^T)
    add_to_band(s, band, first + 3, first + 1, -mass * z)
    add_to_band(s, band, first + 3, first + 2, mass * y)
    add_to_band(s, band, first + 4, first, mass * z)
    add_to_band(s, band, first + 4, first + 2, -mass * x)
    add_to_band(s, band, first + 5, first, -mass * y)
    add_to_band(s, band, first + 5, first + 1, mass * x)
    add_to_band(s, band, first + 3, first + 3, mass * (y * y + z * z))
    add_to_band(s, band, first + 4, first + 4, mass * (x * x + z * z))
    add_to_band(s, band, first + 5, first + 5, mass * (x * x + y * y))
    add_to_band(s, band, first + 4, first + 3, -mass * x * y)
    add_to_band(s, band, first + 5, first + 3, -mass * x * z)
    add_to_band(s, band, first + 5, first + 4, -mass * y * z)
    g = o + SEG_GRAVITY
    add_force(s, o, x, y, z, mass * s[g], mass * s[g + 1], mass * s[g + 2])


@kernel()
def load_momentum(s, band, right, i):
    """Update the right-hand side of segment `i` to its momentum; the band must hold masses only."""
    real = s.dtype.type
    o, first = i * SEGMENT_STRIDE, 6 * i
    for p in range(6):
        total = real(0.0)
        for q in range(6):
            high, low = (p, q) if p >= q else (q, p)
            v = s[o + (SEG_V + q if q < 3 else SEG_W + q - 3)]
            total += s[band + (first + high) * BAND_WIDTH + high - low] * v
        s[right + first + p] = total


@kernel()
def add_impulse(s, right, i, dt):
    """Update the right-hand side of segment `i` by dt times its force and torque."""
    o, first = i * SEGMENT_STRIDE, 6 * i
    for d in range(3):
        s[right + first + d] += dt * s[o + SEG_FORCE + d]
        s[right + first + 3 + d] += dt * s[o + SEG_TORQUE + d]


@kernel()
def add_joint_matrix(s, w, band, i):
    """Update the band rows of segments i and i + 1 by the joint matrix."""
    for p in range(12):
        for q in range(p + 1):
            s[band + (6 * i + p) * BAND_WIDTH + p - q] += w[JOINT_MATRIX + 12 * p + q]


@kernel()
def prescribe(s, band, right, rows, i):
    """Update band and right-hand side so that segment `i` keeps its given velocities."""
    real = s.dtype.type
    o = i * SEGMENT_STRIDE
    for p in range(6):
        row = 6 * i + p
        value = s[o + (SEG_V + p if p < 3 else SEG_W + p - 3)]
        for k in range(1, BAND_WIDTH):
            if row - k >= 0:
                s[right + row - k] -= s[band + row * BAND_WIDTH + k] * value
                s[band + row * BAND_WIDTH + k] = real(0.0)
            if row + k < rows:
                s[right + row + k] -= s[band + (row + k) * BAND_WIDTH + k] * value
                s[band + (row + k) * BAND_WIDTH + k] = real(0.0)
        s[band + row * BAND_WIDTH] = real(1.0)
        s[right + row] = value


@kernel()
def solve_band(s, band, right, rows):
    """Update the right-hand side to the solution of the symmetric positive banded system."""
    for j in range(rows):
        inverse = s.dtype.type(1.0) / s[band + j * BAND_WIDTH]
        last = min(BAND_WIDTH, rows - j)
        for k in range(1, last):
            factor = s[band + (j + k) * BAND_WIDTH + k] * inverse
            if factor == 0:
                continue
            for m in range(k, last):
                s[band + (j + m) * BAND_WIDTH + m - k] -= s[band + (j + m) * BAND_WIDTH + m] * factor
            s[right + j + k] -= factor * s[right + j]
    for j in range(rows - 1, -1, -1):
        total = s[right + j]
        for k in range(1, min(BAND_WIDTH, rows - j)):
            total -= s[band + (j + k) * BAND_WIDTH + k] * s[right + j + k]
        s[right + j] = total / s[band + j * BAND_WIDTH]


@kernel()
def advance_segments(s, right, count, dt):
    """Update velocities and poses of all segments from the solution."""
    for i in range(count):
        o = i * SEGMENT_STRIDE
        for d in range(3):
            s[o + SEG_V + d] = s[right + 6 * i + d]
            s[o + SEG_W + d] = s[right + 6 * i + 3 + d]
            s[o + SEG_X + d] += dt * s[o + SEG_V + d]
        turn(s, o + SEG_Q, dt * s[o + SEG_W], dt * s[o + SEG_W + 1], dt * s[o + SEG_W + 2])
        rotation_matrix(s, o + SEG_Q, s, o + SEG_R)
