"""The final pass: every tile from background to packed pixels, tiles shared out among threads (see render_threads)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.work_counter import take_next
from ..creatures.primitive_fields import TILE_H, TILE_W
from ..scene.light import BLOOM_FROM, EXPOSURE
from ..water.row_blend_kernel import SURFACE_PLANES, mix_packed
from ..water.underwater_kernel import PASSING_TABLE_AT, lay_ground, lay_water, pack_passing
from ..water.water_kernel import water_tile
from .bloom_kernel import bright_tile, dark_tile
from .film_kernel import develop_row
from .frame import Scratch
from .tiles_kernel import BRIGHTEST_GROUND, draw_bins, shadow_tile

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .frame import Bins, Film, Floor, Sky, WaterView


@kernel(refcount=False)
def develop_tile(tile: Array, vignette_x: Array, vignette_y: Array, exposure: float, every: int,
                 box: tuple[int, int, int, int], pixels: Array) -> None:  # fmt: skip
    """Update packed pixels from the light of a tile: every which row, and the last one."""
    top, left, height, width = box
    for y in range(height):
        if y % every and y < height - 1:
            continue
        red, green, blue = tile[0, y, :width], tile[1, y, :width], tile[2, y, :width]
        out = pixels[top + y, left : left + width]
        develop_row(red, green, blue, vignette_x[left : left + width], vignette_y[top + y], exposure, out)


@kernel(refcount=False)
def compose_tile(t: int, bins: Bins, film: Film, floor: Floor, water: WaterView, own: Scratch, pixels: Array) -> None:
    """Update the pixels of tile t, and its bloom pixels if there are any; own.wide holds the water of a wet tile."""
    starts, light, bloom, tile, surface = bins.starts, film.light, film.bloom, own.tile, own.surface
    left, top = (t % bins.tiles_x) * TILE_W, (t // bins.tiles_x) * TILE_H
    width, height = min(TILE_W, pixels.shape[1] - left), min(TILE_H, pixels.shape[0] - top)
    any_shadow, any_items = starts[1, t + 1] > starts[1, t], starts[0, t + 1] > starts[0, t]
    wet, to_mix = floor.wet[t], False
    if wet:
        to_mix = lay_water(floor, water, light, own, (top, left, height, width), any_shadow, any_items)
    else:
        lay_ground(floor, any_shadow, light, top, left, 0, height, width, tile)
    # the whole scratch tile, also beyond the picture's edge: rows of a contiguous array run as vectors
    draw_bins(bins, t, light, film.passing, tile, surface, left, top)
    if bloom.size > 0 and not any_items and not wet and light[BLOOM_FROM] >= BRIGHTEST_GROUND:
        dark_tile(height, width, left, top, bloom)
    elif bloom.size > 0:
        bright_tile(tile, height, width, left, top, light[BLOOM_FROM], surface[SURFACE_PLANES, 0], bloom)
    every = water.rows if to_mix else 1
    develop_tile(tile, film.vignette_x, film.vignette_y, light[EXPOSURE], every, (top, left, height, width), pixels)
    if to_mix:
        mix_packed(pixels, top, left, height, width, water.rows)


@kernel()
def shadow_pass(bins: Bins, light: Array, shadow: Array, sky: Sky, step: int, _seat: int, taken: Array) -> None:
    """Update the half-res shadow image, tile by tile; larger steps are coarser."""
    tiles = bins.starts.shape[1] - 1
    t = take_next(taken)
    while t < tiles:
        shadow_tile(t, bins, light, shadow, sky, step)
        t = take_next(taken)


@kernel()
def final_pass(bins: Bins, film: Film, floor: Floor, water: WaterView, scratch: Scratch, pixels: Array, seat: int,
               taken: Array) -> None:  # fmt: skip
    """Update pixels from everything."""
    own = Scratch(
        scratch.samples[seat],
        scratch.wide[seat],
        scratch.tile[seat],
        scratch.surface[seat],
        scratch.strip[seat],
        scratch.whole[seat],
    )
    tiles = bins.starts.shape[1] - 1
    pack_passing(film.passing, own.whole[PASSING_TABLE_AT:])
    t = take_next(taken)
    while t < tiles:
        if floor.wet[t]:
            water_tile(t, bins.tiles_x, floor.packed, water, film.light, own.samples, own.wide)
        compose_tile(t, bins, film, floor, water, own, pixels)
        t = take_next(taken)
