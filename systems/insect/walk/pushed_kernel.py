"""An insect that is pushed, loaded or blown at: a rigid trunk on the springs of its standing feet, around the pose that its
walk would give it (the ghost); and one that has lost its feet and rolls until it can right itself. [insect 6]

Masses are 1; sizes are those of the trunk. Legend: F = K (foot - (p + R r)) - C (v + w x Rr - v_ghost).
"""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING

from numba import prange

from ....components.body import Answer
from ....components.insect.trunk import TrunkMode
from ....engine.creature import FULL
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.terrain.ground_kernel import sample_ground
from ....engine.turn_kernel import axes_of_quaternion
from ....engine.vector_kernel import cross, dot, unit
from .foothold_kernel import BAD_DISTANCE, snap

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.insect.tripods import TripodPool
    from ....components.insect.trunk import TrunkPool
    from ....components.legs import LegPool
    from ....components.segments import SegmentPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array, Vector
    from ....engine.terrain.ground_layout import Ground

SUBSTEPS = 4  # per tick [insect 6]
SPRING, DAMPER = 150.0, 6.0  # 1/s^2 and 1/s of a foot
INERTIA = (0.0667, 0.1111, 0.1244)  # of a trunk of length 1, about its forward, left and up
MOST_FORCE = 12.0  # weights that one foot may take
FRICTION = 1.0
LEASH = 0.167  # trunk lengths that the ghost may be away
HEADING_SHARE, NORMAL_SHARE = 0.12, 0.06  # of the way that the ghost turns toward the trunk per tick
HIGHEST_PART = 0.6  # heights of the trunk: rounder than that no part is where it touches the ground, or it would lie on it
CONTACT, CONTACT_DAMPING = 1200.0, 12.0  # 1/s^2, 1/s
GROUND_FRICTION = 3.0  # 1/s of sliding that a trunk on the ground loses
FEWEST_FEET, LEAST_UP = 2, 0.15  # fewer, or leaning more than that: it falls
LEG_PUSH = 0.4  # weights with which a leg pushes the ground away to right the trunk
RIGHTING_SPIN = 5.0  # rad/s; a trunk that turns as fast is pushed no further
HARDEST_EFFORT = 2.0  # times that against a trunk that turns the wrong way
BRACE = 4.0  # 1/s of coming nearer to the ground that a leg of a fallen trunk takes up, with at most its weight
ON_BACK = -0.95  # cosine beyond which it lies on its back and turns over its side
UPRIGHT, SLOW, STEADY, UP_TIME = 0.7, 1.0, 4.0, 0.1  # cosine, lengths/s, rad/s, s: then it stands up
CALM_SPEED, CALM_GAP, CALM_TIME = 0.2, 0.067, 0.3  # lengths/s, lengths, s: then its feet carry it again
FADE = 0.12  # s in which two thirds of what is left between trunk and ghost are gone


@kernel()
def clipped(f: Vector, most: float) -> Vector:
    """Return a vector of at most a length."""
    r = sqrt(dot(f, f))
    return f if r <= most else (f[0] * most / r, f[1] * most / r, f[2] * most / r)


@kernel()
def foot_force(c: int, leg: int, gap_velocity: Vector, gap: Vector, weight: float, standing: float, up: Vector,
               trunks: TrunkPool, tripods: TripodPool, gravity: float) -> Vector:  # fmt: skip
    """Return the force of a standing foot on the trunk; a foot that is pulled off lets go."""
    f = (SPRING * gap[0] - DAMPER * gap_velocity[0], SPRING * gap[1] - DAMPER * gap_velocity[1],
         SPRING * gap[2] - DAMPER * gap_velocity[2] + weight / standing)  # fmt: skip
    f = clipped(f, MOST_FORCE * gravity)
    pull = -dot(f, up)
    adhesion = trunks.adhesion[c] * gravity
    if pull > adhesion:
        tripods.stands[c, leg], tripods.progress[c, leg], tripods.planned[c, leg] = 0, 0.0, 0
        return 0.0, 0.0, 0.0
    normal = dot(f, up)
    side = (f[0] - normal * up[0], f[1] - normal * up[1], f[2] - normal * up[2])
    side = clipped(side, FRICTION * (max(normal, 0.0) + adhesion))
    return side[0] + normal * up[0], side[1] + normal * up[1], side[2] + normal * up[2]


