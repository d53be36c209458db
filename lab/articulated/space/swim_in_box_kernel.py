"""A whole trial of a stroke in a box of water, in one compiled call. [swimmer 7]"""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....systems.articulated.space.box_arrays import Counter
from ....systems.articulated.space.box_step_kernel import FINE
from ....systems.articulated.stroke.stroke_kernel import ease
from .trial_step_kernel import step_box

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from ....systems.articulated.space.box_arrays import FluidBox
    from ....systems.articulated.space.space_body import SpaceBody, SpaceState
    from .space_trial import SpaceStroke

PLACE, TURN, MIDDLE, FORWARD, LEFT = 0, 3, 7, 10, 13
"""First columns of what a record holds: place and quaternion of the root, centre of mass, mean forward and left."""
WORK, OVERLAP, ITERATIONS, SUBSTEPS = 16, 17, 18, 19
"""Its other columns: single numbers."""
RECORD = 20


@kernel(refcount=False)
def write_stroke(state: SpaceState, stroke: SpaceStroke, dt: float) -> None:
    """Update what the servos are to have at the end of a step: C + a sin wt + b cos wt, blended with the stroke before."""
    t = state.time[0] + dt
    state.time[0] = t
    w = 2.0 * pi / stroke.period
    s, c = sin(w * t), cos(w * t)
    ramp, climb = ease(t, stroke.ramp)
    mix, mixing = ease(t - stroke.since[0], stroke.blend)
    now, old = stroke.now, stroke.before
    for k in range(1, state.angle.size):
        angle, rate = now[0, k] * s + now[1, k] * c + now[2, k], w * (now[0, k] * c - now[1, k] * s)
        if mix < 1.0:
            last, last_rate = old[0, k] * s + old[1, k] * c + old[2, k], w * (old[0, k] * c - old[1, k] * s)
            rate = last_rate + mix * (rate - last_rate) + mixing * (angle - last)
            angle = last + mix * (angle - last)
        state.wanted[k], state.wanted_rate[k] = ramp * angle, ramp * rate + climb * angle


@kernel(refcount=False)
def write_record(box: FluidBox, body: SpaceBody, state: SpaceState, row: Array) -> None:
    """Write down where a swimmer is and what it has cost."""
    for i in range(3):
        row[PLACE + i] = state.place[i]
        row[MIDDLE + i] = row[FORWARD + i] = row[LEFT + i] = 0.0
    for i in range(4):
        row[TURN + i] = state.turn[i]
    whole = 0.0
    for k in range(body.parent.size):
        m = body.mass[k]
        whole += m
        frame, axes = body.frames[k], state.axes[k]
        for i in range(3):
            row[MIDDLE + i] += m * state.middles[k, i]
            for a in range(3):  # the link's turn from rest, applied to forward and left
                row[FORWARD + i] += m * frame[a, 0] * axes[a, i]
                row[LEFT + i] += m * frame[a, 1] * axes[a, i]
    for i in range(3):
        row[MIDDLE + i] /= whole
        row[FORWARD + i] /= whole
        row[LEFT + i] /= whole
    row[WORK], row[OVERLAP] = state.work[0], state.overlap[0]
    row[ITERATIONS], row[SUBSTEPS] = float(box.counters[Counter.ITERATIONS]), float(box.counters[Counter.SUBSTEPS])


@kernel()
def swim_in_box(box: FluidBox, body: SpaceBody, state: SpaceState, stroke: SpaceStroke, record: Array, angles: Array,
                dt: float, tolerance: float) -> int:  # fmt: skip
    """Swim as many steps as the record has rows, and write down places and angles; return how it ended.

    One call is one trial: it lets go of the interpreter, so that several may run in threads.
    """
    for step in range(record.shape[0]):
        write_stroke(state, stroke, dt)
        ended = step_box(box, body, state, dt, tolerance)
        if ended != FINE:
            box.counters[Counter.FAILURES] += 1
            return ended
        write_record(box, body, state, record[step])
        for k in range(state.angle.size):
            angles[step, k] = state.angle[k]
    return FINE
