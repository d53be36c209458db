"""A smooth line through a few points, for bodies that bend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.kernel import kernel

if TYPE_CHECKING:
    from ....engine.kernel_types import Array


@kernel(refcount=False)
def curve(points: Array, row: int, count: int, g: float, out: Array) -> None:
    """Update out (3) with the Catmull-Rom curve through the first points of a row at place g, which is 0 at the first."""
    i = min(max(int(g), 0), count - 2)
    u, h, j = g - i, max(i - 1, 0), min(i + 2, count - 1)
    for k in range(3):
        b, c = points[row, i, k], points[row, i + 1, k]
        m0, m1 = 0.5 * (c - points[row, h, k]), 0.5 * (points[row, j, k] - b)
        e, f = 2.0 * b - 2.0 * c + m0 + m1, -3.0 * b + 3.0 * c - 2.0 * m0 - m1
        out[k] = ((e * u + f) * u + m0) * u + b
