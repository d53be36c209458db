"""Squares of the terrain picture on their way: their working arrays, and how far they have come."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ....engine.bundle import packed
from ..render_threads import share
from ..scene.light import DEPTH_STEPS_PER_UNIT, SHADOW_X, SHADOW_Y
from ..scene.scene import Ground
from ..water.pond_kernel import LEVEL
from .bake_kernel import bake_parts, count_parts
from .ground_material_kernel import LATTICE
from .land import Land, Margins, Work

LARGEST_MARGIN = 64  # px around a chunk that shadows and occlusion may look into
NEAR_BLUR, FAR_BLUR = 0.35, 2.2  # units [look 3]
TALLEST_DETAIL, TALLEST_CORAL = 1.0, 3.0  # units; highest thing on the ground that throws a baked shadow
DRY_BASE = 1.25  # units; a world without water is coloured as if its mean lay this far above the shore
BATCH = 8  # squares worked on at a time when no frame waits for them

Packed = NDArray[np.uint32]
Corners = list[tuple[int, int]]


def land_of(ground: Ground, scale: float) -> Land:
    """The terrain as the painting kernels take it, at some pixels per unit."""
    ponds = np.ascontiguousarray(ground.waters)
    base = float(ponds[0, LEVEL]) if len(ponds) else float(np.mean(ground.elevation)) - DRY_BASE
    elevation, clearance, stones = (
        np.ascontiguousarray(samples, dtype=np.float64) for samples in (ground.elevation, ground.clearance, ground.stones)
    )
    return Land(
        elevation=elevation,
        clearance=clearance,
        stones=stones,
        ponds=ponds,
        origin_x=float(ground.origin[0]),
        origin_y=float(ground.origin[1]),
        cell=float(ground.cell),
        base=base - ground.lushness,
        seed=float(ground.seed),
        stone_size=float(ground.stone_size),
        plants=float(ground.plant_density),
        scale=float(scale),
        depth_steps=np.float32(DEPTH_STEPS_PER_UNIT / ground.clarity),
    )


class GroundBatch:
    """A few squares that are baked together, part by part.

    Example::

        batch = GroundBatch(ground, light_vector("day"), scale=18.0, corners=[(0, 0), (128, 0)], size=128)
        while not batch.finished:
            batch.advance(2)
        batch.packed                    # (2, 128, 128) pixels of depth, red, green, blue bytes
    """

    def __init__(self, ground: Ground, light: NDArray[np.float32], scale: float, corners: Corners, size: int) -> None:
        self._land, self._light = packed(land_of(ground, scale)), light
        self._corners = np.array(corners, dtype=np.int64).reshape(-1, 2)
        slant = float(np.hypot(light[SHADOW_X], light[SHADOW_Y]))
        tallest = TALLEST_CORAL if ground.grown else TALLEST_DETAIL
        reach = min(tallest * slant * scale + 3.0, LARGEST_MARGIN - 2.0)
        near, far = (max(min(int(blur * scale * 0.5), 16), 1) for blur in (NEAR_BLUR, FAR_BLUR))
        left, top, right, bottom = _margins(light, reach, 2 * far + 1)
        self._margins = packed(Margins(left, top, slant, np.float32(reach), near, far))
        n, rows, columns = len(corners), top + size + bottom, left + size + right
        self.packed: Packed = np.empty((n, size, size), dtype=np.uint32)
        lattice, region, inner = (rows // LATTICE + 2, columns // LATTICE + 2), (rows, columns), (size, size)
        shapes = {
            "fields": (5, *lattice),
            "height": region,
            "albedo": (3, *region),
            "near": region,
            "far": region,
            "spare": region,
            "picture": (3, *inner),
            "depth": inner,
        }
        self._work = packed(Work(**{name: np.empty((n, *shape), dtype=np.float32) for name, shape in shapes.items()}))
        self._next, self._bed = 0, None
        if ground.grown:
            from .bed import bed_of
            from .clear_bake_kernel import count_clear_parts

            self._bed = packed(bed_of(ground.bed, ground.clarity, ground.growths, (n, *lattice)))
            self.parts = int(count_clear_parts(rows, size))
        else:
            self.parts = int(count_parts(rows, size))

    @property
    def finished(self) -> bool:
        return self._next >= self.parts

    def advance(self, parts: int) -> None:
        """Do some more parts of the work on every square."""
        last = min(self._next + parts, self.parts)
        land, light, margins, corners = self._land, self._light, self._margins, self._corners
        if self._bed is None:
            share(bake_parts, self._next, last, land, light, margins, corners, self._work, self.packed)
        else:
            from .clear_bake_kernel import bake_clear_parts

            share(bake_clear_parts, self._next, last, land, self._bed, light, margins, corners, self._work, self.packed)
        self._next = last


def _margins(light: NDArray[np.float32], reach: float, blur: int) -> tuple[int, int, int, int]:
    """Pixels to the left, above, to the right and below a square that shadows of this reach, or blurs, may look into."""
    slant = max(float(np.hypot(light[SHADOW_X], light[SHADOW_Y])), 1e-6)
    widest = int(max(reach + 2.0, blur))
    far_x, far_y = (math.ceil(reach * abs(float(light[axis])) / slant) + 2 for axis in (SHADOW_X, SHADOW_Y))
    # whole lattices less than the widest, so that samples are taken at the same places on all sides
    x, y = (widest - max(widest - max(far, blur), 0) // LATTICE * LATTICE for far in (far_x, far_y))
    least = widest - (widest - blur) // LATTICE * LATTICE
    left, right = (x, least) if light[SHADOW_X] > 0.0 else (least, x)  # the sun is where shadows do not point
    top, bottom = (y, least) if light[SHADOW_Y] > 0.0 else (least, y)
    return left, top, right, bottom


def bake(ground: Ground, light: NDArray[np.float32], scale: float, corners: Corners, size: int) -> Packed:
    """Paint squares of the terrain picture: (n, size, size) pixels of depth, red, green, blue bytes."""
    packed = np.empty((len(corners), size, size), dtype=np.uint32)
    for first in range(0, len(corners), BATCH):
        batch = GroundBatch(ground, light, scale, corners[first : first + BATCH], size)
        batch.advance(batch.parts)
        packed[first : first + BATCH] = batch.packed
    return packed
