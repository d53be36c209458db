"""Every constant of the walking controller, as columns of one parameter row per creature.

The defaults are the recommended set of the walking study (section 1): a body of unit segments at pitch 2 with legs
of total length 2.25. Lengths and speeds scale with the species; angles and rates do not.
"""

from __future__ import annotations

from enum import IntEnum, auto
from math import radians

import numpy as np
from numpy.typing import NDArray

from .leg_states import SupportMode


class Gait(IntEnum):
    """Column numbers of the gait parameter row. Angles in radians, lengths in units, times in seconds.

    Example::

        row = gait_row()
        row[Gait.PAIR_RULE] = 0.0
    """

    @staticmethod
    def _generate_next_value_(name: str, start: int, count: int, last_values: list[int]) -> int:  # noqa: ARG004
        return count

    # poses of the leg [Fang15 4.3.1]
    AEP_THETA = auto()  # anterior extreme, where a forward step begins to look for ground
    PEP_THETA = auto()  # posterior extreme, where stance ends
    EXTREME_ALPHA = auto()  # both extremes share alpha and beta
    EXTREME_BETA = auto()
    MUP_THETA = auto()  # middle up
    MUP_ALPHA = auto()
    MUP_BETA = auto()
    MDP_THETA = auto()  # middle down
    MDP_ALPHA = auto()
    MDP_BETA = auto()
    ADJUST_THETA = auto()  # offsets from the anterior extreme; they set the lag of the wave
    ADJUST_ALPHA = auto()
    ADJUST_BETA = auto()
    TUCK_THETA = auto()
    TUCK_ALPHA = auto()
    TUCK_BETA = auto()
    # leg motion
    JOINT_SPEED_FLOOR = auto()  # rad/s; a resting animal must still be able to put its feet down
    JOINT_SPEED_BASE = auto()  # rad/s
    JOINT_SPEED_SLOPE = auto()  # rad/s per unit/s of head speed; keeps the wave's shape at every speed
    THETA_GATE = auto()  # flag: stance fails when theta leaves its range
    THETA_MARGIN = auto()  # how far beyond the touch-down pose a leg may still stand
    CLEARANCE = auto()  # height a tip must have had before it may stand again
    # rules
    WAVE_RULE = auto()  # flag: rule 4
    PAIR_RULE = auto()  # flag: rule 4 listens to the left side only and moves both legs
    SYNC_RULE = auto()  # flag: the left leg of the first pair takes the right one along into SF1
    WAVE_MIN_SPEED = auto()  # rule 4 rests below this head speed, so a halting animal puts all feet down
    # support
    SUPPORT_MODE = auto()  # a SupportMode value
    SUPPORT_HOLD = auto()  # support outlives its loss by this time
    ENDS_KINEMATIC = auto()  # flag: head and tail are led whenever the animal is not in ADJUSTMENT
    # Targeter
    FOLLOW_GAIN = auto()  # 1/s, k1
    FOLLOW_LIMIT = auto()  # units/s, largest corrective speed
    FEED_FORWARD = auto()  # share of the hinge velocity taken over
    HEIGHT_GAIN = auto()  # 1/s, k2
    HEIGHT_LIMIT = auto()  # units/s, largest climbing or sinking speed ordered by the Balancer
    TURN_GAIN = auto()  # 1/s
    TURN_LIMIT = auto()  # rad/s
    BLEND_TAU = auto()  # time constant of the hand-over low-pass
    BLEND_DURATION = auto()  # how long after a hand-over it acts; a permanent one is string-unstable
    MIN_TURN_RADIUS = auto()  # yaw rate of the head is limited to speed over this; zero sets no limit
    # ground
    SAMPLE_OFFSET = auto()  # distance of the four outer ground samples from the segment centre
    CENTRE_WEIGHT = auto()  # weight of the centre sample against one outer sample
    CLING_RANGE = auto()  # gravity may pull toward the surface within this distance
    CLING_NORMAL_Z = auto()  # ... where the surface is steeper than this z of its normal


GAIT_COLUMNS = len(Gait)

_DEFAULTS: dict[Gait, float] = {  # [walking-study 1]
    Gait.AEP_THETA: radians(40.0),
    Gait.PEP_THETA: radians(-36.0),
    Gait.EXTREME_ALPHA: radians(24.0),
    Gait.EXTREME_BETA: radians(60.0),
    Gait.MUP_ALPHA: radians(20.0),
    Gait.MDP_ALPHA: radians(-50.0),
    Gait.ADJUST_THETA: radians(-27.0),
    Gait.ADJUST_ALPHA: radians(19.0),
    Gait.ADJUST_BETA: radians(-58.0),
    Gait.TUCK_THETA: radians(-80.0),
    Gait.JOINT_SPEED_FLOOR: radians(300.0),
    Gait.JOINT_SPEED_BASE: radians(100.0),
    Gait.JOINT_SPEED_SLOPE: radians(200.0),
    Gait.THETA_GATE: 1.0,
    Gait.THETA_MARGIN: radians(10.0),
    Gait.CLEARANCE: 0.02,
    Gait.WAVE_RULE: 1.0,
    Gait.PAIR_RULE: 1.0,
    Gait.SYNC_RULE: 1.0,
    Gait.WAVE_MIN_SPEED: 0.05,
    Gait.SUPPORT_MODE: float(SupportMode.ANY),
    Gait.SUPPORT_HOLD: 0.15,
    Gait.ENDS_KINEMATIC: 1.0,
    Gait.FOLLOW_GAIN: 20.0,
    Gait.FOLLOW_LIMIT: 2.0,
    Gait.FEED_FORWARD: 1.0,
    Gait.HEIGHT_GAIN: 10.0,
    Gait.HEIGHT_LIMIT: 10.0,  # as fast as one unit of height error asks for: not in the study, a guard at cliffs
    Gait.TURN_GAIN: 12.0,
    Gait.TURN_LIMIT: 2.0,
    Gait.BLEND_TAU: 0.05,
    Gait.BLEND_DURATION: 0.2,
    Gait.MIN_TURN_RADIUS: 5.0,
    Gait.SAMPLE_OFFSET: 0.8,
    Gait.CENTRE_WEIGHT: 2.0,
    Gait.CLING_RANGE: 3.0,
    Gait.CLING_NORMAL_Z: 0.5,  # slopes above 60 degrees: gentler ground keeps the world's gravity
}


_PER_SIZE: dict[Gait, int] = {  # power of the body size each column grows with; angles, rates and times do not
    Gait.JOINT_SPEED_SLOPE: -1,
    Gait.CLEARANCE: 1,
    Gait.WAVE_MIN_SPEED: 1,
    Gait.FOLLOW_LIMIT: 1,
    Gait.HEIGHT_LIMIT: 1,
    Gait.MIN_TURN_RADIUS: 1,
    Gait.SAMPLE_OFFSET: 1,
    Gait.CLING_RANGE: 1,
}


def gait_row(size: float = 1.0, **changes: float) -> NDArray[np.float64]:
    """A parameter row with the recommended values; keywords are column names in lower case.

    ``size`` is half the segment pitch in units: a smaller animal at a proportionally lower speed steps alike.

    Example::

        slow = gait_row(follow_gain=10.0, pair_rule=0.0)
        tiny = gait_row(size=0.1)
    """
    row = np.zeros(GAIT_COLUMNS)
    for column, value in _DEFAULTS.items():
        row[column] = value * size ** _PER_SIZE.get(column, 0)
    for name, value in changes.items():
        row[Gait[name.upper()]] = value
    return row
