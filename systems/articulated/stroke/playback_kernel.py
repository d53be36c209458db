"""Far swimmers play a recorded cycle: the root moves as it did in the fluid, joints follow their sines. [swimmer 5]

What flaps in space does so without a box of water. A cycle holds velocities in the axes of the heading (the mean of all
links); what a push or a change of stroke adds to them dies away: across in a time that was fitted, along by the drag of a
glide. Steering acts at once, as it does in the fluid, where a bent body turns with its next beat.
"""

from __future__ import annotations

from math import cos, exp, sin
from typing import TYPE_CHECKING

import numpy as np
from numba import prange

from ....components.articulated.link_plan import MOST_LINKS
from ....components.articulated.manoeuvres import CYCLE_STEPS
from ....components.articulated.servo import Tilt
from ....components.articulated.surrogate import Surrogate
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ..fluid.plane_body_kernel import lay_links
from ..fluid.window_layout import FRAME
from .stroke_kernel import DOWN, NONE, STRAIGHT, UP, ease, glides_of, middle_of_glide, moved_on, row_of, turn_row

if TYPE_CHECKING:
    from ....components.articulated.links import LinkPool
    from ....components.articulated.manoeuvres import ManoeuvrePool
    from ....components.articulated.servo import SwimPool
    from ....components.articulated.surrogate import SurrogatePool
    from ....engine.kernel_types import Array

X, Y, ANGLE = FRAME[:3]
FIELDS = len(FRAME)
SURGE, SWAY, HEAVE, ROLL, PITCH, YAW = range(6)
BLOCK = 16
"""Swimmers after each other in one scratch."""
CARRIED = 1.0
"""Masses of water that a pushed body takes along: as much as it has itself, as a disc does."""
SLENDER = 1.0 / 12.0
"""Of mass times length squared: the inertia of a rod."""
LEVEL_TIME = 0.5
"""s in which those that flap come level again."""
STEEPEST = 1.0
"""rad of pitch and roll."""
POSE_TIME = 0.15
"""s in which joints that come from a box of water are where their sines have them."""


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
def in_pairs(c: int, swimmers: SwimPool, links: LinkPool) -> bool:
    """Return whether a body has joints to its left and right."""
    first = int64(swimmers.first_link[c])
    for k in range(1, swimmers.link_count[c]):
        if links.other[first + k] != k:
            return True
    return False


@kernel(refcount=False)
def cycle_at(c: int, phase: float, steer: float, swimmers: SwimPool, links: LinkPool, manoeuvres: ManoeuvrePool,
             v: Array) -> float:  # fmt: skip
    """Update `v` to the velocities of a swimmer at a phase, blended as its joints are; return its power per mass."""
    for field in range(6):
        v[field] = 0.0
    rise = swimmers.rise[c]
    straight = row_of(c, STRAIGHT, swimmers, manoeuvres)
    turn, mirrored = turn_row(c, steer, swimmers, manoeuvres)
    pitch = row_of(c, UP if rise > 0.0 else DOWN, swimmers, manoeuvres)
    k = abs(steer) if turn != NONE else 0.0
    p = abs(rise) if pitch != NONE else 0.0
    power = (1.0 - k) * (1.0 - p) * manoeuvres.power[straight]
    add_cycle(straight, (1.0 - k) * (1.0 - p), False, phase, manoeuvres, v)
    if k > 0.0:
        late = 0.5 if mirrored and not in_pairs(c, swimmers, links) else 0.0  # as its joints are
        add_cycle(turn, k * (1.0 - p), mirrored, phase + late, manoeuvres, v)
        power += k * (1.0 - p) * manoeuvres.power[turn]
    if p > 0.0:
        add_cycle(pitch, p, False, phase, manoeuvres, v)
        power += p * manoeuvres.power[pitch]
    e, pace = swimmers.effort[c], swimmers.pace[c]
    for field in range(6):
        v[field] *= swimmers.wet[c] * e * pace * (swimmers.length[c] if field < 3 else 1.0)
    return power * abs(e) * pace * pace * pace


