"""What the passes over the tiles of a picture read and write: six records that compiled code takes as arguments."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

Array = NDArray[Any]


class Bins(NamedTuple):
    """Primitives sorted into tiles. The first axis of ranges, starts, cursor and items is colour (0) or shadow (1)."""

    prims: Array  # (capacity, PRIMITIVE_FIELDS) float32
    order: Array  # (capacity,) rows of prims in drawing order
    ranges: Array  # (2, capacity, 4) first and last column, first and last row of the tiles that a primitive touches
    starts: Array  # (2, tiles + 1) where the list of a tile begins in items
    cursor: Array  # (2, tiles + 1) scratch
    items: Array  # (2, ...) rows of prims, tile by tile
    skins: Array  # (skins, SKIN_TEXELS) uint32, see creatures.skins
    tiles_x: int  # tiles across
    tiles_y: int


class Film(NamedTuple):
    """Light, and what becomes of it in the picture."""

    light: Array  # see scene.light
    passing: Array  # (3, 256) share of the light that passes a column of water, per depth byte
    vignette_x: Array  # (width,) terms of q in 1 - q^2
    vignette_y: Array  # (height,)
    bloom: Array  # (3, rows, columns) what is too bright, at a fraction of the resolution; empty for none


class Floor(NamedTuple):
    """The terrain picture under the tiles."""

    packed: Array  # (height, width) pixels of depth, red, green, blue bytes
    flat: Array  # the same in one row
    wet: Array  # (tiles,) whether a tile has any water
    shadow: Array  # half-res shadow image with one pixel of padding


class Sky(NamedTuple):
    """Where there is no ground, and where that lies in the picture."""

    clearance: Array  # (rows, columns) float64, see Ground; empty where there is ground everywhere
    grid_x: float  # world point of the first of them
    grid_y: float
    cell: float
    picture_x: float  # px of the picture's first pixel from the world's origin
    picture_y: float
    scale: float  # px per unit


class WaterView(NamedTuple):
    """The moving surface, where it lies in the picture, and how finely it is drawn."""

    heights: Array  # (rows, columns) float32 above the level of the ponds
    texture: Array  # see water_texture
    fades: Array  # (256, 4), see water_texture.depth_fades
    picture_x: float  # px of the picture's first pixel from the world's origin
    picture_y: float
    scale: float  # px per unit
    grid_x: float  # world point of the first height
    grid_y: float
    cell: float
    time: float  # s
    step: int  # px between samples: 2, 4 or 8
    rows: int  # every which row of wet pixels is composed
    refraction: bool  # whether waves move what is seen of the bed


class Scratch(NamedTuple):
    """Room to work on one tile; of all threads with one more axis in front, the seat."""

    samples: Array  # planes of water samples
    wide: Array  # rows of water samples spread to pixels
    tile: Array  # (3, TILE_H, TILE_W) linear light
    surface: Array  # planes of the water surface, and one more for scratch rows
    strip: Array  # rows of floats
    whole: Array  # rows of whole numbers
