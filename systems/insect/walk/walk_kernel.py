"""One tick of a walking insect: it moves on, legs lift, swing and land, and the trunk follows its feet. [insect 2-4]"""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING

from numba import prange

from ....components.insect.tripods import Tripod
from ....components.insect.trunk import TrunkMode
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.terrain.ground_kernel import sample_ground
from ....engine.vector_kernel import cross
from .foothold_kernel import find_foothold, moved_on, snap
from .pose_kernel import hold, leg_length, settle
from .timing_kernel import LANDING_RATE, SINGLE, cycle_of, may_lift, phase_rate

if TYPE_CHECKING:
    from ....components.antennae import AntennaPool
    from ....components.body import BodyPool
    from ....components.head_command import HeadCommandPool
    from ....components.insect.tripods import TripodPool
    from ....components.insect.trunk import TrunkPool
    from ....components.legs import LegPool
    from ....engine.kernel_types import Array, Vector
    from ....engine.terrain.ground_layout import Ground

STANDING = 1e-3  # u/s and rad/s; slower is standing still
ACCELERATION = 6.0  # trunk lengths per s^2
HARDEST_BRAKE = 12.0  # trunk lengths per s^2 at which feet and ground hold a trunk back
YAW_ACCELERATION = 30.0  # rad/s^2
BRAKE_FROM, BRAKE_TO = 0.93, 0.99  # shares of the longest leg between which a dragged foot brakes the body [insect 3]
LANDING_STRETCH, NEAR_STRETCH = 0.96, 0.85  # shares of a leg: feet that would land farther away land nearer
PULL_SLOWING = 0.1  # of the speed per mass of its own that it carries, or weight that pulls it back [insect 6]
SLOWEST_SHARE = 0.1  # of the speed that is left under the heaviest loads
LOAD_CROUCH = 0.13  # heights per mass that it carries
SLOPE_CROUCH = 1.0  # heights per sine: lower and wider downhill, higher and narrower uphill [Guo15 eq. 4.6]
STEEPEST_MEASURED = 0.174  # sine of the 10 degrees up to which that was measured
MOST_CROUCH = 0.45  # heights; more than that and planted feet are out of reach [insect 6]
CROUCH_RATE = 0.45  # heights per second: nothing is lowered at once [insect 6]
WIND_CROUCH = 0.18  # heights per weight of wind
CLEARANCE = 0.33  # of the lift that a swinging foot keeps from the ground


@kernel(refcount=False)
def ease(u: float) -> float:
    """Return the share of the way that is done after a share u of the time, at rest at both ends."""
    return u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)


@kernel()
def holds_back(c: int, first: int, leg: int, trunks: TrunkPool, legs: LegPool, forward: Vector, left: Vector,
               up: Vector) -> bool:  # fmt: skip
    """Return whether a standing leg is stretched and dragged, so that the trunk has to wait for it."""
    length, along = leg_length(first, leg, trunks.position[c], forward, left, up, legs)
    return length > BRAKE_FROM * trunks.reach[c, leg] and along * trunks.speed[c] < 0.0


@kernel()
def brake_of(c: int, first: int, trunks: TrunkPool, tripods: TripodPool, legs: LegPool, forward: Vector, left: Vector,
             up: Vector, speed: float) -> float:  # fmt: skip
    """Return the share of the speed that standing legs still allow: one that is stretched and dragged holds the body."""
    share = 1.0
    for leg in range(6):
        if tripods.stands[c, leg] == 0:
            continue
        length, along = leg_length(first, leg, trunks.position[c], forward, left, up, legs)
        stretch = length / trunks.reach[c, leg]
        if stretch > BRAKE_FROM and along * speed < 0.0:
            share = min(share, max((BRAKE_TO - stretch) / (BRAKE_TO - BRAKE_FROM), 0.0))
    return share


