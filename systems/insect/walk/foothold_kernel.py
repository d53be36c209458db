"""Where a foot goes: its place in the middle of its next stance, moved onto the ground. [Guo15 4.2.2] [insect 2]

In a tripod three legs do this in the same tick: that is the next triangle. At low speed it becomes single feet by itself.
"""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import TYPE_CHECKING, NamedTuple

from ....engine.kernel import kernel
from ....engine.records import record
from ....engine.terrain.ground_kernel import sample_ground

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from ....engine.terrain.ground_layout import Ground

SNAP_STEPS = 4  # moves along the ground's normal; what is left after them is below 1e-6 on stones [insect 1]
ON_GROUND = 1e-6  # u; near enough
BAD_DISTANCE = 0.01  # u from the ground at which a foothold is none
STEEPEST = 0.2  # cosine between the ground's normal and the body's: steeper footholds are looked for elsewhere
FARTHEST_MOVE = 0.3  # trunk lengths that the ground may be away from where the foot would be
RING_RADII = (0.08, 0.167)  # trunk lengths around it that are tried then [insect 2]
RING = 8  # directions


@record
class Foothold(NamedTuple):
    """A point of the ground, its normal there, and how far from the ground it still is."""

    x: float
    y: float
    z: float
    nx: float
    ny: float
    nz: float
    off: float


@kernel(refcount=False)
def snap(ground: Ground, x: float, y: float, z: float) -> Foothold:
    """Return the nearest point of the ground."""
    d, nx, ny, nz = sample_ground(ground, x, y, z)
    for _ in range(SNAP_STEPS):
        if abs(d) < ON_GROUND:
            break
        x, y, z = x - d * nx, y - d * ny, z - d * nz
        d, nx, ny, nz = sample_ground(ground, x, y, z)
    return Foothold(x, y, z, nx, ny, nz, abs(d))


@kernel(refcount=False)
def foothold_cost(at: Vector, foot: Foothold, up: Vector, r: float) -> float:
    """Return how bad a foothold is: height off the plane of the feet, steepness, distance from where it should be."""
    height = (foot.x - at[0]) * up[0] + (foot.y - at[1]) * up[1] + (foot.z - at[2]) * up[2]
    flat = foot.nx * up[0] + foot.ny * up[1] + foot.nz * up[2]
    return 2.0 * abs(height) + 0.5 * r + 1.5 * max(0.0, 0.5 - flat) + (10.0 if foot.off > BAD_DISTANCE else 0.0)


@kernel(refcount=False)
def find_foothold(ground: Ground, at: Vector, forward: Vector, left: Vector, up: Vector, size: float,
                  searches: bool) -> tuple[float, float, float, bool]:  # fmt: skip
    """Return the point of the ground for a foot that should stand at `at`, and whether it is a good one.

    Where the nearest point is too steep, too far or none, a ring of others is tried.
    """
    foot = snap(ground, at[0], at[1], at[2])
    moved = sqrt((foot.x - at[0]) ** 2 + (foot.y - at[1]) ** 2 + (foot.z - at[2]) ** 2)
    flat = foot.nx * up[0] + foot.ny * up[1] + foot.nz * up[2]
    good = foot.off <= BAD_DISTANCE and flat >= STEEPEST and moved <= FARTHEST_MOVE * size
    if good or not searches:
        return foot.x, foot.y, foot.z, good
    best, least = foot, foothold_cost(at, foot, up, 0.0)
    for radius in RING_RADII:
        r = radius * size
        for k in range(RING):
            angle = 2.0 * 3.141592653589793 * k / RING
            a, b = r * cos(angle), r * sin(angle)
            x, y = at[0] + a * forward[0] + b * left[0], at[1] + a * forward[1] + b * left[1]
            found = snap(ground, x, y, at[2] + a * forward[2] + b * left[2])
            cost = foothold_cost(at, found, up, r)
            if cost < least:
                best, least = found, cost
    return best.x, best.y, best.z, best.off <= BAD_DISTANCE


@kernel(refcount=False)
def wanted_foot(position: Array, forward: Vector, left: Vector, up: Vector, template: tuple[float, float], height: float,
                speed: float, yaw_rate: float, ahead: float) -> Vector:  # fmt: skip
    """Return where a foot should stand: its place under the body as it will be `ahead` seconds from now on its arc."""
    turn = yaw_rate * ahead
    if abs(turn) > 1e-6:
        along, aside = speed * sin(turn) / yaw_rate, speed * (1.0 - cos(turn)) / yaw_rate
    else:
        along, aside = speed * ahead, 0.5 * speed * ahead * turn
    c, s = cos(turn), sin(turn)
    a = along + c * template[0] - s * template[1]
    b = aside + s * template[0] + c * template[1]
    return (position[0] + a * forward[0] + b * left[0] - height * up[0],
            position[1] + a * forward[1] + b * left[1] - height * up[1],
            position[2] + a * forward[2] + b * left[2] - height * up[2])  # fmt: skip
