"""What compiled code knows of a sea: one record for all questions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..spatial_hash import SpatialHash
from ..water.pond_layout import WaterArrays

# slots of `numbers`
FLOW_X, FLOW_Y = 0, 1  # units/s; the current that is the same everywhere, as it is in this tick
SOURCE, FASTEST_SOURCE = 2, 3  # units^3/s of the flow away from a pillar's side; units/s that it never exceeds
SURFACE_WARMTH, WARMTH_PER_DEPTH = 4, 5  # 0..1; change per unit of depth
WARMTH_EAST, WARMTH_NORTH = 6, 7  # change per unit
BRIGHTNESS, FADING = 8, 9  # 0..1 at the surface; per unit of depth, of an exponential
SEA_SLOTS = 10

# columns of `pillars`
PILLAR_X, PILLAR_Y, PILLAR_RADIUS, PILLAR_TOP = 0, 1, 2, 3
PILLAR_COLUMNS = 4

# columns of `shades`
SHADE_X, SHADE_Y, SHADE_RADIUS, SHADE_DARKNESS = 0, 1, 2, 3
SHADE_COLUMNS = 4


class SeaArrays(NamedTuple):
    """A sea for compiled code: ``flow_at``, ``temperature_at`` and ``brightness_at`` read it. Valid for one tick."""

    numbers: NDArray[np.float64]
    pillars: NDArray[np.float64]  # upright cylinders, one row each
    pillar_hash: SpatialHash  # of their plan boxes, as far as water flows away from them
    shades: NDArray[np.float64]
    water: WaterArrays
