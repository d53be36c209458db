"""Rows of water between those that are composed, where only some of them are: mixed as light, or when all is packed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.kernel_types import uint32
from ..raster.scaling_kernel import EIGHT, GREEN, RED_BLUE

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

SURFACE_PLANES = 5  # of a tile, see shade_kernel
DRY = uint32(0x01000000)  # packed pixels below it have no depth
ROUND_RED_BLUE, ROUND_GREEN = uint32(0x800080), uint32(0x008000)


@kernel(refcount=False)
def mix_where_wet(above: Array, below: Array, b: float, own: Array, out: Array) -> None:
    """Update out with two rows mixed by b where its own packed pixels are wet."""
    for x in range(out.size):
        out[x] = above[x] + (below[x] - above[x]) * b if own[x] >= DRY else out[x]


@kernel(refcount=False)
def fill_between(background: Array, top: int, left: int, height: int, width: int, stride: int, any_items: bool, tile: Array,
                 surface: Array) -> None:  # fmt: skip
    """Update the rows of a wet tile between every stride-th and the last; its surface too if anything is seen through it."""
    for y in range(1, height - 1):
        low = y // stride * stride
        high = min(low + stride, height - 1)
        if y == low:
            continue
        b, own = f32(y - low) / f32(high - low), background[top + y, left : left + width]
        for c in range(3):
            mix_where_wet(tile[c, low], tile[c, high], b, own, tile[c, y, :width])
        if any_items:
            for plane in range(SURFACE_PLANES):
                mix_where_wet(surface[plane, low], surface[plane, high], b, own, surface[plane, y, :width])


@kernel(refcount=False)
def mix_packed(pixels: Array, top: int, left: int, height: int, width: int, stride: int) -> None:
    """Update the rows of packed pixels of a tile between every stride-th and the last."""
    for y in range(1, height - 1):
        low = y // stride * stride
        high = min(low + stride, height - 1)
        if y == low:
            continue
        b = uint32(256 * (y - low) // (high - low))
        a = uint32(256) - b
        above, below = pixels[top + low, left : left + width], pixels[top + high, left : left + width]
        out = pixels[top + y, left : left + width]
        for x in range(out.size):
            red_blue = (above[x] & RED_BLUE) * a + (below[x] & RED_BLUE) * b + ROUND_RED_BLUE
            green = (above[x] & GREEN) * a + (below[x] & GREEN) * b + ROUND_GREEN
            out[x] = ((red_blue >> EIGHT) & RED_BLUE) | ((green >> EIGHT) & GREEN)