@kernel()
def place_foot(c: int, first: int, leg: int, trunks: TrunkPool, tripods: TripodPool, legs: LegPool, forward: Vector,
               left: Vector, up: Vector, ahead: float, ground: Ground, searches: bool) -> None:  # fmt: skip
    """Update where a swinging foot goes, from where the body will be in the middle of its coming stance."""
    crouch = trunks.crouch[c]
    foot, spread, hip = trunks.foot[c, leg], trunks.spread[c, leg], legs.hip[first + leg]
    template = (foot[0] + spread[0] * crouch, foot[1] + spread[1] * crouch)
    speed = trunks.speed[c] * trunks.room[c]
    middle = moved_on(trunks.position[c], forward, left, speed, trunks.yaw_rate[c], ahead)
    found = find_foothold(ground, middle, forward, up, template, (hip[0], hip[1]), trunks.height[c] - crouch,
                          trunks.yaw_rate[c] * ahead, trunks.size[c], trunks.reach[c, leg], searches)  # fmt: skip
    tripods.target[c, leg, 0], tripods.target[c, leg, 1], tripods.target[c, leg, 2] = found.x, found.y, found.z


@kernel()
def hip_of(c: int, first: int, leg: int, trunks: TrunkPool, legs: LegPool, forward: Vector, left: Vector,
           up: Vector) -> Vector:  # fmt: skip
    """Return where the hip of a leg is."""
    hip, at = legs.hip[first + leg], trunks.position[c]
    return (at[0] + hip[0] * forward[0] + hip[1] * left[0] + hip[2] * up[0],
            at[1] + hip[0] * forward[1] + hip[1] * left[1] + hip[2] * up[1],
            at[2] + hip[0] * forward[2] + hip[1] * left[2] + hip[2] * up[2])  # fmt: skip


@kernel()
def is_too_far(c: int, first: int, leg: int, trunks: TrunkPool, tripods: TripodPool, legs: LegPool, forward: Vector,
               left: Vector, up: Vector) -> bool:  # fmt: skip
    """Return whether a foot could not stand where it goes, as the trunk is now."""
    hip, goal = hip_of(c, first, leg, trunks, legs, forward, left, up), tripods.target[c, leg]
    squared = (goal[0] - hip[0]) ** 2 + (goal[1] - hip[1]) ** 2 + (goal[2] - hip[2]) ** 2
    return squared > (LANDING_STRETCH * trunks.reach[c, leg]) ** 2


@kernel()
def put_near(c: int, first: int, leg: int, trunks: TrunkPool, tripods: TripodPool, legs: LegPool, forward: Vector,
             left: Vector, up: Vector, ground: Ground) -> None:  # fmt: skip
    """Update where a foot lands whose foothold is out of reach: on the way there as far as its leg goes, on the ground."""
    hip, goal = hip_of(c, first, leg, trunks, legs, forward, left, up), tripods.target[c, leg]
    way = (goal[0] - hip[0], goal[1] - hip[1], goal[2] - hip[2])
    share = NEAR_STRETCH * trunks.reach[c, leg] / sqrt(way[0] ** 2 + way[1] ** 2 + way[2] ** 2)
    found = snap(ground, hip[0] + share * way[0], hip[1] + share * way[1], hip[2] + share * way[2])
    goal[0], goal[1], goal[2] = found.x, found.y, found.z
    if is_too_far(c, first, leg, trunks, tripods, legs, forward, left, up):  # then below its hip
        found = snap(ground, hip[0], hip[1], hip[2])
        goal[0], goal[1], goal[2] = found.x, found.y, found.z


@kernel()
def swing_foot(c: int, first: int, leg: int, before: float, tripods: TripodPool, legs: LegPool, up: Vector,
               ground: Ground) -> None:  # fmt: skip
    """Update a swinging foot: as much of the way that is left as of the time that is left, lifted in between."""
    tip, goal, u = legs.tip[first + leg], tripods.target[c, leg], tripods.progress[c, leg]
    left_share = 1.0 - ease(before)
    share = 1.0 if left_share < 1e-9 else (ease(u) - ease(before)) / left_share
    lift = tripods.parameters[c, Tripod.LIFT]
    rise = lift * (sin(pi * u) - sin(pi * before))
    for axis in range(3):
        way = goal[axis] + lift * sin(pi * before) * up[axis] - tip[axis]
        tip[axis] += share * way + rise * up[axis]
    d, nx, ny, nz = sample_ground(ground, tip[0], tip[1], tip[2])
    short = CLEARANCE * lift * sin(pi * u) - d
    if short > 0.0:
        tip[0], tip[1], tip[2] = tip[0] + short * nx, tip[1] + short * ny, tip[2] + short * nz


