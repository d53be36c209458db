"""What a swimmer does about what it sees: toward food, fast at first and slowly at the end; away from walls. [Fang15 5.5]"""

from __future__ import annotations

from math import pi

from ...components.brain import Brain
from ...components.brain_modes import Memory
from ...components.vision import OUT_OF_SIGHT, Vision
from ...engine.kernel import kernel
from ..senses.random_stream_kernel import advance, uniform
from .steering_kernel import LEFT_TURN, RIGHT_TURN, clamp

LEFT, RIGHT = 0, 1
DISTANCE, BEARING = 0, 1  # columns of seen food


@kernel()
def latch_alert(c, eyes, alert, memory, stream, dt):
    """Update the latched direction from the alert fan: toward its free half, or to a random side when both see something.

    The side is chosen once and kept until both halves have been free for as long as after a touch. [Fang15 5.5]
    """
    left, right = alert[c, LEFT] < OUT_OF_SIGHT, alert[c, RIGHT] < OUT_OF_SIGHT
    memory[c, Memory.RETREAT] = max(memory[c, Memory.RETREAT] - dt, 0.0)
    if not (left or right):
        return
    if memory[c, Memory.RETREAT] == 0.0 and max(alert[c, LEFT], alert[c, RIGHT]) < eyes[c, Vision.RETREAT_RANGE]:
        memory[c, Memory.RETREAT] = eyes[c, Vision.RETREAT_TIME]
    if memory[c, Memory.TURN] == 0.0:
        if left and right:
            stream[c] = advance(stream[c])
            memory[c, Memory.TURN] = LEFT_TURN if uniform(stream[c], 0.0, 1.0) < 0.5 else RIGHT_TURN
        else:
            memory[c, Memory.TURN] = RIGHT_TURN if left else LEFT_TURN
    memory[c, Memory.LAST_TURN] = memory[c, Memory.TURN]
    memory[c, Memory.FREE_TIME] = 0.0


@kernel()
def wish_alert(c, parameters, senses, memory):
    """Return the wish of a swimmer that turns away from a wall: the slower, the nearer it is in both halves of the fan.

    With its nose at the wall a beat cannot turn it, so it backs off first, slowly, and turns on the way.
    """
    eyes = senses.eyes[c]
    speed = parameters[c, Brain.AVOID_SPEED] * parameters[c, Brain.SPEED]
    yaw = memory[c, Memory.TURN] * parameters[c, Brain.AVOID_YAW]
    if memory[c, Memory.RETREAT] > 0.0:
        return -eyes[Vision.SLOWEST] * speed, yaw
    free = max(senses.alert[c, LEFT], senses.alert[c, RIGHT])
    return speed * clamp(free / eyes[Vision.ALERT_RANGE], eyes[Vision.SLOWEST], 1.0), yaw


@kernel()
def follow_sight(c, senses, memory, dt):
    """Update the remembered bearing of the food in sight; return whether there is any.

    The head swings with every beat, so the bearing is averaged over about that time; food first seen counts at once.
    """
    if senses.afloat[c] == 0 or not senses.seen_food[c, DISTANCE] < OUT_OF_SIGHT:
        memory[c, Memory.SEEING] = 0.0
        return False
    bearing = senses.seen_food[c, BEARING]
    share = min(dt / senses.eyes[c, Vision.STEER_TIME], 1.0) if memory[c, Memory.SEEING] == 1.0 else 1.0
    memory[c, Memory.BEARING] += share * (bearing - memory[c, Memory.BEARING])
    memory[c, Memory.SEEING] = 1.0
    return True


@kernel()
def wish_seen_food(c, parameters, senses, memory):
    """Return the wish of a swimmer that sees food: steer to it, fast from afar, slowly when near or far aside.

    v = v_max clamp(d / slow_range, slowest, 1) (1 - turn_slowing |bearing| / pi) [myriapoda 1.14]
    """
    eyes, bearing = senses.eyes[c], memory[c, Memory.BEARING]
    near = clamp(senses.seen_food[c, DISTANCE] / eyes[Vision.SLOW_RANGE], eyes[Vision.SLOWEST], 1.0)
    speed = eyes[Vision.HUNT_SPEED] * parameters[c, Brain.SPEED] * near
    limit = parameters[c, Brain.AVOID_YAW]
    yaw = clamp(eyes[Vision.STEER_GAIN] * bearing, -limit, limit)
    return speed * (1.0 - eyes[Vision.TURN_SLOWING] * abs(bearing) / pi), yaw
