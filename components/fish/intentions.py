"""The vocabulary of a fish's mind: intentions, what they are about, courtship, habits. Plain data, no behaviour."""

from __future__ import annotations

from enum import IntEnum


class Intention(IntEnum):
    """What a fish is about [Tu99 7.5]; mods add intentions with higher numbers through the registry ``"intentions"``.

    Example::

        Intention(3).name    # 'SCHOOL'
    """

    WANDER = 0
    AVOID = 1  # something is in the way
    ESCAPE = 2
    SCHOOL = 3
    EAT = 4
    MATE = 5
    LEAVE = 6  # the water here is not as it likes it
    CONTROL = 7  # a player or a goal decides


INTENTION_COUNT = len(Intention)
PRIORITY: dict[Intention, float] = {  # the order of the book, spaced so that mods fit between [Tu99 7.5]
    Intention.AVOID: 100.0,
    Intention.CONTROL: 90.0,
    Intention.ESCAPE: 80.0,
    Intention.SCHOOL: 70.0,
    Intention.EAT: 60.0,
    Intention.MATE: 50.0,
    Intention.LEAVE: 40.0,
    Intention.WANDER: 20.0,
}
TONES: dict[int, str] = {
    Intention.WANDER: "faint", Intention.AVOID: "amber", Intention.ESCAPE: "red", Intention.SCHOOL: "sky",
    Intention.EAT: "green", Intention.MATE: "pink", Intention.LEAVE: "violet", Intention.CONTROL: "ink",
}  # fmt: skip
"""Colours of intentions in a panel."""


class About(IntEnum):
    """What the target of an intention is."""

    NOTHING = 0
    CREATURE = 1
    FOOD = 2
    BAIT = 3  # food that hangs on a hook


class Temper(IntEnum):
    """The three types of fish [Tu99 7.9]; the same order as ``[mind] kind``."""

    PREY = 0
    PREDATOR = 1
    PACIFIST = 2


class Stage(IntEnum):
    """How far a courtship has come [Tu99 7.9.3]."""

    ALONE = 0
    FOLLOWING = 1  # the chosen one does not court back yet
    LOOPING = 2
    CIRCLING = 3
    ASCENDING = 4
    NUZZLING = 5
    DONE = 6


class Strike(IntEnum):
    """What has become of a predator's strike: it is decided once. [fish 3]"""

    NONE = 0
    CATCHING = 1  # the prey is drawn into the mouth
    MISSED = 2


class Way(IntEnum):
    """Directions of the motor preferences [Tu99 6.5.2]: ``preferences[row, Way.LEFT]``."""

    LEFT = 0
    RIGHT = 1
    FORWARD = 2
    BACKWARD = 3
    ASCEND = 4
    DESCEND = 5


class Habit(IntEnum):
    """Bits of what a fish is and likes [Tu99 7.3]; an opposite pair that is equal leaves it indifferent."""

    FEMALE = 1
    BRIGHTNESS = 2
    DARKNESS = 4
    COLD = 8
    WARMTH = 16
    SCHOOLING = 32
