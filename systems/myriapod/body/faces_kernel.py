"""Bound faces: from the two segments of a block to its face nodes, and from nodal forces back to wrenches.

A face moves with its segment, so every face node is base + y ey + z ez with y, z in {-1, 0, 1}; positions,
velocities and moments of forces need only these three vectors per face (exact, not an approximation).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.vector_kernel import cross
from .rigid_segments_kernel import add_force
from .rotation_kernel import rotate, rotation_matrix
from .scratch_layout import (
    BLK_V,
    BLK_X,
    END_A,
    END_B,
    END_BASE,
    END_EX,
    END_EY,
    END_EZ,
    END_VBASE,
    END_VEY,
    END_VEZ,
    MOTION_OUT,
    NODE_FORCE,
    SEG_R,
    SEG_TORQUE,
    SEG_V,
    SEG_W,
    SEG_X,
)

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector


@kernel()
def load_end(s: Array, out: int, com: int, anchor: Array, row: int, side: float, half_x: float, half_y: float, half_z: float,
             matrix: int) -> None:  # fmt: skip
    """Update the local face vectors (base, ey, ez, unit x) at `out` from one anchor; side is +1 front, -1 rear.

    `matrix` is nine elements of scratch. The base is relative to the segment's reference point.
    """
    real = s.dtype.type
    for d in range(4):
        s[out + d] = real(anchor[row, 3 + d])
    rotation_matrix(s, out, s, matrix)
    for d in range(3):
        unit_x = s[matrix + 3 * d]
        s[out + END_BASE + d] = real(anchor[row, d]) + side * half_x * unit_x - s[com + d]
        s[out + END_EY + d] = half_y * s[matrix + 3 * d + 1]
        s[out + END_EZ + d] = half_z * s[matrix + 3 * d + 2]
        s[out + END_EX + d] = unit_x


@kernel()
def place_end(w: Array, end: int, s: Array, local: int, segment: int) -> None:
    """Update world face vectors and their velocities at `end` from a segment and its local face vectors."""
    wx, wy, wz = s[segment + SEG_W], s[segment + SEG_W + 1], s[segment + SEG_W + 2]
    for k in range(0, 12, 3):
        r = rotate(s, segment + SEG_R, s[local + k], s[local + k + 1], s[local + k + 2])
        w[end + k], w[end + k + 1], w[end + k + 2] = r[0], r[1], r[2]
    for k in range(0, 9, 3):
        v = cross((wx, wy, wz), (w[end + k], w[end + k + 1], w[end + k + 2]))
        w[end + END_VBASE + k], w[end + END_VBASE + k + 1], w[end + END_VBASE + k + 2] = v[0], v[1], v[2]
    for d in range(3):
        w[end + END_BASE + d] += s[segment + SEG_X + d]
        w[end + END_VBASE + d] += s[segment + SEG_V + d]


@kernel()
def place_face(w: Array, end: int, s: Array, first: int) -> None:
    """Update nine node positions, coordinate by coordinate from `first` with stride 27, from the face vectors."""
    for d in range(3):
        base, ey, ez = w[end + END_BASE + d], w[end + END_EY + d], w[end + END_EZ + d]
        n = first + 27 * d
        s[n], s[n + 1], s[n + 2] = base - ey - ez, base - ey, base - ey + ez
        s[n + 3], s[n + 4], s[n + 5] = base - ez, base, base + ez
        s[n + 6], s[n + 7], s[n + 8] = base + ey - ez, base + ey, base + ey + ez


@kernel()
def place_middle(w: Array, s: Array, block: int) -> None:
    """Update the free nodes and their velocities of a block to the average of its two faces."""
    real = s.dtype.type
    half = real(0.5)
    for d in range(3):
        for j in range(3):
            for k in range(3):
                y, z = real(j - 1), real(k - 1)
                a = w[END_A + d] + y * w[END_A + END_EY + d] + z * w[END_A + END_EZ + d]
                b = w[END_B + d] + y * w[END_B + END_EY + d] + z * w[END_B + END_EZ + d]
                s[block + BLK_X + 27 * d + 9 + 3 * j + k] = half * (a + b)
                a = w[END_A + END_VBASE + d] + y * w[END_A + END_VEY + d] + z * w[END_A + END_VEZ + d]
                b = w[END_B + END_VBASE + d] + y * w[END_B + END_VEY + d] + z * w[END_B + END_VEZ + d]
                s[block + BLK_V + 9 * d + 3 * j + k] = half * (a + b)


@kernel()
def push_face(w: Array, s: Array, end: int, segment: int, node: int, moment: int, gamma_volume: float) -> None:
    """Update a segment's force and torque from the nodal forces of one face plus the damping moments."""
    n = NODE_FORCE + node
    ax, ay, az = moments(w, n, MOTION_OUT + moment, gamma_volume)
    bx, by, bz = moments(w, n + 27, MOTION_OUT + 16 + moment, gamma_volume)
    cx, cy, cz = moments(w, n + 54, MOTION_OUT + 32 + moment, gamma_volume)
    rx = w[end + END_BASE] - s[segment + SEG_X]
    ry = w[end + END_BASE + 1] - s[segment + SEG_X + 1]
    rz = w[end + END_BASE + 2] - s[segment + SEG_X + 2]
    add_force(s, segment, rx, ry, rz, ax, bx, cx)
    t = cross((w[end + END_EY], w[end + END_EY + 1], w[end + END_EY + 2]), (ay, by, cy))
    u = cross((w[end + END_EZ], w[end + END_EZ + 1], w[end + END_EZ + 2]), (az, bz, cz))
    for d in range(3):
        s[segment + SEG_TORQUE + d] += t[d] + u[d]


@kernel()
def moments(w: Array, n: int, out: int, gamma_volume: float) -> Vector:
    """The sums of f, y f and z f over one face for one coordinate, with the damping part added."""
    low = w[n] + w[n + 1] + w[n + 2]
    mid = w[n + 3] + w[n + 4] + w[n + 5]
    high = w[n + 6] + w[n + 7] + w[n + 8]
    bottom = w[n] + w[n + 3] + w[n + 6]
    top = w[n + 2] + w[n + 5] + w[n + 8]
    return (
        low + mid + high + gamma_volume * w[out],
        high - low + gamma_volume * w[out + 1],
        top - bottom + gamma_volume * w[out + 2],
    )
