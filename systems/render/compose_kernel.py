"""The final pass: every tile from background to packed pixels, tiles shared out among the threads."""

from __future__ import annotations

import numpy as np
from numba import prange
from numpy import float32 as f32

from ...engine.kernel import kernel
from .bed_kernel import FIRST_ROW, water_row
from .bloom_kernel import bright_tile
from .borrow import borrower
from .light import EXPOSURE
from .primitive_fields import TILE_H, TILE_W
from .raster_kernel import decode_row, develop_row, draw_items, shade_row, shadow_tile
from .water_kernel import water_tile


@borrower()
def compose_tile(
    t, tiles_x, prims, starts, items, light, depth_table, background, wet, water, shadow, vignette_x, vignette_y,
    tile, surface, threshold, bloom, pixels,
):  # fmt: skip
    """Update the pixels of tile t, and its bloom pixels if there are any."""
    left, top = (t % tiles_x) * TILE_W, (t // tiles_x) * TILE_H
    width, height = min(TILE_W, pixels.shape[1] - left), min(TILE_H, pixels.shape[0] - top)
    any_shadow = starts[1, t + 1] > starts[1, t]
    for y in range(height):
        red, green, blue = tile[0, y, :width], tile[1, y, :width], tile[2, y, :width]
        decode_row(background[top + y, left : left + width], red, green, blue)
        if any_shadow:
            j, mix = (top + y + 1) // 2, f32(0.25) if y % 2 == 1 else f32(0.75)
            shade_row(shadow[j, left // 2 :], shadow[j + 1, left // 2 :], mix, light, red, green, blue)
        if wet[t]:
            water_row(background, shadow, any_shadow, water, depth_table, light, top + y, left, width, y, tile, surface)
    # the whole scratch tile, also beyond the picture's edge: rows of a contiguous array run as vectors
    draw_items(prims, items, starts[0, t], starts[0, t + 1], light, depth_table, tile, surface, left, top)
    if bloom.size > 0:
        bright_tile(tile, height, width, left, top, threshold, surface[FIRST_ROW, 0], bloom)
    for y in range(height):
        red, green, blue = tile[0, y, :width], tile[1, y, :width], tile[2, y, :width]
        develop_row(
            red, green, blue, vignette_x[left : left + width], vignette_y[top + y], light[EXPOSURE],
            pixels[top + y, left : left + width],
        )  # fmt: skip


@kernel(parallel=True)
def half_pass(
    prims, starts, items, light, background, wet, heights, wave, texture, fades, water, shadow, samples, tiles_x, water_step,
    shadow_step,
):  # fmt: skip
    """Update the half-res shadow and water images, tile by tile; larger steps are coarser. Each thread has its samples."""
    threads = samples.shape[0]
    for worker in prange(threads):
        k = np.int64(worker)
        for t in range(k, wet.size, threads):
            shadow_tile(t, tiles_x, prims, light, starts, items, shadow, shadow_step)
            if wet[t]:
                water_tile(t, tiles_x, background, heights, wave, texture, fades, light, water, water_step, samples[k])


@kernel(parallel=True)
def final_pass(
    prims, starts, items, light, depth_table, background, wet, water, shadow, vignette_x, vignette_y, tiles,
    surfaces, threshold, bloom, pixels, tiles_x,
):  # fmt: skip
    """Update pixels from everything; tiles and surfaces hold one scratch tile per thread."""
    threads = tiles.shape[0]
    count = starts.shape[1] - 1
    for worker in prange(threads):
        k = np.int64(worker)
        for t in range(k, count, threads):
            compose_tile(
                t, tiles_x, prims, starts, items, light, depth_table, background, wet, water, shadow, vignette_x,
                vignette_y, tiles[k], surfaces[k], threshold, bloom, pixels,
            )  # fmt: skip
