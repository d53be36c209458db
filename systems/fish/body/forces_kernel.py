"""What acts on a fish besides its springs and the water on its faces, as one constant force per node and tick.

Pectoral fins are forces only [Tu99 4.6.2]. Legend: A fin area, gamma fin angle, L length.
"""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import TYPE_CHECKING

from ....components.fish.motor import Motor
from ....components.fish.springs import Tuned
from ....components.fish.topology import SEGMENT_NODES
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from .springs_kernel import GX, GY, GZ, U, V, W

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.fish.motor import MotorPool
    from ....components.fish.springs import FishBodyPool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array, Vector
    from .kind_table import FishKinds

FRONT_SHARE, BACK_SHARE = 0.67, 0.33  # of a fin's force on the first and second ring [fish 2]
BELLY_UP = -0.6  # share of the righting couple of a dead fish: it turns over
DEAD_LIFT = 0.4  # u/s^2; and rises, full of gas
FASTEST_PUSH = 5.0  # lengths per second that all pushes together may change a node's velocity by in a tick


@kernel(refcount=False)
def add_force(s: Array, node: int, fx: float, fy: float, fz: float) -> None:
    """Update the constant force on a node."""
    s[GX + node] += fx
    s[GY + node] += fy
    s[GZ + node] += fz


@kernel(refcount=False)
def spread_force(s: Array, first: int, count: int, fx: float, fy: float, fz: float) -> None:
    """Update the constant forces on some nodes by equal shares of a force."""
    for node in range(first, first + count):
        add_force(s, node, fx / count, fy / count, fz / count)


@kernel(refcount=False)
def add_fins(s: Array, c: int, fishes: FishBodyPool, motors: MotorPool, stream: Vector) -> None:
    """Update forces by the two pectoral fins, which also row where there is no way on: lift -A (v^2 + v_row^2) cos sin,
    drag -A v |v| cos^2. [Tu99 eq. 4.16] [fish 2]"""
    axes, p, length = fishes.axes[c], motors.parameters[c], fishes.length[c]
    area, row = p[Motor.FIN_AREA] * length * length, p[Motor.ROWING_SPEED] * length * fishes.pace[c]
    ahead = 0.0
    for axis in range(3):
        ahead += (fishes.velocity[c, axis] - stream[axis]) * axes[0, axis]
    for side in range(2):
        gamma = motors.gamma[c, side]
        lift = -area * (ahead * ahead + row * row) * cos(gamma) * sin(gamma)
        drag = -area * ahead * abs(ahead) * cos(gamma) * cos(gamma)
        fx = lift * axes[2, 0] + drag * axes[0, 0]
        fy = lift * axes[2, 1] + drag * axes[0, 1]
        fz = lift * axes[2, 2] + drag * axes[0, 2]
        for ring in range(2):
            share = FRONT_SHARE if ring == 0 else BACK_SHARE
            spread_force(s, 1 + 4 * ring + 2 * side, 2, share * fx, share * fy, share * fz)


@kernel(refcount=False)
def add_couples(s: Array, c: int, kind: int, dead: int, kinds: FishKinds, fishes: FishBodyPool, motors: MotorPool) -> None:
    """Update forces by what turns a fish: rowing fins to a side, and the lift of its back, which keeps it upright."""
    axes, p, length, pace = fishes.axes[c], motors.parameters[c], fishes.length[c], fishes.pace[c]
    unit_force = length**4 * pace * pace
    speed = 0.0
    for axis in range(3):
        speed += fishes.velocity[c, axis] * fishes.velocity[c, axis]
    rowing = motors.bend[c] * p[Motor.YAW_COUPLE] * unit_force / (1.0 + speed / (length * length * pace * pace))
    if dead != 0:
        rowing = 0.0
    left = axes[1]
    spread_force(s, 1, 4, rowing * left[0], rowing * left[1], rowing * left[2])
    spread_force(s, 9, 4, -rowing * left[0], -rowing * left[1], -rowing * left[2])
    righting = kinds.righting[kind] * unit_force * (BELLY_UP if dead != 0 else 1.0)
    # only what is square to the body's own up turns it; the rest would stretch a body that lies as it should
    up, tilt = axes[2], axes[2, 2]
    rx, ry, rz = -righting * tilt * up[0], -righting * tilt * up[1], righting * (1.0 - tilt * up[2])
    for ring in range(3):
        b = 1 + 4 * ring
        for corner in range(4):
            sign = 1.0 if corner == 0 or corner == 3 else -1.0
            add_force(s, b + corner, sign * rx, sign * ry, sign * rz)
    back = motors.backward[c] * p[Motor.BACKWARD_FORCE] * unit_force
    if back > 0.0:
        spread_force(s, 1, 12, -back * axes[0, 0], -back * axes[0, 1], -back * axes[0, 2])


@kernel(refcount=False)
def add_dead_lift(s: Array, kind: int, kinds: FishKinds, size: float) -> None:
    """Update forces by the buoyancy of a body that fills with gas."""
    cube = size * size * size
    for node in range(23):
        s[GZ + node] += DEAD_LIFT * cube * kinds.mass[kind, node]


@kernel(refcount=False)
def take_pushes(s: Array, c: int, kind: int, kinds: FishKinds, fishes: FishBodyPool, bodies: BodyPool, segments: SegmentPool,
                dt: float) -> None:  # fmt: skip
    """Update the velocities of nodes by the pushes on their segments, at most so much that the body holds together.

    What pushes along the body is carried by all of it: it is as stiff there as its spine.
    """
    first, size = int64(bodies.first_segment[c]), fishes.size[c]
    most, forward, along = FASTEST_PUSH * fishes.length[c], fishes.axes[c, 0], 0.0
    unit_mass = size * size * size * fishes.tuned[c, Tuned.MASS]
    for i in range(4):
        push = segments.push[first + i]
        if push[0] == 0.0 and push[1] == 0.0 and push[2] == 0.0:
            continue
        mass = 0.0
        for node in range(SEGMENT_NODES[i, 0], SEGMENT_NODES[i, 1]):
            mass += kinds.mass[kind, node]
        gain = dt / (mass * unit_mass)
        part = push[0] * forward[0] + push[1] * forward[1] + push[2] * forward[2]
        along += dt * part / (kinds.total_mass[kind] * unit_mass)
        u, v = gain * (push[0] - part * forward[0]), gain * (push[1] - part * forward[1])
        w = gain * (push[2] - part * forward[2])
        speed = sqrt(u * u + v * v + w * w)
        cut = most / max(speed, most)
        for node in range(SEGMENT_NODES[i, 0], SEGMENT_NODES[i, 1]):
            s[U + node] += cut * u
            s[V + node] += cut * v
            s[W + node] += cut * w
    if along != 0.0:
        along = min(max(along, -most), most)
        for node in range(23):
            s[U + node] += along * forward[0]
            s[V + node] += along * forward[1]
            s[W + node] += along * forward[2]
