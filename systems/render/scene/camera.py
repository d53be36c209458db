"""Where the viewer looks: the map between world units (y north) and screen pixels (y down)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FOLLOW_TIME = 0.35  # s, time constant of `follow`: long enough to hide gait sway, short enough not to lose a runner
SMALLEST_SCALE = 0.5  # px per unit; below this a creature is less than a pixel wide
LARGEST_SCALE = 160.0  # px per unit; one segment then fills a fifth of the screen height


class Camera:
    """A view straight down on the plane; it knows nothing about windows.

    Example::

        camera = Camera((1280, 720), center=(4, 2), pixels_per_unit=18)
        camera.to_screen((4, 2))        # -> array([640., 360.])
    """

    def __init__(self, rect_or_size: Any, center: ArrayLike = (0.0, 0.0), pixels_per_unit: float = 18.0) -> None:
        self.left, self.top, self.width, self.height = _rectangle(rect_or_size)
        self.center: NDArray[np.float64] = np.array(center, dtype=np.float64)
        self.pixels_per_unit = _clamped_scale(pixels_per_unit)

    def to_screen(self, world_xy: ArrayLike) -> NDArray[np.float64]:
        """Pixels of one world point (2,) or of many (n, 2)."""
        offset = (np.asarray(world_xy, dtype=np.float64) - self.center) * self.pixels_per_unit
        return offset * (1.0, -1.0) + self._screen_center()

    def to_world(self, screen_xy: ArrayLike) -> NDArray[np.float64]:
        """World point under one pixel (2,) or under many (n, 2)."""
        offset = np.asarray(screen_xy, dtype=np.float64) - self._screen_center()
        return offset * (1.0, -1.0) / self.pixels_per_unit + self.center

    def zoom(self, factor: float, around: ArrayLike | None = None) -> None:
        """Enlarge by `factor`; the world point under the screen position `around` stays where it is."""
        fixed = self._screen_center() if around is None else np.asarray(around, dtype=np.float64)
        before = self.to_world(fixed)
        self.pixels_per_unit = _clamped_scale(self.pixels_per_unit * factor)
        self.center += before - self.to_world(fixed)

    def resize(self, rect_or_size: Any) -> None:
        """Take a new rectangle of the window; the world point in the middle and the scale stay.

        Example::

            camera.resize(screen.get_rect())        # after a pygame.VIDEORESIZE event
        """
        self.left, self.top, self.width, self.height = _rectangle(rect_or_size)

    def halved(self) -> Camera:
        """The same view for a picture of half the size, rounded up.

        Example::

            Camera((1280, 720), pixels_per_unit=18).halved()        # 640 x 360 at 9 pixels per unit
        """
        return Camera((math.ceil(self.width / 2), math.ceil(self.height / 2)), self.center, self.pixels_per_unit / 2.0)

    def follow(self, point: ArrayLike, dt: float) -> None:
        """Move a step of `dt` seconds towards `point`, exponentially, independent of the frame rate."""
        target = np.asarray(point, dtype=np.float64)[:2]
        if np.all(np.isfinite(target)):
            self.center += (target - self.center) * (1.0 - math.exp(-dt / FOLLOW_TIME))

    @property
    def visible_bounds(self) -> tuple[float, float, float, float]:
        """World rectangle on screen as (x_min, y_min, x_max, y_max)."""
        half = np.array([self.width, self.height]) / (2.0 * self.pixels_per_unit)
        low, high = self.center - half, self.center + half
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    def _screen_center(self) -> NDArray[np.float64]:
        return np.array([self.left + self.width / 2.0, self.top + self.height / 2.0])


def _rectangle(rect_or_size: Any) -> tuple[float, float, float, float]:
    """Left, top, width and height of anything rectangle-like: an object with a size, (w, h) or (x, y, w, h)."""
    if hasattr(rect_or_size, "width") and hasattr(rect_or_size, "height"):
        return (
            float(getattr(rect_or_size, "left", 0)),
            float(getattr(rect_or_size, "top", 0)),
            float(rect_or_size.width),
            float(rect_or_size.height),
        )
    values = [float(value) for value in rect_or_size]
    if len(values) == 2:
        return 0.0, 0.0, values[0], values[1]
    left, top, width, height = values
    return left, top, width, height


def _clamped_scale(scale: float) -> float:
    return min(max(float(scale), SMALLEST_SCALE), LARGEST_SCALE)
