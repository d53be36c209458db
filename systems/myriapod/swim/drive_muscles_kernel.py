"""All that muscles do in a tick: sides beat, tops and bottoms hold what climbs out level, active tissue stiffens."""

# mypy: allow-untyped-defs, allow-untyped-calls
# mypy: ignore-errors
from __future__ import annotations

import numpy as np
from numba import prange

from ....engine.kernel import kernel
from .hold_up_kernel import level_one
from .muscle_kernel import contract_one, is_relaxed
from .stiffness_kernel import stiffen_one


@kernel(parallel=True)
def drive_muscles(rows, creatures, bodies, chains, segments, chained, blocks, muscles, heads, dt):
    """Set rest lengths and stiffness of the blocks of the creatures in `rows`, by what heads want and where bodies are wet.

    Muscles of the dead relax, and so do those of creatures that kinematics alone lead.
    """
    for r in prange(rows.shape[0]):
        c = np.int64(rows[r])
        relaxed = is_relaxed(c, creatures)
        contract_one(c, relaxed, bodies, chains, segments, chained, blocks, muscles, heads, dt)
        level_one(c, relaxed, chains, segments, blocks, muscles, dt)
        stiffen_one(c, chains, blocks, muscles)
