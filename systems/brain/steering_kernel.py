"""What each built-in mode wishes: a head speed and a yaw rate (positive left), before any limit is applied.

All directions are taken in the head's own frame, so the same rules hold on slopes and on the underside of spheres.
"""

from __future__ import annotations

from math import atan2, cos, hypot, sin
from typing import TYPE_CHECKING

from ...components.antennae import LEFT, RIGHT
from ...components.brain import Brain
from ...components.brain_modes import GoalKind, Memory
from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ...engine.number_kernel import limited
from ..legs.segment_frame_kernel import segment_frame, to_body, turn_to_body
from ..senses.clearance_kernel import leading_end
from ..senses.random_stream_kernel import advance, uniform

if TYPE_CHECKING:
    from ...components.antennae import AntennaPool
    from ...components.body import BodyPool
    from ...components.brain import BrainPool
    from ...components.segments import SegmentPool
    from ...engine.creature import CreaturePool
    from ...engine.kernel_types import Array
    from ..legs.segment_frame_kernel import Frame

LEFT_TURN, RIGHT_TURN = 1.0, -1.0
MOST_WOUND = 3.5  # rad from tail to head; at half a turn a body lies beside itself, a ring closes at a whole one
SMALLEST_RADIUS = 1e-9  # units; stands for a body that can turn on the spot


@kernel()
def head_frame(c: int, bodies: BodyPool, segments: SegmentPool) -> Frame:
    """Return the frame of the head of a creature: of its first segment."""
    return segment_frame(segments.position, segments.orientation, int64(bodies.first_segment[c]))


@kernel()
def neck_bend(c: int, bodies: BodyPool, segments: SegmentPool, backward: bool) -> float:
    """Return the angle of the leading end against the next segment in its own plane, positive left; 0 without a neck.

    Only what trails has one: in other bodies the second segment need not be what the head sits on.
    """
    if bodies.trailing[c] == 0 or bodies.segment_count[c] < 2:
        return 0.0
    leader, neighbour = leading_end(c, bodies, backward)
    frame = segment_frame(segments.position, segments.orientation, leader)
    other = segment_frame(segments.position, segments.orientation, neighbour)
    x, y, _ = turn_to_body(frame, other.fx, other.fy, other.fz)
    return -atan2(y, x)


@kernel()
def winding(c: int, bodies: BodyPool, segments: SegmentPool) -> float:
    """Return by how much a body is wound up from tail to head, positive left: the sum of its bends, each as its sine.

    Bends are taken in the plane of the segment behind, so the sum also holds on slopes and spheres. Only what trails
    is wound.
    """
    if bodies.trailing[c] == 0:
        return 0.0
    first, wound = int64(bodies.first_segment[c]), 0.0
    ahead = head_frame(c, bodies, segments)
    for row in range(first + 1, first + bodies.segment_count[c]):
        frame = segment_frame(segments.position, segments.orientation, row)
        wound += turn_to_body(frame, ahead.fx, ahead.fy, ahead.fz)[1]
        ahead = frame
    return wound


@kernel()
def away_from_itself(angle: float, wound: float) -> float:
    """Return a turn that leads a head away from its own body: one that would wind it up further goes to the other side.

    Turns to the same side one after the other would close a body to a ring, whose head follows its own tail or is shut in.
    """
    return -angle if angle * wound > 0.0 and abs(angle + wound) > MOST_WOUND else angle


@kernel()
def on_a_leg(c: int, brains: BrainPool, dt: float) -> bool:
    """Return whether a walk is on a straight leg: it begins with one, and has one after every turn.

    When a leg is over, the next turn is due: its angle counts as turned.
    """
    own, memory, stream = brains.parameters[c], brains.memory[c], brains.stream
    if own[Brain.WALK_LEG_MAX] == 0.0:
        return False
    turned = memory[Memory.LEG] == 0.0 and abs(memory[Memory.WALK_ANGLE]) <= own[Brain.WALK_ARRIVAL]
    if memory[Memory.WALKING] == 0.0 or turned:
        stream[c] = advance(stream[c])
        memory[Memory.LEG] = uniform(stream[c], own[Brain.WALK_LEG_MIN], own[Brain.WALK_LEG_MAX])
        memory[Memory.WALKING] = 1.0
    elif memory[Memory.LEG] > 0.0:
        memory[Memory.LEG] = max(memory[Memory.LEG] - dt, 0.0)
        memory[Memory.WALK_ANGLE] = 0.0
    else:
        return False
    return memory[Memory.LEG] > 0.0


