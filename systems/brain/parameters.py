"""Every constant of the brain, as columns of one parameter row per creature."""

from __future__ import annotations

from enum import IntEnum, auto
from math import pi, radians

import numpy as np
from numpy.typing import NDArray


class Brain(IntEnum):
    """Column numbers of the brain parameter row. Angles in radians, lengths in units, times in seconds.

    Example::

        row = brain_row()
        row[Brain.SPEED] = 1.0
    """

    @staticmethod
    def _generate_next_value_(name: str, start: int, count: int, last_values: list[int]) -> int:  # noqa: ARG004
        return count

    # motion of the head
    SPEED = auto()  # units/s of an undisturbed head
    ACCELERATION = auto()  # units/s^2, largest change of speed, also used for braking
    YAW_ACCELERATION = auto()  # rad/s^2
    MIN_TURN_RADIUS = auto()  # the yaw rate never exceeds speed over this, or the body could not follow
    TIGHT_TURN_RADIUS = auto()  # its place in AVOIDANCE and TROPHOTROPISM, whose turns are short
    MAX_NECK_BEND = auto()  # no yaw that bends the first joint further than this
    # ADJUSTMENT
    STAND_SHARE = auto()  # share of legs in STANCE above which the head drives again
    FALL_SHARE = auto()  # ... and below which it stops driving
    # RANDOM_WALK
    WALK_YAW = auto()  # rad/s
    WALK_ANGLE_MIN = auto()
    WALK_ANGLE_MAX = auto()
    WALK_ARRIVAL = auto()  # a target angle is reached when this little is left
    # AVOIDANCE
    AVOID_YAW = auto()  # rad/s
    AVOID_GENTLE = auto()  # share of the yaw rate while nothing lies ahead: enough to leave a wall that runs along
    AVOID_SPEED = auto()  # share of SPEED while one antenna touches
    AVOID_SPEED_BOTH = auto()  # ... while both touch
    CLEAR_TIME = auto()  # without contact for this long the obstacle is cleared
    TURN_MEMORY = auto()  # a new contact within this time repeats the latest direction if both touch or the way is closed
    FLIP_NORMAL = auto()  # sideways part of a normal that shows an obstacle on the side one is turning to
    FRONT_RANGE = auto()  # ... that is, if something lies straight ahead within this distance
    BLOCK_DISTANCE = auto()  # a free path shorter than this is closed
    BLOCK_TIME = auto()  # closed for this long: back off
    BACK_SPEED = auto()  # units/s
    BACK_DISTANCE = auto()
    BACK_TRIES = auto()  # after this many retreats in a row the other side is tried
    BACK_STRAIGHTEN = auto()  # 1/s, how fast a bent neck is straightened while going backward
    ESCAPE_ANGLE = auto()  # after backing off the turn goes on at least this far
    # TROPHOTROPISM
    FOOD_THRESHOLD = auto()  # intensity
    FOOD_RELEASE = auto()  # share of the threshold below which the scent is lost
    FOOD_GAIN = auto()  # rad/s per relative difference of the two tips
    FOOD_YAW = auto()  # rad/s
    FOOD_SLOWING = auto()  # share of speed given up at full turn
    FOOD_SMOOTHING = auto()  # time constant of the relative difference; the tips wander faster than this
    ORBIT_ANGLE = auto()  # having turned this far to one side, the food lies inside the turning circle: stop turning
    FOOD_OUTSIDE = auto()  # ... until the relative difference is smaller than this
    # CONTROL
    GOAL_YAW = auto()  # rad/s
    GOAL_GAIN = auto()  # rad/s per radian of bearing
    ARRIVE_GAIN = auto()  # units/s per unit of distance left
    HOLD_FACTOR = auto()  # a reached goal is taken up again beyond this multiple of its radius
    FLEE_SPEED = auto()  # multiple of SPEED


BRAIN_COLUMNS = len(Brain)

