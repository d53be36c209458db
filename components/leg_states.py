"""The vocabulary of the leg controller: states, events and support modes. Plain data, no behaviour."""

from __future__ import annotations

from enum import IntEnum

HISTORY_TICKS = 60  # one second of leg states at the 60 Hz tick, the length of the strip chart [Fang15 Fig. 4.4]


STANDING_SHARE = 0.9
"""Share of legs that must have stood within the last second for a body to be on the ground. [myriapoda 1.19]"""


class LegState(IntEnum):
    """What a leg is doing; the first four form the loop of a leg that finds no ground [Fang15 4.3.1].

    Example::

        LegState(4).name    # 'STANCE'
    """

    SF1 = 0  # swing forward, first half: from the posterior pose up to the middle
    SF2 = 1  # swing forward, second half: from the middle down to the anterior pose
    SB1 = 2  # search backward, first half: from the anterior pose down; usually finds the ground
    SB2 = 3  # search backward, second half: from the middle up to the posterior pose
    STANCE = 4  # tip fixed in the world, angles from inverse kinematics
    ADJUST = 5  # on the way to the waiting pose, ordered by the leg in front
    TUCKED = 6  # folded back along the flank while the segment is under water


class LegEvent(IntEnum):
    """What happened to a leg during the last tick, as bits of one byte (an IntEnum because kernels read it).

    Example::

        bool(events[leg] & LegEvent.TOUCHED)
    """

    TOUCHED = 1  # rule 2: the tip met the ground and the leg stands
    LIFTED = 2  # rule 3: inverse kinematics failed and the leg swings
    ADJUSTED = 4  # rule 4: the leg in front has just come to stand
    SYNCHRONISED = 8  # left/right rule: forced into SF1 by the left leg of the first pair
    REFUSED = 16  # the tip met the ground where the leg could not have stood
    TUCKED_IN = 32  # rule 6: the segment went under water
    RELEASED = 64  # rule 7: the segment came out of the water


class Reach(IntEnum):
    """How inverse kinematics ended. Everything but SOLVED is a failure the Switcher acts upon."""

    SOLVED = 0
    TOO_FAR = 1
    TOO_NEAR = 2
    CONCAVE = 3  # both links reach, but only with the knee bent the wrong way
    SWUNG_OUT = 4  # reachable, but the leg plane has left its range [myriapoda E-11]


class SupportMode(IntEnum):
    """When a segment counts as carried by its legs [Fang15 4.1; myriapoda E-36]."""

    BOTH = 0  # every leg of the segment stands
    ANY = 1  # at least one leg stands
    ALWAYS = 2  # bodies without dynamics: every segment out of the water is led by the Targeter