@kernel()
def contact_force(at: Vector, velocity: Vector, arm: Vector, spin: Vector, radius: float,
                  ground: Ground) -> tuple[Vector, Vector]:  # fmt: skip
    """Return the force of the ground on one round part of the trunk, and where it touches, from the middle of the trunk."""
    d, nx, ny, nz = sample_ground(ground, at[0] + arm[0], at[1] + arm[1], at[2] + arm[2])
    if d >= radius:
        return (0.0, 0.0, 0.0), arm
    arm = (arm[0] - d * nx, arm[1] - d * ny, arm[2] - d * nz)
    turned = cross(spin, arm)
    v = (velocity[0] + turned[0], velocity[1] + turned[1], velocity[2] + turned[2])
    n = (nx, ny, nz)
    into = dot(v, n)
    push = max(CONTACT * (radius - d) - CONTACT_DAMPING * into, 0.0)
    return (push * nx - GROUND_FRICTION * (v[0] - into * nx), push * ny - GROUND_FRICTION * (v[1] - into * ny),
            push * nz - GROUND_FRICTION * (v[2] - into * nz)), arm  # fmt: skip


@kernel()
def push_off(c: int, leg: int, first: int, axes: tuple[Vector, Vector, Vector], lean: Vector, weight: float,
             trunks: TrunkPool, tripods: TripodPool, legs: LegPool, ground: Ground) -> tuple[Vector, Vector]:  # fmt: skip
    """Return the force of a leg of a fallen trunk on it, and where its foot is from the middle.

    A leg that finds ground within its reach breaks the fall; on one side it pushes, on the other its foot holds and pulls.
    """
    forward, left, up = axes
    at, hip, out, spin, low = trunks.body[c], legs.hip[first + leg], trunks.foot[c, leg], trunks.spin[c], trunks.height[c]
    foot = snap(ground, at[0] + out[0] * forward[0] + out[1] * left[0] - low * up[0],
                at[1] + out[0] * forward[1] + out[1] * left[1] - low * up[1],
                at[2] + out[0] * forward[2] + out[1] * left[2] - low * up[2])  # fmt: skip
    arm = (foot.x - at[0], foot.y - at[1], foot.z - at[2])
    root = (arm[0] - hip[0] * forward[0] - hip[1] * left[0], arm[1] - hip[0] * forward[1] - hip[1] * left[1],
            arm[2] - hip[0] * forward[2] - hip[1] * left[2])  # fmt: skip
    normal = (foot.nx, foot.ny, foot.nz)
    reached = sqrt(dot(root, root)) < trunks.reach[c, leg] and foot.off < BAD_DISTANCE
    tripods.stands[c, leg] = 1 if reached else 0
    if not reached:
        return (0.0, 0.0, 0.0), arm
    lever = dot(cross(arm, normal), lean)
    legs.tip[first + leg, 0], legs.tip[first + leg, 1], legs.tip[first + leg, 2] = foot.x, foot.y, foot.z
    turning = (spin[0], spin[1], spin[2])
    nearer = -dot(trunks.body_velocity[c], normal)
    push = min(BRACE * max(nearer, 0.0), weight)
    effort = weight * min(max(1.0 - dot(turning, lean) / RIGHTING_SPIN, 0.0), HARDEST_EFFORT)
    push += LEG_PUSH * effort if lever > 0.0 else -min(LEG_PUSH, trunks.adhesion[c]) * effort
    return (push * normal[0], push * normal[1], push * normal[2]), arm


