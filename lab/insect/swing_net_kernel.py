"""How a leg swings: the linear field of joint rates toward its next foothold, lift, and landing. [Guo15 App. C]

Legend: q' = A q - B q_AEP + C(t) as printed, which runs away; negated it comes near, but alpha ends at 3/3.4 of the way.
A lift in foot space and a blend over the last part of the swing make it land on the vertex.
"""

from __future__ import annotations

from math import exp, pi, sin
from typing import TYPE_CHECKING

from ...engine.kernel import kernel
from .ant_leg_kernel import angles_of, foot_of

if TYPE_CHECKING:
    from ...engine.kernel_types import Array, Vector
    from .ant_model import AntTables

PRINTED, REPAIRED, EXACT = 0, 1, 2
RATES_A, RATES_B = (3.4, 6.0, 3.0), (3.0, 6.0, 3.0)
LIFT = 0.5  # mm
LANDING_SHARE = 0.15  # of the swing, at its end
ONE_PEAK, TWO_PEAKS = 0, 1
FIRST_PEAK, SECOND_PEAK, SECOND_HEIGHT, PEAK_WIDTH = 0.3, 0.75, 0.7, 0.12  # of the swing, of the first peak
LATERAL_GAIN, LATERAL_LIMIT = 5.0, 0.7
INBOARD, OUTBOARD = 1.0, 1.75  # mm that a foot may go sideways from its template


@kernel(refcount=False)
def lift_at(share: float, shape: int, height: float) -> float:
    """Return how high a foot is above its way. Two peaks as real ants show them in late swing. [Guo15 4.3.2]"""
    if shape == ONE_PEAK:
        return height * sin(pi * share)
    a, b = (share - FIRST_PEAK) / PEAK_WIDTH, (share - SECOND_PEAK) / PEAK_WIDTH
    ends = min(1.0, share / 0.1, (1.0 - share) / 0.1)
    return height * ends * (exp(-a * a) + SECOND_HEIGHT * exp(-b * b))


@kernel(refcount=False)
def net_step(q: Vector, goal: Vector, t: float, duration: float, dt: float, form: int) -> Vector:
    """Return the next angles by the field of joint rates. [Guo15 eq. C.1]"""
    a0 = RATES_B[0] if form == EXACT else RATES_A[0]
    sign = 1.0 if form == PRINTED else -1.0
    push = -t / (5.0 * duration)
    return (q[0] + dt * sign * (a0 * q[0] - RATES_B[0] * goal[0]) / duration,
            q[1] + dt * (sign * (RATES_A[1] * q[1] - RATES_B[1] * goal[1]) / duration + push),
            q[2] + dt * sign * (RATES_A[2] * q[2] - RATES_B[2] * goal[2]) / duration)  # fmt: skip


@kernel(refcount=False)
def lateral_chance(aside: float, inboard: bool) -> float:
    """Return how much a foot at a lateral extreme asks to be planted. aside: mm from its template, inboard or not."""
    most = INBOARD if inboard else OUTBOARD
    return 1.0 - exp(-LATERAL_GAIN * max(0.0, aside / most - 0.5))


@kernel(refcount=False)
def swing_trace(start: Array, goal: Array, side: float, duration: float, dt: float, form: int, shape: int, lift: float,
                lands: bool, ant: AntTables, leg: int, out: Array) -> None:  # fmt: skip
    """Update out (steps + 1, 6): angles and foot, in the frame of the hip, of one swing from a foot to the next vertex.

    lands: whether the last part is blended onto the vertex.
    """
    coxa, femur, lower = ant.coxa, ant.femur[leg], ant.lower[leg]
    a, b, c, _ = angles_of(start[0], start[1], start[2], side, coxa, femur, lower)
    ga, gb, gc, _ = angles_of(goal[0], goal[1], goal[2], side, coxa, femur, lower)
    q, aim = (a, b, c), (ga, gb, gc)
    steps = out.shape[0] - 1
    for k in range(steps + 1):
        share = min(k * dt / duration, 1.0)
        x, y, z = foot_of(q[0], q[1], q[2], side, coxa, femur, lower)
        z += lift_at(share, shape, lift)
        if lands:
            e = min(max((share - 1.0 + LANDING_SHARE) / LANDING_SHARE, 0.0), 1.0)
            e = e * e * (3.0 - 2.0 * e)
            x, y, z = x + e * (goal[0] - x), y + e * (goal[1] - y), z + e * (goal[2] - z)
        out[k, 0], out[k, 1], out[k, 2] = q[0], q[1], q[2]
        out[k, 3], out[k, 4], out[k, 5] = x, y, z
        q = net_step(q, aim, k * dt, duration, dt, form)
