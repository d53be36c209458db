"""Logs that lie on the ground: bark with furrows along them, moss on top, pale wood where they were cut."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.growths import HEADING, HEIGHT, RADIUS, SEED, SOLID, X, Y, Z
from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from .coral_stamp_kernel import box_of, darker, mixed
from .picture_noise_kernel import fractal, noise2, smooth

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .land import Land

FURROW = (f32(0.030), f32(0.017), f32(0.010))
RIDGE = (f32(0.240), f32(0.145), f32(0.082))
MOSS = (f32(0.105), f32(0.150), f32(0.030))
WOOD = (f32(0.480), f32(0.320), f32(0.170))
CUT = 0.10  # units of pale wood at the ends
ROUGH = 0.07  # of the radius that ridges rise


@kernel(refcount=False)
def put_log(region: tuple[Land, tuple[float, float], Array, Array], log: Array) -> None:
    """Update a region with one log; HEIGHT is half its length, SOLID how much its axis rises per unit."""
    land, (left, top), height, albedo = region
    radius, half, seed = log[RADIUS], log[HEIGHT], int(log[SEED]) & 0xFFFFF
    c, s = math.cos(log[HEADING]), math.sin(log[HEADING])
    i0, i1, j0, j1, _, _ = box_of(region, log[X], log[Y], half + radius)
    for j in range(j0, j1):
        y = -(top + j + 0.5) / land.scale - log[Y]
        for i in range(i0, i1):
            x = (left + i + 0.5) / land.scale - log[X]
            along, across = x * c + y * s, y * c - x * s
            cover = f32(min(min((radius - abs(across)) * land.scale, (half - abs(along)) * land.scale) + 0.5, 1.0))
            if cover <= f32(0.0):
                continue
            turn = math.asin(min(max(across / radius, -1.0), 1.0)) * radius  # way round the bark
            warp = f32(0.5) * noise2(along * 0.35, turn * 0.8, seed)
            furrow = noise2(along * 0.55 + 3.0, turn * 3.4 + warp, seed + 1)
            furrow += f32(0.6) * noise2(along * 1.3, turn * 7.5 + f32(1.5) * warp, seed + 2)
            fine = noise2(along * 6.0, turn * 16.0, seed + 3)
            ridge = smooth(f32(-0.45), f32(0.40), furrow + f32(0.25) * fine)
            shade = darker(mixed(FURROW, RIDGE, ridge), f32(1.0) + f32(0.18) * fine)
            green = fractal(along * 0.28 + 11.0, turn * 0.5, 3, seed + 4) + f32(0.35) - f32(0.5 * abs(across) / radius)
            shade = mixed(shade, darker(MOSS, f32(1.0) + f32(0.3) * fine), f32(0.75) * smooth(f32(0.15), f32(0.55), green))
            shade = darker(shade, f32(0.45) + f32(0.65) * math.sqrt(max(f32(1.0) - f32((across / radius) ** 2), f32(0.0))))
            if half - abs(along) < CUT:
                shade = mixed(shade, WOOD, f32(0.8))
            dome = math.sqrt(max(radius * radius - across * across, 0.0))
            tall = log[Z] + along * log[SOLID] + dome + ROUGH * radius * (ridge - f32(0.5))
            height[j, i] += (f32(tall) - height[j, i]) * cover
            for k in range(3):
                albedo[k, j, i] += (shade[k] - albedo[k, j, i]) * cover
