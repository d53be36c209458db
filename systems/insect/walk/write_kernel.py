"""What all other code sees of an insect: three segments, six legs with their angles and states, and how well it stands."""

from __future__ import annotations

from math import cos, sin
from typing import TYPE_CHECKING

from numba import prange

from ....components.insect.trunk import TrunkMode
from ....components.leg_states import HISTORY_TICKS, LegEvent, LegState
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.turn_kernel import axes_of_quaternion, quaternion_of_axes
from ....engine.vector_kernel import cross, unit
from ...legs.leg_kinematics_kernel import knee_to_tip, solve_bent_leg

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.brain import BrainPool
    from ....components.diet import DietPool
    from ....components.insect.tripods import TripodPool
    from ....components.insect.trunk import TrunkPool
    from ....components.legs import LegPool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array, Vector

SWING_STIFFNESS, SWING_DAMPING = 60.0, 6.0  # 1/s^2 and 1/s: how the rear part swings behind the trunk
WIDEST_SWING = 0.35  # rad
HEAD_TURN = 0.12  # s of turning that the head looks ahead
FOLDED = (0.9, 1.1, 1.9)  # angles of the legs of one that tumbles or is dead


@kernel()
def put_segment(i: int, at: Vector, frame: tuple[Vector, Vector, Vector], angle: float, velocity: Vector, spin: float,
                segments: SegmentPool) -> None:  # fmt: skip
    """Update one segment: its place, the frame turned by an angle about its own up, and how it moves."""
    forward, left, up = frame
    c, s = cos(angle), sin(angle)
    ahead = (c * forward[0] + s * left[0], c * forward[1] + s * left[1], c * forward[2] + s * left[2])
    turn = quaternion_of_axes(ahead, cross(up, ahead), up)
    for part in range(4):
        segments.orientation[i, part] = turn[part]
    for axis in range(3):
        segments.position[i, axis] = at[axis]
        segments.velocity[i, axis] = velocity[axis]
        segments.angular_velocity[i, axis] = spin * up[axis]


@kernel()
def write_segments_of(c: int, at: Vector, frame: tuple[Vector, Vector, Vector], velocity: Vector, trunks: TrunkPool,
                      bodies: BodyPool, segments: SegmentPool, dt: float) -> None:  # fmt: skip
    """Update head, thorax and gaster; the rear part swings behind the turning of the trunk, the head looks ahead of it."""
    first, yaw_rate = int64(bodies.first_segment[c]), trunks.yaw_rate[c]
    forward, left, _ = frame
    angle, rate = trunks.swing[c, 0], trunks.swing[c, 1]
    rate += dt * (-SWING_STIFFNESS * angle - SWING_DAMPING * rate - SWING_STIFFNESS * 0.05 * yaw_rate)
    angle = min(max(angle + dt * rate, -WIDEST_SWING), WIDEST_SWING)
    trunks.swing[c, 0], trunks.swing[c, 1] = angle, min(max(rate, -10.0), 10.0)
    head, gaster = trunks.head_at[c], trunks.gaster_at[c]
    look = min(max(HEAD_TURN * yaw_rate, -WIDEST_SWING), WIDEST_SWING)
    cs, sn = cos(angle), sin(angle)
    place = (at[0] + head * forward[0], at[1] + head * forward[1], at[2] + head * forward[2])
    put_segment(first, place, frame, look, velocity, yaw_rate, segments)
    put_segment(first + 1, at, frame, 0.0, velocity, yaw_rate, segments)
    place = (at[0] + gaster * (cs * forward[0] + sn * left[0]), at[1] + gaster * (cs * forward[1] + sn * left[1]),
             at[2] + gaster * (cs * forward[2] + sn * left[2]))  # fmt: skip
    put_segment(first + 2, place, frame, angle, velocity, yaw_rate, segments)


