"""Pebbles on the bed of a pond: round stones of many sizes, some of them green with moss."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ..water.pond_kernel import level_near
from .coral_stamp_kernel import box_of, darker, mixed, stamp
from .ground_material_kernel import smooth_sample
from .picture_noise_kernel import noise2, random01, smooth

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .land import Land

TONES = np.array([(0.62, 0.55, 0.45), (0.46, 0.46, 0.46), (0.74, 0.60, 0.42), (0.36, 0.34, 0.33), (0.92, 0.85, 0.74),
                  (0.60, 0.40, 0.27)], dtype=np.float32)  # fmt: skip
MOSS = (f32(0.17), f32(0.34), f32(0.07))
CLASSES = np.array([[0.72, 0.12, 0.32, 0.85], [1.5, 0.24, 0.60, 0.60], [5.0, 0.6, 1.6, 0.42]])  # spacing, radii (u), share
SMALLEST = 1.3  # px of a radius; smaller ones are left out
SHALLOWEST = 0.12  # units of water above the bed where they begin


@kernel(refcount=False)
def put_pebble(region: tuple[Land, tuple[float, float], Array, Array], x: float, y: float, radius: float, base: float,
               seed: int) -> None:  # fmt: skip
    """Update a region with one stone."""
    land, (left, top), height, albedo = region
    stretch, turn = 0.66 + 0.5 * random01(seed, 2, 41), 6.2832 * random01(seed, 3, 41)
    c, s = math.cos(turn) / (radius * land.scale), math.sin(turn) / (radius * land.scale)
    tone = TONES[int(5.999 * random01(seed, 1, 41))]
    colour = (tone[0], tone[1], tone[2])
    mossy = f32(0.85) if random01(seed, 4, 41) < f32(0.34) else f32(0.0)
    tall = f32(radius * (0.42 + 0.25 * random01(seed, 5, 41)))
    i0, i1, j0, j1, ci, cj = box_of(region, x, y, 1.2 * radius)
    for j in range(j0, j1):
        for i in range(i0, i1):
            u, v = ((i - ci) * c + (j - cj) * s) / stretch, (j - cj) * c - (i - ci) * s
            far = u * u + v * v
            if far > 1.6:
                continue
            uneven = noise2(1.4 * u + seed % 89, 1.4 * v, seed)
            d = f32(math.sqrt(far)) * (f32(1.0) + f32(0.16) * uneven)
            cover = min(max((f32(1.0) - d) * f32(radius * land.scale) + f32(0.5), f32(0.0)), f32(1.0))
            if cover <= f32(0.0):
                continue
            grain = noise2(4.6 * u + seed % 83, 4.6 * v, seed + 1)
            dome = math.sqrt(max(f32(1.0) - d * d, f32(0.0)))
            green = mossy * smooth(f32(-0.25), f32(0.45), uneven + f32(0.4) * grain)
            shade = darker(mixed(colour, MOSS, green), f32(1.0) + f32(0.18) * grain)
            stamp(height, albedo, j, i, f32(base) + tall * (dome - f32(0.15)) + f32(0.02) * grain * tall, cover, shade)


@kernel(refcount=False)
def add_pebbles(region: tuple[Land, tuple[float, float], Array, Array], seed: int) -> None:
    """Update a region with all its pebbles, large ones last."""
    land, (left, top), height, _ = region
    scale, (rows, columns) = land.scale, height.shape
    for size in range(CLASSES.shape[0]):
        spacing, smallest, largest, share = CLASSES[size, 0], CLASSES[size, 1], CLASSES[size, 2], CLASSES[size, 3]
        if largest * scale < SMALLEST:
            continue
        pad, salt = largest / spacing, seed + 97 * size
        i0, i1 = math.floor(left / scale / spacing - pad), math.floor((left + columns) / scale / spacing + pad)
        j0, j1 = math.floor(-(top + rows) / scale / spacing - pad), math.floor(-top / scale / spacing + pad)
        for j in range(int(j0), int(j1) + 1):
            for i in range(int(i0), int(i1) + 1):
                x, y = (i + random01(i, j, salt + 1)) * spacing, (j + random01(i, j, salt + 2)) * spacing
                crowd = f32(0.55) + f32(0.9) * noise2(x * 0.11, y * 0.11, seed + 3)
                if random01(i, j, salt) > f32(share) * min(max(crowd, f32(0.12)), f32(1.25)):
                    continue
                base = smooth_sample(land, land.elevation, x, y)
                if not level_near(land.ponds, x, y) - base > SHALLOWEST:
                    continue
                t = random01(i, j, salt + 4)
                radius = smallest + (largest - smallest) * t * t
                if radius * scale > 0.5 * SMALLEST:
                    put_pebble(region, x, y, radius, base, (i * 7919 + j * 104729 + size) & 0xFFFFFF)
