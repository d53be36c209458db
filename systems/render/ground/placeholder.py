"""What is shown of a chunk until it is painted: another zoom step's picture of the place, or a blurred one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..render_threads import share
from ..scene.scene import Ground
from .chunk_batch import bake
from .resample_kernel import resample_squares

BLUR = 8  # the blurred version has an eighth of the resolution, no plants and no small stones
BLOCK = 4  # chunks along the side of a square that is painted at once: margins are shared

Packed = NDArray[np.uint32]
Place = tuple[int, int]
"""Column and row of a chunk."""


def blurred(
    ground: Ground, light: NDArray[np.float32], scale: float, places: list[Place], chunk: int
) -> dict[Place, Packed]:
    """Paint chunks of `chunk` pixels quickly.

    Example::

        blurred(ground, light_vector("day"), 18.0, [(0, 0), (1, 0)], 128)[0, 0]        # (128, 128) pixels
    """
    blocks: dict[Place, list[Place]] = {}
    for cx, cy in places:
        blocks.setdefault((cx // BLOCK, cy // BLOCK), []).append((cx, cy))
    size = BLOCK * chunk // BLUR
    bare = replace(ground, plant_density=0.0, stone_size=0.0)
    pictures = bake(bare, light, scale / BLUR, [(bx * size, by * size) for bx, by in blocks], size)
    found: dict[Place, Packed] = {}
    for (first, inside), picture in zip(blocks.items(), pictures, strict=True):
        west, south = BLOCK * first[0], BLOCK * first[1]
        corners: list[tuple[float, float]] = [((cx - west) * chunk, (cy - south) * chunk) for cx, cy in inside]
        found.update(zip(inside, _resampled(picture, corners, 1.0 / BLUR, chunk), strict=True))
    return found


def resampled(
    chunk_at: Callable[[Place], Packed | None], ratio: float, places: list[Place], chunk: int
) -> dict[Place, Packed]:
    """Chunks from those of another zoom step, `ratio` times as fine, where all that lie under them are known.

    Example::

        resampled(known.get, 0.5, [(0, 0)], 128)        # from the first quarter of the chunk (0, 0) of half the zoom
    """
    under = {place: _under(place, ratio, chunk) for place in places}
    wanted = {(cx, cy) for x0, x1, y0, y1 in under.values() for cx in range(x0, x1) for cy in range(y0, y1)}
    known = {place: pixels for place in wanted if (pixels := chunk_at(place)) is not None}
    covered = [
        place for place, (x0, x1, y0, y1) in under.items()
        if all((cx, cy) in known for cx in range(x0, x1) for cy in range(y0, y1))
    ]  # fmt: skip
    if not covered:
        return {}
    lows, highs = zip(*((under[p][::2], under[p][1::2]) for p in covered), strict=True)
    (left, top), (right, bottom) = np.min(lows, axis=0), np.max(highs, axis=0)
    source = np.zeros(((bottom - top) * chunk, (right - left) * chunk), dtype=np.uint32)
    for (cx, cy), pixels in known.items():
        x, y = (cx - left) * chunk, (cy - top) * chunk
        if 0 <= x < source.shape[1] and 0 <= y < source.shape[0]:
            source[y : y + chunk, x : x + chunk] = pixels
    corners = [(cx * chunk - left * chunk / ratio, cy * chunk - top * chunk / ratio) for cx, cy in covered]
    return dict(zip(covered, _resampled(source, corners, ratio, chunk), strict=True))


def _under(place: Place, ratio: float, chunk: int) -> tuple[int, int, int, int]:
    """Columns and rows of chunks, `ratio` times as fine, that lie under a chunk and the pixels beside it."""
    (x0, x1), (y0, y1) = (
        (math.floor((k * chunk * ratio - 1.0) / chunk), math.floor(((k + 1) * chunk * ratio + 1.0) / chunk) + 1)
        for k in place
    )
    return x0, x1, y0, y1


def _resampled(source: Packed, corners: list[tuple[float, float]], ratio: float, chunk: int) -> Packed:
    squares = np.empty((len(corners), chunk, chunk), dtype=np.uint32)
    share(resample_squares, source, np.array(corners, dtype=np.float64).reshape(-1, 2), ratio, squares)
    return squares
