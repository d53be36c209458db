"""Random numbers that follow from a state alone, in any order and on any thread: splitmix64. [Steele14]"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from .kernel import kernel

GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)
"""What is between two states of a stream."""
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFT_1, SHIFT_2, SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)
TO_53_BITS = np.uint64(11)  # a float64 has 53 bits of mantissa
UNIT = 2.0**-53


@kernel()
def unit_of_state(state):
    """Return the number in 0..1 (1 excluded) that belongs to a state."""
    z = np.uint64(state)
    z = np.uint64((z ^ (z >> SHIFT_1)) * MIX_1)
    z = np.uint64((z ^ (z >> SHIFT_2)) * MIX_2)
    z = np.uint64(z ^ (z >> SHIFT_3))
    return np.float64(z >> TO_53_BITS) * UNIT
