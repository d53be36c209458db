"""When a standing leg lifts: the Froude number, the triangle that is left, and four factors. [Guo15 7]

Legend: P_e extreme position, P_t phase of stance, P_d follower near, P_l load; P = 1 - (1 - P_e)(1 - P_t)(1 - P_d)(1 - P_l).
As printed the factors lift legs after a tenth of a cycle; `calibrated` has dead zones of half a stride and half a cycle.
The gap to the follower is taken along the walk: feet of one side are so far apart sideways that their distance would
never count.
"""

from __future__ import annotations

from math import exp, pi
from typing import TYPE_CHECKING

import numpy as np

from ...engine.kernel import kernel
from .ant_leg_kernel import FINE, angles_of

if TYPE_CHECKING:
    from ...engine.kernel_types import Array, Four, Numbers
    from .ant_model import AntTables

EXTREME_GAIN, PHASE_CONSTANT, NEAR_CONSTANT, LOAD_CONSTANT = 5.0, 0.25 * pi, 0.5, 5000.0  # -, rad, mm, uN
LOAD_CONSTANT_CALIBRATED = 1500.0  # uN
LITERAL, CALIBRATED = 0, 1
USE_EXTREME, USE_PHASE, USE_NEAR, USE_LOAD = 1, 2, 4, 8
ALL_FACTORS = 15
THRESHOLDS = (0.8, 0.7, 0.6)  # fore, middle, hind: the source lists the numbers, not the order
FROUDE_LIMIT, FROUDE_SLACK = 0.02, 1e-9
TIMER, STRIKE, DISTANCE, TRIANGLE, FACTORS = 0, 1, 2, 3, 4  # rules
SWING_SHARE_FAST = 0.9  # of half a cycle: feet of the next triangle are down just before those of the last lift


@kernel(refcount=False)
def froude(speed: float, height: float, gravity: float) -> float:
    """Return the Froude number."""
    return speed * speed / (gravity * height)


@kernel(refcount=False)
def is_fast(speed: float, height: float, gravity: float) -> bool:
    """Return whether the fast rule holds. [Guo15 7.1]"""
    return froude(speed, height, gravity) >= FROUDE_LIMIT - FROUDE_SLACK


@kernel(refcount=False)
def is_inside(x: float, y: float, a: Numbers, b: Numbers, c: Numbers) -> bool:
    """Return whether a point is in a triangle, by signs against the middle: any winding will do. [Guo15 7.2]"""
    ox, oy = (a[0] + b[0] + c[0]) / 3.0, (a[1] + b[1] + c[1]) / 3.0
    for p, q in ((a, b), (b, c), (c, a)):
        here = (p[0] - x) * (q[1] - y) - (p[1] - y) * (q[0] - x)
        middle = (p[0] - ox) * (q[1] - oy) - (p[1] - oy) * (q[0] - ox)
        if here * middle < 0.0:
            return False
    return True


@kernel(refcount=False)
def all_inside(points: Array, triangles: Array, out: Array) -> None:
    """Update out (n,): whether each point is in its triangle (n, 3, 2)."""
    for i in range(points.shape[0]):
        t = triangles[i]
        out[i] = is_inside(points[i, 0], points[i, 1], (t[0, 0], t[0, 1]), (t[1, 0], t[1, 1]), (t[2, 0], t[2, 1]))


@kernel(refcount=False)
def four_factors(travel: float, phase: float, gap: float, load: float, mode: int) -> Four:
    """Return P_e, P_t, P_d and P_l. travel: in strides; phase: of the cycle since touchdown, rad; gap: mm, load: uN."""
    if mode == CALIBRATED:
        travel, phase_over = max(travel - 0.5, 0.0), max(phase - pi, 0.0)
        unloaded = 0.0 if phase < 0.5 * pi else exp(-load / LOAD_CONSTANT_CALIBRATED)
    else:
        phase_over, unloaded = phase, exp(-load / LOAD_CONSTANT)
    near = exp(-max(gap, 0.0) / NEAR_CONSTANT)
    return 1.0 - exp(-EXTREME_GAIN * travel), 1.0 - exp(-phase_over / PHASE_CONSTANT), near, unloaded


@kernel(refcount=False)
def lift_chance(factors: Four, used: int) -> float:
    """Return the four factors as one. [Guo15 eq. 7.9]"""
    stay = 1.0
    for k in range(4):
        if used & (1 << k):
            stay *= 1.0 - factors[k]
    return 1.0 - stay


@kernel(refcount=False)
def ankle_rule(x: float, leg_length: float, initiation: float) -> bool:
    """Return whether a foot is behind its hip by more than a share of the leg: the distance rule of others. [Guo15 7.1]"""
    return -x / leg_length > initiation


@kernel(refcount=False)
def in_reach(x: float, y: float, leg: int, ant: AntTables, height: float) -> bool:
    """Return whether a leg reaches a foot at (x, y) around the trunk."""
    side = 1.0 if leg < 3 else -1.0
    dx, dy = x - ant.hip[leg, 0], y - ant.hip[leg, 1]
    return angles_of(dx, dy, -height, side, ant.coxa, ant.femur[leg], ant.lower[leg])[3] == FINE


