"""Parts of a swimmer's picture as compiled code takes them: rows of numbers, in body lengths, bound to its links.

A guide is a point in the axes of a link (forward, left and up of its joint). Parts are made of guides:

=======  =====================================================================================================
part     guides
=======  =====================================================================================================
TUBE     the middle of a lofted body from its head to its end, each with half width, half height and place on the skin
FIN      two roots and two tips; A shape, B rays, C bow forward
EYE      its middle; half axes forward and left; A pupil, B glint
ROD      its two ends with radii
SHINE    the middle of a light with its radius; A how much of it is fog
SHADOW   two ends with radii of what is seen on the bed
=======  =====================================================================================================
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

Array = NDArray[Any]

TUBE, FIN, EYE, ROD, SHINE, SHADOW = range(6)

LINK, AT_X, AT_Y, AT_Z, WIDE, HIGH, ALONG, STEERED = range(8)
"""Of a guide. STEERED is how far it moves to the left at full steering."""
GUIDE_FIELDS = 8

KIND, FIRST, COUNT, SKIN, HEAD_ROUND, END_ROUND, ALPHA, ACROSS, LEAST, GLOSS = range(10)
OUTLINE, HALO, RED, GREEN, BLUE, A, B, C, FOLD, LIGHT = range(10, 20)
"""Of a part. HEAD_ROUND and END_ROUND are shares of the length over which the ends of a tube round off; with ACROSS its
guides are pairs, of its left and its right edge; from LEAST pixels of the whole body on it is
seen; FOLD is how steep pleats are between its guides; LIGHT how much it glows by itself."""
PART_FIELDS = 20
MOST_GUIDES = 64

LINK_JOINT, LINK_FORWARD, LINK_LEFT, LINK_UP = range(4)
"""Rows of the frame of a link (4, 3): where its joint is, and its axes."""
LINK_ROWS = 4


class Shoal(NamedTuple):
    """All swimmers of a frame."""

    position: Array  # (segments, 3)
    orientation: Array  # (segments, 4)
    half_length: Array  # (segments,)
    first: Array  # (n,) int64: first segment of each swimmer
    size: Array  # (n,) int64: its segments
    length: Array  # (n,) units
    steer: Array  # (n,) -1..1
    first_part: Array  # (n,) int64: rows of parts
    part_count: Array  # (n,) int64
    creature: Array  # (n,) int64: rows in CreaturePool
    parts: Array  # (parts, PART_FIELDS)
    guides: Array  # (guides, GUIDE_FIELDS)
