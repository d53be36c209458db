"""Far swimmers play a recorded cycle: the root moves as it did in the fluid, joints follow their sines. [swimmer 5]

What flaps in space does so without a box of water. A cycle holds velocities in the axes of the heading (the mean of all
links). Along the heading the law of `surge_kernel` says how its mean speed comes and goes; what a push or a change of stroke
adds across and in turning dies away in a time that was fitted. Steering acts at once, as it does in the fluid, where a bent
body turns with its next beat.
"""

from __future__ import annotations

from math import cos, exp, sin
from typing import TYPE_CHECKING

import numpy as np
from numba import prange

from ....components.articulated.link_plan import MOST_LINKS
from ....components.articulated.manoeuvres import CYCLE_FIELDS
from ....components.articulated.servo import Tilt
from ....components.articulated.surrogate import Surrogate
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ..fluid.plane_body_kernel import lay_links
from ..fluid.window_layout import FRAME
from .surge_kernel import CARRIED, HEAVE, PITCH, ROLL, SWAY, YAW, surge_after

if TYPE_CHECKING:
    from ....components.articulated.links import LinkPool
    from ....components.articulated.manoeuvres import ManoeuvrePool
    from ....components.articulated.servo import SwimPool
    from ....components.articulated.surrogate import SurrogatePool
    from ....engine.kernel_types import Array

X, Y, ANGLE = FRAME[:3]
FIELDS = len(FRAME)
BLOCK = 16
"""Swimmers after each other in one scratch."""
SLENDER = 1.0 / 12.0
"""Of mass times length squared: the inertia of a rod."""
LEVEL_TIME = 0.5
"""s in which those that flap come level again."""
STEEPEST = 1.0
"""rad of pitch and roll."""
POSE_TIME = 0.15
"""s in which joints that come from a box of water are where their sines have them."""


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
def play(c: int, swimmers: SwimPool, links: LinkPool, surrogates: SurrogatePool, manoeuvres: ManoeuvrePool, frame: Array,
         v: Array, dt: float) -> None:  # fmt: skip
    """Update one swimmer over a tick; its phase and what its joints are to do are those of the end of the tick."""
    first, n = int64(swimmers.first_link[c]), int64(swimmers.link_count[c])
    pace, heading, plane, effort = swimmers.pace[c], swimmers.heading[c], swimmers.plane[c] != 0, swimmers.effort[c]
    mass, fx, fy, torque = 0.0, 0.0, 0.0, 0.0
    for row in range(first, first + n):
        mass += links.mass[row]
        fx += links.push[row, 0]
        fy += links.push[row, 1]
        torque += links.push[row, 2]
    slow = dt / ((1.0 + CARRIED) * mass)
    co, si = cos(heading), sin(heading)
    ahead = co * swimmers.root_rate[c, 0] + si * swimmers.root_rate[c, 1]
    pushed = slow * (co * fx + si * fy)
    before, now = v[0], v[1]
    surge, power = surge_after(c, ahead, pushed, 1.0, swimmers, links, surrogates, manoeuvres, before, now, dt)
    aside = co * swimmers.root_rate[c, 1] - si * swimmers.root_rate[c, 0] - effort * before[SWAY]
    turn = swimmers.root_rate[c, 2] + (mean_turn(first, n, links, True) if plane else 0.0) - effort * before[YAW]
    keep = exp(-dt * pace / surrogates.parameters[c, Surrogate.SETTLE])
    aside = keep * aside + slow * (co * fy - si * fx)
    turn = keep * turn + slow * torque / (SLENDER * swimmers.length[c] ** 2)

    sway, yaw = effort * now[SWAY] + aside, effort * now[YAW] + turn
    heading += dt * yaw
    co, si = cos(heading), sin(heading)
    swimmers.heading[c] = heading
    swimmers.root_rate[c, 0] = co * surge - si * sway
    swimmers.root_rate[c, 1] = si * surge + co * sway
    swimmers.root[c, 0] += dt * (swimmers.root_rate[c, 0] + swimmers.stream[c, 0])
    swimmers.root[c, 1] += dt * (swimmers.root_rate[c, 1] + swimmers.stream[c, 1])
    late = 0.0 if plane else exp(-dt * pace / POSE_TIME)  # servos follow late in a box of water: no pose jumps
    for row in range(first + 1, first + n):
        behind = late * (links.angle[row] - links.wanted[row] + dt * links.wanted_rate[row])
        links.angle[row], links.rate[row], links.torque[row] = links.wanted[row] + behind, links.wanted_rate[row], 0.0
    work = dt * abs(effort) * power * mass * swimmers.length[c] ** 2
    swimmers.work[c] += work
    swimmers.cycle_work[c] += work
    if not plane:
        swimmers.root[c, 2], swimmers.root_rate[c, 2] = heading, yaw
        level = exp(-dt * pace / LEVEL_TIME)
        swimmers.height[c] += dt * effort * now[HEAVE]
        pitch = level * swimmers.tilt[c, Tilt.PITCH] + dt * effort * now[PITCH]
        roll = level * swimmers.tilt[c, Tilt.ROLL] + dt * effort * now[ROLL]
        swimmers.tilt[c, Tilt.PITCH] = min(max(pitch, -STEEPEST), STEEPEST)
        swimmers.tilt[c, Tilt.ROLL] = min(max(roll, -STEEPEST), STEEPEST)
        return
    swimmers.root[c, 2] = heading - mean_turn(first, n, links, False)
    swimmers.root_rate[c, 2] = yaw - mean_turn(first, n, links, True)
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
        frame, v = np.empty((MOST_LINKS, FIELDS)), np.empty((2, CYCLE_FIELDS))
        for r in range(BLOCK * block, min(BLOCK * (block + 1), rows.size)):
            play(int64(rows[r]), swimmers, links, surrogates, manoeuvres, frame, v, dt)
