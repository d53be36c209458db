"""Where a foot goes: its place in the middle of its next stance, moved onto the ground. [Guo15 4.2.2] [insect 2]

In a tripod three legs do this in the same tick: that is the next triangle. At low speed it becomes single feet by itself.
"""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import TYPE_CHECKING, NamedTuple

from ....engine.kernel import kernel
from ....engine.number_kernel import TWO_PI
from ....engine.records import record
from ....engine.terrain.ground_kernel import sample_ground
from ....engine.vector_kernel import cross, unit

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from ....engine.terrain.ground_layout import Ground

SNAP_STEPS = 4  # moves along the ground's normal; what is left after them is below 1e-6 on stones [insect 1]
ON_GROUND = 1e-6  # u; near enough
BAD_DISTANCE = 0.01  # u from the ground at which a foothold is none
STEEPEST = 0.2  # cosine between the ground's normal and the body's: steeper footholds are looked for elsewhere
FARTHEST_MOVE = 0.15  # trunk lengths that the ground may be away from where the foot would be
STRETCH = 0.9  # share of a leg beyond which a foothold, seen from where the hip will be, is looked for elsewhere
RING_RADII = (0.08, 0.167)  # trunk lengths around it that are tried then [insect 2]
RING = 8  # directions
MOVED_COST, STEEP_COST, BENT_COST, FAR_COST = 3.0, 1.5, 0.3, 20.0  # per trunk length, cosine, cosine, leg length
NOWHERE = 10.0  # cost of a foothold off the ground
OPPOSITE = -0.9  # cosine beyond which the body is not bent around an edge: that is the far side of a plate


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


@record
class Stand(NamedTuple):
    """Where a foot should stand and its hip will be in the middle of its stance, and the axes of the body there."""

    x: float
    y: float
    z: float
    hip_x: float
    hip_y: float
    hip_z: float
    fx: float
    fy: float
    fz: float
    ux: float
    uy: float
    uz: float


@kernel(refcount=False)
def place_under(at: Vector, forward: Vector, up: Vector, template: tuple[float, float], hip: tuple[float, float],
                height: float, turn: float) -> Stand:  # fmt: skip
    """Return where a foot and its hip are when the middle of the body is at a point and has turned by an angle."""
    left = cross(up, forward)
    c, s = cos(turn), sin(turn)
    a, b = c * template[0] - s * template[1], s * template[0] + c * template[1]
    p, q = c * hip[0] - s * hip[1], s * hip[0] + c * hip[1]
    return Stand(at[0] + a * forward[0] + b * left[0] - height * up[0],
                 at[1] + a * forward[1] + b * left[1] - height * up[1],
                 at[2] + a * forward[2] + b * left[2] - height * up[2],
                 at[0] + p * forward[0] + q * left[0], at[1] + p * forward[1] + q * left[1],
                 at[2] + p * forward[2] + q * left[2], forward[0], forward[1], forward[2], up[0], up[1], up[2])  # fmt: skip


@kernel(refcount=False)
def bent_around(ground: Ground, at: Vector, forward: Vector, up: Vector, height: float) -> tuple[Vector, Vector, Vector]:
    """Return a place, forward and up of a body that has followed the ground to there: around an edge, or up a wall.

    All points at one distance from the ground are a smooth surface, also over edges, and the normals along it turn smoothly.
    """
    d, nx, ny, nz = sample_ground(ground, at[0], at[1], at[2])
    along = up[0] * nx + up[1] * ny + up[2] * nz
    if along < OPPOSITE:
        return at, forward, up
    lift = height - d
    place = (at[0] + lift * nx, at[1] + lift * ny, at[2] + lift * nz)
    share = (forward[0] * nx + forward[1] * ny + forward[2] * nz) / (1.0 + along)
    turned = (forward[0] - share * (up[0] + nx), forward[1] - share * (up[1] + ny), forward[2] - share * (up[2] + nz))
    return place, unit(turned, forward), (nx, ny, nz)