@kernel()
def turn_by(turn: Array, spin: Array, dt: float) -> None:
    """Update a quaternion by turning for a while."""
    w, x, y, z = turn[0], turn[1], turn[2], turn[3]
    a, b, c = 0.5 * dt * spin[0], 0.5 * dt * spin[1], 0.5 * dt * spin[2]
    w, x, y, z = w - a * x - b * y - c * z, x + a * w + b * z - c * y, y - a * z + b * w + c * x, z + a * y - b * x + c * w
    r = 1.0 / sqrt(w * w + x * x + y * y + z * z)
    turn[0], turn[1], turn[2], turn[3] = r * w, r * x, r * y, r * z


@kernel()
def substep(c: int, first: int, here: int, dead: int, trunks: TrunkPool, tripods: TripodPool, legs: LegPool,
            segments: SegmentPool, ghost: tuple[tuple[Vector, Vector, Vector], Vector], ground: Ground, gravity: float,
            h: float) -> int:  # fmt: skip
    """Update the trunk over a substep: weight, wind, feet, ground, and the legs that right it when it has fallen."""
    at, v, w, size = trunks.body[c], trunks.body_velocity[c], trunks.spin[c], trunks.size[c]
    forward, left, up = axes_of_quaternion(trunks.turn[c, 0], trunks.turn[c, 1], trunks.turn[c, 2], trunks.turn[c, 3])
    (ghost_forward, ghost_left, ghost_up), ghost_velocity = ghost
    mass = 1.0 + trunks.load[c] + trunks.jaw_load[c]
    weight = mass * gravity
    fx, fy, fz = gravity * trunks.force[c, 0], gravity * trunks.force[c, 1], gravity * trunks.force[c, 2] - weight
    tx = ty = tz = 0.0
    jaw = 1.1 * trunks.head_at[c]
    hanging = -gravity * trunks.jaw_load[c]
    torque = cross((jaw * forward[0], jaw * forward[1], jaw * forward[2]), (0.0, 0.0, hanging))
    tx, ty, tz = torque
    standing = 0
    for leg in range(6):
        standing += tripods.stands[c, leg]
    if trunks.mode[c] == TrunkMode.PUSHED.value and standing > 0:
        share = float(standing)
        for leg in range(6):
            if tripods.stands[c, leg] == 0:
                continue
            foot = legs.tip[first + leg]
            g = (foot[0] - trunks.position[c, 0], foot[1] - trunks.position[c, 1], foot[2] - trunks.position[c, 2])
            r = (dot(g, ghost_forward), dot(g, ghost_left), dot(g, ghost_up))
            arm = (r[0] * forward[0] + r[1] * left[0] + r[2] * up[0],
                   r[0] * forward[1] + r[1] * left[1] + r[2] * up[1],
                   r[0] * forward[2] + r[1] * left[2] + r[2] * up[2])  # fmt: skip
            gap = (foot[0] - at[0] - arm[0], foot[1] - at[1] - arm[1], foot[2] - at[2] - arm[2])
            turned = cross((w[0], w[1], w[2]), arm)
            slip = (v[0] + turned[0] - ghost_velocity[0], v[1] + turned[1] - ghost_velocity[1],
                    v[2] + turned[2] - ghost_velocity[2])  # fmt: skip
            f = foot_force(c, leg, slip, gap, weight, share, up, trunks, tripods, gravity)
            about = cross((foot[0] - at[0], foot[1] - at[1], foot[2] - at[2]), f)
            fx, fy, fz = fx + f[0], fy + f[1], fz + f[2]
            tx, ty, tz = tx + about[0], ty + about[1], tz + about[2]
    places = (trunks.head_at[c], 0.0, trunks.gaster_at[c])
    if trunks.mode[c] == TrunkMode.TUMBLE.value and dead == 0:
        _, nx, ny, nz = sample_ground(ground, at[0], at[1], at[2])
        lean = cross(up, (nx, ny, nz))
        if dot(up, (nx, ny, nz)) < ON_BACK:
            lean = forward
        lean = unit(lean, forward)
        for leg in range(6):
            f, arm = push_off(c, leg, first, (forward, left, up), lean, weight, trunks, tripods, legs, ground)
            about = cross(arm, f)
            fx, fy, fz = fx + f[0], fy + f[1], fz + f[2]
            tx, ty, tz = tx + about[0], ty + about[1], tz + about[2]
    for part in range(3):
        a, radius = places[part], min(segments.half_extents[here + part, 2], HIGHEST_PART * trunks.height[c])
        arm = (a * forward[0], a * forward[1], a * forward[2])
        f, arm = contact_force((at[0], at[1], at[2]), (v[0], v[1], v[2]), arm, (w[0], w[1], w[2]), radius, ground)
        about = cross(arm, f)
        fx, fy, fz = fx + f[0], fy + f[1], fz + f[2]
        tx, ty, tz = tx + about[0], ty + about[1], tz + about[2]
    inertia = (INERTIA[0] * size * size * mass, INERTIA[1] * size * size * mass, INERTIA[2] * size * size * mass)
    torque = (tx, ty, tz)
    a, b, d = dot(torque, forward) / inertia[0], dot(torque, left) / inertia[1], dot(torque, up) / inertia[2]
    ax = a * forward[0] + b * left[0] + d * up[0]
    ay = a * forward[1] + b * left[1] + d * up[1]
    az = a * forward[2] + b * left[2] + d * up[2]
    w[0], w[1], w[2] = w[0] + h * ax, w[1] + h * ay, w[2] + h * az
    v[0], v[1], v[2] = v[0] + h * fx / mass, v[1] + h * fy / mass, v[2] + h * fz / mass
    at[0], at[1], at[2] = at[0] + h * v[0], at[1] + h * v[1], at[2] + h * v[2]
    turn_by(trunks.turn[c], w, h)
    return standing


