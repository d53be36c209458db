"""Vectors as tuples of three numbers."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from .kernel import kernel

if TYPE_CHECKING:
    from .kernel_types import Array, Numbers, Vector

NO_LENGTH = 1e-12
"""A vector this short has no direction."""


@kernel(refcount=False)
def row_of(values: Array, row: int) -> Vector:
    """Return three numbers of a table as a tuple."""
    return values[row, 0], values[row, 1], values[row, 2]


@kernel(refcount=False)
def plus(a: Vector, b: Vector, factor: float) -> Vector:
    """Return a + factor b."""
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]


@kernel(refcount=False)
def minus(a: Vector, b: Vector) -> Vector:
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel(refcount=False)
def dot(a: Numbers, b: Numbers) -> float:
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel(refcount=False)
def cross(a: Vector, b: Vector) -> Vector:
    """Return the cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel(refcount=False)
def size(a: Vector) -> float:
    """Return the length of a vector."""
    return sqrt(dot(a, a))


@kernel(refcount=False)
def unit(a: Vector, fallback: Vector) -> Vector:
    """Return a vector at length 1, or the fallback if it has none."""
    r = size(a)
    if not r > NO_LENGTH:
        return fallback
    return a[0] / r, a[1] / r, a[2] / r
