"""Grass tufts and leaf rosettes: grown from lattice cells, drawn once into the terrain picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ..creatures.emit_kernel import put_link
from ..creatures.primitive_fields import CAPSULE, GROUND_LAYER, LEAF, P0, P1, R1
from ..creatures.sheet import Skin
from ..raster.tiles_kernel import draw_items, draw_shadow, shade_row
from ..water.pond_kernel import level_near
from .ground_material_kernel import material_noise, shares, smooth_sample
from .picture_noise_kernel import noise2, random01

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from ..creatures.sheet import Sheet, View
    from .land import Land

TUFT_SPACING, ROSETTE_SPACING = 1.05, 2.7  # units between candidates
OUTER_LEAVES, INNER_LEAVES = 9, 6  # of a rosette
FLOOD_MARGIN = 0.3  # units above the water line where land plants begin
# Linear colours of [look 3], already a little darker than the display values.
BLADES = np.array([(0.094, 0.176, 0.018), (0.179, 0.293, 0.030), (0.314, 0.404, 0.055), (0.055, 0.125, 0.020),
                   (0.434, 0.434, 0.084)], dtype=np.float32)  # fmt: skip
LEAVES = np.array([(0.096, 0.229, 0.033), (0.062, 0.200, 0.055), (0.150, 0.300, 0.040)], dtype=np.float32)


@kernel(refcount=False)
def put_tuft(sheet: Sheet, n: int, view: View, at: Vector, size: float, blades: int, links: int, seed: int) -> int:
    """Update the sheet with one tuft of bent blades at a point of the ground; return the next free row."""
    x, y, ground = at
    shade = int(4.999 * random01(seed, 0, 3))
    for k in range(blades):
        turn = 6.2832 * (k + 0.8 * random01(seed, k, 5)) / blades
        length = size * (0.55 + 0.65 * random01(seed, k, 6))
        bend = 0.9 * (random01(seed, k, 8) - 0.5)
        colour = BLADES[(shade + int(2.2 * random01(seed, k, 9))) % BLADES.shape[0]]
        px, py, pz = x, y, ground + 0.05
        for link in range(links):
            angle = turn + bend * link / links
            qx, qy = px + length / links * math.cos(angle), py + length / links * math.sin(angle)
            qz = pz + 0.45 * length / links * (1.0 - 0.45 * link)
            bright = f32(0.35 + 0.75 * (link + 0.5) / links)
            width = size * 0.052
            radii = (width * (1.0 - 0.75 * link / links), width * (1.0 - 0.85 * (link + 1) / links))
            skin = Skin(colour[0] * bright, colour[1] * bright, colour[2] * bright, f32(0.15), f32(0.0), f32(0.75))
            n = put_link(sheet, n, view, CAPSULE, GROUND_LAYER, ground, (px, py, pz), (qx, qy, qz), radii, skin)
            px, py, pz = qx, qy, qz
    return n


@kernel(refcount=False)
def put_rosette(sheet: Sheet, n: int, view: View, at: Vector, size: float, height: float, seed: int, shadow: float) -> int:
    """Update the sheet with two whorls of leaves at a point of the ground; return the next free row."""
    (x, y, ground), outer, inner = at, OUTER_LEAVES, INNER_LEAVES
    tone = LEAVES[int(2.999 * random01(seed, 1, 3))]
    for k in range(outer + inner):
        top = k >= outer
        share = k / outer if not top else (k - outer) / inner + 0.09
        turn = 6.2832 * (share + 0.05 * random01(seed, k, 4) + random01(seed, 2, 3))
        length = size * ((0.85 + 0.3 * random01(seed, k, 5)) if not top else 0.58)
        bright = f32(0.75 + 0.3 * random01(seed, k, 6)) if not top else f32(1.15)
        before = n
        z = ground + height * (0.6 if not top else 1.0)
        tip = (x + length * math.cos(turn), y + length * math.sin(turn), z)
        skin = Skin(tone[0] * bright, tone[1] * bright, tone[2] * bright, f32(0.45), f32(0.04), shadow)
        n = put_link(sheet, n, view, LEAF, GROUND_LAYER, ground, (x, y, z), tip, (length * 0.19, length * 0.19), skin)
        if n > before:
            row = sheet.prims[before]
            row[R1] = f32(0.10) * (random01(seed, k, 7) - f32(0.5))
            row[P0], row[P1] = f32(0.50), f32(0.55)
    return n


@kernel(refcount=False)
def grow_plants(sheet: Sheet, view: View, land: Land, corner: tuple[float, float], size: int) -> int:
    """Update the sheet with all plants that can be seen in a square of `size` pixels; return their number."""
    scale, seed, n, (left, top) = land.scale, int(land.seed) * 57 + 13, 0, corner
    blades, links = (22, 3) if scale >= 12.0 else ((12, 2) if scale >= 6.0 else (6, 1))
    for kind in range(2):
        spacing = TUFT_SPACING if kind == 0 else ROSETTE_SPACING
        pad = 1.6 / spacing
        i0, i1 = math.floor(left / scale / spacing - pad), math.floor((left + size) / scale / spacing + pad)
        j0, j1 = math.floor(-(top + size) / scale / spacing - pad), math.floor(-top / scale / spacing + pad)
        for j in range(int(j0), int(j1) + 1):
            for i in range(int(i0), int(i1) + 1):
                chance = random01(i, j, seed + kind)
                if chance > land.plants * (0.62 if kind == 0 else 0.40):
                    continue
                x, y = (i + random01(i, j, seed + 3)) * spacing, (j + random01(i, j, seed + 4)) * spacing
                ground = smooth_sample(land, land.elevation, x, y)
                zone, mid, rough, _ = material_noise(land, x, y)
                level = level_near(land.ponds, x, y)
                sand, grass, rock = shares(land, level, f32(ground), zone, mid, rough)
                patch = noise2(x * 0.22, y * 0.22, seed + 9)
                if rock > f32(0.3) or sand > f32(0.25) or ground < level + FLOOD_MARGIN:
                    continue
                cell = (i * 8191 + j * 131071) & 0xFFFFFF
                if kind == 0 and grass * (f32(0.7) + patch) > f32(0.35):
                    tall = 0.55 + 0.75 * random01(i, j, seed + 5)
                    n = put_tuft(sheet, n, view, (x, y, ground), tall, blades, links, cell)
                elif kind == 1 and patch > f32(-0.05):
                    wide = 0.55 + 0.85 * random01(i, j, seed + 6)
                    n = put_rosette(sheet, n, view, (x, y, ground), wide, 0.5 * wide, cell, f32(0.9))
    return n


@kernel(refcount=False)
def draw_plants(prims: Array, n: int, items: Array, light: Array, depth_table: Array, shadow: Array, picture: Array,
                surface: Array) -> None:  # fmt: skip
    """Update the linear picture with plant shadows and plants."""
    size_y, size_x = picture.shape[1], picture.shape[2]
    for q in range(n):
        draw_shadow(prims, q, light, shadow, 0, 0, size_x // 2, size_y // 2, 1)
    for y in range(size_y):
        j, mix = (y + 1) // 2, f32(0.25) if y % 2 == 1 else f32(0.75)
        shade_row(shadow[j], shadow[j + 1], mix, light, picture[0, y], picture[1, y], picture[2, y])
    draw_items(prims, items, 0, n, light, depth_table, picture, surface, 0, 0)
