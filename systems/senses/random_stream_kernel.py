"""Random numbers drawn inside kernels: splitmix64 on one uint64 of state per row.

Each row owns its state, so a draw depends on that row alone and never on threads or on the order of creatures. The
states are seeded once, at birth, from a stream of the world.
"""

from __future__ import annotations

from ...engine.kernel import kernel
from ...engine.kernel_types import uint64
from ...engine.splitmix_kernel import GOLDEN_GAMMA, unit_of_state


@kernel()
def advance(state: int) -> int:
    """Return the next state of a stream."""
    return uint64(state + GOLDEN_GAMMA)


@kernel()
def uniform(state: int, low: float, high: float) -> float:
    """Return a number in [low, high) that belongs to a state; call `advance` before each draw."""
    return low + (high - low) * unit_of_state(state)
