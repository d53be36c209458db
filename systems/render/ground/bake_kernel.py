"""Bake squares of the terrain picture, in parts that fit beside a frame: serial within a square, squares shared out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.work_counter import take_next
from ..creatures.primitive_fields import PRIMITIVE_FIELDS
from ..creatures.sheet import Sheet, View
from .backdrop_kernel import show_void
from .land import Work
from .paint_kernel import coarse_fields, paint_rows
from .plant_kernel import draw_plants, grow_plants
from .relief_light_kernel import blur_columns, blur_rows, darken_beyond, light_rows, pack_region
from .stone_kernel import add_stones

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .land import Land, Margins

PART_ROWS = 16  # rows of pixels in one part, about half a millisecond of work
MAX_PLANT_PRIMITIVES = 12000  # per square; more would not be told apart


@kernel()
def plant_square(land: Land, corner: tuple[float, float], slant: float, light: Array, picture: Array) -> None:
    """Update the linear picture of a square with its plants."""
    size = picture.shape[1]
    x, y = (corner[0] + size / 2) / land.scale, -(corner[1] + size / 2) / land.scale
    view = View(
        center_x=x,
        center_y=y,
        scale=land.scale,
        width=float(size),
        height=float(size),
        limb_scale=land.scale,
        shadow_reach=slant,
        leg_states=False,
        grid_x=land.origin_x,
        grid_y=land.origin_y,
        grid_cell=land.cell,
        elevation=land.elevation,
        ponds=land.ponds[:0],  # plants are dry
        lowest=0.0,
        clarity=1.0,
    )
    prims = np.empty((MAX_PLANT_PRIMITIVES, PRIMITIVE_FIELDS), dtype=np.float32)
    rows = np.empty((2, MAX_PLANT_PRIMITIVES), dtype=np.int64)
    count = grow_plants(Sheet(prims, rows[0], rows[1]), view, land, corner, size)
    if count == 0:
        return
    items = np.empty((1, count), dtype=np.int32)
    for k in range(count):
        items[0, k] = k
    shadow = np.zeros((size // 2 + 2, size // 2 + 2), dtype=np.float32)
    dry = np.zeros((5, 1, 1), dtype=np.float32)
    draw_plants(prims, count, items, light, np.ones((3, 256), dtype=np.float32), shadow, picture, dry)


@kernel()
def count_parts(outer: int, size: int) -> int:
    """Return the number of parts in which a square of `size` pixels, with its margins `outer` rows, is baked."""
    return -(-outer // PART_ROWS) + 2 + -(-size // PART_ROWS) + 1


@kernel()
def smooth_heights(work: Work, margins: Margins, size: int) -> None:
    """Update near and far of a square, within its margins, with heights blurred a little and a lot."""
    height, near, far, spare = work.height, work.near, work.far, work.spare
    left, top, r = margins.left, margins.top, margins.near
    right, bottom = left + size, top + size
    blur_columns(height, spare, r, top, bottom, left - r, right + r)
    blur_rows(spare, near, r, top, bottom, left, right)
    r = margins.far
    blur_columns(height, spare, r, top - r, bottom + r, left - 2 * r, right + 2 * r)
    blur_columns(spare, far, r, top, bottom, left - 2 * r, right + 2 * r)
    blur_rows(far, spare, r, top, bottom, left - r, right + r)
    blur_rows(spare, far, r, top, bottom, left, right)


@kernel()
def finish_square(land: Land, light: Array, margins: Margins, left: int, top: int, work: Work, packed: Array) -> None:
    """Update packed with the square at (left, top), which is lit already: what grows on it comes last."""
    corner = (float(left), float(top))
    plant_square(land, corner, margins.slant, light, work.picture)
    darken_beyond(land, corner, work.picture)
    show_void(land, corner, work.picture)
    pack_region(work.picture, work.depth, land.depth_steps, packed)


@kernel()
def work_of(work: Work, k: int) -> Work:
    """Return the working arrays of one of several squares."""
    return Work(work.fields[k], work.height[k], work.albedo[k], work.near[k], work.far[k], work.spare[k], work.picture[k],
                work.depth[k])  # fmt: skip


@kernel()
def bake_part(part: int, land: Land, light: Array, margins: Margins, left: int, top: int, work: Work, packed: Array) -> None:
    """Update the working arrays of a square by one part; after the last one packed is the square at (left, top)."""
    outer, size = work.height.shape[0], packed.shape[0]
    painting, lighting = -(-outer // PART_ROWS), -(-size // PART_ROWS)
    corner = (float(left - margins.left), float(top - margins.top))  # of the square with its margins
    if part == 0:
        coarse_fields(land, corner, work.fields)
    if part < painting:
        first, last = part * PART_ROWS, min((part + 1) * PART_ROWS, outer)
        paint_rows(land, corner, work.fields, first, last, work.height, work.albedo)
    elif part == painting:
        add_stones(land, corner, work.height, work.albedo)
    elif part == painting + 1:
        smooth_heights(work, margins, size)
    elif part < painting + 2 + lighting:
        first = (part - painting - 2) * PART_ROWS
        light_rows(land, corner, light, margins, work, first, min(first + PART_ROWS, size))
    else:
        finish_square(land, light, margins, left, top, work, packed)


@kernel()
def bake_parts(first: int, last: int, land: Land, light: Array, margins: Margins, corners: Array, work: Work, packed: Array,
               _seat: int, taken: Array) -> None:  # fmt: skip
    """Update the squares whose first pixels are the rows of corners by parts first..last; arrays have one row per square."""
    k = take_next(taken)
    while k < corners.shape[0]:
        one = work_of(work, k)
        for part in range(first, last):
            bake_part(part, land, light, margins, corners[k, 0], corners[k, 1], one, packed[k])
        k = take_next(taken)
