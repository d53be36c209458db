"""What a swimmer does about what it sees: toward food, fast at first and slowly at the end; away from walls. [Fang15 5.5]"""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

from ...components.antennae import LEFT, RIGHT
from ...components.brain import Brain
from ...components.brain_modes import Memory
from ...components.vision import BEARING, DISTANCE, OUT_OF_SIGHT, Vision
from ...engine.kernel import kernel
from ...engine.number_kernel import limited
from ..senses.random_stream_kernel import advance, uniform
from .steering_kernel import LEFT_TURN, RIGHT_TURN, yaw_for

if TYPE_CHECKING:
    from ...components.brain import BrainPool
    from ...components.vision import VisionPool


IN_TIME = 1.5  # turning rate of a body that turns slowly, by that of the arc which just touches the wall ahead
DODGE = 2.0  # rad/s for one that touches it now (docs/crowds.md)
NEAREST = 1e-6  # u


@kernel()
def latch_alert(c: int, brains: BrainPool, eyes: VisionPool, dt: float) -> None:
    """Latch the direction of avoidance by the alert fan: its free half, or a random side when both see something.

    The side is chosen once and kept until both halves have been free for as long as after a touch. [Fang15 5.5]
    """
    own, alert, memory, stream = eyes.parameters[c], eyes.alert[c], brains.memory[c], brains.stream
    left, right = alert[LEFT] < OUT_OF_SIGHT, alert[RIGHT] < OUT_OF_SIGHT
    memory[Memory.RETREAT] = max(memory[Memory.RETREAT] - dt, 0.0)
    if not (left or right):
        return
    if memory[Memory.RETREAT] == 0.0 and max(alert[LEFT], alert[RIGHT]) < own[Vision.RETREAT_RANGE]:
        memory[Memory.RETREAT] = own[Vision.RETREAT_TIME]
    if memory[Memory.TURN] == 0.0:
        if left and right:
            stream[c] = advance(stream[c])
            memory[Memory.TURN] = LEFT_TURN if uniform(stream[c], 0.0, 1.0) < 0.5 else RIGHT_TURN
        else:
            memory[Memory.TURN] = RIGHT_TURN if left else LEFT_TURN
    memory[Memory.LAST_TURN] = memory[Memory.TURN]
    memory[Memory.FREE_TIME] = 0.0


@kernel()
def wish_alert(c: int, brains: BrainPool, eyes: VisionPool) -> tuple[float, float]:
    """Return the wish of a swimmer that turns away from a wall: the slower, the nearer it is in both halves of the fan.

    With its nose at the wall a beat cannot turn it, so it backs off first, slowly, and turns on the way.
    """
    own, sight, memory, alert = brains.parameters[c], eyes.parameters[c], brains.memory[c], eyes.alert[c]
    speed = own[Brain.AVOID_SPEED] * own[Brain.SPEED]
    free, sharp = max(alert[LEFT], alert[RIGHT]), own[Brain.AVOID_YAW]
    if brains.turn_rate[c] < sharp:  # one that turns slowly turns in time, and no more than it has to
        nearest = max(min(alert[LEFT], alert[RIGHT]), NEAREST)
        sharp = min(brains.turn_rate[c], IN_TIME * speed / nearest)
    yaw = memory[Memory.TURN] * sharp
    if memory[Memory.RETREAT] > 0.0:
        return -sight[Vision.SLOWEST] * speed, yaw
    return speed * limited(free / sight[Vision.ALERT_RANGE], sight[Vision.SLOWEST], 1.0), yaw


@kernel()
def make_way(c: int, speed: float, yaw: float, brains: BrainPool, eyes: VisionPool) -> float:
    """Return a yaw rate with what it takes not to meet another swimmer, as far as the body can turn."""
    if eyes.dodge[c] == 0.0 or not speed > 0.0:
        return yaw
    limit = max(min(brains.parameters[c, Brain.AVOID_YAW], brains.turn_rate[c]), abs(yaw))
    return limited(yaw + DODGE * eyes.dodge[c], -limit, limit)


@kernel()
def follow_sight(c: int, brains: BrainPool, eyes: VisionPool, dt: float) -> bool:
    """Keep the bearing of the food in sight in mind; return whether there is any.

    The head swings with every beat, so the bearing is averaged over about that time; food first seen counts at once.
    """
    memory = brains.memory[c]
    if brains.afloat[c] == 0 or not eyes.food[c, DISTANCE] < OUT_OF_SIGHT:
        memory[Memory.SEEING] = 0.0
        return False
    bearing = eyes.food[c, BEARING]
    share = min(dt / eyes.parameters[c, Vision.STEER_TIME], 1.0) if memory[Memory.SEEING] == 1.0 else 1.0
    memory[Memory.BEARING] += share * (bearing - memory[Memory.BEARING])
    memory[Memory.SEEING] = 1.0
    return True


@kernel()
def wish_seen_food(c: int, brains: BrainPool, eyes: VisionPool) -> tuple[float, float]:
    """Return the wish of a swimmer that sees food: steer to it, fast from afar, slowly when near or far aside.

    v = v_max limited(d / slow_range, slowest, 1) (1 - turn_slowing |bearing| / pi) [myriapoda 1.14]
    """
    own, sight, bearing = brains.parameters[c], eyes.parameters[c], brains.memory[c, Memory.BEARING]
    near = limited(eyes.food[c, DISTANCE] / sight[Vision.SLOW_RANGE], sight[Vision.SLOWEST], 1.0)
    speed = sight[Vision.HUNT_SPEED] * own[Brain.SPEED] * near
    limit = min(own[Brain.AVOID_YAW], brains.turn_rate[c])
    yaw = yaw_for(bearing, min(sight[Vision.STEER_GAIN], brains.turn_gain[c]), limit, own[Brain.GOAL_SLACK])
    return speed * (1.0 - sight[Vision.TURN_SLOWING] * abs(bearing) / pi), yaw
