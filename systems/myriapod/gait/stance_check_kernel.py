"""Whether a standing leg surely reaches its foot, without its angles: for creatures out of sight.

Nobody reads the angles of their standing legs, and most of what a leg takes are the three arcs for them. The picture
finds them from the foot (systems/legs/leg_joints_kernel.py), and the Switcher where a leg leaves the ground.
"""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import TYPE_CHECKING

from ....components.leg_states import LegState
from ....components.legs import Link
from ....engine.kernel import kernel
from ...legs.leg_joints_kernel import angles_to_tip
from ...legs.leg_kinematics_kernel import knee_to_tip
from ...legs.segment_frame_kernel import segment_frame, to_body
from .leg_poses_kernel import stance_range

if TYPE_CHECKING:
    from ....components.legs import LegPool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array, Four
    from ...legs.segment_frame_kernel import Frame

LINK_COLUMNS = len(Link)


@kernel()
def reach_of(links: Array) -> tuple[float, float]:
    """Return the squares of the distances from hip to tip between which the knee is bent, and bent the right way.

    With f the first link, c the chord from knee to tip and phi the angle between both, d^2 = f^2 + c^2 + 2 f c cos(phi).
    beta = phi - delta is neither negative nor beyond half a turn for phi between delta and, where that is negative, half a
    turn plus delta; c |cos(delta)| is what `along` is (derived).
    """
    first, third, ankle = links[Link.L1], links[Link.L3], links[Link.GAMMA]
    along, across = links[Link.L2] + third * cos(ankle), third * sin(ankle)
    chord_square = along * along + across * across
    chord, middle = sqrt(chord_square), first * first + chord_square
    least, most = (chord, along) if across > 0.0 else (along, chord)
    return middle - 2.0 * first * least, middle + 2.0 * first * most


@kernel()
def next_reach(links: Array, leg: int, first: int, before: tuple[float, float]) -> tuple[float, float]:
    """Return `reach_of` a leg; where its links are those of the leg before, it is what that one has."""
    if leg == first:
        return reach_of(links[leg])
    for k in range(LINK_COLUMNS):
        if links[leg, k] != links[leg - 1, k]:
            return reach_of(links[leg])
    return before


@kernel()
def gate_of(gait: Array, backward: bool) -> Four:
    """Return (sine, cosine) of the lowest and of the highest theta of a standing leg, flat."""
    lowest, highest = stance_range(gait, backward)
    return sin(lowest), cos(lowest), sin(highest), cos(highest)


@kernel()
def surely_reaches(leg: int, legs: LegPool, gated: bool, gate: Four, frame: Frame, reach: tuple[float, float],
                   side: float) -> bool:  # fmt: skip
    """Return whether a standing leg reaches its foot, inside the theta gate (less than half a turn wide) if it has one."""
    x, y, z = to_body(frame, legs.tip[leg, 0], legs.tip[leg, 1], legs.tip[leg, 2])
    hip = legs.hip[leg]
    qx, qy, eta = x - hip[0], side * (y - hip[1]), z - hip[2]
    square = qx * qx + qy * qy + eta * eta
    nearest, farthest = reach
    if square <= nearest or square >= farthest:
        return False
    low_sine, low_cosine, high_sine, high_cosine = gate
    return not gated or (qx * low_cosine - qy * low_sine > 0.0 and qy * high_sine - qx * high_cosine > 0.0)


@kernel()
def recall_angles(leg: int, side: float, legs: LegPool, segments: SegmentPool) -> None:
    """Find the angles of a leg that stands and is about to be sent elsewhere; those of all others are known."""
    if legs.state[leg] == LegState.STANCE:
        frame = segment_frame(segments.position, segments.orientation, legs.segment_row[leg])
        pose = angles_to_tip(leg, legs, frame, knee_to_tip(legs.links[leg]), side)
        legs.angles[leg, 0], legs.angles[leg, 1], legs.angles[leg, 2] = pose
