"""Vectors as tuples of three numbers."""

# mypy: ignore-errors
from __future__ import annotations

from math import sqrt

from .kernel import kernel

NO_LENGTH = 1e-12
"""A vector this short has no direction."""


@kernel(refcount=False)
def row_of(values, row):
    """Return three numbers of a table as a tuple."""
    return values[row, 0], values[row, 1], values[row, 2]


@kernel(refcount=False)
def plus(a, b, factor):
    """Return a + factor b."""
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]


@kernel(refcount=False)
def minus(a, b):
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel(refcount=False)
def dot(a, b):
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel(refcount=False)
def cross(a, b):
    """Return the cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel(refcount=False)
def size(a):
    """Return the length of a vector."""
    return sqrt(dot(a, a))


@kernel(refcount=False)
def unit(a, fallback):
    """Return a vector at length 1, or the fallback if it has none."""
    r = size(a)
    if not r > NO_LENGTH:
        return fallback
    return a[0] / r, a[1] / r, a[2] / r
