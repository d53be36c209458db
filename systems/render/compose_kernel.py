"""The final pass: every tile from background to packed pixels, tiles shared out among the threads (see crew)."""

from __future__ import annotations

from numpy import float32 as f32

from ...engine.kernel import kernel
from ...engine.take import take_next
from .bed_kernel import SURFACE_PLANES, fill_between, water_strip
from .bloom_kernel import bright_tile, dark_tile
from .borrow import borrower
from .light import EXPOSURE
from .primitive_fields import TILE_H, TILE_W
from .raster_kernel import BRIGHTEST_GROUND, decode_row, develop_row, draw_items, shade_row, shadow_tile
from .water_kernel import water_tile


@borrower()
def compose_tile(
    t, tiles_x, prims, starts, items, light, depth_table, flat, background, wet, wide, water_step, water_rows, shadow,
    vignette_x, vignette_y, tile, surface, strip, whole, threshold, bloom, pixels,
):  # fmt: skip
    """Update the pixels of tile t, and its bloom pixels if there are any; wide holds the water of a wet tile."""
    left, top = (t % tiles_x) * TILE_W, (t // tiles_x) * TILE_H
    width, height = min(TILE_W, pixels.shape[1] - left), min(TILE_H, pixels.shape[0] - top)
    any_shadow, any_items = starts[1, t + 1] > starts[1, t], starts[0, t + 1] > starts[0, t]
    for y in range(height):
        red, green, blue = tile[0, y, :width], tile[1, y, :width], tile[2, y, :width]
        decode_row(background[top + y, left : left + width], red, green, blue)
        if any_shadow:
            j, mix = (top + y + 1) // 2, f32(0.25) if y % 2 == 1 else f32(0.75)
            shade_row(shadow[j, left // 2 :], shadow[j + 1, left // 2 :], mix, light, red, green, blue)
    if wet[t]:
        for y in range(0, height, water_step):
            rows = -(-min(water_step, height - y) // water_rows)
            water_strip(
                flat, background, shadow, any_shadow, wide, water_step, depth_table, light, top, left, y, rows, width,
                water_rows, y if any_items else 0, tile, surface, strip, whole,
            )  # fmt: skip
        if water_rows > 1:
            last = height - 1  # has no row below it in this tile to be mixed with
            water_strip(
                flat, background, shadow, any_shadow, wide, water_step, depth_table, light, top, left, last, 1, width, 1,
                last if any_items else 0, tile, surface, strip, whole,
            )  # fmt: skip
            fill_between(background, top, left, height, width, water_rows, any_items, tile, surface)
    # the whole scratch tile, also beyond the picture's edge: rows of a contiguous array run as vectors
    draw_items(prims, items, starts[0, t], starts[0, t + 1], light, depth_table, tile, surface, left, top)
    if bloom.size > 0 and not any_items and not wet[t] and threshold >= BRIGHTEST_GROUND:
        dark_tile(height, width, left, top, bloom)
    elif bloom.size > 0:
        bright_tile(tile, height, width, left, top, threshold, surface[SURFACE_PLANES, 0], bloom)
    for y in range(height):
        red, green, blue = tile[0, y, :width], tile[1, y, :width], tile[2, y, :width]
        develop_row(
            red, green, blue, vignette_x[left : left + width], vignette_y[top + y], light[EXPOSURE],
            pixels[top + y, left : left + width],
        )  # fmt: skip


@kernel()
def shadow_pass(prims, starts, items, light, shadow, tiles_x, shadow_step, _seat, taken):
    """Update the half-res shadow image, tile by tile; larger steps are coarser."""
    tiles = starts.shape[1] - 1
    t = take_next(taken)
    while t < tiles:
        shadow_tile(t, tiles_x, prims, light, starts, items, shadow, shadow_step)
        t = take_next(taken)


@kernel()
def final_pass(
    prims, starts, items, light, depth_table, flat, background, wet, heights, wave, texture, fades, water_step, water_rows,
    samples, wides, shadow, vignette_x, vignette_y, tiles, surfaces, strips, wholes, threshold, bloom, pixels, tiles_x,
    seat, taken,
):  # fmt: skip
    """Update pixels from everything; samples, wides, tiles, surfaces, strips and wholes are scratch, one per seat."""
    count = starts.shape[1] - 1
    t = take_next(taken)
    while t < count:
        if wet[t]:
            water_tile(
                t, tiles_x, background, heights, wave, texture, fades, light, water_step, samples[seat], wides[seat]
            )
        compose_tile(
            t, tiles_x, prims, starts, items, light, depth_table, flat, background, wet, wides[seat], water_step,
            water_rows, shadow, vignette_x, vignette_y, tiles[seat], surfaces[seat], strips[seat], wholes[seat], threshold,
            bloom, pixels,
        )  # fmt: skip
        t = take_next(taken)