@kernel()
def write_legs_of(c: int, at: Vector, frame: tuple[Vector, Vector, Vector], trunks: TrunkPool, tripods: TripodPool,
                  bodies: BodyPool, legs: LegPool) -> float:  # fmt: skip
    """Update angles, states and history of the legs; return the share of them that stands."""
    first, cursor = int64(bodies.first_leg[c]), bodies.history_cursor[c]
    forward, left, up = frame
    tumbling, standing = trunks.mode[c] == TrunkMode.TUMBLE.value, 0
    for leg in range(6):
        row, side = first + leg, 1.0 - 2.0 * (leg % 2)
        stood = legs.state[row] == LegState.STANCE.value
        if tumbling and tripods.stands[c, leg] == 0:  # one that pushes the ground away is drawn where it stands
            legs.state[row] = LegState.TUCKED.value
            legs.angles[row, 0], legs.angles[row, 1], legs.angles[row, 2] = (1.0 - leg // 2) * 0.7, FOLDED[1], FOLDED[2]
        else:
            tip = legs.tip[row]
            dx, dy, dz = tip[0] - at[0], tip[1] - at[1], tip[2] - at[2]
            x = dx * forward[0] + dy * forward[1] + dz * forward[2]
            y = dx * left[0] + dy * left[1] + dz * left[2]
            z = dx * up[0] + dy * up[1] + dz * up[2]
            links = legs.links[row]
            reach, theta, alpha, beta = solve_bent_leg(legs.hip[row], links, knee_to_tip(links), side, x, y, z)
            legs.angles[row, 0], legs.angles[row, 1], legs.angles[row, 2] = theta, alpha, beta
            tripods.stretched[c, leg] = 0 if reach == 0 else 1
            stands = tripods.stands[c, leg] != 0
            standing += 1 if stands and not tumbling else 0
            swung = LegState.SF1.value if tripods.progress[c, leg] < 0.5 else LegState.SF2.value
            legs.state[row] = LegState.STANCE.value if stands else swung
        stands_now = legs.state[row] == LegState.STANCE.value
        legs.entered[row] = 1 if stands_now and not stood else 0
        legs.events[row] = LegEvent.TOUCHED.value if stands_now and not stood else (
            LegEvent.LIFTED.value if stood and not stands_now else 0)
        legs.history[row, cursor] = legs.state[row]
    bodies.history_cursor[c] = (cursor + 1) % HISTORY_TICKS
    return standing / 6.0


@kernel(parallel=True)
def write_insects(rows: Array, trunks: TrunkPool, tripods: TripodPool, brains: BrainPool, diets: DietPool, bodies: BodyPool,
                  segments: SegmentPool, legs: LegPool, dt: float) -> None:  # fmt: skip
    """Update segments, legs, mouths and footing of the listed insects from their trunks."""
    for r in prange(rows.size):
        c = int64(rows[r])
        if trunks.mode[c] == TrunkMode.WALK.value:
            forward = (trunks.forward[c, 0], trunks.forward[c, 1], trunks.forward[c, 2])
            up = (trunks.normal[c, 0], trunks.normal[c, 1], trunks.normal[c, 2])
            at = (trunks.position[c, 0] + trunks.offset[c, 0], trunks.position[c, 1] + trunks.offset[c, 1],
                  trunks.position[c, 2] + trunks.offset[c, 2])  # fmt: skip
            velocity = (trunks.velocity[c, 0], trunks.velocity[c, 1], trunks.velocity[c, 2])
        else:
            ahead, _, above = axes_of_quaternion(trunks.turn[c, 0], trunks.turn[c, 1], trunks.turn[c, 2], trunks.turn[c, 3])
            forward, up = unit(ahead, (1.0, 0.0, 0.0)), unit(above, (0.0, 0.0, 1.0))
            at = (trunks.body[c, 0], trunks.body[c, 1], trunks.body[c, 2])
            velocity = (trunks.body_velocity[c, 0], trunks.body_velocity[c, 1], trunks.body_velocity[c, 2])
        frame = (forward, cross(up, forward), up)
        write_segments_of(c, at, frame, velocity, trunks, bodies, segments, dt)
        brains.footing[c] = write_legs_of(c, at, frame, trunks, tripods, bodies, legs)
        reach = 1.35 * trunks.head_at[c]
        for axis in range(3):
            diets.mouth[c, axis] = at[axis] + reach * forward[axis]
