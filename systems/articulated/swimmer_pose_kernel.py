"""Where the links of a swimmer are in the world, and the segments that all other code sees of it.

Root first, then every link on its parent, each turned about its hinge. Velocities of segments are what they have moved in
the tick: the same for a body in a fluid window, without a grid, and on a recorded cycle.
"""

from __future__ import annotations

from math import atan2, cos, sin
from typing import TYPE_CHECKING

from numba import prange

from ...components.articulated.servo import Tilt
from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ...engine.turn_kernel import quaternion_of_axes

if TYPE_CHECKING:
    from ...components.articulated.links import LinkPool
    from ...components.articulated.servo import SwimPool
    from ...components.body import BodyPool
    from ...components.diet import DietPool
    from ...components.segments import SegmentPool
    from ...engine.kernel_types import Array, Vector

FRAME = 12  # numbers of a link in the scratch: its joint, then its axes forward, left, up
JOINT, FORWARD, LEFT, UP = 0, 3, 6, 9


@kernel(refcount=False)
def lay_root(c: int, swimmers: SwimPool, s: Array) -> None:
    """Update the first frame of the scratch: yaw of the root, then pitch, then roll."""
    cy, sy = cos(swimmers.root[c, 2]), sin(swimmers.root[c, 2])
    pitch, roll = swimmers.tilt[c, Tilt.PITCH], swimmers.tilt[c, Tilt.ROLL]
    cp, sp, cr, sr = cos(pitch), sin(pitch), cos(roll), sin(roll)
    s[JOINT], s[JOINT + 1], s[JOINT + 2] = swimmers.root[c, 0], swimmers.root[c, 1], swimmers.height[c]
    s[FORWARD], s[FORWARD + 1], s[FORWARD + 2] = cy * cp, sy * cp, sp
    s[LEFT], s[LEFT + 1], s[LEFT + 2] = -sy * cr - cy * sp * sr, cy * cr - sy * sp * sr, cp * sr
    s[UP], s[UP + 1], s[UP + 2] = sy * sr - cy * sp * cr, -cy * sr - sy * sp * cr, cp * cr


@kernel(refcount=False)
def lay_link(row: int, above: int, here: int, links: LinkPool, s: Array) -> None:
    """Update the frame of one link in the scratch from that of its parent. [Rodrigues]

    above, here: where the two frames begin in the scratch.
    """
    joint, axis = links.joint[row], links.axis[row]
    angle = links.rest[row] + links.angle[row]
    c, si = cos(angle), sin(angle)
    x, y, z = axis[0], axis[1], axis[2]
    # rows: forward, left and up of the link in the axes of its parent
    turn = (
        (c + x * x * (1.0 - c), y * x * (1.0 - c) + z * si, z * x * (1.0 - c) - y * si),
        (x * y * (1.0 - c) - z * si, c + y * y * (1.0 - c), z * y * (1.0 - c) + x * si),
        (x * z * (1.0 - c) + y * si, y * z * (1.0 - c) - x * si, c + z * z * (1.0 - c)),
    )
    for k in range(3):
        f, le, u = s[above + FORWARD + k], s[above + LEFT + k], s[above + UP + k]
        s[here + JOINT + k] = s[above + JOINT + k] + joint[0] * f + joint[1] * le + joint[2] * u
        s[here + FORWARD + k] = turn[0][0] * f + turn[0][1] * le + turn[0][2] * u
        s[here + LEFT + k] = turn[1][0] * f + turn[1][1] * le + turn[1][2] * u
        s[here + UP + k] = turn[2][0] * f + turn[2][1] * le + turn[2][2] * u


@kernel(refcount=False)
def write_segment(i: int, middle: Vector, frame: int, level: float, dt: float, s: Array, segments: SegmentPool) -> None:
    """Update one segment: where it is now, and from where it was how it moves."""
    forward = (s[frame + FORWARD], s[frame + FORWARD + 1], s[frame + FORWARD + 2])
    left = (s[frame + LEFT], s[frame + LEFT + 1], s[frame + LEFT + 2])
    up = (s[frame + UP], s[frame + UP + 1], s[frame + UP + 2])
    w, x, y, z = quaternion_of_axes(forward, left, up)
    old = segments.orientation[i]
    # the turn from the old pose to the new one: twice its vector part is the angle for small turns
    tw = w * old[0] + x * old[1] + y * old[2] + z * old[3]
    way = 2.0 / dt if tw >= 0.0 else -2.0 / dt
    segments.angular_velocity[i, 0] = way * (x * old[0] - w * old[1] - y * old[3] + z * old[2])
    segments.angular_velocity[i, 1] = way * (y * old[0] - w * old[2] - z * old[1] + x * old[3])
    segments.angular_velocity[i, 2] = way * (z * old[0] - w * old[3] - x * old[2] + y * old[1])
    segments.orientation[i, 0], segments.orientation[i, 1] = w, x
    segments.orientation[i, 2], segments.orientation[i, 3] = y, z
    at = segments.position[i]
    segments.velocity[i, 0], segments.velocity[i, 1] = (middle[0] - at[0]) / dt, (middle[1] - at[1]) / dt
    segments.velocity[i, 2] = (middle[2] - at[2]) / dt
    at[0], at[1], at[2] = middle
    segments.submerged[i] = 1 if middle[2] < level else 0
    segments.water_level[i] = level


@kernel(refcount=False)
def write_body(c: int, level: float, swimmers: SwimPool, links: LinkPool, bodies: BodyPool, segments: SegmentPool, dt: float,
               s: Array) -> None:  # fmt: skip
    """Update the segments of one swimmer from its root and its joints."""
    first, n = int64(swimmers.first_link[c]), int64(swimmers.link_count[c])
    head = int64(bodies.first_segment[c])
    lay_root(c, swimmers, s)
    for k in range(n):
        row, here = first + k, FRAME * k
        if k > 0:
            lay_link(row, FRAME * int64(links.parent[row]), here, links, s)
        if swimmers.plane[c] == 0:
            links.place[row, 0], links.place[row, 1] = s[here + JOINT], s[here + JOINT + 1]
            links.place[row, 2] = atan2(s[here + FORWARD + 1], s[here + FORWARD])
        if links.segment[row] >= 0:
            half, aside = 0.5 * links.length[row], links.aside[row]
            middle = (s[here + JOINT] - half * s[here + FORWARD] + aside * s[here + LEFT],
                      s[here + JOINT + 1] - half * s[here + FORWARD + 1] + aside * s[here + LEFT + 1],
                      s[here + JOINT + 2] - half * s[here + FORWARD + 2] + aside * s[here + LEFT + 2])  # fmt: skip
            write_segment(head + int64(links.segment[row]), middle, here, level, dt, s, segments)


@kernel(parallel=True)
def write_swimmers(rows: Array, levels: Array, swimmers: SwimPool, links: LinkPool, bodies: BodyPool, segments: SegmentPool,
                   diets: DietPool, dt: float, scratch: Array) -> None:  # fmt: skip
    """Update segments and mouths of the listed swimmers. levels (n, 2): surface and bed of the water at each."""
    for r in prange(rows.size):
        c = int64(rows[r])
        write_body(c, levels[r, 0], swimmers, links, bodies, segments, dt, scratch[r])
        for k in range(3):
            diets.mouth[c, k] = scratch[r, JOINT + k]
