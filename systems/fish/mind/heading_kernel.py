"""Directions by their heading in plan and their slope."""

# mypy: ignore-errors
from __future__ import annotations

from math import atan2, cos, sin

from ....engine.kernel import kernel


@kernel(refcount=False)
def direction(yaw, pitch):
    """Return the direction with a heading and a slope."""
    return cos(yaw) * cos(pitch), sin(yaw) * cos(pitch), sin(pitch)


@kernel(refcount=False)
def turned(a, angle):
    """Return a direction turned about the vertical, to the left if the angle is positive."""
    c, s = cos(angle), sin(angle)
    return c * a[0] - s * a[1], s * a[0] + c * a[1], a[2]


@kernel(refcount=False)
def yaw_of(a):
    """Return the heading of a direction."""
    return atan2(a[1], a[0])
