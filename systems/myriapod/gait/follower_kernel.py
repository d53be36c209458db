"""The Follower: how a led segment keeps its distance to the one ahead of it. [Fang15 4.2; walking 2]"""

from __future__ import annotations

from math import atan2, sqrt
from typing import TYPE_CHECKING, NamedTuple

from ....components.myriapod.gait import Gait
from ....engine.kernel import kernel
from ....engine.number_kernel import clamp
from ....engine.records import record
from ...legs.segment_frame_kernel import segment_frame, to_world, turn_to_body

if TYPE_CHECKING:
    from ....components.myriapod.chain_segments import ChainSegmentPool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array, Vector
    from ...legs.segment_frame_kernel import Frame

SHORTEST = 1e-9  # units; below this a direction is not defined and no command is given along it
AHEAD, BEHIND = -1, 1  # rows from a segment to its leader
# Sharpest bend and its cosine. In rad between two led segments: their tissue takes 1.2 [walking 3], and one that is left to
# the dynamics between them trembles by a tenth; a neck stops at 1 by itself. Behind one that swims: a beat bends a block by
# 0.7, and what it bends farther legs give way to.
SHARPEST_BEND = (1.05, 0.49757)
GENTLE_COSINE = 0.68  # cosine of the bend, 0.82 rad, up to which a body follows its head's way (half turns, C20)
CUTTING = 2.0  # of the leader's half pitch per unit of cosine beyond that: how far sharper bends are cut
LEAST_HITCH = 0.5  # of the leader's half pitch that is left at least
BEND_BEHIND_A_SWIMMER = (0.7, 0.76484)
BEND_BACKWARD = (0.6, 0.82534)  # of a body led by its tail: a kink from its way forward would be dragged along and close
STRAIGHTENING = 4.0  # turn gains by which what is sharper is mended: there is little room
STEEPEST_LINK = 0.8  # sine of the steepest half link that is kept in length; beyond it the plan distance is kept


@record
class Motion(NamedTuple):
    """Where a led segment goes along the ground: its velocity, and its rate of turn about its own upward axis."""

    vx: float
    vy: float
    vz: float
    yaw: float


@record
class Command(NamedTuple):
    """What a segment is told to do: velocity and angular velocity, in world coordinates."""

    vx: float
    vy: float
    vz: float
    wx: float
    wy: float
    wz: float


@kernel()
def limited_rate(angle: float, gait: Array) -> float:
    """Return the turn rate toward zero angle error: proportional near it, constant far from it. [walking 1]"""
    return clamp(gait[Gait.TURN_GAIN] * angle, gait[Gait.TURN_LIMIT])


@kernel()
def arc_excess(gap: float, ahead: Frame, frame: Frame) -> float:
    """Return by how much two segments with tissue of length gap between them are farther apart than on a hinge.

    Tissue bends to an arc, whose chord for a bend d is gap (1 - d^2/24), against gap (1 - d^2/8) of a hinge in its middle
    (derived). A body led on bare hinges would press its tissue together in every turn, and the tissue would push the
    next segment that is left to the dynamics outward, until joints fold. To second order, d^2 = 2 (1 - cos d).
    """
    cosine = ahead.fx * frame.fx + ahead.fy * frame.fy + ahead.fz * frame.fz
    return gap * 2.0 * (1.0 - cosine) / 12.0


@kernel()
def share_of_hinge(cosine: float) -> float:
    """Return how far behind its leader's centre a segment is hitched, as a share of the hinge's place.

    Along a chain of hinges midway a change of heading goes from one segment to the next as (1 - a s)/(1 + a s): to any
    wave along the body the gain is one, so what a head does at a rock or a wall runs along the body undamped, and with
    segments that are left to the dynamics in between it grows until joints fold. Hitched at k a, k < 1, the gain is
    (1 - k a s)/(1 + (2 - k) a s): waves shorter than a few segments die out, as behind any trailer, which cuts corners for
    it. The bends of turns (down to 2.5 units of radius) are followed exactly; only what is sharper is cut and so fades.
    Legend: a half pitch, s rate of change per unit of way, k the share.
    """
    return max(1.0 - CUTTING * max(GENTLE_COSINE - cosine, 0.0), LEAST_HITCH)


@kernel()
def straightening_rate(ahead: Frame, frame: Frame, sharpest: float, gait: Array) -> float:
    """Return the rate at which a segment turns about its hinge out of a bend that is sharper than its tissue takes.

    A head that has met a wall turns its neck to one side while the body behind still bends to the other. The Follower alone
    would hand that on as ever sharper bends, which snap as soon as one of the segments is left to the dynamics.
    """
    x, y, _ = turn_to_body(frame, ahead.fx, ahead.fy, ahead.fz)
    bend = atan2(y, x)
    return limited_rate(STRAIGHTENING * (bend - clamp(bend, sharpest)), gait)


