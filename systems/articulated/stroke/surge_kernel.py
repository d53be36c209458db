"""How fast a swimmer goes along its heading, wherever there is no grid: one law, for links in water and for recorded cycles.

A recorded cycle holds the speed that a stroke settles at, and how the root swings about it. The mean speed `u` comes to the
one that the stroke is for, `v`, as it was measured in a fluid window:
- the first stroke, in water at rest, gives a share of `v` at once (`first_stroke`);
- the rest is built up together with the wake, u' = (v - u) / `build_up`;
- a faster body glides on: u' = -`coast_drag` (u |u| - v |v|) - `coast_rate` (u - v).
`v` goes with a power of the effort (`effort_power`): half a stroke leaves much less than half of the speed.
"""

from __future__ import annotations

from math import cos, exp, sin
from typing import TYPE_CHECKING

import numpy as np

from ....components.articulated.manoeuvres import CYCLE_STEPS
from ....components.articulated.surrogate import Surrogate
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from .stroke_kernel import (
    DOWN,
    LEAST_GLIDING,
    NONE,
    STRAIGHT,
    UP,
    ease,
    glides_of,
    middle_of_glide,
    moved_on,
    row_of,
    turn_row,
)

if TYPE_CHECKING:
    from ....components.articulated.links import LinkPool
    from ....components.articulated.manoeuvres import ManoeuvrePool
    from ....components.articulated.servo import SwimPool
    from ....components.articulated.surrogate import SurrogatePool
    from ....engine.kernel_types import Array

SURGE, SWAY, HEAVE, ROLL, PITCH, YAW = range(6)
"""Columns of a recorded cycle."""
FIRST_TIME = 0.25
"""s of the animal in which the first stroke gives its share."""
RECORDED_AFTER = 10.0
"""s of the animal from rest to the middle of the cycles that are recorded, see `steady`."""
CARRIED = 1.0
"""Masses of water that a pushed body takes along: as much as it has itself, as a disc does."""


@kernel(refcount=False)
def add_cycle(row: int, share: float, mirrored: bool, phase: float, manoeuvres: ManoeuvrePool, v: Array) -> None:
    """Update velocities by a share of those of a recorded cycle at a phase, linear between its steps."""
    at = phase * CYCLE_STEPS
    i = int64(at)
    part = at - i
    before, after = i % CYCLE_STEPS, (i + 1) % CYCLE_STEPS
    for field in range(6):
        value = (1.0 - part) * manoeuvres.cycle[row, before, field] + part * manoeuvres.cycle[row, after, field]
        other_way = mirrored and (field == SWAY or field == ROLL or field == YAW)
        v[field] += -share * value if other_way else share * value


@kernel(refcount=False)
def mean_of_cycle(row: int, field: int, manoeuvres: ManoeuvrePool) -> float:
    """Return the mean of a column of a recorded cycle."""
    total = 0.0
    for step in range(CYCLE_STEPS):
        total += manoeuvres.cycle[row, step, field]
    return total / CYCLE_STEPS


@kernel(refcount=False)
def in_pairs(c: int, swimmers: SwimPool, links: LinkPool) -> bool:
    """Return whether a body has joints to its left and right."""
    first = int64(swimmers.first_link[c])
    for k in range(1, swimmers.link_count[c]):
        if links.other[first + k] != k:
            return True
    return False


@kernel(refcount=False)
def is_measured(c: int, swimmers: SwimPool, manoeuvres: ManoeuvrePool) -> bool:
    """Return whether the speed of a swimmer's straight stroke is known; one that is being searched for has none yet."""
    return manoeuvres.speed[row_of(c, STRAIGHT, swimmers, manoeuvres)] != 0.0


@kernel(refcount=False)
def cycle_at(c: int, phase: float, steer: float, swimmers: SwimPool, links: LinkPool, manoeuvres: ManoeuvrePool,
             v: Array) -> tuple[float, float]:  # fmt: skip
    """Update `v` to the velocities of a swimmer at a phase, blended as its joints are, of a whole stroke, lengths and
    seconds of the world; return the mean of its surge, and its power per mass."""
    for field in range(6):
        v[field] = 0.0
    rise = swimmers.rise[c]
    straight = row_of(c, STRAIGHT, swimmers, manoeuvres)
    turn, mirrored = turn_row(c, steer, swimmers, manoeuvres)
    pitch = row_of(c, UP if rise > 0.0 else DOWN, swimmers, manoeuvres)
    k = abs(steer) if turn != NONE else 0.0
    p = abs(rise) if pitch != NONE else 0.0
    share = (1.0 - k) * (1.0 - p)
    add_cycle(straight, share, False, phase, manoeuvres, v)
    mean, power = share * mean_of_cycle(straight, SURGE, manoeuvres), share * manoeuvres.power[straight]
    if k > 0.0:
        late = 0.5 if mirrored and not in_pairs(c, swimmers, links) else 0.0  # as its joints are
        add_cycle(turn, k * (1.0 - p), mirrored, phase + late, manoeuvres, v)
        mean += k * (1.0 - p) * mean_of_cycle(turn, SURGE, manoeuvres)
        power += k * (1.0 - p) * manoeuvres.power[turn]
    if p > 0.0:
        add_cycle(pitch, p, False, phase, manoeuvres, v)
        mean += p * mean_of_cycle(pitch, SURGE, manoeuvres)
        power += p * manoeuvres.power[pitch]
    pace = swimmers.pace[c]
    for field in range(6):
        v[field] *= swimmers.wet[c] * pace * (swimmers.length[c] if field < 3 else 1.0)
    return mean * swimmers.wet[c] * pace * swimmers.length[c], power * pace * pace * pace