@kernel()
def follow_body(c: int, trunks: TrunkPool) -> None:
    """Update the ghost so that it stays near the trunk and turns with it."""
    forward, _, up = axes_of_quaternion(trunks.turn[c, 0], trunks.turn[c, 1], trunks.turn[c, 2], trunks.turn[c, 3])
    at, gap = trunks.position[c], (0.0, 0.0, 0.0)
    gap = (trunks.body[c, 0] - at[0], trunks.body[c, 1] - at[1], trunks.body[c, 2] - at[2])
    away, leash = sqrt(dot(gap, gap)), LEASH * trunks.size[c]
    share = (away - leash) / away if away > leash else 0.0
    for axis in range(3):
        at[axis] += share * gap[axis]
        trunks.forward[c, axis] += HEADING_SHARE * (forward[axis] - trunks.forward[c, axis])
        trunks.normal[c, axis] += NORMAL_SHARE * (up[axis] - trunks.normal[c, axis])
    n = unit((trunks.normal[c, 0], trunks.normal[c, 1], trunks.normal[c, 2]), (0.0, 0.0, 1.0))
    f = (trunks.forward[c, 0], trunks.forward[c, 1], trunks.forward[c, 2])
    along = dot(f, n)
    f = unit((f[0] - along * n[0], f[1] - along * n[1], f[2] - along * n[2]), forward)
    for axis in range(3):
        trunks.normal[c, axis], trunks.forward[c, axis] = n[axis], f[axis]


@kernel()
def stand_up(c: int, first: int, trunks: TrunkPool, tripods: TripodPool, legs: LegPool, ground: Ground) -> None:
    """Update one that lies upright: all six feet are put down around it, and their springs lift it."""
    forward, left, up = axes_of_quaternion(trunks.turn[c, 0], trunks.turn[c, 1], trunks.turn[c, 2], trunks.turn[c, 3])
    at = trunks.body[c]
    for axis in range(3):
        trunks.position[c, axis], trunks.forward[c, axis], trunks.normal[c, axis] = at[axis], forward[axis], up[axis]
    for leg in range(6):
        x, y = trunks.foot[c, leg, 0], trunks.foot[c, leg, 1]
        foot = snap(ground, at[0] + x * forward[0] + y * left[0], at[1] + x * forward[1] + y * left[1],
                    at[2] + x * forward[2] + y * left[2])  # fmt: skip
        tip, target = legs.tip[first + leg], tripods.target[c, leg]
        tip[0], tip[1], tip[2] = foot.x, foot.y, foot.z
        target[0], target[1], target[2] = foot.x, foot.y, foot.z
        tripods.stands[c, leg], tripods.phase[c, leg], tripods.progress[c, leg] = 1, 0.0, 0.0
    trunks.speed[c] = trunks.yaw_rate[c] = 0.0
    trunks.mode[c], trunks.timer[c] = TrunkMode.PUSHED.value, 0.0


