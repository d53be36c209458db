"""What each built-in mode wishes: a head speed and a yaw rate (positive left), before any limit is applied.

All directions are taken in the head's own frame, so the same rules hold on slopes and on the underside of spheres.
"""

from __future__ import annotations

from math import atan2, hypot

import numpy as np

from ...components.brain import Brain
from ...components.brain_modes import GoalKind, Memory
from ...engine.kernel import kernel
from ..legs.segment_frame_kernel import segment_frame, to_body, turn_to_body
from ..senses.random_stream_kernel import advance, uniform

LEFT_TURN, RIGHT_TURN = 1.0, -1.0
SMALLEST_RADIUS = 1e-9  # units; stands for a body that can turn on the spot


@kernel()
def clamp(value, low, high):
    """Return value limited to [low, high]."""
    return min(max(value, low), high)


@kernel()
def neck_bend(c, head):
    """Return the angle of the head against the second segment in the head's plane, positive left; 0 without one."""
    if head.segment_count[c] < 2:
        return 0.0
    first = np.int64(head.first_segment[c])
    frame = segment_frame(head.position, head.orientation, first)
    behind = segment_frame(head.position, head.orientation, first + 1)
    x, y, _ = turn_to_body(frame, behind[3], behind[4], behind[5])
    return -atan2(y, x)


@kernel()
def wish_random_walk(c, parameters, memory, stream, yaw_rate, dt):
    """Return the wish of RANDOM_WALK; draw a new angle only when the last one has been turned [Fang15 4.4]."""
    if memory[c, Memory.WALKING] == 1.0:
        memory[c, Memory.WALK_ANGLE] -= yaw_rate[c] * dt  # what the previous tick has turned
    if memory[c, Memory.WALKING] == 0.0 or abs(memory[c, Memory.WALK_ANGLE]) <= parameters[c, Brain.WALK_ARRIVAL]:
        stream[c] = advance(stream[c])
        angle = uniform(stream[c], parameters[c, Brain.WALK_ANGLE_MIN], parameters[c, Brain.WALK_ANGLE_MAX])
        stream[c] = advance(stream[c])
        memory[c, Memory.WALK_ANGLE] = angle if uniform(stream[c], 0.0, 1.0) < 0.5 else -angle
        memory[c, Memory.WALKING] = 1.0
        memory[c, Memory.WALK_COUNT] += 1.0
    left = memory[c, Memory.WALK_ANGLE]
    limit = parameters[c, Brain.WALK_YAW]
    return parameters[c, Brain.SPEED], clamp(left / dt, -limit, limit)


@kernel()
def wish_avoidance(c, parameters, contact, free_path, memory):
    """Return the wish of AVOIDANCE: turn to the latched side.

    The nearer something lies ahead, the sharper the turn; what only grazes an antenna asks for a gentle one.
    """
    both = contact[c, 0] and contact[c, 1]
    share = parameters[c, Brain.AVOID_SPEED_BOTH] if both else parameters[c, Brain.AVOID_SPEED]
    speed = share * parameters[c, Brain.SPEED]
    closed_ahead = free_path[c, 0] < parameters[c, Brain.FRONT_RANGE]
    urgency = 1.0 if closed_ahead else parameters[c, Brain.AVOID_GENTLE]
    sharpest = min(parameters[c, Brain.AVOID_YAW], speed / max(parameters[c, Brain.TIGHT_TURN_RADIUS], SMALLEST_RADIUS))
    return speed, memory[c, Memory.TURN] * urgency * sharpest


