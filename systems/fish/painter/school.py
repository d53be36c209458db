"""Fishes as compiled code sees them: columns of all of them, and the line of one body."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

LEFT_GAMMA, RIGHT_GAMMA, FIN_SINE, FIN_COSINE, GAPE = range(5)
FIN_FIELDS = 5

CENTRE, WIDE, HIGH = range(3)
"""Rows of a spine (3, KNOTS, 3): middles of nose, rings and tail, half-width vectors to the left, half-height vectors up."""
KNOTS = 7
NOSE_KNOT, LAST_RING, TAIL_KNOT = 0, 5, 6
KNOT_ALONG = np.array([0.0, 0.20, 0.40, 0.58, 0.74, 0.87, 1.0])
"""Share of the length at the knots: body coordinates of the skin. [artificial-fishes A.2]"""


class School(NamedTuple):
    """Columns of all fishes of a frame."""

    nodes: Array  # (n, 23, 3) world units
    fins: Array  # (n, FIN_FIELDS)
    tail_velocity: Array  # (n, 3) of the tips of the tail, against the middle of the body
    looks: Array  # (n, LOOK_FIELDS), see looks
    creature: Array  # (n,) rows in CreaturePool
