"""The linear system of the bush tier: assembly into a symmetric band, known velocities, direct solution.

Row 6 i + p belongs to segment i: p 0-2 its velocity, 3-5 its angular velocity. Entry (i, j) with i >= j lies at
band + 12 i + (i - j).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.vector_kernel import cross
from .rigid_segments_kernel import add_force
from .rotation_kernel import rotate
from .scratch_layout import (
    BAND_WIDTH,
    END_EX,
    JOINT_MATRIX,
    SEG_FORCE,
    SEG_GRAVITY,
    SEG_MASS,
    SEG_R,
    SEG_TORQUE,
    SEG_V,
    SEG_W,
    SEG_X,
    SEGMENT_STRIDE,
)

if TYPE_CHECKING:
    from ....engine.kernel_types import Array


@kernel()
def add_to_band(s: Array, band: int, i: int, j: int, value: float) -> None:
    """Update the lower band entry of row i, column j; entries above the diagonal are implied."""
    if i >= j:
        s[band + i * BAND_WIDTH + i - j] += value


@kernel()
def clear_band(s: Array, band: int, i: int) -> None:
    """Update the band rows of segment `i` to zero."""
    for k in range(6 * BAND_WIDTH):
        s[band + 6 * i * BAND_WIDTH + k] = s.dtype.type(0.0)


@kernel()
def load_inertia(s: Array, band: int, i: int, inertia: Array, row: int) -> None:
    """Update the band rows of segment `i` to its mass and world inertia, in place of whatever was there."""
    real = s.dtype.type
    o, first = i * SEGMENT_STRIDE, 6 * i
    clear_band(s, band, i)
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
def add_lump(s: Array, w: Array, band: int, right: int, i: int, end: int, side: float, half_x: float, mass: float) -> None:
    """Update band rows, momentum and weight of segment `i` by a point mass at the block centre behind one face."""
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
    v = cross((s[o + SEG_W], s[o + SEG_W + 1], s[o + SEG_W + 2]), (x, y, z))
    px, py, pz = mass * (s[o + SEG_V] + v[0]), mass * (s[o + SEG_V + 1] + v[1]), mass * (s[o + SEG_V + 2] + v[2])
    spin = cross((x, y, z), (px, py, pz))
    s[right + first] += px
    s[right + first + 1] += py
    s[right + first + 2] += pz
    for d in range(3):
        s[right + first + 3 + d] += spin[d]


@kernel()
def load_momentum(s: Array, band: int, right: int, i: int) -> None:
    """Update the right-hand side of segment `i` to its momentum; its band rows must hold its own mass only."""
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
def add_impulse(s: Array, right: int, i: int, dt: float) -> None:
    """Update the right-hand side of segment `i` by dt times its force and torque."""
    o, first = i * SEGMENT_STRIDE, 6 * i
    for d in range(3):
        s[right + first + d] += dt * s[o + SEG_FORCE + d]
        s[right + first + 3 + d] += dt * s[o + SEG_TORQUE + d]


@kernel()
def add_joint_matrix(s: Array, w: Array, band: int, i: int) -> None:
    """Update the band rows of segments i and i + 1 by the joint matrix."""
    for p in range(12):
        for q in range(p + 1):
            s[band + (6 * i + p) * BAND_WIDTH + p - q] += w[JOINT_MATRIX + 12 * p + q]


@kernel()
def meet_led(s: Array, band: int, right: int, start: int, stop: int, count: int) -> None:
    """Update the right-hand side of the run of free segments [start, stop) by the velocities of its led neighbours."""
    for i in (start - 1, stop):
        if i < 0 or i >= count:
            continue
        o = i * SEGMENT_STRIDE
        for p in range(6):
            value = s[o + (SEG_V + p if p < 3 else SEG_W + p - 3)]
            for q in range(6):
                led, free = 6 * i + p, (6 * start if i < start else 6 * stop - 6) + q
                high, low = (free, led) if free > led else (led, free)
                s[right + free] -= s[band + high * BAND_WIDTH + high - low] * value


@kernel()
def solve_band(s: Array, band: int, right: int, first: int, end: int) -> None:
    """Update the right-hand side of rows [first, end) to the solution of their symmetric positive banded system."""
    for j in range(first, end):
        inverse = s.dtype.type(1.0) / s[band + j * BAND_WIDTH]
        last = min(BAND_WIDTH, end - j)
        for k in range(1, last):
            factor = s[band + (j + k) * BAND_WIDTH + k] * inverse
            for m in range(k, last):
                s[band + (j + m) * BAND_WIDTH + m - k] -= s[band + (j + m) * BAND_WIDTH + m] * factor
            s[right + j + k] -= factor * s[right + j]
    for j in range(end - 1, first - 1, -1):
        total = s[right + j]
        for k in range(1, min(BAND_WIDTH, end - j)):
            total -= s[band + (j + k) * BAND_WIDTH + k] * s[right + j + k]
        s[right + j] = total / s[band + j * BAND_WIDTH]