@kernel(refcount=False)
def effort_before(c: int, step: float, swimmers: SwimPool) -> float:
    """Return the effort of the tick before, as `beat` has changed it; `step` is what a tick is of a cycle."""
    effort, wish, most = swimmers.effort[c], swimmers.wish_effort[c], step / swimmers.blend[c]
    return effort - most if wish > effort else (effort + most if wish < effort else effort)


@kernel(refcount=False)
def width_of(effort: float, glides: int) -> float:
    """Return how wide a swimmer beats at an effort, negative for a wave that runs forward, as `glides_of` says."""
    return effort if glides == 0 else min(max(effort / LEAST_GLIDING, -1.0), 1.0)


@kernel(refcount=False)
def built_up(own: Array) -> float:
    """Return which share of its final speed a swimmer had when its cycle was recorded."""
    return 1.0 - (1.0 - own[Surrogate.FIRST_STROKE]) * exp(-RECORDED_AFTER / own[Surrogate.BUILD_UP])


@kernel(refcount=False)
def settled_speed(mean: float, effort: float, power: float) -> float:
    """Return the speed that a share of a stroke settles at, given that of the whole."""
    share = min(abs(effort), 1.0) ** power
    return mean * share if effort >= 0.0 else -mean * share


@kernel(refcount=False)
def next_speed(u: float, v: float, size: float, pace: float, own: Array, dt: float) -> float:
    """Return the mean speed after a tick of one that swims at `u` with a stroke for `v`; forward is where `v` points."""
    way = 1.0 if v >= 0.0 else -1.0
    u, v = way * u, way * v
    if u > v or u < 0.0:
        keep = exp(-dt * (own[Surrogate.COAST_DRAG] / size * (abs(u) + v) + own[Surrogate.COAST_RATE] * pace))
        u = v + keep * (u - v)
    if 0.0 <= u < v:
        first = own[Surrogate.FIRST_STROKE] * v
        if u < first:
            u = min(u + dt * pace / FIRST_TIME * first, first)
        u += (1.0 - exp(-dt * pace / own[Surrogate.BUILD_UP])) * (v - u)
    return way * u


@kernel(refcount=False)
def surge_after(c: int, ahead: float, pushed: float, share: float, swimmers: SwimPool, links: LinkPool,
                surrogates: SurrogatePool, manoeuvres: ManoeuvrePool, before: Array, now: Array,
                dt: float) -> tuple[float, float]:  # fmt: skip
    """Return the speed of a root along its heading after a tick, and the power of a whole stroke per mass.

    `ahead` is what the speed was, `pushed` what pushes add; it goes at a `share` of what was recorded. `before` and `now`
    become the velocities of the cycle, of a whole stroke, at the phases before and after the tick.
    """
    own, effort, pace = surrogates.parameters[c], swimmers.effort[c], swimmers.pace[c]
    straight = row_of(c, STRAIGHT, swimmers, manoeuvres)
    step, middle = dt * pace / manoeuvres.period[straight], middle_of_glide(straight, manoeuvres)
    _, longer = glides_of(c, swimmers)
    wide, wide_before = width_of(effort, swimmers.glides[c]), width_of(effort_before(c, step, swimmers), swimmers.glides[c])
    stands = 0.0
    if longer > 1.0:  # the speed in the middle of the glide lasts for so much longer
        mean, _ = cycle_at(c, middle, swimmers.steer[c], swimmers, links, manoeuvres, now)
        stands = (1.0 - 1.0 / longer) * wide * (now[SURGE] - mean)
    phase = moved_on(swimmers.phase[c], -step if effort >= 0.0 else step, middle, longer)
    was_mean, _ = cycle_at(c, phase - np.floor(phase), swimmers.steered[c], swimmers, links, manoeuvres, before)
    mean, power = cycle_at(c, swimmers.phase[c], swimmers.steer[c], swimmers, links, manoeuvres, now)
    swing = wide_before * ease(swimmers.swum[c] - dt, swimmers.ramp[c])[0] * (before[SURGE] - was_mean)
    v = settled_speed(share * mean / built_up(own), effort, own[Surrogate.EFFORT_POWER]) - stands
    u = next_speed(ahead - swing, v, swimmers.length[c], pace, own, dt) + pushed
    return u + wide * ease(swimmers.swum[c], swimmers.ramp[c])[0] * (now[SURGE] - mean), power


@kernel(refcount=False)
def mean_speed(c: int, swimmers: SwimPool, links: LinkPool, manoeuvres: ManoeuvrePool, v: Array) -> float:
    """Return how fast a swimmer goes along its heading, without the swing of its stroke."""
    mean, _ = cycle_at(c, swimmers.phase[c], swimmers.steer[c], swimmers, links, manoeuvres, v)
    wide = width_of(swimmers.effort[c], swimmers.glides[c]) * ease(swimmers.swum[c], swimmers.ramp[c])[0]
    ahead = cos(swimmers.heading[c]) * swimmers.root_rate[c, 0] + sin(swimmers.heading[c]) * swimmers.root_rate[c, 1]
    return ahead - wide * (v[SURGE] - mean)
