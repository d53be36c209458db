"""The body of every fish: 23 nodes, 91 springs and 24 faces, the same for all species. [Tu99 4.2] [artificial-fishes A.1]

Nodes: 0 is the nose, then five rings of four corners (left top, left bottom, right bottom, right top), then the upper and
the lower tip of the tail. Segments of the body: the head before the first ring, four between rings, the tail.

Example::

    SPRINGS[:MUSCLE_COUNT]      # (12, 2) nodes that the muscles join: three segments of four corners
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

NODES = 23
RINGS = 5
CORNERS = 4
NOSE, UPPER_TIP, LOWER_TIP = 0, 21, 22
LEFT_TOP, LEFT_BOTTOM, RIGHT_BOTTOM, RIGHT_TOP = range(CORNERS)
MUSCLE_SEGMENTS = 3
"""Segments of the body that contract: those between rings 1 and 4."""

PLAIN, MUSCLE, CROSS = range(3)
"""Classes of springs."""


def ring(number: int) -> list[int]:
    """Nodes of a ring, 0 behind the head to 4 before the tail: ``ring(0) == [1, 2, 3, 4]``."""
    return [1 + CORNERS * number + corner for corner in range(CORNERS)]


def _springs() -> list[tuple[int, int, int]]:
    """Pairs of nodes with their class. Muscles come first, in the order segment, corner."""
    after = [(corner + 1) % CORNERS for corner in range(CORNERS)]
    muscles, plain, cross = [], [(NOSE, node) for node in ring(0)], []
    for number in range(RINGS):
        here = ring(number)
        plain += [(here[k], here[after[k]]) for k in range(CORNERS)]
        cross += [(here[0], here[2]), (here[1], here[3])]
        if number + 1 < RINGS:
            behind = ring(number + 1)
            along = [(here[k], behind[k]) for k in range(CORNERS)]
            muscles += along if number < MUSCLE_SEGMENTS else []
            plain += along if number >= MUSCLE_SEGMENTS else []
            cross += [(here[k], behind[after[k]]) for k in range(CORNERS)]
            cross += [(here[after[k]], behind[k]) for k in range(CORNERS)]
    left_top, left_bottom, right_bottom, right_top = ring(RINGS - 1)
    plain += [(left_top, UPPER_TIP), (right_top, UPPER_TIP), (left_bottom, LOWER_TIP), (right_bottom, LOWER_TIP)]
    plain += [(UPPER_TIP, LOWER_TIP)]
    cross += [(left_top, LOWER_TIP), (right_top, LOWER_TIP), (left_bottom, UPPER_TIP), (right_bottom, UPPER_TIP)]
    pairs = [(MUSCLE, pair) for pair in muscles] + [(PLAIN, pair) for pair in plain] + [(CROSS, pair) for pair in cross]
    return [(a, b, kind) for kind, (a, b) in pairs]


def _faces() -> list[tuple[int, int, int, int, int]]:
    """Corners of the faces, seen from outside with the clock, and the segment each is on.

    Quads and not triangles: one diagonal per side face makes a fish dive by itself [fish 1]. A triangle is a quad with a
    doubled corner.
    """
    faces = [(NOSE, NOSE, ring(0)[k], ring(0)[(k + 1) % CORNERS], 0) for k in range(CORNERS)]
    for number in range(RINGS - 1):
        here, behind = ring(number), ring(number + 1)
        for k in range(CORNERS):
            after = (k + 1) % CORNERS
            faces.append((here[k], behind[k], behind[after], here[after], number + 1))
    left_top, left_bottom, right_bottom, right_top = ring(RINGS - 1)
    faces += [(left_top, UPPER_TIP, LOWER_TIP, left_bottom, RINGS), (right_bottom, LOWER_TIP, UPPER_TIP, right_top, RINGS)]
    faces += [(right_top, UPPER_TIP, UPPER_TIP, left_top, RINGS), (left_bottom, LOWER_TIP, LOWER_TIP, right_bottom, RINGS)]
    return faces


_SPRINGS = np.array(_springs())
_FACES = np.array(_faces())
# Unsigned, because compiled code then need not ask whether a place is counted from the end.
SPRINGS: Array = np.ascontiguousarray(_SPRINGS[:, :2].astype(np.uint32))
SPRING_CLASS: Array = np.ascontiguousarray(_SPRINGS[:, 2].astype(np.uint32))
FACES: Array = np.ascontiguousarray(_FACES[:, 3::-1].astype(np.uint32))  # listed with the clock
FACE_SEGMENT: Array = np.ascontiguousarray(_FACES[:, 4].astype(np.uint32))
SPRING_COUNT, FACE_COUNT, BODY_SEGMENTS = len(SPRINGS), len(FACES), RINGS + 1
MUSCLE_COUNT = CORNERS * MUSCLE_SEGMENTS
STATIONS = RINGS + 2
"""Of the spine: nose, rings, tail."""
SEGMENT_NODES: Array = np.array([[0, 5], [5, 9], [9, 17], [17, 23]])
"""First and last + 1 node of each of the four segments that all other code sees of a fish."""
