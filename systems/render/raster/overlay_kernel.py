"""Creatures in full over ground and water of half the size: their shadows below, and tiles taken up again for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.kernel_types import uint32
from ....engine.work_counter import take_next
from ..creatures.primitive_fields import (
    ALPHA,
    GROUND_LAYER,
    H0,
    H1,
    R0,
    R1,
    SHADOW,
    TILE_H,
    TILE_W,
    X0,
    X1,
    Y0,
    Y1,
)
from ..scene.light import EXPOSURE
from ..water.underwater_kernel import no_surface
from .compose_kernel import develop_tile
from .tiles_kernel import draw_bins

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from ..creatures.sheet import Sheet
    from .frame import Bins, Film, Scratch


def _film_reversed() -> NDArray[np.float32]:
    """Linear light of every display byte: the film curve solved for what it was given."""
    shown = (np.arange(256) / 255.0) ** 2
    square, line = 2.51 - 2.43 * shown, 0.03 - 0.59 * shown
    return ((np.sqrt(line * line + 0.56 * square * shown) - line) / (2.0 * square)).astype(np.float32)


LIGHT_OF_BYTE = _film_reversed()


@kernel()
def halve_shadows(sheet: Sheet, n: int, small: Sheet) -> int:
    """Update the sheet of a picture of half the size with what throws a shadow among n rows; return the next free row."""
    count = 0
    for k in range(n):
        if sheet.prims[k, SHADOW] > f32(0.0):
            row = small.prims[count]
            for field in range(row.size):  # one by one: numba would add an error for rows of other lengths
                row[field] = sheet.prims[k, field]
            row[ALPHA] = f32(0.0)
            for field in (X0, Y0, X1, Y1, R0, R1, H0, H1):
                row[field] *= f32(0.5)
            small.layers[count] = GROUND_LAYER
            count += 1
    return count


@kernel(refcount=False)
def undevelop_row(packed: Array, vignette: Array, row_term: float, exposure: float, out_r: Array, out_g: Array,
                  out_b: Array) -> None:  # fmt: skip
    """Update three rows of linear light from packed pixels: what `develop_row` made them from."""
    byte = uint32(255)
    for x in range(packed.size):
        q, v = vignette[x] + row_term, packed[x]
        k = f32(1.0) / (exposure * (f32(1.0) - q * q))
        out_r[x] = LIGHT_OF_BYTE[(v >> uint32(16)) & byte] * k
        out_g[x] = LIGHT_OF_BYTE[(v >> uint32(8)) & byte] * k
        out_b[x] = LIGHT_OF_BYTE[v & byte] * k


@kernel()
def overlay_pass(bins: Bins, film: Film, scratch: Scratch, pixels: Array, seat: int, taken: Array) -> None:
    """Update pixels with all primitives over what they show; tiles without any stay as they are.

    What is below the water is seen through a surface at rest.
    """
    tile, surface, starts, exposure = scratch.tile[seat], scratch.surface[seat], bins.starts, film.light[EXPOSURE]
    no_surface(surface, 0, TILE_H)
    tiles = starts.shape[1] - 1
    t = take_next(taken)
    while t < tiles:
        if starts[0, t + 1] > starts[0, t]:
            left, top = (t % bins.tiles_x) * TILE_W, (t // bins.tiles_x) * TILE_H
            width, height = min(TILE_W, pixels.shape[1] - left), min(TILE_H, pixels.shape[0] - top)
            columns = film.vignette_x[left : left + width]
            for y in range(height):
                row, red, green, blue = pixels[top + y, left : left + width], tile[0, y], tile[1, y], tile[2, y]
                undevelop_row(row, columns, film.vignette_y[top + y], exposure, red, green, blue)
            draw_bins(bins, t, film.light, film.passing, tile, surface, left, top)
            box = (top, left, height, width)
            develop_tile(tile, film.vignette_x, film.vignette_y, exposure, 1, box, pixels)
        t = take_next(taken)