@kernel()
def begin_pushed(c: int, trunks: TrunkPool, quaternion: Array) -> None:
    """Update one that its feet carried to a mass on springs, at the same place and as fast."""
    trunks.mode[c], trunks.timer[c] = TrunkMode.PUSHED.value, 0.0
    for part in range(4):
        trunks.turn[c, part] = quaternion[part]
    for axis in range(3):
        trunks.body[c, axis] = trunks.position[c, axis] + trunks.offset[c, axis]
        trunks.body_velocity[c, axis] = trunks.velocity[c, axis]
        trunks.spin[c, axis] = trunks.yaw_rate[c] * trunks.normal[c, axis]
        trunks.offset[c, axis] = 0.0


@kernel()
def choose_mode(c: int, first: int, standing: int, dead: int, trunks: TrunkPool, tripods: TripodPool, legs: LegPool,
                ground: Ground, dt: float) -> None:  # fmt: skip
    """Update what moves the trunk from now on."""
    size, turn = trunks.size[c], trunks.turn[c]
    _, _, up = axes_of_quaternion(turn[0], turn[1], turn[2], turn[3])
    v, w = trunks.body_velocity[c], trunks.spin[c]
    if trunks.mode[c] == TrunkMode.PUSHED.value:
        n = (trunks.normal[c, 0], trunks.normal[c, 1], trunks.normal[c, 2])
        if standing < FEWEST_FEET or dot(up, n) < LEAST_UP or dead != 0:
            trunks.fell[c] = 1
            for leg in range(6):
                tripods.stands[c, leg] = 0
            trunks.mode[c], trunks.timer[c] = TrunkMode.TUMBLE.value, 0.0
            return
        gap = (trunks.body[c, 0] - trunks.position[c, 0], trunks.body[c, 1] - trunks.position[c, 1],
               trunks.body[c, 2] - trunks.position[c, 2])  # fmt: skip
        slip = (v[0] - trunks.velocity[c, 0], v[1] - trunks.velocity[c, 1], v[2] - trunks.velocity[c, 2])
        wind = dot(trunks.force[c], trunks.force[c]) > 0.0
        calm = sqrt(dot(slip, slip)) < CALM_SPEED * size and sqrt(dot(gap, gap)) < CALM_GAP * size and not wind
        trunks.timer[c] = trunks.timer[c] + dt if calm else 0.0
        if trunks.timer[c] > CALM_TIME:
            trunks.mode[c] = TrunkMode.WALK.value
            for axis in range(3):
                trunks.offset[c, axis] = gap[axis]
        return
    if dead != 0:
        return
    d, nx, ny, nz = sample_ground(ground, trunks.body[c, 0], trunks.body[c, 1], trunks.body[c, 2])
    still = sqrt(dot(v, v)) < SLOW * size and sqrt(dot(w, w)) < STEADY
    lies = still and d < trunks.height[c] and dot(up, (nx, ny, nz)) > UPRIGHT
    trunks.timer[c] = trunks.timer[c] + dt if lies else 0.0
    if trunks.timer[c] > UP_TIME:
        stand_up(c, first, trunks, tripods, legs, ground)


