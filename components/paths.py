"""Paths: points that a game wants a creature to follow one after the other."""

from __future__ import annotations

import numpy as np

from ..engine.column_rules import FLAG, ON_MAP, PlaceInSpan, RowOf
from ..engine.pool import Pool, column


class PathPool(Pool):
    """One row per point of a path; the rows of one path are contiguous and belong to the creature that follows it.

    The last three columns tell about the whole path and are kept in its first row.
    """

    point = column(np.float64, 3, holds=ON_MAP)
    creature_row = column(np.int32, holds=RowOf("CreaturePool"))
    place = column(np.int32, holds=PlaceInSpan())  # of the point it is on its way to
    loop = column(np.uint8, holds=FLAG)  # after the last point it begins again
