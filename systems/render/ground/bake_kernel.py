"""Bake squares of the terrain picture, in parts that fit beside a frame: serial within a square, squares shared out."""

from __future__ import annotations

import numpy as np

from ....engine.kernel import kernel
from ....engine.work_counter import take_next
from ..creatures.emit_kernel import CENTER_X, CENTER_Y
from ..creatures.primitive_fields import PRIMITIVE_FIELDS
from .backdrop_kernel import show_void
from .ground_material_kernel import GROUND_SCALE, LEFT, TOP
from .paint_kernel import coarse_fields, paint_rows
from .plant_kernel import draw_plants, grow_plants
from .relief_light_kernel import blur_columns, blur_rows, darken_beyond, light_rows, pack_region
from .stone_kernel import add_stones

PART_ROWS = 16  # rows of pixels in one part, about half a millisecond of work
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
    draw_plants(prims, count, items, light, np.ones((3, 256), dtype=np.float32), shadow, picture, dry)


@kernel()
def count_parts(outer, size):
    """Return the number of parts in which a square of `size` pixels, with its margins `outer` rows, is baked."""
    return -(-outer // PART_ROWS) + 2 + -(-size // PART_ROWS) + 1


@kernel()
def smooth_heights(height, left, top, size, near_radius, far_radius, near, far, spare):
    """Update near and far, within the square at (left, top), with heights blurred a little and a lot; spare is scratch."""
    right, bottom, r = left + size, top + size, near_radius
    blur_columns(height, spare, r, top, bottom, left - r, right + r)
    blur_rows(spare, near, r, top, bottom, left, right)
    r = far_radius
    blur_columns(height, spare, r, top - r, bottom + r, left - 2 * r, right + 2 * r)
    blur_columns(spare, far, r, top, bottom, left - 2 * r, right + 2 * r)
    blur_rows(far, spare, r, top, bottom, left - r, right + r)
    blur_rows(spare, far, r, top, bottom, left, right)


@kernel()
def finish_square(elevation, clearance, g, base_view, light, picture, depth, packed):
    """Update packed from the lit picture of a square: plants, what lies beyond the map, bytes."""
    size = packed.shape[0]
    view = base_view.copy()
    view[CENTER_X], view[CENTER_Y] = (g[LEFT] + size / 2) / g[GROUND_SCALE], -(g[TOP] + size / 2) / g[GROUND_SCALE]
    plant_region(elevation, g, view, light, picture)
    darken_beyond(g, elevation.shape[1], elevation.shape[0], picture)
    show_void(g, clearance, picture)
    pack_region(picture, depth, packed)


@kernel()
def bake_part(
    part, elevation, clearance, ground, base_view, stones, light, left, top, margins, reach, near_radius, far_radius, fields,
    height, albedo, near, far, spare, picture, depth, packed,
):  # fmt: skip
    """Update the working arrays of a square by one part; after the last one packed is the square at (left, top)."""
    outer, size, (margin_x, margin_y) = height.shape[0], packed.shape[0], margins
    painting, lighting = -(-outer // PART_ROWS), -(-size // PART_ROWS)
    g = ground.copy()
    g[LEFT], g[TOP] = left - margin_x, top - margin_y
    if part == 0:
        coarse_fields(elevation, g, fields)
    if part < painting:
        paint_rows(g, fields, part * PART_ROWS, min((part + 1) * PART_ROWS, outer), height, albedo)
    elif part == painting:
        add_stones(elevation, g, stones, height, albedo)
    elif part == painting + 1:
        smooth_heights(height, margin_x, margin_y, size, near_radius, far_radius, near, far, spare)
    elif part < painting + 2 + lighting:
        first = (part - painting - 2) * PART_ROWS
        last = min(first + PART_ROWS, size)
        light_rows(g, height, near, far, albedo, light, margin_x, margin_y, reach, first, last, picture, depth)
    else:
        g[LEFT], g[TOP] = left, top
        finish_square(elevation, clearance, g, base_view, light, picture, depth, packed)


@kernel()
def bake_parts(
    first, last, elevation, clearance, ground, view, stones, light, corners, margins, reach, near_radius, far_radius, fields,
    height, albedo, near, far, spare, picture, depth, packed, _seat, taken,
):  # fmt: skip
    """Update the squares whose first pixels are the rows of corners by parts first..last; arrays have one row per square."""
    k = take_next(taken)
    while k < corners.shape[0]:
        for part in range(first, last):
            bake_part(
                part, elevation, clearance, ground, view, stones, light, corners[k, 0], corners[k, 1], margins, reach,
                near_radius, far_radius, fields[k], height[k], albedo[k], near[k], far[k], spare[k], picture[k], depth[k],
                packed[k],
            )  # fmt: skip
        k = take_next(taken)