@kernel()
def push_one(c: int, dead: int, trunks: TrunkPool, tripods: TripodPool, bodies: BodyPool, segments: SegmentPool,
             legs: LegPool, ground: Ground, gravity: float, dt: float) -> None:  # fmt: skip
    """Update one insect that is pushed or has fallen, over a tick."""
    first, here = int64(bodies.first_leg[c]), int64(bodies.first_segment[c])
    impulse, mass = (0.0, 0.0, 0.0), 1.0 + trunks.load[c] + trunks.jaw_load[c]
    total = 0.0
    for i in range(3):
        total += segments.mass[here + i]
    for i in range(3):
        push = segments.push[here + i]
        if push[0] == 0.0 and push[1] == 0.0 and push[2] == 0.0:
            continue
        impulse = (push[0] * dt / (total * mass), push[1] * dt / (total * mass), push[2] * dt / (total * mass))
        arm = (segments.position[here + i, 0] - trunks.body[c, 0], segments.position[here + i, 1] - trunks.body[c, 1],
               segments.position[here + i, 2] - trunks.body[c, 2])  # fmt: skip
        about = cross(arm, impulse)
        for axis in range(3):
            trunks.body_velocity[c, axis] += impulse[axis]
            trunks.spin[c, axis] += about[axis] / (INERTIA[1] * trunks.size[c] * trunks.size[c])
    if trunks.mode[c] == TrunkMode.PUSHED.value:
        follow_body(c, trunks)
    forward = (trunks.forward[c, 0], trunks.forward[c, 1], trunks.forward[c, 2])
    up = (trunks.normal[c, 0], trunks.normal[c, 1], trunks.normal[c, 2])
    ghost = ((forward, cross(up, forward), up), (trunks.velocity[c, 0], trunks.velocity[c, 1], trunks.velocity[c, 2]))
    standing = 0
    for _ in range(SUBSTEPS):
        standing = substep(c, first, here, dead, trunks, tripods, legs, segments, ghost, ground, gravity, dt / SUBSTEPS)
    choose_mode(c, first, standing, dead, trunks, tripods, legs, ground, dt)


@kernel()
def is_hit(c: int, bodies: BodyPool, segments: SegmentPool) -> bool:
    """Return whether anything pushes the segments of an insect."""
    here = int64(bodies.first_segment[c])
    for i in range(3):
        push = segments.push[here + i]
        if push[0] != 0.0 or push[1] != 0.0 or push[2] != 0.0:
            return True
    return False


@kernel()
def is_pushed(c: int, tier: int, bodies: BodyPool, segments: SegmentPool, trunks: TrunkPool) -> bool:
    """Return whether anything acts on an insect that its legs do not know of; only one seen in full feels the wind."""
    if is_hit(c, bodies, segments):
        return True
    return tier == FULL and (trunks.force[c, 0] != 0.0 or trunks.force[c, 1] != 0.0 or trunks.force[c, 2] != 0.0)


@kernel(parallel=True)
def push(rows: Array, creatures: CreaturePool, trunks: TrunkPool, tripods: TripodPool, bodies: BodyPool,
         segments: SegmentPool, legs: LegPool, ground: Ground, gravity: float, dt: float) -> None:  # fmt: skip
    """Update the listed insects that something acts on, and let the traces of it fade in the others."""
    for r in prange(rows.size):
        c = int64(rows[r])
        trunks.fell[c] = 0
        if trunks.mode[c] == TrunkMode.WALK.value:
            keep = exp(-dt / FADE)
            for axis in range(3):
                trunks.offset[c, axis] *= keep
            if creatures.dead[c] == 0 and not is_pushed(c, creatures.tier[c], bodies, segments, trunks):
                continue
            begin_pushed(c, trunks, segments.orientation[bodies.first_segment[c] + 1])
        push_one(c, creatures.dead[c], trunks, tripods, bodies, segments, legs, ground, gravity, dt)
        # off its feet it is pushed, and no longer moved aside
        bodies.answer[c] = Answer.PUSH.value if trunks.mode[c] == TrunkMode.TUMBLE.value else Answer.NUDGE.value
