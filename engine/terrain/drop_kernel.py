"""What a drop of rain would hit: the highest surface over a point of the plan view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kernel import kernel
from .ground_kernel import NO_FLOOR, sample_ground

if TYPE_CHECKING:
    from .ground_layout import Ground

MOST_STEPS = 200  # following the distance downward; smooth shapes need about twenty
CLOSE_ENOUGH = 1.0e-3  # units


@kernel(refcount=False)
def highest_surface(ground: Ground, x: float, y: float, start: float) -> float:
    """Return the z of the highest surface below `start` over (x, y), `NO_FLOOR` when there is none."""
    z = start
    for _ in range(MOST_STEPS):
        distance = sample_ground(ground, x, y, z).distance
        if distance < CLOSE_ENOUGH:
            return z - distance
        z -= distance
        if z < -start:
            return NO_FLOOR
    return NO_FLOOR
