"""One stance of the published ant: three pinned feet, nine joints with torques, a trunk of four coordinates. [Guo15
5.2.4, App. B]

Legend: q_d = middle + swing cos(omega t + shift), tau = kp (q_d - q) + kd (q_d' - q'), F = -(J^T)^-1 tau;
m (x, y, z)'' = sum F - gravity + force, I yaw'' = sum (foot - com) x F. As printed, tau = kp (q_next - q) + kd q' with
the next angle of an oscillator that is set from the felt one: its gain is proportional to the step.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING

import numpy as np

from ...engine.kernel import kernel
from .ant_leg_kernel import FINE, stance_leg, torques_to_force
from .hill_kernel import pair_torque
from .hopf_kernel import felt_signal, hopf_step

if TYPE_CHECKING:
    from ...engine.kernel_types import Array
    from .ant_model import AntTables
    from .stride_control import Drive

TIMED, LITERAL_TORQUE, MUSCLES = 0, 1, 2
X, Y, Z, YAW, VX, VY, VZ, YAW_RATE = 0, 1, 2, 3, 4, 5, 6, 7
BODY = 8
DONE, FELL = 0, 1
SUM_SIDE, SUM_BACK, SUM_WORK, SUM_TORQUE, SUM_STRETCHED, SUM_YAW = 0, 1, 2, 3, 4, 5
SUMS = 6
WAVE_U, WAVE_W, ANGLES, START = 0, 1, 2, 11  # of the memory: oscillator, angles before, pose at the start of the stance
MEMORY = 15
TORQUE_LIMIT = 4.0e4  # g mm^2/s^2: five times what carries a third of the weight on a lever of 2.5 mm
USUAL_YAW = 0.1  # rad that yaw is measured by
FORCE_FROM, FORCE_TO = 3, 4  # of the row of an outer force, after its three components
HARDLY = 1e-9


@kernel(refcount=False)
def ramp(share: float) -> float:
    """Return how much of its way a trunk has done that starts and ends at rest, as one cosine does it."""
    return 0.5 - 0.5 * cos(pi * share)


@kernel()
def run_stance(body: Array, feet: Array, tripod: int, controls: Array, gains: Array, memory: Array, span: tuple[int, int],
               clock: int, way: Array, push: Array, drive: Drive, ant: AntTables, sums: Array,
               trace: Array) -> int:  # fmt: skip
    """Update body (8,) over a part of a stance; return DONE or FELL. sums (6,) gets what objectives are made of.

    controls (27,): shift, middle and swing of nine joints; gains (2, 9): stiffness and damping. memory (15,): see WAVE_U to
    START. span: first and last step. clock: steps that went before the stance, for the force and the trace. push (5,): outer
    force and the times that it acts from and to. trace (steps, 17): trunk and forces of the feet, or empty.
    """
    dt, omega = drive.step, pi / drive.seconds
    steps = int(round(drive.seconds / dt))
    kp, kd, before = gains[0], gains[1], memory[ANGLES:START]
    if span[0] == 0:
        memory[WAVE_U], memory[WAVE_W] = 1.0, 0.0  # one oscillator for all: a shift of it is again a solution [Guo15 5.2.3]
        for a in range(4):
            memory[START + a] = body[a]
    u, w = memory[WAVE_U], memory[WAVE_W]
    cs, sn, angle, torque = np.empty(9), np.empty(9), np.empty(3), np.empty(3)
    for j in range(9):
        cs[j], sn[j] = cos(controls[j]), sin(controls[j])
    y0, z0, yaw0 = memory[START + Y], memory[START + Z], memory[START + YAW]
    floor = min(feet[0, 2], feet[1, 2], feet[2, 2])
    target_rate = sqrt(way[0] ** 2 + way[1] ** 2 + way[2] ** 2) / drive.seconds
    for k in range(span[0], span[1]):
        c, s = cos(body[YAW]), sin(body[YAW])
        fx, fy, fz, about = 0.0, 0.0, 0.0, 0.0
        traced = clock + k < trace.shape[0]
        for i in range(3):
            leg = ant.tripods[tripod, i]
            side = 1.0 if leg < 3 else -1.0
            rx, ry = feet[i, 0] - body[X], feet[i, 1] - body[Y]
            x, y, z = c * rx + s * ry - ant.hip[leg, 0], c * ry - s * rx - ant.hip[leg, 1], feet[i, 2] - body[Z]
            angle[0], angle[1], angle[2], sa, ca, r, sl, cl, reach = stance_leg(x, y, z, side, ant.coxa, ant.femur[leg],
                                                                                ant.lower[leg])  # fmt: skip
            if reach != FINE:
                sums[SUM_STRETCHED] += 1.0
            for a in range(3):
                j = 3 * i + a
                rate = 0.0 if k == 0 else (angle[a] - before[j]) / dt
                middle, swing = controls[9 + j], controls[18 + j]
                if drive.form == LITERAL_TORQUE:
                    wide = swing if abs(swing) > HARDLY else HARDLY
                    goal = felt_signal(angle[a], rate, controls[j], middle, wide, drive.rate, omega, drive.sigma, dt)
                    torque[a] = kp[j] * (goal - angle[a]) - kd[j] * rate
                else:
                    goal = middle + swing * (cs[j] * u - sn[j] * w)
                    goal_rate = -omega * swing * (sn[j] * u + cs[j] * w)
                    torque[a] = kp[j] * (goal - angle[a]) + kd[j] * (goal_rate - rate)
                    if drive.form == MUSCLES:
                        torque[a] = pair_torque(torque[a], angle[a] - middle, rate)
                sums[SUM_WORK] += (torque[a] * rate * dt) ** 2
                over = abs(torque[a]) / TORQUE_LIMIT
                sums[SUM_TORQUE] += (over - 1.0) ** 2 if over >= 1.0 else 0.0
                before[j] = angle[a]
            length = ant.femur[leg] + ant.lower[leg]
            gx, gy, gz = torques_to_force(sa, ca, r, z, sl, cl, side, ant.coxa, (torque[0], torque[1], torque[2]),
                                          drive.damping * length * length)  # fmt: skip
            wx, wy = c * gx - s * gy, s * gx + c * gy
            fx, fy, fz, about = fx + wx, fy + wy, fz + gz, about + rx * wy - ry * wx
            if traced:
                trace[clock + k, 8 + 3 * i], trace[clock + k, 9 + 3 * i], trace[clock + k, 10 + 3 * i] = wx, wy, gz
        t = (clock + k) * dt
        if push[FORCE_FROM] <= t < push[FORCE_TO]:
            fx, fy, fz = fx + push[0], fy + push[1], fz + push[2]
        body[VX] += dt * (fx / ant.mass - drive.gravity_x)  # [Guo15 eq. 5.28]
        body[VY] += dt * fy / ant.mass
        body[VZ] += dt * (fz / ant.mass - drive.gravity_z)
        body[YAW_RATE] += dt * about / ant.inertia
        for a in range(4):
            body[a] += dt * body[4 + a]
        u, w = hopf_step(u, w, drive.rate, 1.0, omega, drive.sigma, dt)
        share = ramp((k + 1.0) / steps)
        dy, dz = body[Y] - y0 - share * way[1], body[Z] - z0 - share * way[2]
        sums[SUM_SIDE] += (dy * dy + dz * dz) / (ant.height * ant.height)
        sums[SUM_YAW] += ((body[YAW] - yaw0) / USUAL_YAW) ** 2
        ahead = body[VX] * way[0] + body[VY] * way[1] + body[VZ] * way[2]
        if ahead < 0.0 and target_rate > HARDLY:
            sums[SUM_BACK] += (body[VX] ** 2 + body[VY] ** 2 + body[VZ] ** 2) / (target_rate * target_rate)
        if traced:
            for a in range(8):
                trace[clock + k, a] = body[a]
        if not (floor < body[Z] < floor + 4.0 * ant.height and abs(body[VX]) + abs(body[VY]) < 1e5):
            return FELL
    memory[WAVE_U], memory[WAVE_W] = u, w
    return DONE


@kernel()
def joint_path(feet: Array, tripod: int, start: Array, way: Array, yaw: float, kp: Array, drive: Drive, ant: AntTables,
               controls: Array) -> None:  # fmt: skip
    """Update controls (27,): one cosine per joint through the angles that carry a trunk from `start` over `way` at rest
    at both ends, with what the springs give way under the weight added. The closed form: no simulation is needed."""
    omega, n = pi / drive.seconds, 33
    m00, m01, m02, m11, m12, m22 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    sums = np.zeros((9, 3))
    for k in range(n):
        phase = pi * k / (n - 1)
        a, b = cos(phase), sin(phase)
        m00, m01, m02, m11, m12, m22 = m00 + 1.0, m01 + a, m02 + b, m11 + a * a, m12 + a * b, m22 + b * b
        share, bent = 0.5 - 0.5 * a, 0.5 * omega * omega * a  # of the way, and of it per s^2
        c, s = cos(yaw), sin(yaw)
        for i in range(3):
            leg = ant.tripods[tripod, i]
            side = 1.0 if leg < 3 else -1.0
            rx, ry = feet[i, 0] - start[0] - share * way[0], feet[i, 1] - start[1] - share * way[1]
            x, y = c * rx + s * ry - ant.hip[leg, 0], c * ry - s * rx - ant.hip[leg, 1]
            z = feet[i, 2] - start[2] - share * way[2]
            al, be, ga, sa, ca, r, sl, cl, _ = stance_leg(x, y, z, side, ant.coxa, ant.femur[leg], ant.lower[leg])
            # a third of what moves and carries the trunk; J^T F = -tau
            wx, wy = ant.mass * (bent * way[0] + drive.gravity_x) / 3.0, ant.mass * bent * way[1] / 3.0
            fz = ant.mass * (bent * way[2] + drive.gravity_z) / 3.0
            fx, fy = c * wx + s * wy, side * (c * wy - s * wx)
            out, aside = fx * sa + fy * ca, fx * ca - fy * sa
            ta, tb, tc = -(ant.coxa + r) * aside, -(z * out - r * fz), -(cl * out - sl * fz)
            goals = (al + ta / kp[3 * i], be + tb / kp[3 * i + 1], ga + tc / kp[3 * i + 2])
            for j in range(3):
                sums[3 * i + j, 0] += goals[j]
                sums[3 * i + j, 1] += goals[j] * a
                sums[3 * i + j, 2] += goals[j] * b
    det = m00 * (m11 * m22 - m12 * m12) - m01 * (m01 * m22 - m12 * m02) + m02 * (m01 * m12 - m11 * m02)
    for j in range(9):
        p, q, r = sums[j, 0], sums[j, 1], sums[j, 2]
        middle = (p * (m11 * m22 - m12 * m12) - m01 * (q * m22 - m12 * r) + m02 * (q * m12 - m11 * r)) / det
        a = (m00 * (q * m22 - r * m12) - p * (m01 * m22 - m12 * m02) + m02 * (m01 * r - q * m02)) / det
        b = (m00 * (m11 * r - q * m12) - m01 * (m01 * r - q * m02) + p * (m01 * m12 - m11 * m02)) / det
        controls[j], controls[9 + j], controls[18 + j] = np.arctan2(-b, a), middle, sqrt(a * a + b * b)


@kernel()
def template_feet(tripod: int, lowered: float, ant: AntTables, out: Array) -> None:
    """Update out (3, 3): the feet of a tripod on flat ground, its middle at the origin."""
    for i in range(3):
        leg = ant.tripods[tripod, i]
        out[i, 0] = ant.foot[leg, 0] + ant.spread[leg, 0] * lowered
        out[i, 1] = ant.foot[leg, 1] + ant.spread[leg, 1] * lowered
        out[i, 2] = 0.0


@kernel()
def sample_problem(controls: Array, gains: Array, way: Array, drive: Drive, ant: AntTables, body: Array, sums: Array) -> int:
    """Update body and sums: one stance of the left tripod from rest, half the way behind its middle; return DONE or FELL."""
    feet, nothing, push, memory = np.empty((3, 3)), np.empty((0, 17)), np.zeros(5), np.zeros(MEMORY)
    template_feet(0, 0.0, ant, feet)
    body[:] = 0.0
    sums[:] = 0.0
    body[X], body[Y], body[Z] = -0.5 * way[0], -0.5 * way[1], ant.height - 0.5 * way[2]
    span = (0, int(round(drive.seconds / drive.step)))
    return run_stance(body, feet, 0, controls, gains, memory, span, 0, way, push, drive, ant, sums, nothing)


@kernel()
def solve_by_shooting(way: Array, gains: Array, shots: int, drive: Drive, ant: AntTables, controls: Array, body: Array,
                      sums: Array) -> tuple[int, float]:  # fmt: skip
    """Update controls of the sample problem: closed form, then the aim is moved by what was missed, `shots` times.

    Returns how often it fell, and the miss that is left; the best controls are kept.
    """
    feet, aim, start = np.empty((3, 3)), np.empty(3), np.empty(3)
    tried, best, falls = np.empty(27), 1e9, 0
    template_feet(0, 0.0, ant, feet)
    for a in range(3):
        aim[a] = way[a]
    for _ in range(shots + 1):
        start[0], start[1], start[2] = -0.5 * way[0], -0.5 * way[1], ant.height - 0.5 * way[2]
        joint_path(feet, 0, start, aim, 0.0, gains[0], drive, ant, tried)
        if sample_problem(tried, gains, way, drive, ant, body, sums) == FELL:
            falls += 1
            break
        mx, my, mz = 0.5 * way[0] - body[X], 0.5 * way[1] - body[Y], ant.height + 0.5 * way[2] - body[Z]
        miss = sqrt(mx * mx + my * my + mz * mz)
        if miss < best:
            best = miss
            controls[:] = tried
        aim[0], aim[1], aim[2] = aim[0] + 0.9 * mx, aim[1] + 0.9 * my, aim[2] + 0.9 * mz
    return falls, best