@kernel()
def wish_trophotropism(c, parameters, smell, memory, yaw_rate, dt):
    """Return the wish of TROPHOTROPISM: turn toward the stronger tip, unless the food lies inside the turning circle.

    For one source and tips at +-w, intensities that fall with the squared distance give (derived)
        (I_L - I_R) / (I_L + I_R) = 2 w y / (r^2 + w^2),
    and 2 y / r^2 is the curvature of the arc from the tips to the source, whatever its strength. Food inside the
    turning circle would be circled for ever. Having turned ORBIT_ANGLE to one side the animal therefore walks straight
    until the difference shows that the arc to the food is wide enough.
    """
    limit = parameters[c, Brain.FOOD_YAW]
    difference = (smell[c, 0] - smell[c, 1]) / (smell[c, 0] + smell[c, 1])
    share = min(dt / parameters[c, Brain.FOOD_SMOOTHING], 1.0)
    memory[c, Memory.SCENT] += share * (difference - memory[c, Memory.SCENT])
    scent = memory[c, Memory.SCENT]
    if scent * memory[c, Memory.ORBIT] < 0.0:
        memory[c, Memory.ORBIT] = 0.0
    memory[c, Memory.ORBIT] += yaw_rate[c] * dt
    if abs(memory[c, Memory.ORBIT]) > parameters[c, Brain.ORBIT_ANGLE]:
        memory[c, Memory.ORBIT], memory[c, Memory.PASSING] = 0.0, 1.0
    if abs(scent) < parameters[c, Brain.FOOD_OUTSIDE]:
        memory[c, Memory.PASSING] = 0.0
    if memory[c, Memory.PASSING] == 1.0:
        return parameters[c, Brain.SPEED], 0.0
    yaw = clamp(parameters[c, Brain.FOOD_GAIN] * scent, -limit, limit)  # [walking-study 4]
    return parameters[c, Brain.SPEED] * (1.0 - parameters[c, Brain.FOOD_SLOWING] * abs(yaw) / limit), yaw


@kernel()
def goal_offset(c, head, goals):
    """Return the goal's place in the head frame (forward, left)."""
    frame = segment_frame(head.position, head.orientation, np.int64(head.first_segment[c]))
    kind = goals.kind[c]
    if (kind == GoalKind.FOLLOW or kind == GoalKind.FLEE_CREATURE) and goals.row[c] >= 0:
        other = np.int64(head.first_segment[goals.row[c]])
        x, y, z = head.position[other, 0], head.position[other, 1], head.position[other, 2]
    else:
        x, y, z = goals.position[c, 0], goals.position[c, 1], goals.position[c, 2]
    forward, left, _ = to_body(frame, x, y, z)
    return forward, left


@kernel()
def yaw_toward(forward, left, gain, limit, turn_radius, slack):
    """Return the yaw rate that steers to a point of the head frame.

    A point inside the turning circle (by more than the slack) cannot be reached by turning: then walk straight on until
    the circle has passed it.
    """
    if hypot(forward, abs(left) - turn_radius) < turn_radius - slack:
        return 0.0
    return clamp(gain * atan2(left, forward), -limit, limit)


@kernel()
def wish_goal(c, parameters, goals, forward, left, goal_done):
    """Return the wish of a goal from its place in the head frame, and update whether it is satisfied."""
    kind, radius = goals.kind[c], goals.radius[c]
    gain, limit = parameters[c, Brain.GOAL_GAIN], parameters[c, Brain.GOAL_YAW]
    full = goals.speed[c] if goals.speed[c] > 0.0 else parameters[c, Brain.SPEED]
    distance = hypot(forward, left)
    if kind == GoalKind.FLEE_POINT or kind == GoalKind.FLEE_CREATURE:
        goal_done[c] = 0  # a goal of this kind is asked only while the threat is near
        return full * parameters[c, Brain.FLEE_SPEED], clamp(gain * atan2(-left, -forward), -limit, limit)
    hold = radius * (parameters[c, Brain.HOLD_FACTOR] if goal_done[c] else 1.0)
    goal_done[c] = 1 if distance <= hold else 0
    if goal_done[c]:
        return 0.0, 0.0
    # Half the radius is left as a margin, so that the animal does come to a halt inside it.
    speed = min(full, parameters[c, Brain.ARRIVE_GAIN] * (distance - 0.5 * radius))
    return speed, yaw_toward(forward, left, gain, limit, parameters[c, Brain.MIN_TURN_RADIUS], 0.5 * radius)