@kernel()
def step_legs(c: int, first: int, trunks: TrunkPool, tripods: TripodPool, legs: LegPool, forward: Vector, left: Vector,
              up: Vector, ground: Ground, searches: bool, dt: float) -> None:  # fmt: skip
    """Update phases, lifts, swings and landings of all six legs."""
    p, phase = tripods.parameters[c], tripods.phase[c]
    cycle, duty = cycle_of(trunks.speed[c], trunks.yaw_rate[c], trunks.size[c], tripods.stride_share[c], p)
    tripods.duty[c] = duty
    still = abs(trunks.speed[c]) < STANDING and abs(trunks.yaw_rate[c]) < STANDING
    swing_time = max((1.0 - duty) * cycle, dt)
    rates = tripods.rates[c]
    for leg in range(6):  # all of them before any phase moves on
        rates[leg] = phase_rate(leg, phase, cycle, duty, p[Tripod.COUPLING])
    for leg in range(6):
        if tripods.stands[c, leg] != 0:
            if still:
                continue
            urgent = duty >= SINGLE and holds_back(c, first, leg, trunks, legs, forward, left, up)
            phase[leg] = duty if urgent else min(phase[leg] + rates[leg] * dt, duty)
            if phase[leg] >= duty and may_lift(leg, tripods.stands[c], phase, duty, urgent):
                tripods.stands[c, leg], tripods.planned[c, leg], tripods.progress[c, leg] = 0, 0, 0.0
                ahead = swing_time + 0.5 * duty * cycle
                place_foot(c, first, leg, trunks, tripods, legs, forward, left, up, ahead, ground, searches)
            continue
        rate = max(rates[leg], LANDING_RATE * (1.0 - duty)) if still else rates[leg]
        if duty >= SINGLE:
            rate = max(rate, 1.0 / cycle)  # others wait for it
        before = tripods.progress[c, leg]
        u = min(before + rate * dt / max(1.0 - duty, 1e-3), 1.0)
        tripods.progress[c, leg], phase[leg] = u, min(duty + u * (1.0 - duty), 1.0)
        far = u >= 0.5 and is_too_far(c, first, leg, trunks, tripods, legs, forward, left, up)
        if far or (u >= 0.5 and tripods.planned[c, leg] == 0):
            tripods.planned[c, leg] = 1
            ahead = (1.0 - u) * swing_time + (0.0 if still else 0.5 * duty * cycle)
            place_foot(c, first, leg, trunks, tripods, legs, forward, left, up, ahead, ground, searches)
        if u >= 1.0 and is_too_far(c, first, leg, trunks, tripods, legs, forward, left, up):
            put_near(c, first, leg, trunks, tripods, legs, forward, left, up, ground)
        swing_foot(c, first, leg, before, tripods, legs, up, ground)
        if u >= 1.0:
            tripods.stands[c, leg], phase[leg] = 1, 0.0
            for axis in range(3):
                legs.tip[first + leg, axis] = tripods.target[c, leg, axis]


