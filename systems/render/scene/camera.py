"""Where the viewer looks: the map between world units (y north) and screen pixels (y down)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....engine import arguments
from ....engine.errors import ArgumentError, shortened

FOLLOW_TIME = 0.35  # s, time constant of `follow`: long enough to hide gait sway, short enough not to lose a runner
SMALLEST_SCALE = 0.5  # px per unit; below this a creature is less than a pixel wide
LARGEST_SCALE = 160.0  # px per unit; one segment then fills a fifth of the screen height
MOST_PIXELS = 32_767  # px; windows of X11 and Windows are no longer, for they count in 16 bits
FARTHEST_CENTRE = 1e300  # units; times a scale it is still finite
LEAST_PIXELS = {"left": -MOST_PIXELS, "top": -MOST_PIXELS, "width": 0, "height": 0}


class Pixels:
    """A side of a camera's rectangle, checked whenever it is set."""

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, camera: Camera, _kind: type | None = None) -> float:
        side: float = camera.__dict__[self._name]
        return side

    def __set__(self, camera: Camera, value: float) -> None:
        camera.__dict__[self._name] = _side(self._name, value)


class Camera:
    """A view straight down on the plane; it knows nothing about windows.

    A size of 0, as of a window that is folded up, is fine. What is no number is refused with an `ArgumentError`.

    Example::

        camera = Camera((1280, 720), center=(4, 2), pixels_per_unit=18)
        camera.to_screen((4, 2))        # -> array([640., 360.])
    """

    left, top, width, height = Pixels(), Pixels(), Pixels(), Pixels()

    def __init__(self, rect_or_size: Any, center: ArrayLike = (0.0, 0.0), pixels_per_unit: float = 18.0) -> None:
        self.resize(rect_or_size)
        self._center = self._last_center = np.zeros(2)
        self.center = center  # an array afterwards, whatever was given
        self.pixels_per_unit = pixels_per_unit

    @property
    def center(self) -> NDArray[np.float64]:
        """(2,) the world point in the middle of the picture.

        Example::

            camera.center = centipede.position
            camera.center += (2.0, 0.0)
        """
        if not np.isfinite(self._center).all():  # a game has written into it
            self.center = self._center
        self._last_center = self._center.copy()
        return self._center

    @center.setter
    def center(self, value: ArrayLike) -> None:
        try:
            self._center = arguments.vector("camera.center", value, largest=FARTHEST_CENTRE)[:2]
        except ArgumentError:
            self._center = self._last_center  # ``+=`` has written into the array before it comes here
            raise

    @property
    def pixels_per_unit(self) -> float:
        """How large a unit is shown, from 0.5 to 160 pixels; any other number above 0 is taken as the nearest of these.

        Example::

            camera.pixels_per_unit = 30.0
        """
        return self._scale

    @pixels_per_unit.setter
    def pixels_per_unit(self, value: float) -> None:
        self._scale = _clamped_scale("camera.pixels_per_unit", value)

    def to_screen(self, world_xy: ArrayLike) -> NDArray[np.float64]:
        """Pixels of one world point (2,) or of many (n, 2); NaN stays NaN."""
        offset = (_points("camera.to_screen(world_xy)", world_xy) - self.center) * self.pixels_per_unit
        return offset * (1.0, -1.0) + self._screen_center()

    def to_world(self, screen_xy: ArrayLike) -> NDArray[np.float64]:
        """World point under one pixel (2,) or under many (n, 2); NaN stays NaN."""
        offset = _points("camera.to_world(screen_xy)", screen_xy) - self._screen_center()
        return offset * (1.0, -1.0) / self.pixels_per_unit + self.center

    def zoom(self, factor: float, around: ArrayLike | None = None) -> None:
        """Enlarge by `factor`; the world point under the screen position `around` stays where it is.

        Example::

            camera.zoom(1.25 ** event.y, around=pygame.mouse.get_pos())         # with the wheel of the mouse
        """
        arguments.number("camera.zoom(factor)", factor, 0.0, above=True)
        fixed = self._screen_center() if around is None else arguments.vector("camera.zoom(around)", around, (2,))
        scale = _clamped_scale("camera.zoom(factor)", self.pixels_per_unit * factor)
        self.center = self.to_world(fixed) - (fixed - self._screen_center()) * (1.0, -1.0) / scale
        self.pixels_per_unit = scale

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
        """Move a step of `dt` seconds towards `point`, exponentially, independent of the frame rate.

        A point with NaN in it is passed over.

        Example::

            camera.follow(centipede.position, dt=1 / 60)        # in every frame
        """
        dt, target = arguments.number("camera.follow(dt)", dt, 0.0), _points("camera.follow(point)", point, (2, 3))[..., :2]
        if target.ndim != 1:
            raise ArgumentError(f"camera.follow(point) = {shortened(point)}: allowed is one point")
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


def _rectangle(rect_or_size: Any) -> list[float]:
    """Left, top, width and height of anything rectangle-like: an object with a size, (w, h) or (x, y, w, h)."""
    if hasattr(rect_or_size, "width") and hasattr(rect_or_size, "height"):
        values = [getattr(rect_or_size, "left", 0), getattr(rect_or_size, "top", 0), rect_or_size.width, rect_or_size.height]
    else:
        try:
            values = [] if isinstance(rect_or_size, str | bytes) else list(rect_or_size)
        except TypeError:
            values = []
        values = [0, 0, *values] if len(values) == 2 else values
    if len(values) != len(LEAST_PIXELS):
        raise ArgumentError(f"camera size = {shortened(rect_or_size)}: allowed is (width, height), a rectangle such as "
                            "screen.get_rect(), or (left, top, width, height)")  # fmt: skip
    return [_side(name, value) for name, value in zip(LEAST_PIXELS, values, strict=True)]


def _side(name: str, value: Any) -> float:
    return arguments.number(f"camera.{name}", value, LEAST_PIXELS[name], MOST_PIXELS)


def _clamped_scale(name: str, scale: Any) -> float:
    return min(max(arguments.number(name, scale, 0.0, above=True), SMALLEST_SCALE), LARGEST_SCALE)


def _points(name: str, value: ArrayLike, sizes: tuple[int, ...] = (2,)) -> NDArray[np.float64]:
    """Places as an array whose last axis is x and y."""
    try:
        points: NDArray[np.float64] = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        points = np.zeros(0)  # of no size that is allowed
    if not points.ndim or points.shape[-1] not in sizes:
        raise ArgumentError(f"{name} = {shortened(value)}: allowed is (x, y), or an array (n, 2) of them")
    return points