_DEFAULTS: dict[Brain, float] = {
    Brain.SPEED: 2.0,  # [myriapoda digest 1.10]
    Brain.ACCELERATION: 8.0,  # [walking-study 1]
    Brain.YAW_ACCELERATION: 8.0,  # our choice: full yaw in a tenth of a second
    Brain.MIN_TURN_RADIUS: 5.0,  # [walking-study 0, 3]
    Brain.TIGHT_TURN_RADIUS: 4.0,  # [walking-study 3] the tightest turn that kept all links within 30 % of their length
    Brain.MAX_NECK_BEND: 1.0,  # our choice: below the 1.2 rad at which joints are guarded [walking-study 3]
    Brain.STAND_SHARE: 0.5,  # [walking-study 3]
    Brain.FALL_SHARE: 0.25,  # [walking-study 3]
    Brain.WALK_YAW: 0.5,  # [myriapoda digest 1.10], as the next three
    Brain.WALK_ANGLE_MIN: radians(20.0),
    Brain.WALK_ANGLE_MAX: radians(120.0),
    Brain.AVOID_YAW: 1.2,
    Brain.WALK_ARRIVAL: 0.01,  # our choice: about one tick of turning
    Brain.AVOID_GENTLE: 0.3,  # our choice: full turns at every touch of a side wall end at the other one
    Brain.AVOID_SPEED: 0.7,  # [walking-study 4], as the next
    Brain.AVOID_SPEED_BOTH: 0.5,
    Brain.CLEAR_TIME: 0.3,  # [myriapoda digest 1.10]
    Brain.TURN_MEMORY: 2.0,  # our choice: the time to walk one antenna length, slowed
    Brain.FLIP_NORMAL: 0.5,  # our choice: 30 degrees off the axis
    Brain.FRONT_RANGE: 3.5,  # our choice: the reach of the antennae from the head centre
    Brain.BLOCK_DISTANCE: 0.1,  # our choice, as the rest of the group
    Brain.BLOCK_TIME: 0.3,
    Brain.BACK_SPEED: 1.0,  # the study walked backward at this speed and stayed straight
    Brain.BACK_DISTANCE: 5.0,  # more than the turning radius, so that one retreat makes room for a full turn
    Brain.BACK_TRIES: 2.0,
    Brain.BACK_STRAIGHTEN: 1.0,
    Brain.ESCAPE_ANGLE: 1.2,
    Brain.FOOD_THRESHOLD: 0.01,  # [myriapoda digest 1.7]
    Brain.FOOD_RELEASE: 0.5,  # our choice: food that was passed is followed to 14 units, far enough to turn back to it
    Brain.FOOD_GAIN: 3.0,  # [walking-study 4], as the next two
    Brain.FOOD_YAW: 0.6,
    Brain.FOOD_SLOWING: 0.4,
    Brain.FOOD_SMOOTHING: 0.3,  # our choice: a third of the time the root takes to its next target
    Brain.ORBIT_ANGLE: 1.1 * pi,  # our choice: food right behind needs pi
    Brain.FOOD_OUTSIDE: 0.25,  # our choice: 0.6 w / R, less than one as the tips are ahead of the head
    Brain.GOAL_YAW: 0.6,  # our choice, as the rest
    Brain.GOAL_GAIN: 3.0,
    Brain.ARRIVE_GAIN: 2.0,
    Brain.HOLD_FACTOR: 1.5,
    Brain.FLEE_SPEED: 1.5,
}


def brain_row(**changes: float) -> NDArray[np.float64]:
    """A parameter row with the default values; keywords are column names in lower case.

    Example::

        slow = brain_row(speed=0.5, min_turn_radius=2.0)
    """
    row = np.zeros(BRAIN_COLUMNS)
    for column, value in _DEFAULTS.items():
        row[column] = value
    for name, value in changes.items():
        row[Brain[name.upper()]] = value
    return row
