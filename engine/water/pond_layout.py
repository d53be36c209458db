"""How ponds are packed: one array of numbers and one of whole numbers for all ponds of a world.

Few arrays, because compiled code counts references of every array of a tuple on every call layer. Per pond ``numbers``
holds a frame of `FRAME_SLOTS` and then the planes below, each (rows, columns) with one ring of closed cells around the
pond; ``indices`` holds the number of ponds and then `INDEX_SLOTS` per pond.

Staggered grid: depths at cell centres; ``U[j, i]`` on the west face of cell (j, i), ``V[j, i]`` on its south face; row j
runs to the north, column i to the east. A face's *sill* is the higher of its two beds, or `CLOSED` at walls and solids:
all that walls, shores and islands need, so the flow kernels have no special cases.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..records import record

# planes that are state
U, V, DEPTH, BED, SOLID = 0, 1, 2, 3, 4
OF_LAND, OF_OBSTACLE = 1.0, 2.0  # what makes a cell solid; others are 0
# planes that follow from them
SURFACE, SILL_X, SILL_Y = 5, 6, 7
# planes that are scratch within one call
NEW_U, NEW_V, FLUX_X, FLUX_Y, SHARE = 8, 9, 10, 11, 12
PLANES = 13
STATE_PLANES = 5

# slots of the frame
BASE_X, BASE_Y = 0, 1  # units; south-west corner of the first cell when the pond was made
CELL = 2  # units; edge of a cell
GRAVITY = 3  # units/s^2
LEVEL = 4  # units; the surface at rest
RAIN_RATE, RAIN_DUE = 5, 6  # drops per second; drops that are due, with the fraction of the next one
HOLD_RATE = 7  # per second; how fast the mean surface returns to the level
OWED = 8  # units^3; water that bodies displaced and that is still to be spread over the pond
CURRENT_X, CURRENT_Y = 9, 10  # units/s; the mean velocity that the water is pushed towards
DRIVEN = 11  # 1: it is; a pond that never had a current is left alone
FRAME_SLOTS = 16  # a whole number of cache lines, so that rows start alike for every pond

# slots of `indices`, after the count of ponds
AT, ROWS, COLUMNS = 0, 1, 2  # offset of the frame in `numbers`; shape of a plane, ring included
EDGE_WEST, EDGE_EAST, EDGE_SOUTH, EDGE_NORTH = 3, 4, 5, 6
SHIFT_X, SHIFT_Y = 7, 8  # whole cells the grid has moved since it was made
DROPS, SEED = 9, 10  # rain drops so far; the bits of an unsigned seed
INDEX_SLOTS = 11
FIRST_POND = 1

REFLECTING, ABSORBING = 0, 1
EDGE_KINDS = ("reflecting", "absorbing")

CLOSED = 1.0e12  # units; a sill no water reaches
FILM = 1.0e-5  # units; water on a face thinner than this stands still
WET = 1.0e-3  # units; thinner water counts as wet ground, not as water


class WaterArrays(NamedTuple):
    """All ponds of a world for compiled code; `sample_kernel.sample_water` reads it."""

    numbers: NDArray[np.float64]
    indices: NDArray[np.int64]


@record
class WaterAt(NamedTuple):
    """The water over a point of the plan view: where its surface is, how deep it is, and how fast it flows along x and y.

    Example::

        if sample_water(water, x, y).depth > 0.0: ...
    """

    surface: float
    depth: float
    u: float
    v: float
