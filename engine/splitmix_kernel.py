"""Random numbers that follow from a state alone, in any order and on any thread: splitmix64. [Steele14]"""

from __future__ import annotations

from .kernel import kernel
from .kernel_types import float64, uint64

GOLDEN_GAMMA = uint64(0x9E3779B97F4A7C15)
"""What is between two states of a stream."""
MIX_1, MIX_2 = uint64(0xBF58476D1CE4E5B9), uint64(0x94D049BB133111EB)
SHIFT_1, SHIFT_2, SHIFT_3 = uint64(30), uint64(27), uint64(31)
TO_53_BITS = uint64(11)  # a float64 has 53 bits of mantissa
UNIT = 2.0**-53


@kernel()
def unit_of_state(state: int) -> float:
    """Return the number in 0..1 (1 excluded) that belongs to a state."""
    z = uint64(state)
    z = uint64((z ^ (z >> SHIFT_1)) * MIX_1)
    z = uint64((z ^ (z >> SHIFT_2)) * MIX_2)
    z = uint64(z ^ (z >> SHIFT_3))
    return float64(z >> TO_53_BITS) * UNIT
