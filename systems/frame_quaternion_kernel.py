"""The quaternion of a frame, for bodies that know their axes."""

# mypy: ignore-errors
from __future__ import annotations

from math import sqrt

from ..engine.kernel import kernel

TINY = 1e-12


@kernel(refcount=False)
def quaternion_of_axes(forward, left, up):
    """Return the quaternion (wxyz) that turns body axes into these world vectors, each a tuple of three."""
    m00, m10, m20 = forward
    m01, m11, m21 = left
    m02, m12, m22 = up
    trace = m00 + m11 + m22
    if trace > 0.0:
        r = 0.5 / sqrt(trace + 1.0)
        return 0.25 / r, (m21 - m12) * r, (m02 - m20) * r, (m10 - m01) * r
    if m00 > m11 and m00 > m22:
        r = 2.0 * sqrt(max(1.0 + m00 - m11 - m22, TINY))
        return (m21 - m12) / r, 0.25 * r, (m01 + m10) / r, (m02 + m20) / r
    if m11 > m22:
        r = 2.0 * sqrt(max(1.0 + m11 - m00 - m22, TINY))
        return (m02 - m20) / r, (m01 + m10) / r, 0.25 * r, (m12 + m21) / r
    r = 2.0 * sqrt(max(1.0 + m22 - m00 - m11, TINY))
    return (m10 - m01) / r, (m02 + m20) / r, (m12 + m21) / r, 0.25 * r
