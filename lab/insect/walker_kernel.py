"""The published ant as a whole: triangles, table, oscillators, torques, trunk and swings, one stance after another.
[Guo15 4-7]"""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import TYPE_CHECKING

import numpy as np

from ...engine.kernel import kernel
from .ant_leg_kernel import angles_of, foot_of, to_hip
from .stride_kernel import BODY, DONE, FELL, MEMORY, SUM_STRETCHED, SUMS, VX, YAW, joint_path, ramp, run_stance
from .swing_net_kernel import EXACT, LANDING_SHARE, ONE_PEAK, lift_at, net_step
from .table_kernel import look_up

if TYPE_CHECKING:
    from ...engine.kernel_types import Array
    from .ant_model import AntTables
    from .stride_control import Drive
    from .walker import _Grid, _Record

FROM_TABLE, CLOSED_FORM, FIXED = 0, 1, 2
SOURCE, METHOD, LOOKUPS, TAKEN_OFF = 0, 1, 2, 3  # of how a walk is done
FOOT_X, FOOT_Y, FOOT_Z, FOOT_STANDS = 0, 1, 2, 3  # columns of the trace of feet


@kernel()
def swing_tripod(tripod: int, start: Array, goal: Array, before: Array, after: Array, steps: int, clock: int, dt: float,
                 ant: AntTables, feet_trace: Array) -> float:  # fmt: skip
    """Update the trace of three swinging feet, from where they stood to their next vertices. before, after: poses of the
    trunk.

    Kinematic: swinging legs have no mass. Returns how far the feet end from their vertices.
    """
    duration, worst = steps * dt, 0.0
    for i in range(3):
        leg = ant.tripods[tripod, i]
        side = 1.0 if leg < 3 else -1.0
        hx, hy = ant.hip[leg, 0], ant.hip[leg, 1]
        x, y, z = to_hip(start[i, 0], start[i, 1], start[i, 2], before, hx, hy)
        gx, gy, gz = to_hip(goal[i, 0], goal[i, 1], goal[i, 2], after, hx, hy)
        a, b, c, _ = angles_of(x, y, z, side, ant.coxa, ant.femur[leg], ant.lower[leg])
        ga, gb, gc, _ = angles_of(gx, gy, gz, side, ant.coxa, ant.femur[leg], ant.lower[leg])
        q, aim = (a, b, c), (ga, gb, gc)
        for k in range(steps):
            q = net_step(q, aim, k * dt, duration, dt, EXACT)
            share = (k + 1.0) / steps
            x, y, z = foot_of(q[0], q[1], q[2], side, ant.coxa, ant.femur[leg], ant.lower[leg])
            z += lift_at(share, ONE_PEAK, 0.5)
            e = min(max((share - 1.0 + LANDING_SHARE) / LANDING_SHARE, 0.0), 1.0)
            e = e * e * (3.0 - 2.0 * e)
            x, y, z = x + e * (gx - x), y + e * (gy - y), z + e * (gz - z)
            if clock + k < feet_trace.shape[0]:
                row = feet_trace[clock + k, leg]
                row[FOOT_X], row[FOOT_Y], row[FOOT_Z], row[FOOT_STANDS] = x + hx, y + hy, z, 0.0
        worst = max(worst, sqrt((x - gx) ** 2 + (y - gy) ** 2 + (z - gz) ** 2))
    return worst


@kernel()
def find_controls(controls: Array, way: Array, body: Array, start: Array, yaw: float, feet: Array, tripod: int, gains: Array,
                  source: int, method: int, grid: _Grid, drive: Drive, ant: AntTables) -> bool:  # fmt: skip
    """Update controls for a way, from the table or by the closed form from where it should begin; return whether the
    table has it."""
    c, s = cos(body[YAW]), sin(body[YAW])
    t = drive.seconds
    if source == FROM_TABLE:
        vx, vy = (c * way[0] + s * way[1]) / t, (c * way[1] - s * way[0]) / t
        if tripod == 1:
            vy = -vy  # the other tripod is the mirror image
        return not look_up(grid.controls, grid.low, grid.step, vx, vy, way[2] / t, method, controls)
    if source == CLOSED_FORM:
        joint_path(feet, tripod, start, way, yaw, gains[0], drive, ant, controls)
    return True


