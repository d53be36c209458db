"""Directions by their heading in plan and their slope."""

from __future__ import annotations

from math import atan2, cos, sin
from typing import TYPE_CHECKING

from ....engine.kernel import kernel

if TYPE_CHECKING:
    from ....engine.kernel_types import Vector


@kernel(refcount=False)
def direction(yaw: float, pitch: float) -> Vector:
    """Return the direction with a heading and a slope."""
    return cos(yaw) * cos(pitch), sin(yaw) * cos(pitch), sin(pitch)


@kernel(refcount=False)
def turned(a: Vector, angle: float) -> Vector:
    """Return a direction turned about the vertical, to the left if the angle is positive."""
    c, s = cos(angle), sin(angle)
    return c * a[0] - s * a[1], s * a[0] + c * a[1], a[2]


@kernel(refcount=False)
def yaw_of(a: Vector) -> float:
    """Return the heading of a direction."""
    return atan2(a[1], a[0])
