"""How the trunk lies over its feet: a plane through all six, weighted so that no lifting or landing jerks. [insect 3]"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.terrain.ground_kernel import sample_ground
from ....engine.vector_kernel import cross, dot, unit

if TYPE_CHECKING:
    from ....components.insect.tripods import TripodPool
    from ....components.insect.trunk import TrunkPool
    from ....components.legs import LegPool
    from ....engine.kernel_types import Array, Vector
    from ....engine.terrain.ground_layout import Ground

TARGET_WEIGHT = 0.15  # of the foothold of a leg that has just lifted; it grows to 1 until it lands
STEEPEST_PLANE = 0.8  # slope of the plane against the trunk
USUAL_SIZE = 1.5  # u; length of the ant that the rates are measured on; longer ones are as much slower
HEIGHT_RATE, NORMAL_RATE = 16.0, 16.0  # 1/s; critically damped, so that neither a step nor a stone makes a trunk jump
FASTEST_TILT = 3.5  # rad/s
BELLY = 0.1  # trunk lengths that bellies keep from the ground [insect 3]
BELLY_PLACES = (-0.4, 0.0, 0.4)  # trunk lengths from the middle
SKIN = 0.03  # trunk lengths; nearer to the ground no middle line comes, however suddenly the ground rises
LEAST_RISE = 0.3  # cosine; a belly in front of steeper ground is not lifted any faster
LOOK_AHEAD = (0.73, 0.5)  # trunk lengths in front of it
NEAR = 0.45  # heights: ground that is nearer there turns the trunk toward it
TURN_SHARE = 2.0  # weight of that ground against the plane of the feet, when it is touched
RIDGE = 0.01  # squared trunk lengths: feet that stand nearer together than a tenth of it say little about slopes
EDGE_SHARE = 2.0  # weight of that turning against the plane of the feet
SINK_FROM = 1.6  # heights above all ground from which a trunk sinks, whatever its feet stand on
EDGE_FROM, EDGE_TO = 1.15, 1.6  # heights above the ground between which a trunk turns to it: its feet are beyond an edge
SLOWEST_ROOM, ROOM_RATE = 0.15, 6.0  # share of its speed at which one still moves against ground in front; 1/s
FARTHEST_FOOT = 0.985  # of the longest leg, at which a standing foot holds the trunk
HOLDS = 4  # rounds over the legs in which feet hold it


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
    ridge = RIDGE * sw * trunks.size[c] ** 2
    a, b, d = sxx - sw * mx * mx + ridge, sxy - sw * mx * my, syy - sw * my * my + ridge
    e, f = sxz - sw * mx * mz, syz - sw * my * mz
    det = a * d - b * b
    if not det > 1e-12 * (a * d + 1e-30):
        return mz, 0.0, 0.0
    p, q = (e * d - f * b) / det, (a * f - b * e) / det
    p, q = min(max(p, -STEEPEST_PLANE), STEEPEST_PLANE), min(max(q, -STEEPEST_PLANE), STEEPEST_PLANE)
    return mz - p * mx - q * my, p, q


@kernel()
def leg_length(first: int, leg: int, position: Array, forward: Vector, left: Vector, up: Vector,
               legs: LegPool) -> tuple[float, float]:  # fmt: skip
    """Return the distance from hip to foot and how far the foot is behind its hip."""
    hip = legs.hip[first + leg]
    dx = legs.tip[first + leg, 0] - position[0] - hip[0] * forward[0] - hip[1] * left[0] - hip[2] * up[0]
    dy = legs.tip[first + leg, 1] - position[1] - hip[0] * forward[1] - hip[1] * left[1] - hip[2] * up[1]
    dz = legs.tip[first + leg, 2] - position[2] - hip[0] * forward[2] - hip[1] * left[2] - hip[2] * up[2]
    return sqrt(dx * dx + dy * dy + dz * dz), dx * forward[0] + dy * forward[1] + dz * forward[2]


@kernel(refcount=False)
def toward(rate: float, gap: float, stiffness: float, dt: float) -> float:
    """Return the rate of a critically damped spring after a step, for a gap that is left; stable for every step."""
    w = stiffness * dt
    return (rate + w * stiffness * gap) / (1.0 + 2.0 * w + w * w)


@kernel()
def wanted_normal(c: int, up: Vector, forward: Vector, slopes: tuple[float, float], height: float, trunks: TrunkPool,
                  ground: Ground, middle: tuple[float, Vector]) -> Vector:  # fmt: skip
    """Return where up should be: across the plane of the feet, but toward ground in front, or to that of an edge behind.

    middle: distance of the middle of the trunk from the ground, and the normal there.
    """
    left, at = cross(up, forward), trunks.position[c]
    p, q = slopes
    wanted = unit((up[0] - p * forward[0] - q * left[0], up[1] - p * forward[1] - q * left[1],
                   up[2] - p * forward[2] - q * left[2]), up)  # fmt: skip
    off, mean = middle
    edge = EDGE_SHARE * min(max((off / height - EDGE_FROM) / (EDGE_TO - EDGE_FROM), 0.0), 1.0)
    x, y, z = wanted[0] + edge * mean[0], wanted[1] + edge * mean[1], wanted[2] + edge * mean[2]
    for place in LOOK_AHEAD:
        reach = place * trunks.size[c]
        d, nx, ny, nz = sample_ground(ground, at[0] + reach * forward[0], at[1] + reach * forward[1],
                                      at[2] + reach * forward[2])  # fmt: skip
        if nx * forward[0] + ny * forward[1] + nz * forward[2] < 0.0:  # not the far side of a thin wall
            share = TURN_SHARE * min(max(1.0 - d / (NEAR * height), 0.0), 1.0)
            x, y, z = x + share * nx, y + share * ny, z + share * nz
    return unit((x, y, z), wanted)


@kernel()
def settle(c: int, first: int, trunks: TrunkPool, tripods: TripodPool, legs: LegPool, ground: Ground, dt: float) -> None:
    """Update height and tilt of a trunk toward the plane of its feet, and keep its belly off the ground."""
    at, size = trunks.position[c], trunks.size[c]
    forward = (trunks.forward[c, 0], trunks.forward[c, 1], trunks.forward[c, 2])
    up = (trunks.normal[c, 0], trunks.normal[c, 1], trunks.normal[c, 2])
    left = cross(up, forward)
    level, p, q = plane_of_feet(c, first, trunks, tripods, legs, forward, left, up)
    height, pace = trunks.height[c] - trunks.crouch[c], min(USUAL_SIZE / size, 1.0)
    gap, room, nearest, middle = height + level, 1.0, 1e9, (height, up)
    way = 1.0 if trunks.speed[c] >= 0.0 else -1.0
    for place in BELLY_PLACES:
        a = place * size
        d, nx, ny, nz = sample_ground(ground, at[0] + a * forward[0], at[1] + a * forward[1], at[2] + a * forward[2])
        nearest = min(nearest, d)
        if place == 0.0:
            middle = (d, (nx, ny, nz))
        short = BELLY * size - d
        if short > 0.0:
            gap = max(gap, short / max(nx * up[0] + ny * up[1] + nz * up[2], LEAST_RISE))
            into = -way * (nx * forward[0] + ny * forward[1] + nz * forward[2])
            room = min(room, 1.0 - max(into, 0.0) * min(short / (BELLY * size), 1.0))
    gap = min(gap, max(SINK_FROM * height - nearest, gap - nearest))
    step = ROOM_RATE * dt
    trunks.room[c] += min(max(max(room, SLOWEST_ROOM) - trunks.room[c], -step), step)
    wanted = wanted_normal(c, up, forward, (p, q), height, trunks, ground, middle)
    error, tilt, most = cross(up, wanted), trunks.tilt[c], FASTEST_TILT * sqrt(pace)
    for axis in range(3):
        tilt[axis] = toward(tilt[axis], error[axis], NORMAL_RATE * pace, dt)
    share = min(1.0, most / max(sqrt(dot(tilt, tilt)), 1e-9))
    spin = (share * tilt[0], share * tilt[1], share * tilt[2])
    turned = cross(spin, up)
    up = unit((up[0] + dt * turned[0], up[1] + dt * turned[1], up[2] + dt * turned[2]), up)
    trunks.rise[c] = toward(trunks.rise[c], gap, HEIGHT_RATE * pace, dt)
    along = forward[0] * up[0] + forward[1] * up[1] + forward[2] * up[2]
    forward = unit((forward[0] - along * up[0], forward[1] - along * up[1], forward[2] - along * up[2]), forward)
    for axis in range(3):
        at[axis] += trunks.rise[c] * dt * up[axis]
        tilt[axis] = spin[axis]
        trunks.normal[c, axis], trunks.forward[c, axis] = up[axis], forward[axis]


@kernel()
def hold(c: int, first: int, trunks: TrunkPool, tripods: TripodPool, legs: LegPool, ground: Ground, dt: float) -> None:
    """Update a trunk that ground or feet hold; what they hold of its rise is gone."""
    at, up = trunks.position[c], trunks.normal[c]
    before = at[0] * up[0] + at[1] * up[1] + at[2] * up[2]
    keep_out(c, trunks, ground)
    hold_feet(c, first, trunks, tripods, legs)
    held = (at[0] * up[0] + at[1] * up[1] + at[2] * up[2] - before) / dt
    if held * trunks.rise[c] < 0.0:
        left = max(abs(trunks.rise[c]) - abs(held), 0.0)
        trunks.rise[c] = left if trunks.rise[c] > 0.0 else -left


@kernel()
def keep_out(c: int, trunks: TrunkPool, ground: Ground) -> None:
    """Update a trunk whose middle line would be in the ground: it is moved out, by what it has moved in."""
    at, size = trunks.position[c], trunks.size[c]
    for place in BELLY_PLACES:
        a = place * size
        d, nx, ny, nz = sample_ground(ground, at[0] + a * trunks.forward[c, 0], at[1] + a * trunks.forward[c, 1],
                                      at[2] + a * trunks.forward[c, 2])  # fmt: skip
        short = SKIN * size - d
        if short > 0.0:
            at[0], at[1], at[2] = at[0] + short * nx, at[1] + short * ny, at[2] + short * nz


@kernel()
def hold_feet(c: int, first: int, trunks: TrunkPool, tripods: TripodPool, legs: LegPool) -> None:
    """Update a trunk so that none of its standing feet is out of reach: each holds it, in turn, by what is too far."""
    at = trunks.position[c]
    forward = (trunks.forward[c, 0], trunks.forward[c, 1], trunks.forward[c, 2])
    up = (trunks.normal[c, 0], trunks.normal[c, 1], trunks.normal[c, 2])
    left = cross(up, forward)
    for _ in range(HOLDS):
        held = False
        for leg in range(6):
            if tripods.stands[c, leg] == 0:
                continue
            length, _ = leg_length(first, leg, at, forward, left, up, legs)
            most = FARTHEST_FOOT * trunks.reach[c, leg]
            if length <= most:
                continue
            held, share, hip, tip = True, (length - most) / length, legs.hip[first + leg], legs.tip[first + leg]
            for axis in range(3):
                root = at[axis] + hip[0] * forward[axis] + hip[1] * left[axis] + hip[2] * up[axis]
                at[axis] += share * (tip[axis] - root)
        if not held:
            return