@kernel(refcount=False)
def foothold_cost(foot: Foothold, stand: Stand, up: Vector, size: float, reach: float) -> float:
    """Return how bad a foothold is: away from where it should be, steep, around an edge, or out of reach of its hip."""
    moved = sqrt((foot.x - stand.x) ** 2 + (foot.y - stand.y) ** 2 + (foot.z - stand.z) ** 2)
    away = sqrt((foot.x - stand.hip_x) ** 2 + (foot.y - stand.hip_y) ** 2 + (foot.z - stand.hip_z) ** 2)
    flat = foot.nx * stand.ux + foot.ny * stand.uy + foot.nz * stand.uz
    bent = 1.0 - (stand.ux * up[0] + stand.uy * up[1] + stand.uz * up[2])
    return (MOVED_COST * moved / size + STEEP_COST * max(0.0, 0.5 - flat) + BENT_COST * bent
            + FAR_COST * max(0.0, away / reach - STRETCH) + (NOWHERE if foot.off > BAD_DISTANCE else 0.0))


@kernel(refcount=False)
def is_good(foot: Foothold, stand: Stand, size: float, reach: float) -> bool:
    """Return whether a foothold needs no other: on the ground, level enough, near where it should be and within reach."""
    moved = (foot.x - stand.x) ** 2 + (foot.y - stand.y) ** 2 + (foot.z - stand.z) ** 2
    away = (foot.x - stand.hip_x) ** 2 + (foot.y - stand.hip_y) ** 2 + (foot.z - stand.hip_z) ** 2
    flat = foot.nx * stand.ux + foot.ny * stand.uy + foot.nz * stand.uz
    near = moved <= (FARTHEST_MOVE * size) ** 2 and away <= (STRETCH * reach) ** 2
    return near and foot.off <= BAD_DISTANCE and flat >= STEEPEST


@kernel(refcount=False)
def best_around(ground: Ground, stand: Stand, up: Vector, size: float, reach: float, best: Foothold,
                least: float) -> tuple[Foothold, float]:  # fmt: skip
    """Return the best of a foothold known already and a ring of others around where a foot should stand, and its cost."""
    forward = (stand.fx, stand.fy, stand.fz)
    left = cross((stand.ux, stand.uy, stand.uz), forward)
    for radius in RING_RADII:
        r = radius * size
        for k in range(RING):
            angle = TWO_PI * k / RING
            a, b = r * cos(angle), r * sin(angle)
            found = snap(ground, stand.x + a * forward[0] + b * left[0], stand.y + a * forward[1] + b * left[1],
                         stand.z + a * forward[2] + b * left[2])  # fmt: skip
            cost = foothold_cost(found, stand, up, size, reach)
            if cost < least:
                best, least = found, cost
    return best, least


@kernel(refcount=False)
def find_foothold(ground: Ground, middle: Vector, forward: Vector, up: Vector, template: tuple[float, float],
                  hip: tuple[float, float], height: float, turn: float, size: float, reach: float,
                  searches: bool) -> Foothold:  # fmt: skip
    """Return a point of the ground for the foot of a body whose middle will be at a place, turned by an angle.

    Where the nearest point is too steep, too far or none, the body is bent around the edge or up the wall that it has come
    to, and a ring of points around both places is tried.
    """
    stand = place_under(middle, forward, up, template, hip, height, turn)
    foot = snap(ground, stand.x, stand.y, stand.z)
    if is_good(foot, stand, size, reach):
        return foot
    place, ahead, above = bent_around(ground, middle, forward, up, height)
    bent = place_under(place, ahead, above, template, hip, height, turn)
    other = snap(ground, bent.x, bent.y, bent.z)
    least, cost = foothold_cost(foot, stand, up, size, reach), foothold_cost(other, bent, up, size, reach)
    if cost < least:
        foot, least = other, cost
    if searches:
        foot, least = best_around(ground, stand, up, size, reach, foot, least)
        foot, least = best_around(ground, bent, up, size, reach, foot, least)
    return foot


@kernel(refcount=False)
def moved_on(position: Array, forward: Vector, left: Vector, speed: float, yaw_rate: float, ahead: float) -> Vector:
    """Return where the middle of a body will be `ahead` seconds from now on its arc."""
    turn = yaw_rate * ahead
    if abs(turn) > 1e-6:
        along, aside = speed * sin(turn) / yaw_rate, speed * (1.0 - cos(turn)) / yaw_rate
    else:
        along, aside = speed * ahead, 0.5 * speed * ahead * turn
    return (position[0] + along * forward[0] + aside * left[0], position[1] + along * forward[1] + aside * left[1],
            position[2] + along * forward[2] + aside * left[2])  # fmt: skip
