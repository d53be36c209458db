"""The final pass: every tile from background to packed pixels, tiles shared out among the threads (see crew)."""

# mypy: ignore-errors
from __future__ import annotations

from ....engine.kernel import kernel
from ....engine.work_counter import take_next
from ..creatures.primitive_fields import TILE_H, TILE_W
from ..scene.light import EXPOSURE
from ..water.row_blend_kernel import SURFACE_PLANES, mix_packed
from ..water.underwater_kernel import PASSING_TABLE_AT, lay_ground, lay_water, pack_passing
from ..water.water_kernel import water_tile
from .bloom_kernel import bright_tile, dark_tile
from .tiles_kernel import BRIGHTEST_GROUND, develop_row, draw_items, shadow_tile


@kernel(refcount=False)
def compose_tile(
    t, tiles_x, prims, starts, items, light, depth_table, flat, background, wet, wide, water_step, water_rows, refraction,
    shadow, vignette_x, vignette_y, tile, surface, strip, whole, threshold, bloom, pixels,
):  # fmt: skip
    """Update the pixels of tile t, and its bloom pixels if there are any; wide holds the water of a wet tile."""
    left, top = (t % tiles_x) * TILE_W, (t // tiles_x) * TILE_H
    width, height = min(TILE_W, pixels.shape[1] - left), min(TILE_H, pixels.shape[0] - top)
    any_shadow, any_items = starts[1, t + 1] > starts[1, t], starts[0, t + 1] > starts[0, t]
    to_mix = False
    if wet[t]:
        to_mix = lay_water(
            flat, background, shadow, any_shadow, any_items, wide, water_step, water_rows, refraction, light, top, left,
            height, width, tile, surface, strip, whole,
        )  # fmt: skip
    else:
        lay_ground(background, shadow, any_shadow, light, top, left, 0, height, width, tile)
    # the whole scratch tile, also beyond the picture's edge: rows of a contiguous array run as vectors
    draw_items(prims, items, starts[0, t], starts[0, t + 1], light, depth_table, tile, surface, left, top)
    if bloom.size > 0 and not any_items and not wet[t] and threshold >= BRIGHTEST_GROUND:
        dark_tile(height, width, left, top, bloom)
    elif bloom.size > 0:
        bright_tile(tile, height, width, left, top, threshold, surface[SURFACE_PLANES, 0], bloom)
    for y in range(height):
        if to_mix and y % water_rows and y < height - 1:
            continue
        red, green, blue = tile[0, y, :width], tile[1, y, :width], tile[2, y, :width]
        develop_row(
            red, green, blue, vignette_x[left : left + width], vignette_y[top + y], light[EXPOSURE],
            pixels[top + y, left : left + width],
        )  # fmt: skip
    if to_mix:
        mix_packed(pixels, top, left, height, width, water_rows)


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
    refraction, samples, wides, shadow, vignette_x, vignette_y, tiles, surfaces, strips, wholes, threshold, bloom, pixels,
    tiles_x, seat, taken,
):  # fmt: skip
    """Update pixels from everything; samples, wides, tiles, surfaces, strips and wholes are scratch, one per seat."""
    count = starts.shape[1] - 1
    pack_passing(depth_table, wholes[seat, PASSING_TABLE_AT:])
    t = take_next(taken)
    while t < count:
        if wet[t]:
            water_tile(
                t, tiles_x, background, heights, wave, texture, fades, light, water_step, refraction, samples[seat],
                wides[seat],
            )  # fmt: skip
        compose_tile(
            t, tiles_x, prims, starts, items, light, depth_table, flat, background, wet, wides[seat], water_step,
            water_rows, refraction, shadow, vignette_x, vignette_y, tiles[seat], surfaces[seat], strips[seat],
            wholes[seat], threshold, bloom, pixels,
        )  # fmt: skip
        t = take_next(taken)
