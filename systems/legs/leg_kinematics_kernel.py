"""Geometry of a three-angle leg: forward and inverse kinematics in the frame of its segment.

Legend: theta turns the leg plane about the body z axis (positive forward), alpha raises the first link above the
horizontal, beta bends the knee downward, gamma bends the ankle downward and never changes. ``side`` is +1 for the left
(+y) and -1 for the right. All points are relative to the segment centre; columns of links are `Link`.
"""

from __future__ import annotations

from math import atan2, cos, pi, sin, sqrt
from typing import TYPE_CHECKING

from ...components.leg_states import Reach
from ...components.legs import Link
from ...engine.kernel import kernel

if TYPE_CHECKING:
    from ...engine.kernel_types import Array, Vector

SHORTEST = 1e-12  # units; keeps the direction from hip to tip defined when they coincide
BETA_TOLERANCE = 1e-9  # rad; a straight leg has beta = 0 and still counts as convex [myriapoda E-52]


@kernel()
def leg_tip(hip: Array, links: Array, side: float, theta: float, alpha: float, beta: float) -> Vector:
    """Return the tip in the segment frame from the joint angles. [Fang15 3.4]"""
    shin = alpha - beta
    foot = shin - links[Link.GAMMA]
    r = links[Link.L1] * cos(alpha) + links[Link.L2] * cos(shin) + links[Link.L3] * cos(foot)
    h = links[Link.L1] * sin(alpha) + links[Link.L2] * sin(shin) + links[Link.L3] * sin(foot)
    return hip[0] + r * sin(theta), hip[1] + side * r * cos(theta), hip[2] + h


@kernel()
def leg_points(hip: Array, links: Array, side: float, theta: float, alpha: float, beta: float, points: Array) -> None:
    """Place hip, knee, ankle and tip, points (4, 3) in the segment frame, from the joint angles."""
    forward = sin(theta)
    outward = side * cos(theta)
    points[0, 0], points[0, 1], points[0, 2] = hip[0], hip[1], hip[2]
    bend = alpha
    for link in range(3):
        reach = links[link] * cos(bend)
        points[link + 1, 0] = points[link, 0] + reach * forward
        points[link + 1, 1] = points[link, 1] + reach * outward
        points[link + 1, 2] = points[link, 2] + links[link] * sin(bend)
        bend -= beta if link == 0 else links[Link.GAMMA]


@kernel()
def knee_to_tip(links: Array) -> tuple[float, float]:
    """Return (chord, delta): the fixed distance from knee to tip, and the angle between second link and that chord."""
    along = links[Link.L2] + links[Link.L3] * cos(links[Link.GAMMA])
    across = links[Link.L3] * sin(links[Link.GAMMA])
    return sqrt(along * along + across * across), atan2(across, along)


@kernel()
def next_knee_to_tip(links: Array, leg: int, first: int, before: tuple[float, float]) -> tuple[float, float]:
    """Return chord and delta of a leg; where its links are those of the leg before, they are what that one has."""
    same = leg > first and links[leg, Link.L2] == links[leg - 1, Link.L2] and links[leg, Link.L3] == links[leg - 1, Link.L3]
    return before if same and links[leg, Link.GAMMA] == links[leg - 1, Link.GAMMA] else knee_to_tip(links[leg])


@kernel()
def solve_bent_leg(hip: Array, links: Array, bend: tuple[float, float], side: float, x: float, y: float,
                   z: float) -> tuple[int, float, float, float]:  # fmt: skip
    """Return (reach, theta, alpha, beta) that put the tip at (x, y, z) of the segment frame. [Fang13 App. B]

    On failure the angles are the nearest drawable ones: a straight leg toward a tip too far away, a folded one for a
    tip too near. Legend: (rho, eta) the tip in the leg plane, d its distance from the hip, bend chord and delta of
    `knee_to_tip`, (a, k) the knee along and across hip to tip.
    """
    qx = x - hip[0]
    qy = side * (y - hip[1])
    eta = z - hip[2]
    theta = atan2(qx, qy)
    rho = sqrt(qx * qx + qy * qy)
    d = max(sqrt(rho * rho + eta * eta), SHORTEST)
    first = links[Link.L1]
    chord, delta = bend
    a = (d * d + first * first - chord * chord) / (2.0 * d)
    square = first * first - a * a
    reach = Reach.SOLVED.value
    if square < 0.0:
        reach = Reach.TOO_FAR.value if d > first + chord else Reach.TOO_NEAR.value
        square = 0.0
        a = first if a > 0.0 else -first
    k = sqrt(square)
    knee_rho = (a * rho - k * eta) / d  # the upper of the two knees: rho >= 0 makes +k point up
    knee_eta = (a * eta + k * rho) / d
    alpha = atan2(knee_eta, knee_rho)
    beta = alpha - atan2(eta - knee_eta, rho - knee_rho) - delta
    if beta <= -pi:
        beta += 2.0 * pi
    elif beta > pi:
        beta -= 2.0 * pi
    if reach == Reach.SOLVED.value and beta < -BETA_TOLERANCE:
        reach = Reach.CONCAVE.value
    return reach, theta, alpha, beta


@kernel()
def stance_reach(reach: int, theta: float, lowest_theta: float, highest_theta: float, gated: bool) -> int:
    """Return reach, turned into SWUNG_OUT when the leg plane has left its range and the gate is on. [myriapoda E-11]"""
    if reach == Reach.SOLVED.value and gated and (theta < lowest_theta or theta > highest_theta):
        return Reach.SWUNG_OUT.value
    return reach