@kernel()
def move_on(c: int, first: int, trunks: TrunkPool, tripods: TripodPool, legs: LegPool, antennae: AntennaPool, nudge: Array,
            wanted: tuple[float, float], dt: float) -> tuple[Vector, Vector, Vector]:  # fmt: skip
    """Update place and heading of a trunk from what its head wants, within what legs, load and walls allow."""
    speed, turn = wanted if trunks.halted[c] == 0 else (0.0, 0.0)
    forward = (trunks.forward[c, 0], trunks.forward[c, 1], trunks.forward[c, 2])
    up = (trunks.normal[c, 0], trunks.normal[c, 1], trunks.normal[c, 2])
    left = cross(up, forward)
    size, height, p = trunks.size[c], trunks.height[c], tripods.parameters[c]
    load = trunks.load[c] + trunks.jaw_load[c]
    force, way = trunks.force[c], 1.0 if speed >= 0.0 else -1.0
    climb = way * forward[2]
    against = (1.0 + load) * climb - way * (force[0] * forward[0] + force[1] * forward[1] + force[2] * forward[2])
    share = max(1.0 - PULL_SLOWING * (load + max(against, 0.0)), SLOWEST_SHARE)
    speed = share * min(max(speed, -p[Tripod.TOP_SPEED]), p[Tripod.TOP_SPEED])
    wind = sqrt(force[0] ** 2 + force[1] ** 2 + force[2] ** 2)
    slope = min(max(climb, -STEEPEST_MEASURED), STEEPEST_MEASURED)
    low = min(LOAD_CROUCH * load + WIND_CROUCH * wind - SLOPE_CROUCH * slope, MOST_CROUCH) * height
    step = CROUCH_RATE * height * dt
    trunks.crouch[c] += min(max(low - trunks.crouch[c], -step), step)
    gain = ACCELERATION * size * dt
    trunks.speed[c] += min(max(speed - trunks.speed[c], -gain), gain)
    gain = YAW_ACCELERATION * dt
    trunks.yaw_rate[c] += min(max(turn - trunks.yaw_rate[c], -gain), gain)
    held = brake_of(c, first, trunks, tripods, legs, forward, left, up, trunks.speed[c])
    free = trunks.speed[c] * min(held, trunks.room[c])
    was = trunks.velocity[c]
    before = was[0] * forward[0] + was[1] * forward[1] + was[2] * forward[2]
    gain = HARDEST_BRAKE * size * dt
    v = before + min(max(free - before, -gain), gain)
    barrier = antennae.barrier[c]
    into = min(v * (forward[0] * barrier[0] + forward[1] * barrier[1] + forward[2] * barrier[2]), 0.0)
    aside = min(nudge[0] * barrier[0] + nudge[1] * barrier[1], 0.0)  # nor do others push it into a wall
    angle = trunks.yaw_rate[c] * dt
    for axis in range(3):
        trunks.velocity[c, axis] = v * forward[axis] - into * barrier[axis]
        gained = nudge[axis] - aside * barrier[axis] if axis < 2 else 0.0
        trunks.position[c, axis] += dt * (trunks.velocity[c, axis] + gained)
        trunks.forward[c, axis] = cos(angle) * forward[axis] + sin(angle) * left[axis]
    ahead = (trunks.forward[c, 0], trunks.forward[c, 1], trunks.forward[c, 2])
    return ahead, cross(up, ahead), up


@kernel()
def walk_one(c: int, trunks: TrunkPool, tripods: TripodPool, heads: HeadCommandPool, antennae: AntennaPool, bodies: BodyPool,
             legs: LegPool, ground: Ground, searches: bool, dt: float) -> None:  # fmt: skip
    """Update one insect that its feet carry."""
    first = int64(bodies.first_leg[c])
    forward, left, up = move_on(c, first, trunks, tripods, legs, antennae, bodies.nudge[c],
                                (heads.speed[c], heads.yaw_rate[c]), dt)  # fmt: skip
    step_legs(c, first, trunks, tripods, legs, forward, left, up, ground, searches, dt)
    settle(c, first, trunks, tripods, legs, ground, dt)
    hold(c, first, trunks, tripods, legs, ground, dt)


@kernel(parallel=True)
def walk(rows: Array, trunks: TrunkPool, tripods: TripodPool, heads: HeadCommandPool, antennae: AntennaPool,
         bodies: BodyPool, legs: LegPool, ground: Ground, searches: bool, dt: float) -> None:  # fmt: skip
    """Update the listed insects that are on their feet. searches: whether bad footholds are looked for elsewhere."""
    for r in prange(rows.size):
        c = int64(rows[r])
        if trunks.mode[c] != TrunkMode.TUMBLE.value:
            walk_one(c, trunks, tripods, heads, antennae, bodies, legs, ground, searches, dt)
