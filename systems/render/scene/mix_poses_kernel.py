"""Poses for the picture: on the way from one tick to the next."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from ....engine.kernel import kernel

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

SHORTEST_TURN = 1e-12  # of a mixed quaternion; shorter ones are of opposite turns, and any direction is as good


@kernel()
def mix(before: Array, now: Array, share: float, mixed: Array) -> None:
    """Update mixed to the numbers at a share of the way from before to now."""
    for k in range(mixed.shape[0]):
        mixed[k] = before[k] + share * (now[k] - before[k])


@kernel()
def mix_turns(before: Array, now: Array, share: float, mixed: Array) -> None:
    """Update mixed to the unit quaternions at a share of the way from before to now, the short way round."""
    for k in range(mixed.shape[0]):
        along, length = 0.0, 0.0
        for i in range(4):
            along += before[k, i] * now[k, i]
        side = -1.0 if along < 0.0 else 1.0
        for i in range(4):
            mixed[k, i] = before[k, i] + share * (side * now[k, i] - before[k, i])
            length += mixed[k, i] * mixed[k, i]
        length = max(sqrt(length), SHORTEST_TURN)
        for i in range(4):
            mixed[k, i] /= length
