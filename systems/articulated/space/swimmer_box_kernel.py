"""A swimmer of the game in its box of water: from its rows to lengths and seconds of the animal, one step, and back.

A box measures in body lengths and in seconds of the animal: a tick of the world is `pace` as long there. What is in no row
is how fast the root pitches and rolls; the box keeps that.
"""

from __future__ import annotations

from math import asin, atan2, cos, sin
from typing import TYPE_CHECKING

from ....components.articulated.servo import NO_WINDOW, Tilt
from ....components.segments import Push
from ....engine.creature import FULL
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.number_kernel import wrapped
from ..fluid.plane_body_kernel import factorise
from ..stroke.surge_kernel import PITCH, ROLL
from ..surroundings_kernel import thickness, wanted_climb
from ..window_policy_kernel import WET
from .box_arrays import Counter
from .box_step_kernel import FINE, couple, follow_body, move_together
from .space_body_kernel import FREE, move_links, place_links, write_column, write_mass_matrix

if TYPE_CHECKING:
    from ....components.articulated.links import LinkPool
    from ....components.articulated.servo import SwimPool
    from ....components.body import BodyPool
    from ....components.segments import SegmentPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array
    from .box_arrays import FluidBox
    from .space_body import SpaceBody, SpaceState

TOLERANCE = 0.03
"""Of the pressure, in play. [swimmer 1.3]"""
HEAVY = 1e6
"""Times its mass that a body has while a box opens: water gets the motion around it, and it loses none."""
TRIM_TIME = 1.0
"""s in which a body without added mass would have the climb that it wants by its buoyancy; strokes that pitch do more."""
BEYOND = 0.1
"""rad that a push may bend a joint beyond its limit."""


@kernel(refcount=False)
def may_have_box(c: int, creatures: CreaturePool, swimmers: SwimPool) -> bool:
    """Return whether a swimmer may have a box: one that flaps in space, in full detail, alive and in the water."""
    return creatures.tier[c] == FULL and creatures.dead[c] == 0 and swimmers.wet[c] >= WET and swimmers.plane[c] == 0


@kernel(refcount=False)
def share_boxes(rows: Array, members: Array, fresh: Array, first: int, creatures: CreaturePool, swimmers: SwimPool) -> None:
    """Update who swims in which box, by places of rows alone: the first of them have one.

    members: row per box, or NO_WINDOW; fresh: 1 for boxes that are new; first: number of the first box among all windows.
    """
    for b in range(members.size):
        c = members[b]
        if c == NO_WINDOW:
            continue
        if swimmers.window[c] != first + b:
            members[b] = NO_WINDOW
        elif not may_have_box(c, creatures, swimmers):
            swimmers.window[c] = members[b] = NO_WINDOW
    for r in range(rows.size):
        c = int64(rows[r])
        if swimmers.window[c] >= first and members[swimmers.window[c] - first] != c:
            swimmers.window[c] = NO_WINDOW
        if swimmers.window[c] != NO_WINDOW or not may_have_box(c, creatures, swimmers):
            continue
        for b in range(members.size):
            if members[b] == NO_WINDOW:
                members[b], swimmers.window[c], fresh[b] = c, first + b, 1
                break


@kernel(refcount=False)
def write_turn(yaw: float, pitch: float, roll: float, q: Array) -> None:
    """Write the quaternion (wxyz) of a root: yaw, then nose up, then left side up, as `lay_root` has it."""
    cy, sy, cp, sp = cos(0.5 * yaw), sin(0.5 * yaw), cos(0.5 * pitch), -sin(0.5 * pitch)
    cr, sr = cos(0.5 * roll), sin(0.5 * roll)
    q[0], q[1] = cy * cp * cr + sy * sp * sr, cy * cp * sr - sy * sp * cr
    q[2], q[3] = cy * sp * cr + sy * cp * sr, sy * cp * cr - cy * sp * sr


