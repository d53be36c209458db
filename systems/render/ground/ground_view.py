"""The ground on screen: copied at a zoom step, resampled between two, and only the new edge when the camera moves."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..raster.scaling_kernel import halve
from ..render_threads import alone, share
from ..scene.camera import Camera
from ..scene.scene import Scene
from .chunks import CHUNK, GroundPicture, Look, Request, ladder_scale
from .placeholder import Place
from .resample_kernel import resample

SAME_SCALE = 1e-6  # relative difference below which a camera stands on a zoom step
FARTHEST = 1.0e7  # units; a camera beyond, or nowhere at all, looks at the land there
HEADING_SHARE = 0.1  # weight of the newest frame in where the camera goes
PADDING = 2  # px of the finer picture around a box that is resampled
ROOM_ROWS = 256  # px that the camera may go up or down before the background is moved in memory
WORTH_SHARING = 50_000  # px to resample; about a fifth of a millisecond

Packed = NDArray[np.uint32]
Box = tuple[int, int, int, int]


class HalvedGround:
    """The same terrain picture for a window of half the size: the mean of every four pixels, with nothing painted anew.

    Example::

        small = HalvedGround(GroundView(1280, 720))
        changed = small.show(scene, camera.halved(), light_vector("day"), parts=2)
    """

    def __init__(self, whole: GroundView) -> None:
        self._whole = whole
        self.background: Packed = np.zeros((-(-whole.height // 2), -(-whole.width // 2)), dtype=np.uint32)
        self.left = self.top = 0.0
        self._seen = 0

    def show(self, scene: Scene, camera: Camera, light: NDArray[np.float32], parts: int) -> bool:
        """Fill the background; return whether any pixel may have changed."""
        whole = self._whole
        whole.show(scene, Camera((whole.width, whole.height), camera.center, 2.0 * camera.pixels_per_unit), light, parts)
        if self._seen == whole.changes:
            return False
        share(halve, whole.background, self.background)
        self.left, self.top, self._seen = 0.5 * whole.left, 0.5 * whole.top, whole.changes
        return True


class GroundView:
    """The terrain picture in the pixels of one window.

    Example::

        view = GroundView(1280, 720)
        changed = view.show(scene, camera, light_vector("day"), parts=2)
    """

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.left = self.top = 0
        """First pixel of the background in the world picture, whose origin is the world's."""
        self._room = min(height, ROOM_ROWS) * width
        self._pixels: Packed = np.zeros(width * height + 2 * self._room, dtype=np.uint32)
        self._begin_at(self._room)
        self._finer: Packed = np.zeros(0, dtype=np.uint32)
        self._store = GroundPicture()
        self._shown: tuple[object, ...] = ()
        self._heading = (0.0, 0.0)
        self.changes = 0
        """How often any pixel may have changed."""

    def _begin_at(self, start: int) -> None:
        """Let the background begin at a pixel of the memory that is kept for it."""
        self._start = start
        self.background: Packed = self._pixels[start : start + self.width * self.height].reshape(self.height, self.width)
        """(height, width) pixels of depth, red, green, blue bytes."""

    def show(self, scene: Scene, camera: Camera, light: NDArray[np.float32], parts: int) -> bool:
        """Fill the background, doing `parts` of the work on new ground; return whether any pixel may have changed."""
        scale = camera.pixels_per_unit
        baked = ladder_scale(scale)
        ratio = baked / scale if abs(baked / scale - 1.0) > SAME_SCALE else 1.0
        x, y = np.clip(camera.center, -FARTHEST, FARTHEST)
        # whole pixels: what was there before only moves, and the animals move with it
        left, top = round(x * scale - 0.5 * self.width), round(-y * scale - 0.5 * self.height)
        moved = (left - self.left, top - self.top)
        self.left, self.top = left, top
        along, down = self._heading
        self._heading = along + HEADING_SHARE * (moved[0] - along), down + HEADING_SHARE * (moved[1] - down)
        look, whole = (scene.ground.seed, scene.light, baked), (0, self.width, 0, self.height)
        fine_left, fine_top, (rows, columns) = self._fine_box(whole, ratio)
        # a strip of it may, rounded by itself, end a pixel later than the whole
        shape = (rows + 1, columns + 1)
        self._store.make_ready(Request(scene.ground, look, light, fine_left, fine_top, shape, self._heading), parts)
        fresh = [place for at, place in self._store.replaced if at == look]
        self._store.replaced.clear()
        if (*look, scale) == self._shown:
            boxes = self._new_boxes(moved) + [box for place in fresh if (box := self._chunk_box(place, ratio))]
        else:
            boxes = [whole]
        self._shown = (*look, scale)
        for box in boxes:
            self._fill(box, look, ratio)
        self.changes += bool(boxes)
        return bool(boxes)

    def _fill(self, box: Box, look: Look, ratio: float) -> None:
        """Show the chunks under a box (columns, rows) of the background."""
        x0, x1, y0, y1 = box
        if ratio == 1.0:
            self._store.copy(self.background[y0:y1, x0:x1], look, self.left + x0, self.top + y0)
            return
        fine_left, fine_top, shape = self._fine_box(box, ratio)
        rows, columns = shape
        if rows * columns > self._finer.size:
            self._finer = np.empty(rows * columns, dtype=np.uint32)  # kept: new memory costs more than the copy
        fine = self._finer[: rows * columns].reshape(shape)
        self._store.copy(fine, look, fine_left, fine_top)
        run = share if (x1 - x0) * (y1 - y0) > WORTH_SHARING else alone
        run(resample, fine, self.background, self.left * ratio - fine_left, self.top * ratio - fine_top, ratio, *box)

    def _chunk_box(self, place: Place, ratio: float) -> Box | None:
        """The part of the background that a chunk has a share in, if any."""
        size = CHUNK / ratio
        (x0, x1), (y0, y1) = (
            (max(math.floor(k * size) - PADDING - first, 0), min(math.ceil((k + 1) * size) + PADDING - first, n))
            for k, first, n in zip(place, (self.left, self.top), (self.width, self.height), strict=True)
        )  # fmt: skip
        return (x0, x1, y0, y1) if x0 < x1 and y0 < y1 else None

    def _fine_box(self, box: Box, ratio: float) -> tuple[int, int, tuple[int, int]]:
        """First pixel and size of the finer picture under a box (columns, rows) of the background."""
        x0, x1, y0, y1 = box
        fine_left = math.floor((self.left + x0) * ratio) - PADDING
        fine_top = math.floor((self.top + y0) * ratio) - PADDING
        rows, columns = math.ceil((y1 - y0) * ratio) + 2 * PADDING + 1, math.ceil((x1 - x0) * ratio) + 2 * PADDING + 1
        return fine_left, fine_top, (rows, columns)

    def _new_boxes(self, moved: tuple[int, int]) -> list[Box]:
        """Shift the background by whole pixels; return the boxes that came into view.

        Rows lie behind each other in memory, so another first pixel shifts them all; what then is wrong at their ends is in
        the boxes. Only when there is no room left are they moved.
        """
        dx, dy = moved
        width, height = self.width, self.height
        if dx == 0 and dy == 0:
            return []
        shift = dy * width + dx
        if abs(dx) >= width or abs(shift) > self._room:
            return [(0, width, 0, height)]
        if not 0 <= self._start + shift <= 2 * self._room:
            shown = self.background.copy()
            self._begin_at(self._room)
            self.background[:] = shown
        self._begin_at(self._start + shift)
        boxes = []
        if dx:
            boxes.append((width - dx, width, 0, height) if dx > 0 else (0, -dx, 0, height))
        if dy:
            boxes.append((0, width, height - dy, height) if dy > 0 else (0, width, 0, -dy))
        return boxes
