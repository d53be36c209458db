"""Every constant of the senses, as columns of one parameter row per creature."""

from __future__ import annotations

from enum import IntEnum, auto
from math import pi

import numpy as np
from numpy.typing import NDArray


class Sense(IntEnum):
    """Column numbers of the sense parameter row. Angles in radians, lengths in units, times in seconds.

    The root angles of an antenna are theta (sideways, positive outward on both sides) and phi (positive up).

    Example::

        row = sense_row()
        row[Sense.LINK_COUNT] = 8
    """

    @staticmethod
    def _generate_next_value_(name: str, start: int, count: int, last_values: list[int]) -> int:  # noqa: ARG004
        return count

    # shape of one antenna
    LINK_COUNT = auto()  # zero: the animal has no antennae
    LINK_LENGTH = auto()
    LINK_RADIUS = auto()
    ROOT_X = auto()  # where the antenna leaves the head, in the head frame
    ROOT_Y = auto()  # to the side; mirrored on the right
    ROOT_Z = auto()
    # root motion
    ROOT_SPEED = auto()  # rad/s, omega_0
    RETRACT_SPEED = auto()  # rad/s, omega_0 while drawing back from an obstacle
    THETA_MIN = auto()
    THETA_MAX = auto()
    PHI_MIN = auto()
    PHI_MAX = auto()
    # travelling wave
    WAVE_THETA = auto()  # amplitude A_theta
    WAVE_PHI = auto()
    CURL_THETA = auto()  # offset B_theta of every joint
    CURL_PHI = auto()
    WAVE_SPEED = auto()  # rad/s, omega
    WAVE_LAG = auto()  # radians of phase per link, lambda; positive runs root to tip
    # touch
    WALL_NORMAL_Z = auto()  # ground counts as a wall where the z of its normal is below this
    # smell
    FOOD_SOFTENING = auto()  # eps: nearer than this the intensity no longer grows
    FOOD_CUTOFF = auto()  # sources farther away are not summed
    EAT_RADIUS = auto()  # distance from the head centre in the plan view at which food is eaten
    EAT_HEIGHT = auto()  # ... and the largest difference of height, as food lies lower than a walking head
    BITE = auto()  # amount eaten per tick at most
    # look ahead
    HEAD_CLEARANCE = auto()  # the head centre keeps this distance from every solid
    LOOK_RANGE = auto()  # how far the free path is followed


SENSE_COLUMNS = len(Sense)

_DEFAULTS: dict[Sense, float] = {  # [myriapoda digest 1.7] unless noted
    Sense.LINK_COUNT: 12,
    Sense.LINK_LENGTH: 0.25,
    Sense.LINK_RADIUS: 0.05,  # our choice: a fifth of the link length
    Sense.ROOT_X: 0.4,  # our choice: near the front corners of a unit head
    Sense.ROOT_Y: 0.25,
    Sense.ROOT_Z: 0.1,
    Sense.ROOT_SPEED: 1.5,
    Sense.RETRACT_SPEED: 4.0,
    Sense.THETA_MIN: 0.2,
    Sense.THETA_MAX: 0.9,
    Sense.PHI_MIN: -0.2,
    Sense.PHI_MAX: 0.5,
    Sense.WAVE_THETA: 0.06,
    Sense.WAVE_PHI: 0.04,
    Sense.CURL_THETA: 0.03,
    Sense.CURL_PHI: -0.02,
    Sense.WAVE_SPEED: 2.0 * pi * 1.5,
    Sense.WAVE_LAG: 0.5,
    Sense.WALL_NORMAL_Z: 0.3,  # our choice: steeper than about 73 degrees
    Sense.FOOD_SOFTENING: 0.5,
    Sense.FOOD_CUTOFF: 20.0,  # our choice: twice the range of one unit of food; see food_kernel on the truncation
    Sense.EAT_RADIUS: 1.0,
    Sense.EAT_HEIGHT: 2.0,  # our choice: twice the ride height
    Sense.BITE: np.inf,
    Sense.HEAD_CLEARANCE: 0.6,  # [walking-study 4]
    Sense.LOOK_RANGE: 4.0,  # our choice: a little beyond the antennae
}


def sense_row(**changes: float) -> NDArray[np.float64]:
    """A parameter row with the default values; keywords are column names in lower case.

    Example::

        short = sense_row(link_count=6, look_range=2.0)
    """
    row = np.zeros(SENSE_COLUMNS)
    for column, value in _DEFAULTS.items():
        row[column] = value
    for name, value in changes.items():
        row[Sense[name.upper()]] = value
    return row
