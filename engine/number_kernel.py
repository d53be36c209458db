"""Numbers and angles within their limits."""

from __future__ import annotations

from math import pi

import numpy as np

from .kernel import kernel

TWO_PI = 2.0 * pi


@kernel(refcount=False)
def limited(value: float, low: float, high: float) -> float:
    """Return a number within limits."""
    return min(max(value, low), high)


@kernel(refcount=False)
def clamp(value: float, most: float) -> float:
    """Return a number within +-most."""
    return limited(value, -most, most)


@kernel(refcount=False)
def wrapped(angle: float) -> float:
    """Return an angle (radians) within +-pi."""
    return angle - TWO_PI * np.floor((angle + pi) / TWO_PI)
