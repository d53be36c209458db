"""Myriapods as compiled code sees them: columns of all of them, and one at a time."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from ....components.myriapod.appearance import STYLES
from ....engine.kernel_types import Array

STYLE_CENTIPEDE, STYLE_MILLIPEDE, STYLE_ROBOT, STYLE_SMOOTH = range(len(STYLES))


class Span(IntEnum):
    """Columns of `Herd.spans`: first rows and counts of what a myriapod consists of, its looks, and its own row."""

    SEGMENT = 0
    SEGMENTS = 1
    LEG = 2
    LEGS = 3
    ANTENNA = 4
    ANTENNAE = 5
    STYLE = 6
    LOOK = 7
    CREATURE = 8


class Herd(NamedTuple):
    """Columns of all myriapods of a frame."""

    spans: Array  # (n, 9) columns `Span`
    position: Array  # per segment
    orientation: Array
    half_extents: Array
    ahead: Array  # per segment: how many segments before it is the one that it follows
    leg_segment: Array  # per leg: row of the segment it hangs on
    leg_joints: Array  # (legs, 4, 3): hip, knee, ankle, tip
    leg_state: Array
    antennae: Array  # (antennae, points, 3): base and the end of every link, NaN beyond the last one
    looks: Array  # (n, APPEARANCE_FIELDS), see colour_row


class Trunk(NamedTuple):
    """The segments of one myriapod: rows first..first + size - 1 of the columns."""

    first: int
    size: int
    position: Array
    orientation: Array
    half_extents: Array
    ahead: Array
    ground: Array  # height of the ground below each segment
    layer: Array  # draw layer of each segment
    look: Array  # (APPEARANCE_FIELDS,)
    style: int


class Legs(NamedTuple):
    """The legs of one myriapod: rows first..first + size - 1 of the columns."""

    first: int
    size: int
    segment: Array
    joints: Array
    state: Array


class Joint(NamedTuple):
    """One segment of a trunk, for what is fixed to it: jaws, eyes, tail legs."""

    at: tuple[float, float, float]
    forward: tuple[float, float]  # axes in plan
    left: tuple[float, float]
    width: float  # drawn half width
    ground: float
    layer: int
