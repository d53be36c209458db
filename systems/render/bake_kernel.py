"""Bake squares of the terrain picture: serial within a square, squares shared out among the threads."""

from __future__ import annotations

import numpy as np
from numba import prange

from ...engine.kernel import kernel
from .emit_kernel import CENTER_X, CENTER_Y
from .ground_kernel import GROUND_SCALE, LATTICE, LEFT, TOP, add_stones, coarse_fields, paint_region
from .plant_kernel import draw_plants, grow_plants
from .primitive_fields import PRIMITIVE_FIELDS
from .relief_kernel import blur_columns, blur_rows, darken_beyond, light_region, pack_region
from .void_kernel import show_void

MAX_PLANT_PRIMITIVES = 12000  # per square; more would not be told apart


@kernel()
def plant_region(elevation, g, view, light, picture):
    """Update the linear picture of a square with its plants."""
    size = picture.shape[1]
    prims = np.empty((MAX_PLANT_PRIMITIVES, PRIMITIVE_FIELDS), dtype=np.float32)
    layers = np.empty(MAX_PLANT_PRIMITIVES, dtype=np.int64)
    count = grow_plants(prims, layers, view, elevation, g, size, size)
    if count == 0:
        return
    items = np.empty((1, count), dtype=np.int32)
    for k in range(count):
        items[0, k] = k
    shadow = np.zeros((size // 2 + 2, size // 2 + 2), dtype=np.float32)
    dry = np.zeros((5, 1, 1), dtype=np.float32)
    draw_plants(prims, count, items, light, np.ones((256, 3), dtype=np.float32), shadow, picture, dry)


@kernel()
def bake_square(
    elevation, clearance, ground, base_view, stones, light, left, top, margin, reach, near_radius, far_radius, packed,
):  # fmt: skip
    """Update packed (size, size) with the square of the terrain picture whose first pixel is (left, top)."""
    size = packed.shape[0]
    outer = size + 2 * margin
    g = ground.copy()
    g[LEFT], g[TOP] = left - margin, top - margin
    fields = np.empty((5, outer // LATTICE + 2, outer // LATTICE + 2), dtype=np.float32)
    height, spare = np.empty((outer, outer), dtype=np.float32), np.empty((outer, outer), dtype=np.float32)
    near, far = np.empty((outer, outer), dtype=np.float32), np.empty((outer, outer), dtype=np.float32)
    albedo = np.empty((3, outer, outer), dtype=np.float32)
    coarse_fields(elevation, g, fields)
    paint_region(g, fields, height, albedo)
    add_stones(g, stones, height, albedo)
    blur_rows(height, spare, near_radius)
    blur_columns(spare, near, near_radius)
    blur_rows(height, spare, far_radius)
    blur_columns(spare, far, far_radius)
    blur_rows(far, spare, far_radius)
    blur_columns(spare, far, far_radius)
    picture = np.empty((3, size, size), dtype=np.float32)
    depth = np.empty((size, size), dtype=np.float32)
    light_region(g, height, near, far, albedo, light, margin, reach, picture, depth)
    g[LEFT], g[TOP] = left, top
    view = base_view.copy()
    view[CENTER_X], view[CENTER_Y] = (left + size / 2) / g[GROUND_SCALE], -(top + size / 2) / g[GROUND_SCALE]
    plant_region(elevation, g, view, light, picture)
    darken_beyond(g, elevation.shape[1], elevation.shape[0], picture)
    show_void(g, clearance, picture)
    pack_region(picture, depth, packed)


@kernel(parallel=True)
def bake_squares(
    elevation, clearance, ground, view, stones, light, corners, margin, reach, near_radius, far_radius, packed,
):  # fmt: skip
    """Update packed (n, size, size) with the squares whose first pixels are the rows of corners."""
    for job in prange(corners.shape[0]):
        k = np.int64(job)
        bake_square(
            elevation, clearance, ground, view, stones, light, corners[k, 0], corners[k, 1], margin, reach, near_radius,
            far_radius, packed[k],
        )  # fmt: skip