@kernel(refcount=False)
def mean_turn(first: int, n: int, links: LinkPool, of_rates: bool) -> float:
    """Return how far the mean link is turned against the root, or how fast."""
    total, whole = 0.0, links.mass[first]
    for k in range(1, n):
        row, value = first + k, 0.0
        i = row
        while i > first:
            value += links.rate[i] if of_rates else links.rest[i] + links.angle[i]
            i = first + int64(links.parent[i])
        total += links.mass[row] * value
        whole += links.mass[row]
    return total / whole


@kernel(refcount=False)
def mean_surge(c: int, swimmers: SwimPool, manoeuvres: ManoeuvrePool) -> float:
    """Return the mean speed of the straight stroke of a swimmer, at its effort."""
    straight, mean = row_of(c, STRAIGHT, swimmers, manoeuvres), 0.0
    for step in range(CYCLE_STEPS):
        mean += manoeuvres.cycle[straight, step, SURGE]
    return mean * swimmers.effort[c] * swimmers.pace[c] * swimmers.length[c] / CYCLE_STEPS


@kernel(refcount=False)
def swing_before(c: int, step: float, dt: float, swimmers: SwimPool) -> float:
    """Return how far the root swung with the stroke in the tick before, as a share of what it does at the effort of now.

    Speed that a stroke gave stays when it ends, its swing does not; `beat` says how effort comes to what is wanted.
    """
    effort, wish = swimmers.effort[c], swimmers.wish_effort[c]
    most = step / swimmers.blend[c]
    before = effort - most if wish > effort else (effort + most if wish < effort else effort)
    share = before / effort if effort != 0.0 else 1.0
    return share * ease(swimmers.swum[c] - dt, swimmers.ramp[c])[0]


@kernel(refcount=False)
def drag_along(c: int, mean: float, ahead: float, swimmers: SwimPool, surrogates: SurrogatePool) -> float:
    """Return the rate at which a speed beyond that of the stroke goes: drag goes with the square of the whole speed."""
    effort = min(abs(swimmers.effort[c]), 1.0)
    water = surrogates.parameters[c]
    drag = effort * water[Surrogate.START_DRAG] + (1.0 - effort) * water[Surrogate.COAST_DRAG]
    return drag / swimmers.length[c] * (abs(mean + ahead) + abs(mean))


