"""Random numbers drawn inside kernels: splitmix64 on one uint64 of state per row.

Each row owns its state, so a draw depends on that row alone and never on threads or on the order of creatures. The
states are seeded once, at birth, from a stream of the world.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from ...engine.kernel import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # [Steele14] the increment and the two mixing factors of splitmix64
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
SHIFT_1, SHIFT_2, SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)
TO_53_BITS = np.uint64(11)  # a float64 has 53 bits of mantissa
UNIT_53 = 1.0 / 9007199254740992.0  # 2**-53


@kernel()
def advance(state):
    """Return the next state of a stream."""
    return np.uint64(state + GOLDEN)


@kernel()
def uniform(state, low, high):
    """Return a number in [low, high) that belongs to a state; call `advance` before each draw."""
    z = np.uint64(state)
    z = np.uint64((z ^ (z >> SHIFT_1)) * MIX_1)
    z = np.uint64((z ^ (z >> SHIFT_2)) * MIX_2)
    z = np.uint64(z ^ (z >> SHIFT_3))
    return low + (high - low) * (np.float64(z >> TO_53_BITS) * UNIT_53)
