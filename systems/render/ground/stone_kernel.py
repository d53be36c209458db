"""Stones of the terrain picture: uneven domes in the height field."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from .paint_kernel import coarse_fields, paint_rows
from .picture_noise_kernel import noise2, random01, smooth

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Four
    from .land import Land

# Linear albedo of [look 3].
STONE_LOW = (f32(0.284), f32(0.260), f32(0.229))
STONE_HIGH = (f32(0.444), f32(0.365), f32(0.284))
MOSS = (f32(0.119), f32(0.160), f32(0.050))

UNEVEN = f32(0.45)  # how far noise moves the rim of a stone
FARTHEST_RIM = 2.0  # squared distance, in radii, where no stone is: noise is never below -1.1


@kernel()
def ground_under(land: Land, corner: tuple[float, float], i: int, j: int) -> float:
    """Return the height of the bare ground at a pixel that may lie outside of the region."""
    spot = (corner[0] + i, corner[1] + j)
    fields, albedo = np.empty((5, 2, 2), dtype=np.float32), np.empty((3, 1, 1), dtype=np.float32)
    height = np.empty((1, 1), dtype=np.float32)
    coarse_fields(land, spot, fields)
    paint_rows(land, spot, fields, 0, 1, height, albedo)
    return height[0, 0]


@kernel()
def put_stone(land: Land, corner: tuple[float, float], height: Array, albedo: Array, stone: Four, seed: int) -> None:
    """Update a region with one stone (x, y, radius, height): an uneven dome in the height field and its own colour."""
    scale, (left, top), (x, y, radius, tall) = land.scale, corner, stone
    ci, cj, reach = x * scale - left - 0.5, -y * scale - top - 0.5, radius * scale * 1.35
    rows, columns = height.shape
    i0, i1 = max(int(ci - reach), 0), min(int(ci + reach) + 2, columns)
    j0, j1 = max(int(cj - reach), 0), min(int(cj + reach) + 2, rows)
    if i0 >= i1 or j0 >= j1:
        return
    tone, stretch, turn = random01(seed, 1, 7), 0.72 + 0.5 * random01(seed, 2, 7), 6.283 * random01(seed, 3, 7)
    ct, st = math.cos(turn), math.sin(turn)
    if ci >= 0.0 and cj >= 0.0 and ci < columns and cj < rows:
        base = height[int(cj), int(ci)]
    else:
        base = ground_under(land, corner, math.floor(ci), math.floor(cj))
    mossy = f32(0.7) if random01(seed, 4, 7) < f32(0.25) else f32(0.0)
    for j in range(j0, j1):
        for i in range(i0, i1):
            px, py = (i - ci) / (radius * scale), (j - cj) / (radius * scale)
            u, v = (px * ct + py * st) / stretch, (py * ct - px * st)
            if u * u + v * v >= FARTHEST_RIM:
                continue
            bump = noise2(px * 1.3 + seed % 97, py * 1.3, seed)
            d = f32(u * u + v * v) * (f32(1.0) + UNEVEN * bump)
            if d >= f32(1.0):
                continue
            facet = noise2(px * 2.6 + seed % 91, py * 2.6, seed + 1)
            dome = math.sqrt(math.sqrt(f32(1.0) - d)) if d > f32(0.25) else f32(0.93) + f32(0.28) * (f32(0.25) - d)
            grain = noise2((left + i) / scale * 8.0, (top + j) / scale * 8.0, seed + 2)
            peak = base + f32(tall) * (dome + f32(0.10) * facet) + f32(0.018) * grain
            if peak <= height[j, i]:
                continue
            height[j, i] = peak
            k = f32(1.0) + f32(0.16) * facet + f32(0.20) * grain
            green = mossy * smooth(f32(0.0), f32(0.5), facet + f32(0.2) * grain)
            for c in range(3):
                bare = STONE_LOW[c] + (STONE_HIGH[c] - STONE_LOW[c]) * tone
                albedo[c, j, i] = (bare * k) * (f32(1.0) - green) + MOSS[c] * k * green


@kernel()
def scatter_stones(land: Land, corner: tuple[float, float], height: Array, albedo: Array, spacing: float, smallest: float,
                   largest: float, chance: float, salt: int) -> None:  # fmt: skip
    """Update a region with the random stones of one size class, one candidate per lattice cell."""
    scale, seed, (left, top) = land.scale, int(land.seed) * 31 + salt, corner
    rows, columns = height.shape
    i0, i1 = int(math.floor(left / scale / spacing)) - 1, int(math.floor((left + columns) / scale / spacing)) + 1
    j0, j1 = int(math.floor(-(top + rows) / scale / spacing)) - 1, int(math.floor(-top / scale / spacing)) + 1
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            x, y = (i + random01(i, j, seed + 1)) * spacing, (j + random01(i, j, seed + 2)) * spacing
            cluster = f32(0.5) + noise2(x * 0.13, y * 0.13, seed + 3)
            if random01(i, j, seed) > chance * max(cluster, f32(0.15)):
                continue
            t = random01(i, j, seed + 4)
            radius = smallest + (largest - smallest) * t * t * t
            tall = radius * (0.40 + 0.3 * random01(i, j, seed + 5))
            put_stone(land, corner, height, albedo, (x, y, radius, tall), (i * 7919 + j * 104729) & 0xFFFFFF)


@kernel()
def add_stones(land: Land, corner: tuple[float, float], height: Array, albedo: Array) -> None:
    """Update a region with all its stones, small ones last."""
    stones, limit = land.stones, land.stone_size
    for k in range(stones.shape[0]):
        put_stone(land, corner, height, albedo, (stones[k, 0], stones[k, 1], stones[k, 2], stones[k, 3]), k + 1)
    if limit > 0.5:
        scatter_stones(land, corner, height, albedo, 7.0, 0.45, limit, f32(0.75), 1)
    if limit > 0.16:
        scatter_stones(land, corner, height, albedo, 2.7, 0.18, min(limit, 0.55), f32(0.50), 2)
        if land.scale > 3.5:
            scatter_stones(land, corner, height, albedo, 1.25, 0.09, min(limit, 0.22), f32(0.26), 3)