@kernel(refcount=False)
def enter_body(c: int, body: SpaceBody, state: SpaceState, swimmers: SwimPool, links: LinkPool) -> None:
    """Update the state of a box from the rows of its swimmer."""
    length, pace = swimmers.length[c], swimmers.pace[c]
    speed = 1.0 / (length * pace)
    state.place[0], state.place[1] = swimmers.root[c, 0] / length, swimmers.root[c, 1] / length
    state.place[2] = swimmers.height[c] / length
    write_turn(swimmers.root[c, 2], swimmers.tilt[c, Tilt.PITCH], swimmers.tilt[c, Tilt.ROLL], state.turn)
    state.rate[0], state.rate[1] = speed * swimmers.root_rate[c, 0], speed * swimmers.root_rate[c, 1]
    state.rate[2], state.rate[5] = speed * swimmers.climb[c], swimmers.root_rate[c, 2] / pace
    first = int64(swimmers.first_link[c])
    for k in range(1, body.parent.size):
        row = first + k
        state.angle[k], state.rate[FREE - 1 + k] = links.angle[row], links.rate[row] / pace
        state.wanted[k], state.wanted_rate[k] = links.wanted[row], links.wanted_rate[row] / pace


@kernel(refcount=False)
def write_outer(c: int, body: SpaceBody, state: SpaceState, righting: float, lift: float, swimmers: SwimPool,
                links: LinkPool, bodies: BodyPool, segments: SegmentPool) -> None:  # fmt: skip
    """Update the forces from outside: pushes on segments, and what brings a body level whose weight hangs low.

    A push gives a link what it would give its segment. righting: gravity times the depth of the weight below the middle,
    in lengths and seconds of the animal; lift: by which it trims its height, units and seconds of the world.
    """
    outer, column = state.outer, state.columns[0]
    first, head = int64(swimmers.first_link[c]), int64(bodies.first_segment[c])
    whole = 0.0
    for a in range(outer.size):
        outer[a] = 0.0
    for k in range(body.parent.size):
        whole += body.mass[k]
        if links.segment[first + k] < 0:
            continue
        i = head + int64(links.segment[first + k])
        push, share = segments.push[i], body.mass[k] / max(segments.mass[i], 1e-12)
        if push[Push.FX] == 0.0 and push[Push.FY] == 0.0 and push[Push.FZ] == 0.0:
            if push[Push.TX] == 0.0 and push[Push.TY] == 0.0 and push[Push.TZ] == 0.0:
                continue
        force = share / (swimmers.length[c] * swimmers.pace[c] ** 2)
        torque, middle = force / swimmers.length[c], state.middles[k]
        for number in range(FREE + body.depth[k]):
            rate = number if number < FREE else FREE - 1 + body.chain[k, number - FREE]
            write_column(state, rate, middle[0], middle[1], middle[2], column)
            for d in range(3):
                outer[rate] += column[d] * force * push[d] + column[3 + d] * torque * push[3 + d]
    up = state.axes[0, 2]
    outer[2] += whole * lift / (swimmers.length[c] * swimmers.pace[c] ** 2)
    outer[3] += whole * righting * up[1]
    outer[4] -= whole * righting * up[0]


@kernel(refcount=False)
def stop_joints(c: int, body: SpaceBody, state: SpaceState, swimmers: SwimPool, links: LinkPool) -> None:
    """Update joints that a push has bent too far: they meet a stop."""
    first = int64(swimmers.first_link[c])
    for k in range(1, body.parent.size):
        most = links.limit[first + k] + BEYOND
        if abs(state.angle[k]) > most:
            state.angle[k] = min(max(state.angle[k], -most), most)
            if state.angle[k] * state.rate[FREE - 1 + k] > 0.0:
                state.rate[FREE - 1 + k] = 0.0


@kernel(refcount=False)
def leave_body(c: int, body: SpaceBody, state: SpaceState, swimmers: SwimPool, links: LinkPool, dt: float) -> None:
    """Update the rows of a swimmer from the state of its box."""
    length, pace = swimmers.length[c], swimmers.pace[c]
    speed, axes = length * pace, state.axes[0]
    swimmers.root[c, 0] = length * state.place[0] + dt * swimmers.stream[c, 0]
    swimmers.root[c, 1] = length * state.place[1] + dt * swimmers.stream[c, 1]
    swimmers.height[c] = length * state.place[2]
    swimmers.root[c, 2] += wrapped(atan2(axes[0, 1], axes[0, 0]) - swimmers.root[c, 2])
    swimmers.tilt[c, Tilt.PITCH] = asin(min(max(axes[0, 2], -1.0), 1.0))
    swimmers.tilt[c, Tilt.ROLL] = atan2(axes[1, 2], axes[2, 2])
    swimmers.root_rate[c, 0], swimmers.root_rate[c, 1] = speed * state.rate[0], speed * state.rate[1]
    swimmers.climb[c], swimmers.root_rate[c, 2] = speed * state.rate[2], pace * state.rate[5]
    first, ahead, aside, whole, slab = int64(swimmers.first_link[c]), 0.0, 0.0, 0.0, 0.0
    for k in range(body.parent.size):
        row, mass, frame = first + k, body.mass[k], body.frames[k]
        whole += mass
        slab += links.mass[row]
        for a in range(3):  # the link's turn from rest, applied to forward
            ahead += mass * frame[a, 0] * state.axes[k, a, 0]
            aside += mass * frame[a, 0] * state.axes[k, a, 1]
        if k > 0:
            links.angle[row], links.rate[row] = state.angle[k], pace * state.rate[FREE - 1 + k]
    scale = slab / whole * (length * pace) ** 2
    for k in range(1, body.parent.size):
        links.torque[first + k] = scale * state.torque[k]
    swimmers.heading[c] += wrapped(atan2(aside, ahead) - swimmers.heading[c])
    done = scale * state.work[0]
    swimmers.work[c] += done
    swimmers.cycle_work[c] += done