@kernel()
def walk_straight(speed: float, lowered: float, rule: int, mode: int, used: int, dt: float, ant: AntTables, settings: Array,
                  stands: Array, lifts: Array, feet: Array, flags: Array) -> None:  # fmt: skip
    """Update what six feet do under a body that moves on straight: a walk of rules alone, without forces.

    stands (steps, 6), lifts (6,) share of the cycle at the last lift, feet (steps, 6) place along the path relative to
    the body, flags (2,): steps with feet of one side past each other, and legs out of reach, after the first cycle.
    settings: weight, half cycle of a timer, share of the leg at which the distance rule lifts.
    """
    steps = stands.shape[0]
    stride = ant.stride + ant.stride_time * speed
    cycle = stride / speed
    swing = np.zeros(6)  # time of landing
    down = np.zeros(6)  # time of touchdown
    place = np.zeros(6)  # along the path
    start, goal, left_at = np.zeros(6), np.zeros(6), np.zeros(6)
    y = np.zeros(6)
    standing = np.ones(6, np.bool_)
    tx, vertex = np.zeros(6), np.zeros(6)
    height = ant.height - lowered
    for leg in range(6):
        tx[leg] = ant.foot[leg, 0] + ant.spread[leg, 0] * lowered
        y[leg] = ant.foot[leg, 1] + ant.spread[leg, 1] * lowered
    ahead = 0.25 * stride  # of the middle of the body, where the triangle is that has just been entered
    if rule == TRIANGLE:
        a, b = ant.tripods[0, 0], ant.tripods[0, 1]
        ahead = 0.5 * stride - (tx[a] + (tx[b] - tx[a]) * y[a] / (y[a] - y[b]))
    for tripod in range(2):  # the left tripod has just landed, the right one is in the middle of its cycle
        for k in range(3):
            leg = ant.tripods[tripod, k]
            down[leg] = -0.5 * cycle * tripod
            place[leg] = tx[leg] + ahead - 0.5 * stride * tripod
            vertex[leg] = place[leg]
    current, switched = 1, -0.5 * cycle
    for step in range(steps):
        t = step * dt
        body = speed * t
        count = 0
        for leg in range(6):
            if not standing[leg]:
                share = min((t - left_at[leg]) / max(swing[leg] - left_at[leg], dt), 1.0)
                place[leg] = start[leg] + share * (goal[leg] - start[leg])
                if t >= swing[leg] - 1e-12:
                    standing[leg], place[leg], down[leg], vertex[leg] = True, goal[leg], t, goal[leg]
            count += 1 if standing[leg] else 0
            feet[step, leg] = place[leg] - body
            stands[step, leg] = standing[leg]
        for side in range(2):
            for k in range(2):
                front = 3 * side + k
                both = standing[front] and standing[front + 1]
                flags[0] += 1 if t > cycle and both and feet[step, front] < feet[step, front + 1] else 0
        for leg in range(6):
            flags[1] += 1 if t > cycle and standing[leg] and not in_reach(feet[step, leg], y[leg], leg, ant, height) else 0
        swap = False
        if rule == TRIANGLE:
            a, b, c = ant.tripods[current, 0], ant.tripods[current, 1], ant.tripods[current, 2]
            swap = not is_inside(body, 0.0, (vertex[a], y[a]), (vertex[b], y[b]), (vertex[c], y[c]))
        elif rule == TIMER:
            swap = t - switched >= settings[1] - 1e-12
        elif rule == STRIKE:
            swap = t > switched + dt
            for k in range(3):
                swap = swap and standing[ant.tripods[1 - current, k]]
            swap = swap and t - switched >= 0.5 * cycle - 1e-9
        elif rule == DISTANCE:
            hind = ant.tripods[current, 1]
            swap = ankle_rule(feet[step, hind] - ant.hip[hind, 0], ant.femur[hind] + ant.lower[hind], settings[2])
        if rule == TRIANGLE:
            for k in range(3):
                swap = swap and standing[ant.tripods[1 - current, k]]
        for tripod in range(2):
            others = True
            for k in range(3):
                others = others and standing[ant.tripods[1 - tripod, k]]
            for k in range(3):
                leg = ant.tripods[tripod, k]
                if not standing[leg]:
                    continue
                go = swap and tripod == current
                if rule == FACTORS or used & (USE_NEAR | USE_EXTREME):
                    travel, phase = speed * (t - down[leg]) / stride, 2.0 * pi * (t - down[leg]) / cycle
                    gap = feet[step, leg] - feet[step, leg + 1] if k < 2 else 1e9
                    load = settings[0] / max(count, 1)
                    factors = four_factors(travel, phase, gap, load, mode)  # pyright: ignore[reportArgumentType]  # numbers
                    asked = used if rule == FACTORS else used & (USE_NEAR | USE_EXTREME)
                    chance = lift_chance(factors, asked)
                    free = others or mode == LITERAL or rule != FACTORS
                    go = go or (chance > THRESHOLDS[k] and free)
                if go:
                    standing[leg] = False
                    lifts[leg] = (t - down[leg]) / cycle
                    start[leg], left_at[leg] = place[leg], t
                    if rule == FACTORS and mode == CALIBRATED:
                        swing[leg] = down[leg] + cycle
                    elif rule == FACTORS:
                        swing[leg] = t + 0.5 * cycle
                    else:
                        swing[leg] = max(t + SWING_SHARE_FAST * 0.5 * cycle, down[leg] + cycle)
                    # the vertex of the next triangle but one, or where the rules of single legs would have it
                    goal[leg] = vertex[leg] + stride if rule == TRIANGLE else tx[leg] + speed * swing[leg] + 0.25 * stride
        if swap:
            current, switched = 1 - current, t
