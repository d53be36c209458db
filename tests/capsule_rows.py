"""Bodies as rows of solids, for tests that have no world."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paludarium.systems.spatial_index.solids import SOLID_COLUMNS, Row, SolidField, SolidKind


def capsules(start: Row, end: Row, radius: float | Row, owner: NDArray[np.int32]) -> Row:
    """Body capsules of creatures, all at once; equal ends make a ball.

    Example: ``capsules(position[:-1], position[1:], 0.6, owner=creature_of_segment[:-1])``.
    """
    rows = np.zeros((len(start), SOLID_COLUMNS))
    rows[:, SolidField.KIND] = SolidKind.CAPSULE
    rows[:, SolidField.X : SolidField.Z + 1] = start
    rows[:, SolidField.EXTENT_X : SolidField.EXTENT_Z + 1] = np.asarray(end) - np.asarray(start)
    rows[:, SolidField.RADIUS] = radius
    rows[:, SolidField.COS] = 1.0
    rows[:, SolidField.OWNER] = owner
    return rows
