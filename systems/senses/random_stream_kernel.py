"""Random numbers drawn inside kernels: splitmix64 on one uint64 of state per row.

Each row owns its state, so a draw depends on that row alone and never on threads or on the order of creatures. The
states are seeded once, at birth, from a stream of the world.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from ...engine.kernel import kernel
from ...engine.splitmix_kernel import GOLDEN_GAMMA, unit_of_state


@kernel()
def advance(state):
    """Return the next state of a stream."""
    return np.uint64(state + GOLDEN_GAMMA)


@kernel()
def uniform(state, low, high):
    """Return a number in [low, high) that belongs to a state; call `advance` before each draw."""
    return low + (high - low) * unit_of_state(state)
