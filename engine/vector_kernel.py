"""Vectors as tuples of three numbers."""

# mypy: ignore-errors
from __future__ import annotations

from math import sqrt

from .kernel import kernel

NO_LENGTH = 1e-12
"""A vector this short has no direction."""


@kernel(refcount=False)
def dot(a, b):
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel(refcount=False)
def cross(a, b):
    """Return the cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel(refcount=False)
def unit(a, fallback):
    """Return a vector at length 1, or the fallback if it has none."""
    r = sqrt(dot(a, a))
    if not r > NO_LENGTH:
        return fallback
    return a[0] / r, a[1] / r, a[2] / r
