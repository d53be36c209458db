"""The guard of a soft block: what happens while a joint is folded, torn apart or turned inside out.

The elastic energy does not prevent inversion, and a tangled block would stay tangled [numerics 3]. Outside
the allowed range the mid-plane is held at the average of the two faces and a bounded spring leads the frames back;
the caller sees it in the `disturbed` column, so nothing is repaired in silence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.vector_kernel import cross
from .rigid_segments_kernel import add_force
from .scratch_layout import (
    BLK_GAMMA_VOLUME,
    BLK_HALF,
    BLK_TWO_MU,
    END_A,
    END_B,
    END_EX,
    END_EY,
    END_EZ,
    END_VBASE,
    SEG_INVERSE_INERTIA,
    SEG_MASS,
    SEG_TORQUE,
    SEG_W,
    SEG_X,
)

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector

# Bits of the `disturbed` column.
OUT_OF_RANGE = 1  # joint folded, crossed or torn: the guard spring acted instead of the tissue
OVERSTRETCHED = 2  # an element was stretched beyond recovery: the mid-plane was reset
STAYED_INVERTED = 4  # elements were inverted during the whole tick: the mid-plane was reset

LARGEST_TURN_COSINE = 0.36236  # cos(1.2 rad) between the two ends [walking 3]
SHORTEST_GAP = 0.1  # axial distance of the faces over the block's x size
LONGEST_GAP = 3.0  # distance of the faces over the block's x size
GUARD_SHARE = 0.5  # of the motion between two segments that the guard's damping may take in a substep
SMALLEST_HALF_TURN = 0.3  # lower bound of 1 + cos(turn) in the guard torque, so that it stays bounded


@kernel()
def joint_in_range(w: Array, s: Array, block: int) -> bool:
    """Whether the two faces of a block are in a position from which its tissue can recover."""
    real = s.dtype.type
    hx, hy, hz = s[block + BLK_HALF], s[block + BLK_HALF + 1], s[block + BLK_HALF + 2]
    length = hx + hx
    turn_y, turn_z = real(0.0), real(0.0)
    turn_x, axial, gap = real(0.0), real(0.0), real(0.0)
    for d in range(3):
        apart = w[END_A + d] - w[END_B + d]
        gap += apart * apart
        axial += apart * (w[END_A + END_EX + d] + w[END_B + END_EX + d])
        turn_x += w[END_A + END_EX + d] * w[END_B + END_EX + d]
        turn_y += w[END_A + END_EY + d] * w[END_B + END_EY + d]
        turn_z += w[END_A + END_EZ + d] * w[END_B + END_EZ + d]
    cosine = real(0.5) * (turn_x + turn_y / (hy * hy) + turn_z / (hz * hz) - real(1.0))
    longest = real(LONGEST_GAP) * length
    shortest = real(SHORTEST_GAP) * length
    return cosine > real(LARGEST_TURN_COSINE) and gap < longest * longest and axial > shortest + shortest


@kernel()
def lightness(s: Array, a: int, lever2: float) -> float:
    """Return how fast a segment gives way to the guard: per force, or per torque over the lever, whichever is more."""
    real = s.dtype.type
    least = real(0.0)
    for d in range(3):
        turn = s[a + SEG_INVERSE_INERTIA + 4 * d]
        least = turn if turn > least else least
    inverse_mass = real(1.0) / s[a + SEG_MASS]
    return inverse_mass if inverse_mass > lever2 * least else lever2 * least


@kernel()
def guard_spring(w: Array, s: Array, block: int, a: int, b: int, dt: float) -> None:
    """Update the wrenches of segments `a` and `b` by a linear spring and a bounded torque toward the rest joint.

    Both are explicit. Where tissue is much wider than its segments are heavy, they are as strong as a step can bear.
    """
    real = s.dtype.type
    half = real(0.5)
    hx, hy, hz = s[block + BLK_HALF], s[block + BLK_HALF + 1], s[block + BLK_HALF + 2]
    stiffness = s[block + BLK_TWO_MU] * hy * hz / hx  # shear modulus * area / length
    lever2 = real(2.0 / 3.0) * (hy * hy + hz * hz)  # (ly^2 + lz^2) / 6
    damping = s[block + BLK_GAMMA_VOLUME]
    most = real(GUARD_SHARE) / (dt * (lightness(s, a, lever2) + lightness(s, b, lever2)))
    damping = damping if damping < most else most
    stiffness = stiffness if stiffness * dt < most else most / dt
    fx = spring_force(w, 0, hx, stiffness, damping)
    fy = spring_force(w, 1, hx, stiffness, damping)
    fz = spring_force(w, 2, hx, stiffness, damping)
    push_segment(s, w, END_A, a, fx, fy, fz)
    push_segment(s, w, END_B, b, -fx, -fy, -fz)
    x = end_cross(w, END_EX)
    y = end_cross(w, END_EY)
    z = end_cross(w, END_EZ)
    iy, iz = real(1.0) / (hy * hy), real(1.0) / (hz * hz)
    trace = real(0.0)
    for d in range(3):
        trace += w[END_A + END_EX + d] * w[END_B + END_EX + d]
        trace += w[END_A + END_EY + d] * w[END_B + END_EY + d] * iy
        trace += w[END_A + END_EZ + d] * w[END_B + END_EZ + d] * iz
    below = half * (trace + real(1.0))  # 1 + cos(turn)
    below = below if below > real(SMALLEST_HALF_TURN) else real(SMALLEST_HALF_TURN)
    for d in range(3):
        twist = (x[d] + y[d] * iy + z[d] * iz) / below  # 2 tan(turn/2) along the axis from b to a
        torque = lever2 * (stiffness * twist + damping * (s[a + SEG_W + d] - s[b + SEG_W + d]))
        s[a + SEG_TORQUE + d] -= torque
        s[b + SEG_TORQUE + d] += torque


@kernel()
def spring_force(w: Array, d: int, hx: float, stiffness: float, damping: float) -> float:
    """One coordinate of the guard force on the front end: toward the rest distance along the mean axis."""
    apart = w[END_A + d] - w[END_B + d] - hx * (w[END_A + END_EX + d] + w[END_B + END_EX + d])
    return -stiffness * apart - damping * (w[END_A + END_VBASE + d] - w[END_B + END_VBASE + d])


@kernel()
def push_segment(s: Array, w: Array, end: int, segment: int, fx: float, fy: float, fz: float) -> None:
    """Update a segment by a force at the base of one face."""
    rx, ry, rz = w[end] - s[segment + SEG_X], w[end + 1] - s[segment + SEG_X + 1], w[end + 2] - s[segment + SEG_X + 2]
    add_force(s, segment, rx, ry, rz, fx, fy, fz)


@kernel()
def end_cross(w: Array, k: int) -> Vector:
    """The cross product of the same face vector at the rear and at the front end."""
    return cross((w[END_B + k], w[END_B + k + 1], w[END_B + k + 2]), (w[END_A + k], w[END_A + k + 1], w[END_A + k + 2]))
