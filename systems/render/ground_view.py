"""The ground on screen: copied at a zoom step, resampled between two, and only the new edge when the camera moves."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .camera import Camera
from .ground_bake import GroundPicture, ladder_scale
from .resample_kernel import resample
from .scene import Scene

SAME_SCALE = 1e-6  # relative difference below which a camera stands on a zoom step
FARTHEST = 1.0e7  # units; a camera beyond, or nowhere at all, looks at the land there
PADDING = 2  # px of the finer picture around a box that is resampled

Packed = NDArray[np.uint32]
Box = tuple[int, int, int, int]


class GroundView:
    """The terrain picture in the pixels of one window.

    Example::

        view = GroundView(1280, 720)
        changed = view.show(scene, camera, light_vector("day"), chunks=2)
    """

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.background: Packed = np.zeros((height, width), dtype=np.uint32)
        self.left = self.top = 0
        """First pixel of the background in the world picture, whose origin is the world's."""
        self._spare = np.zeros_like(self.background)
        self._store = GroundPicture()
        self._shown: tuple[object, ...] = ()

    def show(self, scene: Scene, camera: Camera, light: NDArray[np.float32], chunks: int) -> bool:
        """Fill the background; return whether any pixel changed."""
        scale = camera.pixels_per_unit
        baked = ladder_scale(scale)
        ratio = baked / scale
        x, y = np.clip(np.nan_to_num(camera.center), -FARTHEST, FARTHEST)
        # whole pixels: what was there before only moves, and the animals move with it
        left, top = round(x * scale - 0.5 * self.width), round(-y * scale - 0.5 * self.height)
        moved = (left - self.left, top - self.top)
        self.left, self.top = left, top
        if abs(ratio - 1.0) < SAME_SCALE:
            self._shown = ()
            return self._store.fill(self.background, scene.ground, scene.light, light, baked, left, top, chunks)
        look = (scene.ground.seed, scene.light, baked)
        fine_left, fine_top, shape = self._fine_box((0, self.width, 0, self.height), ratio)
        shape = (shape[0] + 1, shape[1] + 1)  # a strip of it may, rounded by itself, end a pixel later than the whole
        self._store.make_ready(scene.ground, look, light, fine_left, fine_top, shape, chunks)
        shown = (*look, scale, self._store.replaced)
        boxes = self._new_boxes(moved) if shown == self._shown else [(0, self.width, 0, self.height)]
        self._shown = shown
        for box in boxes:
            fine_left, fine_top, shape = self._fine_box(box, ratio)
            fine = np.empty(shape, dtype=np.uint32)
            self._store.copy(fine, look, fine_left, fine_top)
            resample(fine, self.background, left * ratio - fine_left, top * ratio - fine_top, ratio, *box)
        return bool(boxes)

    def _fine_box(self, box: Box, ratio: float) -> tuple[int, int, tuple[int, int]]:
        """First pixel and size of the finer picture under a box (columns, rows) of the background."""
        x0, x1, y0, y1 = box
        fine_left = math.floor((self.left + x0) * ratio) - PADDING
        fine_top = math.floor((self.top + y0) * ratio) - PADDING
        rows, columns = math.ceil((y1 - y0) * ratio) + 2 * PADDING + 1, math.ceil((x1 - x0) * ratio) + 2 * PADDING + 1
        return fine_left, fine_top, (rows, columns)

    def _new_boxes(self, moved: tuple[int, int]) -> list[Box]:
        """Shift the background by whole pixels; return the boxes that came into view."""
        dx, dy = moved
        width, height = self.width, self.height
        if dx == 0 and dy == 0:
            return []
        if abs(dx) >= width or abs(dy) >= height:
            return [(0, width, 0, height)]
        kept = self.background[max(dy, 0) : height + min(dy, 0), max(dx, 0) : width + min(dx, 0)]
        self._spare[max(-dy, 0) : height + min(-dy, 0), max(-dx, 0) : width + min(-dx, 0)] = kept
        self.background, self._spare = self._spare, self.background
        boxes = []
        if dx:
            boxes.append((width - dx, width, 0, height) if dx > 0 else (0, -dx, 0, height))
        if dy:
            boxes.append((0, width, height - dy, height) if dy > 0 else (0, width, 0, -dy))
        return boxes