@kernel()
def wish_random_walk(c: int, bodies: BodyPool, segments: SegmentPool, brains: BrainPool, yaw_rate: float,
                     dt: float) -> tuple[float, float]:  # fmt: skip
    """Return the wish of RANDOM_WALK; draw a new angle only when the last one has been turned [Fang15 4.4].

    Bodies that turn slowly have straight legs between their turns, and turn no faster than they can.
    """
    own, memory, stream = brains.parameters[c], brains.memory[c], brains.stream
    limit = min(own[Brain.WALK_YAW], own[Brain.WALK_TURN] * brains.turn_rate[c])
    if memory[Memory.WALKING] == 1.0:
        memory[Memory.WALK_ANGLE] -= yaw_rate * dt  # what the previous tick has turned
    if on_a_leg(c, brains, dt):
        return own[Brain.SPEED], 0.0
    if memory[Memory.WALKING] == 0.0 or abs(memory[Memory.WALK_ANGLE]) <= own[Brain.WALK_ARRIVAL]:
        stream[c] = advance(stream[c])
        angle = uniform(stream[c], own[Brain.WALK_ANGLE_MIN], own[Brain.WALK_ANGLE_MAX])
        stream[c] = advance(stream[c])
        angle = angle if uniform(stream[c], 0.0, 1.0) < 0.5 else -angle
        memory[Memory.WALK_ANGLE] = away_from_itself(angle, winding(c, bodies, segments))
        memory[Memory.WALKING] = 1.0
        memory[Memory.WALK_COUNT] += 1.0
    return own[Brain.SPEED], limited(memory[Memory.WALK_ANGLE] / dt, -limit, limit)


@kernel()
def wish_avoidance(c: int, brains: BrainPool, antennae: AntennaPool) -> tuple[float, float]:
    """Return the wish of AVOIDANCE: turn to the latched side.

    The nearer something lies ahead, the sharper the turn; what only grazes an antenna asks for a gentle one.
    """
    own, contact = brains.parameters[c], antennae.contact
    both = contact[c, LEFT] and contact[c, RIGHT]
    speed = (own[Brain.AVOID_SPEED_BOTH] if both else own[Brain.AVOID_SPEED]) * own[Brain.SPEED]
    closed_ahead = antennae.free_path[c, 0] < own[Brain.FRONT_RANGE]
    urgency = 1.0 if closed_ahead else own[Brain.AVOID_GENTLE]
    sharpest = min(own[Brain.AVOID_YAW], speed / max(own[Brain.TIGHT_TURN_RADIUS], SMALLEST_RADIUS))
    return speed, brains.memory[c, Memory.TURN] * urgency * sharpest


@kernel()
def wish_trophotropism(c: int, bodies: BodyPool, segments: SegmentPool, brains: BrainPool, smell: Array, yaw_rate: float,
                       dt: float) -> tuple[float, float]:  # fmt: skip
    """Return the wish of TROPHOTROPISM: turn toward the stronger tip, unless the food lies inside the turning circle.

    For one source and tips at +-w, intensities that fall with the squared distance give (derived)
        (I_L - I_R) / (I_L + I_R) = 2 w y / (r^2 + w^2),
    and 2 y / r^2 is the curvature of the arc from the tips to the source, whatever its strength. Food inside the
    turning circle would be circled for ever. Having turned ORBIT_ANGLE to one side the animal therefore walks straight
    until the difference shows that the arc to the food is wide enough. One that has wound itself up on the way walks
    straight until it is unwound.
    """
    own, memory = brains.parameters[c], brains.memory[c]
    limit = own[Brain.FOOD_YAW]
    difference = (smell[LEFT] - smell[RIGHT]) / (smell[LEFT] + smell[RIGHT])
    share = min(dt / own[Brain.FOOD_SMOOTHING], 1.0)
    memory[Memory.SCENT] += share * (difference - memory[Memory.SCENT])
    scent = memory[Memory.SCENT]
    if scent * memory[Memory.ORBIT] < 0.0:
        memory[Memory.ORBIT] = 0.0
    memory[Memory.ORBIT] += yaw_rate * dt
    if abs(memory[Memory.ORBIT]) > own[Brain.ORBIT_ANGLE]:
        memory[Memory.ORBIT], memory[Memory.PASSING] = 0.0, 1.0
    if abs(scent) < own[Brain.FOOD_OUTSIDE]:
        memory[Memory.PASSING] = 0.0
    if memory[Memory.PASSING] == 1.0:
        return own[Brain.SPEED], 0.0
    yaw = limited(own[Brain.FOOD_GAIN] * scent, -limit, limit)  # [walking 4]
    wound = winding(c, bodies, segments)
    if yaw * wound > 0.0 and abs(wound) > MOST_WOUND:
        return own[Brain.SPEED], 0.0
    slowing = own[Brain.FOOD_SLOWING] * abs(yaw) / limit if limit > 0.0 else 0.0
    return own[Brain.SPEED] * (1.0 - slowing), yaw


