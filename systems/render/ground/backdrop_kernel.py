"""Where there is no ground at all: a dark backdrop with mist and faint stars behind whatever floats."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from .ground_material_kernel import smooth_sample
from .picture_noise_kernel import fractal, random01, smooth

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .land import Land

DEEP = (f32(0.0050), f32(0.0085), f32(0.0190))  # linear
MIST = (f32(0.0100), f32(0.0190), f32(0.0330))
STAR = (f32(0.80), f32(0.88), f32(1.00))
STAR_CELL, STAR_CHANCE = 1.7, f32(0.42)  # units per lattice cell, and how many of them hold a star
STAR_RADIUS, SMALLEST_STAR = 0.045, 0.75  # units, px
LIMB = 4.5  # units from the outline over which a floating body turns away from the light
LIMB_LIGHT = f32(0.16)  # what is left of it at the outline
NOWHERE = 1.0e3  # units; clearance beyond the map


@kernel()
def star_light(x: float, y: float, scale: float, seed: int) -> float:
    """Return the light of the nearest star of this lattice cell at a world point."""
    i, j = int(math.floor(x / STAR_CELL)), int(math.floor(y / STAR_CELL))
    if random01(i, j, seed) > STAR_CHANCE:
        return f32(0.0)
    bright = random01(i, j, seed + 1)
    radius = max(STAR_RADIUS * (0.6 + 0.8 * bright), SMALLEST_STAR / scale)
    # away from the cell's edge, so that no star is cut
    dx = x - (i + 0.2 + 0.6 * random01(i, j, seed + 2)) * STAR_CELL
    dy = y - (j + 0.2 + 0.6 * random01(i, j, seed + 3)) * STAR_CELL
    near = f32(max(1.0 - (dx * dx + dy * dy) / (radius * radius * 4.0), 0.0))
    return near * near * near * (f32(0.03) + f32(0.55) * bright * bright * bright * bright)


@kernel()
def clearance_at(land: Land, x: float, y: float) -> float:
    """Return the way (units) from a vertical line at (x, y) to the nearest solid, negative through one."""
    rows, columns = land.clearance.shape
    u, v = (x - land.origin_x) / land.cell, (y - land.origin_y) / land.cell
    if not (u >= 0.0 and v >= 0.0 and u <= columns - 1.0 and v <= rows - 1.0):
        return NOWHERE
    return smooth_sample(land, land.clearance, x, y)


@kernel()
def show_void(land: Land, corner: tuple[float, float], picture: Array) -> None:
    """Update the linear picture of a square: the backdrop where clearance is positive, a darker limb before it."""
    if land.clearance.size == 0:
        return
    scale, seed = land.scale, int(land.seed) + 977
    for row in range(picture.shape[1]):
        y = -(corner[1] + row + 0.5) / scale
        for column in range(picture.shape[2]):
            x = (corner[0] + column + 0.5) / scale
            away = clearance_at(land, x, y)
            solid = f32(min(max(0.5 - away * scale, 0.0), 1.0))
            limb = LIMB_LIGHT + (f32(1.0) - LIMB_LIGHT) * smooth(f32(0.0), f32(LIMB), f32(-away))
            mist = max(f32(0.5) + fractal(x * 0.035, y * 0.035, 3, seed), f32(0.0))
            star = star_light(x, y, scale, seed + 7)
            for c in range(3):
                behind = DEEP[c] + MIST[c] * mist + STAR[c] * star
                picture[c, row, column] = behind + (picture[c, row, column] * limb - behind) * solid
