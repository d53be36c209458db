"""One leg for one tick: standing by inverse kinematics, swinging by forward kinematics, landing in between.

A pose is (theta, alpha, beta), the three joint angles; frame is that of the leg's segment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....components.leg_states import LegEvent, LegState, Reach
from ....components.myriapod.gait import Gait
from ....engine.kernel import kernel
from ....engine.terrain.ground_kernel import sample_ground
from ...legs.leg_kinematics_kernel import knee_to_tip, leg_tip, solve_bent_leg, stance_reach
from ...legs.segment_frame_kernel import to_body, to_world
from .leg_poses_kernel import pose_of, stance_range, state_after

if TYPE_CHECKING:
    from ....components.legs import LegPool
    from ....engine.kernel_types import Array, Vector
    from ....engine.terrain.ground_layout import Ground
    from ...legs.segment_frame_kernel import Frame

BISECTIONS = 10  # halvings of the angle step in which the tip met the ground: 1/1024 of a tick [walking 2]
MOST_SWITCHES = 8  # poses a leg may pass in one tick; more would mean joints faster than 200 rad/s


@kernel()
def solve_stance(leg: int, legs: LegPool, gait: Array, frame: Frame, bend: tuple[float, float], side: float, backward: bool,
                 point: Vector) -> tuple[int, float, float, float]:  # fmt: skip
    """Return (reach, theta, alpha, beta) of a leg whose tip stands at a world point, the theta gate included."""
    x, y, z = to_body(frame, point[0], point[1], point[2])
    reach, theta, alpha, beta = solve_bent_leg(legs.hip[leg], legs.links[leg], bend, side, x, y, z)
    lowest, highest = stance_range(gait, backward)
    return stance_reach(reach, theta, lowest, highest, gait[Gait.THETA_GATE] > 0.5), theta, alpha, beta


@kernel()
def world_tip(leg: int, legs: LegPool, frame: Frame, side: float, pose: Vector) -> Vector:
    """Return the tip in world coordinates of a leg in this pose."""
    x, y, z = leg_tip(legs.hip[leg], legs.links[leg], side, pose[0], pose[1], pose[2])
    return to_world(frame, x, y, z)


@kernel()
def swept_tip(leg: int, legs: LegPool, frame: Frame, side: float, start: Vector, end: Vector, share: float) -> Vector:
    """Return the tip in world coordinates at a share of the way from the start to the end pose."""
    theta, alpha, beta = start
    pose = (theta + share * (end[0] - theta), alpha + share * (end[1] - alpha), beta + share * (end[2] - beta))
    return world_tip(leg, legs, frame, side, pose)


@kernel()
def first_contact(leg: int, legs: LegPool, frame: Frame, ground: Ground, side: float, start: Vector, end: Vector) -> Vector:
    """Return the surface point where a tip sweeping from the start to the end pose meets the ground.

    The end is below the surface; the start need not be above it, because the body may have sunk meanwhile.
    """
    low = 0.0
    high = 1.0
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        x, y, z = swept_tip(leg, legs, frame, side, start, end, middle)
        distance, _, _, _ = sample_ground(ground, x, y, z)
        if distance < 0.0:
            high = middle
        else:
            low = middle
    x, y, z = swept_tip(leg, legs, frame, side, start, end, high)
    distance, nx, ny, nz = sample_ground(ground, x, y, z)
    return x - distance * nx, y - distance * ny, z - distance * nz


@kernel()
def move_leg(leg: int, legs: LegPool, gait: Array, frame: Frame, ground: Ground, side: float, backward: bool,
             end: Vector) -> bool:  # fmt: skip
    """Move one leg to its next pose, or let it stand where it meets the ground on the way. Returns whether it landed.

    Rule 2. A leg is armed once its tip has been clear of the ground, else it would stand again where it just left; a
    place where it could not stand is refused. [Fang15 4.3.2; myriapoda E-12; walking 2]
    """
    angles, tip = legs.angles, legs.tip
    x, y, z = world_tip(leg, legs, frame, side, end)
    distance, _, _, _ = sample_ground(ground, x, y, z)
    if distance < 0.0 and legs.armed[leg]:
        start = (angles[leg, 0], angles[leg, 1], angles[leg, 2])
        point = first_contact(leg, legs, frame, ground, side, start, end)
        bend = knee_to_tip(legs.links[leg])
        reach, theta, alpha, beta = solve_stance(leg, legs, gait, frame, bend, side, backward, point)
        if reach == Reach.SOLVED:
            tip[leg, 0], tip[leg, 1], tip[leg, 2] = point
            angles[leg, 0], angles[leg, 1], angles[leg, 2] = theta, alpha, beta
            legs.state[leg] = LegState.STANCE
            legs.armed[leg] = 0
            legs.entered[leg] = 1
            legs.events[leg] |= LegEvent.TOUCHED
            return True
        legs.events[leg] |= LegEvent.REFUSED
    elif distance > gait[Gait.CLEARANCE]:
        legs.armed[leg] = 1
    tip[leg, 0], tip[leg, 1], tip[leg, 2] = x, y, z
    angles[leg, 0], angles[leg, 1], angles[leg, 2] = end
    return False


@kernel()
def sweep(leg: int, legs: LegPool, gait: Array, backward: bool, way: float) -> tuple[Vector, float]:
    """Return (end, largest): the pose after so many radians toward that of the leg's state, and what the way there takes.

    All three angles arrive together; largest is that of the joint with the longest way.
    """
    angles = legs.angles
    theta, alpha, beta = pose_of(gait, legs.state[leg], backward)
    d_theta = theta - angles[leg, 0]
    d_alpha = alpha - angles[leg, 1]
    d_beta = beta - angles[leg, 2]
    largest = max(abs(d_theta), abs(d_alpha), abs(d_beta))
    if way >= largest:
        return (theta, alpha, beta), largest
    share = way / largest
    return (angles[leg, 0] + share * d_theta, angles[leg, 1] + share * d_alpha, angles[leg, 2] + share * d_beta), largest


@kernel()
def glide_leg(leg: int, legs: LegPool, gait: Array, frame: Frame, side: float, backward: bool, way: float) -> None:
    """Swing one free leg by so many radians without looking for ground.

    What comes after lift-off is left to the Switcher, as others may have to follow: there the rest of the way is lost.
    """
    state, angles, tip = legs.state, legs.angles, legs.tip
    end = (angles[leg, 0], angles[leg, 1], angles[leg, 2])
    for _ in range(MOST_SWITCHES):
        end, largest = sweep(leg, legs, gait, backward, way)
        angles[leg, 0], angles[leg, 1], angles[leg, 2] = end
        if way < largest or state[leg] == LegState.SB2 or state[leg] == LegState.TUCKED:
            break
        way -= largest
        state[leg] = state_after(state[leg])
    tip[leg, 0], tip[leg, 1], tip[leg, 2] = world_tip(leg, legs, frame, side, end)


@kernel()
def swing_leg(leg: int, legs: LegPool, gait: Array, frame: Frame, ground: Ground, side: float, backward: bool, speed: float,
              dt: float) -> bool:  # fmt: skip
    """Swing one free leg for dt at constant joint speed. All three angles arrive together.

    On reaching its pose the leg spends the rest of the tick in the next state ("carry"): without it the lag of the
    wave would depend on the tick. Returns whether the leg entered SF1 on the way. [walking 2]
    """
    state, angles, tip = legs.state, legs.angles, legs.tip
    lifted = False
    time_left = dt
    for _ in range(MOST_SWITCHES):
        end, largest = sweep(leg, legs, gait, backward, speed * time_left)
        arrives = speed * time_left >= largest
        if state[leg] == LegState.TUCKED:  # folded legs do not look for ground
            angles[leg, 0], angles[leg, 1], angles[leg, 2] = end
            tip[leg, 0], tip[leg, 1], tip[leg, 2] = world_tip(leg, legs, frame, side, end)
            return lifted
        if move_leg(leg, legs, gait, frame, ground, side, backward, end) or not arrives:
            return lifted
        time_left -= largest / speed
        state[leg] = state_after(state[leg])
        lifted = lifted or state[leg] == LegState.SF1
    return lifted