@kernel()
def walk_triangles(triangles: Array, poses: Array, body: Array, controls: Array, gains: Array, how: Array, push: Array,
                   grid: _Grid, drive: Drive, ant: AntTables, record: _Record) -> tuple[int, int, int, int]:  # fmt: skip
    """Update body (8,) through all stances of triangles (n, 3, 3); return strides done, lookups, lookups outside, legs
    out of reach.

    poses (n, 2): height of the trunk above its feet, and heading. how (4,): where controls come from, method of the
    table, lookups per stance, share of the inherited velocity that is taken off the wanted one [Guo15 eq. 6.7]. misses
    (n,): mm from where the trunk should be at the end of each stance.
    """
    trace, feet_trace, misses = record.trace, record.feet, record.misses
    n = triangles.shape[0]
    steps = int(round(drive.seconds / drive.step))
    memory, sums, before = np.zeros(MEMORY), np.zeros(SUMS), np.zeros(BODY)
    way, start, now = np.zeros(3), np.zeros(3), np.zeros(3)
    source, method, parts = int(how[SOURCE]), int(how[METHOD]), int(how[LOOKUPS])
    lookups, outside = 0, 0
    end = np.zeros(3)
    for k in range(n - 1):
        tripod, feet = k % 2, triangles[k]
        for a in range(BODY):
            before[a] = body[a]
        for a in range(3):
            here = (feet[0, a] + feet[1, a] + feet[2, a]) / 3.0
            ahead = (triangles[k + 1, 0, a] + triangles[k + 1, 1, a] + triangles[k + 1, 2, a]) / 3.0
            back = here - 0.5 * (ahead - here)
            if k > 0:
                last = (triangles[k - 1, 0, a] + triangles[k - 1, 1, a] + triangles[k - 1, 2, a]) / 3.0
                back = 0.5 * (last + here)
            start[a], end[a] = back, 0.5 * (here + ahead)
            if a == 2:
                start[a] += poses[k, 0] if k == 0 else 0.5 * (poses[k - 1, 0] + poses[k, 0])
                end[a] += 0.5 * (poses[k, 0] + poses[k + 1, 0])
            way[a] = end[a] - start[a]
            now[a] = way[a] - how[TAKEN_OFF] * body[VX + a] * drive.seconds
        for part in range(parts):
            first, last_step = part * steps // parts, (part + 1) * steps // parts
            if part > 0:
                left = 1.0 - ramp(first / steps)
                for a in range(3):
                    # the end is as far from the middle of the triangle as the start: what is missing counts twice
                    now[a] = way[a] + 2.0 * (end[a] - body[a] - left * way[a])
            if source != FIXED and (source == FROM_TABLE or part == 0):
                lookups += 1
                found = find_controls(controls, now, body, start, poses[k, 1], feet, tripod, gains, source,
                                      method, grid, drive, ant)  # fmt: skip
                outside += 0 if found else 1
            done = run_stance(
                body,
                feet,
                tripod,
                controls,
                gains,
                memory,
                (first, last_step),
                k * steps,
                way,
                push,
                drive,
                ant,
                sums,
                trace,
            )
            if done == FELL:
                return k, lookups, outside, int(sums[SUM_STRETCHED])
        misses[k] = sqrt((body[0] - end[0]) ** 2 + (body[1] - end[1]) ** 2 + (body[2] - end[2]) ** 2)
        if k > 0:
            swing_tripod(1 - tripod, triangles[k - 1], triangles[k + 1], before, body, steps, k * steps, drive.step, ant,
                         feet_trace)  # fmt: skip
        if k * steps < feet_trace.shape[0]:
            for i in range(3):
                leg = ant.tripods[tripod, i]
                for j in range(k * steps, min((k + 1) * steps, feet_trace.shape[0])):
                    row = feet_trace[j, leg]
                    row[FOOT_X], row[FOOT_Y], row[FOOT_Z], row[FOOT_STANDS] = feet[i, 0], feet[i, 1], feet[i, 2], 1.0
    return n - 1, lookups, outside, int(sums[SUM_STRETCHED])


@kernel()
def walk_alone(strides: int, way: Array, body: Array, controls: Array, gains: Array, push: Array, drive: Drive,
               ant: AntTables, sums: Array, trace: Array, ends: Array) -> int:  # fmt: skip
    """Update body (8,) over strides of fixed controls whose feet are put around the trunk: the oscillators alone. [Guo15
    5.3]

    Returns how many strides were done. ends (strides, 4): pose after each. way: what a stride should do, in the body's
    frame.
    """
    steps = int(round(drive.seconds / drive.step))
    feet, memory, turned = np.empty((3, 3)), np.zeros(MEMORY), np.empty(3)
    for k in range(strides):
        tripod = k % 2
        c, s = cos(body[YAW]), sin(body[YAW])
        side = 1.0 if tripod == 0 else -1.0
        wx, wy = 0.5 * way[0], 0.5 * side * way[1]
        for i in range(3):
            leg = ant.tripods[tripod, i]
            x, y = ant.foot[leg, 0] + wx, ant.foot[leg, 1] + wy
            feet[i, 0], feet[i, 1], feet[i, 2] = body[0] + c * x - s * y, body[1] + s * x + c * y, 0.0
        turned[0], turned[1], turned[2] = c * way[0] - s * side * way[1], s * way[0] + c * side * way[1], way[2]
        if run_stance(body, feet, tripod, controls, gains, memory, (0, steps), k * steps, turned, push, drive, ant, sums,
                  trace) != DONE:  # fmt: skip
            return k
        for a in range(4):
            ends[k, a] = body[a]
    return strides
