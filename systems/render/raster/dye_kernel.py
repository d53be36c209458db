"""Draw dye: a grid of signed values as a tint of the water, warm where they are positive and cool where they are negative.

The values are in the rows of the sheet that follow, DYE_VALUES in each from field 1 on, from the lower left on.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.kernel_types import int64
from ..creatures.primitive_fields import ALPHA, P0, R0, R1, X0, X1, Y0, Y1
from ..scene.light import SKY, SUN
from .shade_kernel import pixel_range

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

DYE_VALUES, DYE_SHIFT, DYE_MASK = 8, 3, 7  # values per row
WARM, COOL = (f32(1.0), f32(0.346), f32(0.055)), (f32(0.075), f32(0.555), f32(1.0))  # (255, 150, 60), (70, 190, 255)
FAINTEST = f32(0.02)


@kernel(refcount=False, inline=True)
def dye_at(prims: Array, first: int, place: int) -> float:
    """Return value number `place` of the dye whose rows begin at first."""
    return prims[first + (place >> DYE_SHIFT), int64(1) + (place & DYE_MASK)]


@kernel(refcount=False)
def draw_dye(prims: Array, k: int, light: Array, tile: Array, left: int, top: int) -> None:
    """Update the tile with dye k: X0 Y0 to X1 Y1 is its box, R0 and R1 are columns and rows, P0 is how pale it is."""
    p = prims[k]
    columns, rows, first, half = int(p[R0]), int(p[R1]), k + 1, f32(0.5)
    if columns < 2 or rows < 2 or not (p[X1] > p[X0] and p[Y1] > p[Y0]):
        return
    per_x, per_y = f32(columns - 1) / (p[X1] - p[X0]), f32(rows - 1) / (p[Y1] - p[Y0])
    bright = light[SUN + 1] * f32(0.62) + light[SKY + 1] * f32(0.8)
    one, pale, alpha = f32(1.0), p[P0], p[ALPHA]
    y_first, y_last = pixel_range(p[Y0], p[Y1], top, tile.shape[1])
    x_first, x_last = pixel_range(p[X0], p[X1], left, tile.shape[2])
    for y in range(y_first, y_last):
        gy = min(max((p[Y1] - f32(y + top) - half) * per_y, f32(0.0)), f32(rows) - f32(1.001))
        j = int(gy)
        b = gy - f32(j)
        for x in range(x_first, x_last):
            gx = min(max((f32(x + left) + half - p[X0]) * per_x, f32(0.0)), f32(columns) - f32(1.001))
            i = int(gx)
            a, place = gx - f32(i), j * columns + i
            low = dye_at(prims, first, place) * (one - a) + dye_at(prims, first, place + 1) * a
            high = dye_at(prims, first, place + columns) * (one - a) + dye_at(prims, first, place + columns + 1) * a
            value = low * (one - b) + high * b
            cover = min(abs(value), one)
            if cover < FAINTEST:
                continue
            cover = (cover - FAINTEST) * math.sqrt(cover) * alpha
            red, green, blue = WARM if value > f32(0.0) else COOL
            red, green, blue = red + (one - red) * pale, green + (one - green) * pale, blue + (one - blue) * pale
            tile[0, y, x] += (red * bright - tile[0, y, x]) * cover
            tile[1, y, x] += (green * bright - tile[1, y, x]) * cover
            tile[2, y, x] += (blue * bright - tile[2, y, x]) * cover
