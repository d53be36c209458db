"""Which creatures a system works on."""

from __future__ import annotations

import numpy as np

from ..components.body import BodyPool
from ..engine.pool import Array, Pool


def living_rows(pool: Pool, body: BodyPool) -> Array:
    """Rows of an aligned pool whose creatures are not ragdolls, as int32."""
    rows = pool.spans[:, 0]
    return np.ascontiguousarray(rows[body.dead[rows] == 0])
