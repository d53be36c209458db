"""Traces of the water of a window: short lines, red where it turns to the left and blue where it turns to the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .tracer_kernel import move_tracers

if TYPE_CHECKING:
    from ....engine.pool import Array
    from .window_layout import FluidWindows

FRAMES = 15
"""Of a trail. [Tan11 7]"""
RED, BLUE = (224, 64, 48), (52, 110, 224)
"""Counter-clockwise, clockwise. [Tan11 Fig. 8]"""
STRONG = 95.0
"""Percentile of the vorticity from which on traces are opaque. [articulated-swimmers 2.12]"""


class Tracers:
    """Massless particles in one window.

    Example::

        tracers = Tracers(3000)
        tracers.move(windows, 0, 1 / 60, stream.random((3000, 3)))
        tracers.trail          # (3000, 15, 2) where each was, newest first
    """

    def __init__(self, count: int) -> None:
        self.trail: Array = np.zeros((count, FRAMES, 2))
        self.frames: Array = np.zeros(count, np.int64)
        self.left: Array = np.zeros(count)
        self.spin: Array = np.zeros(count)

    def move(self, windows: FluidWindows, w: int, dt: float, chances: Array) -> None:
        """Go with the water for one frame; chances (n, 3) in 0..1 say where and for how long new ones begin."""
        move_tracers(w, windows.arrays, dt, self.trail, self.frames, self.left, self.spin, chances)

    @property
    def colors(self) -> Array:
        """(n, 4) red, green, blue and alpha, 0 to 255: the sense of rotation, and how strong it is."""
        strength = np.abs(self.spin)
        full = max(float(np.percentile(strength, STRONG)), 1e-12)
        found = np.where(self.spin[:, None] > 0.0, np.array([*RED, 0.0]), np.array([*BLUE, 0.0]))
        found[:, 3] = 255.0 * np.minimum(strength / full, 1.0)
        return found
