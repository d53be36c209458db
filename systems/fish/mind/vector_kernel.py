"""Directions and places as tuples of three numbers."""

# mypy: ignore-errors
from __future__ import annotations

from math import atan2, cos, pi, sin, sqrt

from ....engine.kernel import kernel

NOWHERE = 1e-9  # units; a shorter vector has no direction


@kernel(refcount=False)
def plus(a, b, factor):
    """Return a + factor b."""
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]


@kernel(refcount=False)
def minus(a, b):
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel(refcount=False)
def product(a, b):
    """Return the product of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel(refcount=False)
def size(a):
    """Return the length of a vector."""
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@kernel(refcount=False)
def unit(a, otherwise):
    """Return the direction of a vector, or another where it has none."""
    length = size(a)
    if not length > NOWHERE:
        return otherwise
    return a[0] / length, a[1] / length, a[2] / length


@kernel(refcount=False)
def row_of(values, row):
    """Return three numbers of a table as a tuple."""
    return values[row, 0], values[row, 1], values[row, 2]


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


@kernel(refcount=False)
def wrapped(angle):
    """Return an angle within -pi and pi."""
    return angle - 2.0 * pi * round(angle / (2.0 * pi))


@kernel(refcount=False)
def limited(value, low, high):
    """Return a number within limits."""
    return min(max(value, low), high)