@kernel(refcount=False)
def restart(c: int, box: FluidBox, state: SpaceState, swimmers: SwimPool, links: LinkPool) -> None:
    """Update a box whose solution failed: water and body are at rest, where they were."""
    box.u[:] = 0.0
    box.v[:] = 0.0
    box.w[:] = 0.0
    box.p[:] = 0.0
    state.rate[:] = 0.0
    box.counters[Counter.FAILURES] += 1
    swimmers.failed[c] = 1
    swimmers.climb[c] = 0.0
    for i in range(3):
        swimmers.root_rate[c, i] = 0.0
    first = int64(swimmers.first_link[c])
    for row in range(first, first + swimmers.link_count[c]):
        links.rate[row] = links.torque[row] = 0.0


@kernel()
def open_box(c: int, box: FluidBox, body: SpaceBody, state: SpaceState, cycle: Array, swimmers: SwimPool,
             links: LinkPool) -> bool:  # fmt: skip
    """Begin a box around a swimmer that moves: the water around it goes along from the first tick; return whether it can.

    cycle (6,): velocities of its recorded cycle now, of which its roll and pitch are taken.
    """
    enter_body(c, body, state, swimmers, links)
    place_links(body, state)
    forward, left = state.axes[0, 0], state.axes[0, 1]
    for i in range(2):
        state.rate[3 + i] = (cycle[ROLL] * forward[i] - cycle[PITCH] * left[i]) / swimmers.pace[c]
    for d in range(3):
        box.origin[d] = state.place[d] - 0.5 * box.dx * box.cells[d]
    follow_body(box, body, state)
    move_links(body, state)
    write_mass_matrix(body, state)
    n = FREE - 1 + body.parent.size
    for a in range(n):
        for b in range(n):
            state.factor[a, b] = HEAVY * state.mass_matrix[a, b]
    for a in range(FREE, n):  # joints without a shape behind them have no mass of their own
        state.factor[a, a] += HEAVY * body.kp[a - FREE + 1]
    return factorise(state.factor, n) and couple(box, body, state, TOLERANCE) == FINE


@kernel()
def swim_box(c: int, box: FluidBox, body: SpaceBody, state: SpaceState, righting: float, heights: Array,
             creatures: CreaturePool, swimmers: SwimPool, links: LinkPool, bodies: BodyPool, segments: SegmentPool,
             dt: float) -> bool:  # fmt: skip
    """Update a swimmer and the water of its box over a tick; return whether it went well. One box is one task.

    heights: surface and bed of the water where it is.
    """
    length, level, bed = swimmers.length[c], heights[0], heights[1]
    thick = thickness(c, swimmers, links)
    lift = (wanted_climb(c, level, bed, thick, 0, creatures, swimmers) - swimmers.climb[c]) / TRIM_TIME
    state.work[0] = 0.0  # it begins anew in every tick: a sum would have other last bits after loading
    enter_body(c, body, state, swimmers, links)
    place_links(body, state)
    write_outer(c, body, state, righting, lift, swimmers, links, bodies, segments)
    sound = move_together(box, body, state, dt * swimmers.pace[c], TOLERANCE) == FINE
    if sound:
        stop_joints(c, body, state, swimmers, links)
        leave_body(c, body, state, swimmers, links, dt)
    else:
        restart(c, box, state, swimmers, links)
    box.origin[0] += dt * swimmers.stream[c, 0] / length
    box.origin[1] += dt * swimmers.stream[c, 1] / length
    return sound
