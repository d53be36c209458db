"""Random numbers drawn inside kernels: splitmix64 on one uint64 of state per row.

Each row owns its state, so a draw depends on that row alone and never on threads or on the order of creatures. The
states are seeded once, at birth, from a stream of the world.
"""

# mypy: ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

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


def seed_states(generator: np.random.Generator, shape: Any) -> NDArray[np.uint64]:
    """Draw starting states for rows from a world stream: ``seed_states(streams["antennae"], (count, 2))``."""
    return generator.integers(0, 2**64 - 1, size=shape, dtype=np.uint64, endpoint=True)
