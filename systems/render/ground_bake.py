"""The terrain picture in chunks: baked once per zoom step, kept, and copied to the screen every frame.

Zoom steps form a ladder of square roots of two; a camera between two steps sees the finer one, resampled. A chunk
that is not ready shows a coarse version of itself (a sixteenth of the work), and at most ``budget`` chunks are
baked per frame, so that scrolling never stalls. The budget counts chunks, not time: pictures do not depend on the
speed of the machine.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bake_kernel import bake_squares
from .emit_kernel import VIEW_FIELDS
from .ground_kernel import GROUND_FIELDS
from .light import SHADOW_X, SHADOW_Y
from .scene import Ground

CHUNK = 128  # px
COARSE = 4  # the quick version has a quarter of the resolution
LADDER_BASE = 18.0  # px per unit of the reference zoom
LARGEST_MARGIN = 64  # px around a chunk that shadows and occlusion may look into
NEAR_BLUR, FAR_BLUR = 0.35, 2.2  # units [look study 3]
TALLEST_DETAIL = 1.0  # units; highest thing on the ground that throws a baked shadow
KEPT_CHUNKS = 700  # 64 kB each
DRY_BASE = 1.25  # units; a world without water is coloured as if its mean lay this far above the shore

Packed = NDArray[np.uint32]
Look = tuple[int, str, float]
"""Seed, light and scale: what chunks of one picture have in common."""


def ladder_scale(scale: float) -> float:
    """The finer of the two zoom steps around `scale`, or the step itself.

    Example::

        ladder_scale(18.0)        # -> 18.0
        ladder_scale(20.0)        # -> 25.45...
    """
    step = math.ceil(2.0 * math.log2(scale / LADDER_BASE) - 1e-6)
    return float(LADDER_BASE * 2.0 ** (step / 2.0))


def ground_vector(ground: Ground, scale: float, left: float, top: float) -> NDArray[np.float64]:
    """The packed numbers `paint_region` takes for a region whose first pixel is (left, top) of the world picture."""
    level = float(ground.water_level)
    base = level if math.isfinite(level) else float(np.mean(ground.elevation)) - DRY_BASE
    packed = np.zeros(GROUND_FIELDS)
    packed[:] = (*ground.origin, ground.cell, level, base, ground.seed, ground.stone_size, ground.plant_density,
                 ground.lushness, scale, left, top)  # fmt: skip
    return packed


def bake(ground: Ground, light: NDArray[np.float32], scale: float, corners: list[tuple[int, int]], size: int) -> Packed:
    """Paint squares of the terrain picture: (n, size, size) pixels of depth, red, green, blue bytes."""
    slant = float(np.hypot(light[SHADOW_X], light[SHADOW_Y]))
    reach = min(TALLEST_DETAIL * slant * scale + 3.0, LARGEST_MARGIN - 2.0)
    near_radius, far_radius = (max(min(int(blur * scale * 0.5), 16), 1) for blur in (NEAR_BLUR, FAR_BLUR))
    margin = int(max(reach + 2.0, 2.0 * far_radius + 1.0))
    view = np.zeros(VIEW_FIELDS)
    view[:] = (0.0, 0.0, scale, size, size, float("nan"), *ground.origin, ground.cell, slant, scale)
    packed = np.empty((len(corners), size, size), dtype=np.uint32)
    bake_squares(
        np.ascontiguousarray(ground.elevation, dtype=np.float64), np.ascontiguousarray(ground.clearance, dtype=np.float64),
        ground_vector(ground, scale, 0.0, 0.0), view,
        np.ascontiguousarray(ground.stones, dtype=np.float64), light, np.array(corners, dtype=np.int64), margin,
        np.float32(reach), near_radius, far_radius, packed,
    )  # fmt: skip
    return packed


class _Chunk(NamedTuple):
    pixels: Packed
    version: int
    fine: bool
    serial: int  # changes whenever the pixels do


class GroundPicture:
    """The chunk store. ``background`` (rows, columns) is filled for a view; wetness per pixel is its top byte."""

    def __init__(self) -> None:
        self._chunks: OrderedDict[tuple[int, str, float, int, int], _Chunk] = OrderedDict()
        self._shown: tuple[object, ...] = ()
        self._serial = 0
        self._kept = KEPT_CHUNKS
        self.replaced = 0
        """How often a chunk that may have been shown already was baked anew."""

    def fill(
        self, background: Packed, ground: Ground, light_name: str, light: NDArray[np.float32], scale: float, left: int,
        top: int, budget: int,
    ) -> bool:  # fmt: skip
        """Copy the chunks under a view into background; return whether any pixel changed since the last call."""
        look = (ground.seed, light_name, scale)
        serials = self.make_ready(ground, look, light, left, top, background.shape, budget)
        shown = (id(background), background.shape, left, top, *serials)
        if shown == self._shown:
            return False
        self.copy(background, look, left, top)
        self._shown = shown
        return True

    def make_ready(
        self, ground: Ground, look: Look, light: NDArray[np.float32], left: int, top: int, shape: tuple[int, ...],
        budget: int,
    ) -> list[int]:  # fmt: skip
        """Make every chunk under a view showable, at most `budget` of them finely; return their serials."""
        places = _places(left, top, shape)
        self._kept = max(KEPT_CHUNKS, 3 * len(places))
        self._bake_missing(ground, light, look, places, budget)
        for place in places:
            self._chunks.move_to_end((*look, *place))
        return [self._chunks[(*look, *place)].serial for place in places]

    def copy(self, background: Packed, look: Look, left: int, top: int) -> None:
        """Copy chunks that are ready into a background whose first pixel is (left, top)."""
        for cx, cy in _places(left, top, background.shape):
            _copy(self._chunks[(*look, cx, cy)].pixels, background, cx * CHUNK - left, cy * CHUNK - top)

    def _bake_missing(
        self, ground: Ground, light: NDArray[np.float32], look: tuple[int, str, float], places: list[tuple[int, int]],
        budget: int,
    ) -> None:  # fmt: skip
        """Make every place showable: the first `budget` unfinished ones properly, the others coarsely."""
        scale = look[2]
        known = {place: self._chunks.get((*look, *place)) for place in places}
        unfinished = [p for p, chunk in known.items() if chunk is None or chunk.version != ground.version or not chunk.fine]
        now, later = unfinished[:budget], [p for p in unfinished[budget:] if known[p] is None]
        if now:
            fine = bake(ground, light, scale, [(cx * CHUNK, cy * CHUNK) for cx, cy in now], CHUNK)
            for place, pixels in zip(now, fine, strict=True):
                self._store((*look, *place), pixels, ground.version, True)
        if later:
            size = CHUNK // COARSE
            coarse = bake(ground, light, scale / COARSE, [(cx * size, cy * size) for cx, cy in later], size)
            for place, pixels in zip(later, coarse, strict=True):
                self._store((*look, *place), pixels.repeat(COARSE, axis=0).repeat(COARSE, axis=1), ground.version, False)

    def _store(self, key: tuple[int, str, float, int, int], pixels: Packed, version: int, fine: bool) -> None:
        self._serial += 1
        self.replaced += key in self._chunks
        self._chunks[key] = _Chunk(pixels, version, fine, self._serial)
        self._chunks.move_to_end(key)
        while len(self._chunks) > self._kept:
            self._chunks.popitem(last=False)


def _places(left: int, top: int, shape: tuple[int, ...]) -> list[tuple[int, int]]:
    """Columns and rows of the chunks under a view."""
    rows, columns = shape
    return [
        (cx, cy)
        for cy in range(top // CHUNK, (top + rows - 1) // CHUNK + 1)
        for cx in range(left // CHUNK, (left + columns - 1) // CHUNK + 1)
    ]


def _copy(chunk: Packed, background: Packed, left: int, top: int) -> None:
    """Copy the visible part of a chunk whose corner is at (left, top) of the background."""
    rows, columns = background.shape
    y0, y1, x0, x1 = max(top, 0), min(top + CHUNK, rows), max(left, 0), min(left + CHUNK, columns)
    background[y0:y1, x0:x1] = chunk[y0 - top : y1 - top, x0 - left : x1 - left]
