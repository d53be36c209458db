"""The vocabulary of the brain: modes, goals and what it remembers. Plain data, no behaviour."""

from __future__ import annotations

from enum import IntEnum


class BrainMode(IntEnum):
    """What drives the head [Fang15 4.4]; mods add modes with higher numbers through the mode registry.

    Example::

        BrainMode(2).name    # 'AVOIDANCE'
    """

    ADJUSTMENT = 0  # too few legs stand: no driving until the body is on its feet again
    RANDOM_WALK = 1  # turn by a random angle, then by another
    AVOIDANCE = 2  # an antenna touches something, or a swimmer sees a wall: turn away from it
    TROPHOTROPISM = 3  # food in the air or in sight: turn toward it
    CONTROL = 4  # a player or a goal decides


class GoalKind(IntEnum):
    """What a player or the game wants from a creature; all but NONE run in the CONTROL mode.

    DRIVE obeys the user's speed and yaw rate, whatever the antennae feel. The other goals steer by themselves and give
    way to the avoidance reflex while it is active (the mode stays CONTROL). Goals last until they are cleared:
    ``goal_done`` tells whether the goal is satisfied at the moment. Example: ``goal_kind[row] = GoalKind.GOTO``.
    """

    NONE = 0
    DRIVE = 1  # drive = (speed, yaw rate); a negative speed walks backward
    GOTO = 2  # walk to goal_position, slow down, stay within goal_radius
    FOLLOW = 3  # walk after the head of creature goal_row and stop at goal_radius from it
    FLEE_POINT = 4  # leave goal_position; acts only while nearer than goal_radius
    FLEE_CREATURE = 5  # the same from the head of creature goal_row
    PATH = 6  # from point to point; goal_position is the next one of its `PathPool` rows


class Memory(IntEnum):
    """Columns of what a brain remembers from tick to tick: ``memory[row, Memory.TURN]``."""

    WALK_ANGLE = 0  # radians left to turn in the random walk, positive left
    WALKING = 1  # flag: WALK_ANGLE is a target that has not been reached
    WALK_COUNT = 2  # targets drawn so far
    TURN = 3  # direction of avoidance: +1 left, -1 right, 0 none
    LAST_TURN = 4  # the latest direction, repeated when the same obstacle is met again soon
    FREE_TIME = 5  # seconds since the latest contact
    SMELLING = 6  # flag: food was above the threshold
    SCENT = 7  # smoothed relative difference of the two tips, positive left
    ORBIT = 8  # radians turned toward one side in search of food
    PASSING = 9  # flag: the food lies inside the turning circle, so walk straight
    BEARING = 10  # radians to the food in sight with the swing of the head averaged out, positive left
    SEEING = 11  # flag: food was in sight
    RETREAT = 12  # seconds for which a swimmer still backs off from a wall
    LEG = 13  # seconds of the straight leg of its walk that are left


MODE_COUNT = len(BrainMode)
MEMORY_COLUMNS = len(Memory)