@kernel(refcount=False)
def play(c: int, swimmers: SwimPool, links: LinkPool, surrogates: SurrogatePool, manoeuvres: ManoeuvrePool, frame: Array,
         v: Array, dt: float) -> None:  # fmt: skip
    """Update one swimmer over a tick; its phase and what its joints are to do are those of the end of the tick."""
    first, n = int64(swimmers.first_link[c]), int64(swimmers.link_count[c])
    pace, heading, plane = swimmers.pace[c], swimmers.heading[c], swimmers.plane[c] != 0
    straight = row_of(c, STRAIGHT, swimmers, manoeuvres)
    step = dt * pace / manoeuvres.period[straight]
    _, longer = glides_of(c, swimmers)
    back = -step if swimmers.effort[c] >= 0.0 else step
    before = moved_on(swimmers.phase[c], back, middle_of_glide(straight, manoeuvres), longer)
    cycle_at(c, before - np.floor(before), swimmers.steered[c], swimmers, links, manoeuvres, v)
    mean = mean_surge(c, swimmers, manoeuvres)
    v[SURGE] = mean + swing_before(c, step, dt, swimmers) * (v[SURGE] - mean)
    co, si = cos(heading), sin(heading)
    more_x = swimmers.root_rate[c, 0] - co * v[SURGE] + si * v[SWAY]
    more_y = swimmers.root_rate[c, 1] - si * v[SURGE] - co * v[SWAY]
    more_turn = swimmers.root_rate[c, 2] + (mean_turn(first, n, links, True) if plane else 0.0) - v[YAW]
    keep = exp(-dt * pace / surrogates.parameters[c, Surrogate.SETTLE])
    ahead, aside = co * more_x + si * more_y, co * more_y - si * more_x
    ahead *= exp(-dt * drag_along(c, mean, ahead, swimmers, surrogates))
    aside *= keep
    more_x, more_y = co * ahead - si * aside, si * ahead + co * aside
    mass, fx, fy, torque = 0.0, 0.0, 0.0, 0.0
    for row in range(first, first + n):
        mass += links.mass[row]
        fx += links.push[row, 0]
        fy += links.push[row, 1]
        torque += links.push[row, 2]
    slow = dt / ((1.0 + CARRIED) * mass)
    more_x, more_y = more_x + slow * fx, more_y + slow * fy
    more_turn = keep * more_turn + slow * torque / (SLENDER * swimmers.length[c] ** 2)

    power = cycle_at(c, swimmers.phase[c], swimmers.steer[c], swimmers, links, manoeuvres, v)
    v[SURGE] = mean + ease(swimmers.swum[c], swimmers.ramp[c])[0] * (v[SURGE] - mean)
    heading += dt * (v[YAW] + more_turn)
    co, si = cos(heading), sin(heading)
    swimmers.heading[c] = heading
    swimmers.root_rate[c, 0] = co * v[SURGE] - si * v[SWAY] + more_x
    swimmers.root_rate[c, 1] = si * v[SURGE] + co * v[SWAY] + more_y
    swimmers.root[c, 0] += dt * (swimmers.root_rate[c, 0] + swimmers.stream[c, 0])
    swimmers.root[c, 1] += dt * (swimmers.root_rate[c, 1] + swimmers.stream[c, 1])
    late = 0.0 if plane else exp(-dt * pace / POSE_TIME)  # servos follow late in a box of water: no pose jumps
    for row in range(first + 1, first + n):
        behind = late * (links.angle[row] - links.wanted[row] + dt * links.wanted_rate[row])
        links.angle[row], links.rate[row], links.torque[row] = links.wanted[row] + behind, links.wanted_rate[row], 0.0
    work = dt * power * mass * swimmers.length[c] ** 2
    swimmers.work[c] += work
    swimmers.cycle_work[c] += work
    if not plane:
        swimmers.root[c, 2], swimmers.root_rate[c, 2] = heading, v[YAW] + more_turn
        level = exp(-dt * pace / LEVEL_TIME)
        swimmers.height[c] += dt * v[HEAVE]
        swimmers.tilt[c, Tilt.PITCH] = min(max(level * swimmers.tilt[c, Tilt.PITCH] + dt * v[PITCH], -STEEPEST), STEEPEST)
        swimmers.tilt[c, Tilt.ROLL] = min(max(level * swimmers.tilt[c, Tilt.ROLL] + dt * v[ROLL], -STEEPEST), STEEPEST)
        return
    swimmers.root[c, 2] = heading - mean_turn(first, n, links, False)
    swimmers.root_rate[c, 2] = v[YAW] + more_turn - mean_turn(first, n, links, True)
    lay_links(first, n, swimmers.root[c, 0], swimmers.root[c, 1], swimmers.root[c, 2], links, frame)
    for k in range(n):
        row = first + k
        links.place[row, 0], links.place[row, 1], links.place[row, 2] = frame[k, X], frame[k, Y], frame[k, ANGLE]


@kernel(parallel=True)
def play_cycles(rows: Array, swimmers: SwimPool, links: LinkPool, surrogates: SurrogatePool, manoeuvres: ManoeuvrePool,
                dt: float) -> None:  # fmt: skip
    """Update the listed swimmers over a tick by their recorded cycles, each by itself."""
    blocks = (rows.size + BLOCK - 1) // BLOCK
    for block in prange(blocks):
        frame, v = np.empty((MOST_LINKS, FIELDS)), np.empty(6)
        for r in range(BLOCK * block, min(BLOCK * (block + 1), rows.size)):
            play(int64(rows[r]), swimmers, links, surrogates, manoeuvres, frame, v, dt)