@kernel()
def goal_offset(c: int, frame: Frame, creatures: CreaturePool, bodies: BodyPool,
                segments: SegmentPool) -> tuple[float, float]:  # fmt: skip
    """Return where the goal of a creature is in its head frame (forward, left)."""
    kind, other, position = creatures.goal_kind[c], creatures.goal_row[c], segments.position
    if (kind == GoalKind.FOLLOW or kind == GoalKind.FLEE_CREATURE) and other >= 0:
        first = int64(bodies.first_segment[other])
        x, y, z = position[first, 0], position[first, 1], position[first, 2]
    else:  # a point: the one to go to, the next one of a path, or the one to flee from
        goal = creatures.goal_position
        x, y, z = goal[c, 0], goal[c, 1], goal[c, 2]
    forward, left, _ = to_body(frame, x, y, z)
    return forward, left


@kernel()
def without_swing(swing: float, place: tuple[float, float]) -> tuple[float, float]:
    """Return a place in the head frame as seen along the way of the body: the stroke turns the head off it by `swing`."""
    if swing == 0.0:
        return place
    co, si = cos(swing), sin(swing)
    return co * place[0] - si * place[1], si * place[0] + co * place[1]


@kernel()
def yaw_for(angle: float, gain: float, limit: float, mind: float) -> float:
    """Return the yaw rate that makes up for an angle, which counts from `mind` on."""
    left = angle - limited(angle, -mind, mind)
    return limited(gain * left, -limit, limit)


@kernel()
def yaw_toward(forward: float, left: float, gain: float, limit: float, turn_radius: float, slack: float,
               mind: float) -> float:  # fmt: skip
    """Return the yaw rate that steers to a point of the head frame.

    A point inside the turning circle (by more than the slack) cannot be reached by turning: then walk straight on until
    the circle has passed it.
    """
    if hypot(forward, abs(left) - turn_radius) < turn_radius - slack:
        return 0.0
    return yaw_for(atan2(left, forward), gain, limit, mind)


@kernel()
def wish_goal(c: int, creatures: CreaturePool, brains: BrainPool, forward: float, left: float) -> tuple[float, float]:
    """Return the wish of a goal from its place in the head frame, and note whether it is satisfied."""
    own, done = brains.parameters[c], creatures.goal_done
    kind, radius, speed = creatures.goal_kind[c], creatures.goal_radius[c], creatures.goal_speed[c]
    gain, limit = min(own[Brain.GOAL_GAIN], brains.turn_gain[c]), min(own[Brain.GOAL_YAW], brains.turn_rate[c])
    mind = own[Brain.GOAL_SLACK]
    full = speed if speed > 0.0 else own[Brain.SPEED]
    distance = hypot(forward, left)
    if kind == GoalKind.FLEE_POINT or kind == GoalKind.FLEE_CREATURE:
        done[c] = 0  # a goal of this kind is asked only while the threat is near
        return full * own[Brain.FLEE_SPEED], yaw_for(atan2(-left, -forward), gain, limit, mind)
    hold = radius * (own[Brain.HOLD_FACTOR] if done[c] else 1.0)
    done[c] = 1 if distance <= hold else 0
    if done[c]:
        return 0.0, 0.0
    # Half the radius is left as a margin, so that the animal does come to a halt inside it.
    return (
        min(full, own[Brain.ARRIVE_GAIN] * (distance - 0.5 * radius)),
        yaw_toward(forward, left, gain, limit, own[Brain.MIN_TURN_RADIUS], 0.5 * radius, mind),
    )