@kernel()
def follow_neighbour(row: int, leader: int, hinge: Vector, toward: int, segments: SegmentPool, chained: ChainSegmentPool,
                     gait: Array, frame: Frame, lead: Command, stretch: float, sharpest: tuple[float, float], normal: Vector,
                     rise: float) -> Motion:  # fmt: skip
    """Return the motion along the ground that keeps a segment on the hinge between it and its leader.

    hinge: in the leader's frame. toward: AHEAD of it or BEHIND it, where its leader is. Whoever goes backward is led by
    the tail, with the same hinges: a chain that is pushed from its front folds, as a trailer does that is reversed.

    Mid-hinge form with feed-forward: the link runs to the hinge H of the neighbour, not to its centre, so bodies do
    not cut corners but for sharp ones, and the hinge velocity is taken over, so links do not stretch. [walking 2]
    The Balancer owns the motion along the ground's normal n, so the Follower may use only the ground's plane. With the
    link l = p t + u n (t in the plane) its length r is kept when p = sqrt(r^2 - u^2), hence (derived)
        v.t = v_h.t + u (v_h.n - rise) / p + k1 (|p t| - p).
    stretch: length to which muscles have set the tissue between both, as a share of its own. sharpest: bend and its cosine.
    ``lead`` is what the neighbour was told to do. One that is left to the dynamics trembles with its tissue; were that
    handed on, the tremble would grow toward the tail. Legend: a half pitch, v_h velocity of H, rise the segment's own
    speed along n.
    """
    half_pitch, half_extents = chained.half_pitch, segments.half_extents
    ahead = segment_frame(segments.position, segments.orientation, leader)
    cosine = ahead.fx * frame.fx + ahead.fy * frame.fy + ahead.fz * frame.fz
    kept = share_of_hinge(cosine)
    hinge_x, hinge_y, hinge_z = hinge
    a = abs(hinge_x)
    hx, hy, hz = to_world(ahead, kept * hinge_x, hinge_y, hinge_z)
    ax, ay, az = hx - ahead.x, hy - ahead.y, hz - ahead.z
    vhx, vhy = lead.vx + lead.wy * az - lead.wz * ay, lead.vy + lead.wz * ax - lead.wx * az
    vhz = lead.vz + lead.wx * ay - lead.wy * ax
    nx, ny, nz = normal
    lx, ly, lz = hx - frame.x, hy - frame.y, hz - frame.z
    up = lx * nx + ly * ny + lz * nz
    tx, ty, tz = lx - up * nx, ly - up * ny, lz - up * nz
    plan = sqrt(tx * tx + ty * ty + tz * tz)
    climb = vhx * nx + vhy * ny + vhz * nz
    if plan < SHORTEST:
        return Motion(vhx - climb * nx, vhy - climb * ny, vhz - climb * nz, 0.0)
    tx, ty, tz = tx / plan, ty / plan, tz / plan
    gap = half_pitch[row] + a - half_extents[row, 0] - half_extents[leader, 0]
    rest = half_pitch[row] + (1.0 - kept) * a + gap * (stretch - 1.0) + arc_excess(gap, ahead, frame)
    bound = STEEPEST_LINK * rest
    level = clamp(up, bound)
    wanted = sqrt(rest * rest - level * level)
    along = vhx * tx + vhy * ty + vhz * tz
    if abs(up) < bound:
        along += up * (climb - rise) / wanted
    along = gait[Gait.FEED_FORWARD] * along + clamp(gait[Gait.FOLLOW_GAIN] * (plan - wanted), gait[Gait.FOLLOW_LIMIT])
    bx, by, _ = turn_to_body(frame, lx, ly, lz)
    sharpest_bend, sharpest_cosine = sharpest
    if cosine < sharpest_cosine:
        back = straightening_rate(ahead, frame, sharpest_bend, gait)
        yaw = back + limited_rate(atan2(-toward * by, -toward * bx), gait)
        vx, vy, vz = back * (ly * nz - lz * ny), back * (lz * nx - lx * nz), back * (lx * ny - ly * nx)  # about the hinge
        return Motion(along * tx + vx, along * ty + vy, along * tz + vz, yaw)
    return Motion(along * tx, along * ty, along * tz, limited_rate(atan2(-toward * by, -toward * bx), gait))
