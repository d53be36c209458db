"""How the trunk lies over its feet: a plane through all six, weighted so that no lifting or landing jerks. [insect 3]"""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.terrain.ground_kernel import sample_ground
from ....engine.vector_kernel import cross, unit

if TYPE_CHECKING:
    from ....components.insect.tripods import TripodPool
    from ....components.insect.trunk import TrunkPool
    from ....components.legs import LegPool
    from ....engine.kernel_types import Vector
    from ....engine.terrain.ground_layout import Ground

TARGET_WEIGHT = 0.15  # of the foothold of a leg that has just lifted; it grows to 1 until it lands
STEEPEST_PLANE = 0.8  # slope of the plane against the trunk
HEIGHT_RATE, NORMAL_RATE = 12.0, 10.0  # 1/s [insect 3]
FASTEST_TILT = 3.5  # rad/s
BELLY = 0.1  # trunk lengths that bellies keep from the ground [insect 3]
BELLY_PLACES = (-0.4, 0.0, 0.4)  # trunk lengths from the middle
LOOK_AHEAD = 0.73  # trunk lengths in front of it
NEAR = 0.45  # heights: ground that is nearer there turns the trunk toward it


@kernel()
def plane_of_feet(c: int, first: int, trunks: TrunkPool, tripods: TripodPool, legs: LegPool, forward: Vector, left: Vector,
                  up: Vector) -> Vector:  # fmt: skip
    """Return (height, slope along, slope across) of the weighted plane through the feet, as seen from the trunk."""
    at = trunks.position[c]
    sw = sx = sy = sxx = sxy = syy = sz = sxz = syz = 0.0
    for leg in range(6):
        weight = 1.0
        foot = legs.tip[first + leg]
        if tripods.stands[c, leg] == 0:
            foot, weight = tripods.target[c, leg], TARGET_WEIGHT + (1.0 - TARGET_WEIGHT) * tripods.progress[c, leg]
        dx, dy, dz = foot[0] - at[0], foot[1] - at[1], foot[2] - at[2]
        x = dx * forward[0] + dy * forward[1] + dz * forward[2]
        y = dx * left[0] + dy * left[1] + dz * left[2]
        z = dx * up[0] + dy * up[1] + dz * up[2]
        sw, sx, sy, sz = sw + weight, sx + weight * x, sy + weight * y, sz + weight * z
        sxx, sxy, syy = sxx + weight * x * x, sxy + weight * x * y, syy + weight * y * y
        sxz, syz = sxz + weight * x * z, syz + weight * y * z
    mx, my, mz = sx / sw, sy / sw, sz / sw
    a, b, d = sxx - sw * mx * mx, sxy - sw * mx * my, syy - sw * my * my
    e, f = sxz - sw * mx * mz, syz - sw * my * mz
    det = a * d - b * b
    if not det > 1e-12 * (a * d + 1e-30):
        return mz, 0.0, 0.0
    p, q = (e * d - f * b) / det, (a * f - b * e) / det
    p, q = min(max(p, -STEEPEST_PLANE), STEEPEST_PLANE), min(max(q, -STEEPEST_PLANE), STEEPEST_PLANE)
    return mz - p * mx - q * my, p, q


@kernel()
def turn_toward(up: Vector, wanted: Vector, most: float) -> Vector:
    """Return a direction turned toward another by at most so many radians."""
    dot = min(max(up[0] * wanted[0] + up[1] * wanted[1] + up[2] * wanted[2], -1.0), 1.0)
    gap = sqrt(max(1.0 - dot * dot, 0.0))
    share = 1.0 if gap <= most else most / gap
    return unit((up[0] + share * (wanted[0] - up[0]), up[1] + share * (wanted[1] - up[1]),
                  up[2] + share * (wanted[2] - up[2])), up)  # fmt: skip


@kernel()
def settle(c: int, first: int, trunks: TrunkPool, tripods: TripodPool, legs: LegPool, ground: Ground, dt: float) -> None:
    """Update height and tilt of a trunk toward the plane of its feet, and keep its belly off the ground."""
    at, size = trunks.position[c], trunks.size[c]
    forward = (trunks.forward[c, 0], trunks.forward[c, 1], trunks.forward[c, 2])
    up = (trunks.normal[c, 0], trunks.normal[c, 1], trunks.normal[c, 2])
    left = cross(up, forward)
    level, p, q = plane_of_feet(c, first, trunks, tripods, legs, forward, left, up)
    wanted = unit((up[0] - p * forward[0] - q * left[0], up[1] - p * forward[1] - q * left[1],
                    up[2] - p * forward[2] - q * left[2]), up)  # fmt: skip
    reach = LOOK_AHEAD * size
    d, nx, ny, nz = sample_ground(ground, at[0] + reach * forward[0], at[1] + reach * forward[1], at[2] + reach * forward[2])
    height = trunks.height[c] - trunks.crouch[c]
    if d < NEAR * height:
        wanted = unit((wanted[0] + nx, wanted[1] + ny, wanted[2] + nz), wanted)
    share = 1.0 - exp(-NORMAL_RATE * dt)
    mixed = unit((up[0] + share * (wanted[0] - up[0]), up[1] + share * (wanted[1] - up[1]),
                   up[2] + share * (wanted[2] - up[2])), up)  # fmt: skip
    up = turn_toward(up, mixed, FASTEST_TILT * dt)
    rise = (height + level) * (1.0 - exp(-HEIGHT_RATE * dt))
    lowest = 1e9
    for place in BELLY_PLACES:
        a = place * size
        below = sample_ground(ground, at[0] + a * forward[0], at[1] + a * forward[1], at[2] + a * forward[2]).distance
        lowest = min(lowest, below)
    if lowest < BELLY * size:
        rise = max(rise, (BELLY * size - lowest) * (1.0 - exp(-2.0 * HEIGHT_RATE * dt)))
    along = forward[0] * up[0] + forward[1] * up[1] + forward[2] * up[2]
    forward = unit((forward[0] - along * up[0], forward[1] - along * up[1], forward[2] - along * up[2]), forward)
    for axis in range(3):
        at[axis] += rise * up[axis]
        trunks.normal[c, axis], trunks.forward[c, axis] = up[axis], forward[axis]
