"""Tiles: sort primitives into them, lay soft shadows at half resolution, compose the final picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.kernel_types import int32, uint32
from ....engine.work_counter import take_next
from ..creatures.primitive_fields import (
    ALPHA,
    BOX,
    CAPSULE,
    CONTACT,
    DENT,
    DYE,
    EYE,
    FIN,
    GLOW,
    H0,
    H1,
    KIND,
    LAYERS,
    LEAF,
    LINE,
    LOFT,
    P0,
    P1,
    PAD,
    PLATE,
    R0,
    R1,
    RING,
    SHADOW,
    SHELL,
    TILE_H,
    TILE_W,
    X0,
    X1,
    Y0,
    Y1,
)
from ..scene.light import SHADOW_DEPTH, SHADOW_X, SHADOW_Y
from .box_shadow_kernel import SOFT_EDGE, SOFT_EDGE_PER_PIXEL, box_reach, draw_box_shadow
from .capsule_kernel import draw_capsule, draw_hair, draw_line, is_hair, strip_slope
from .decal_kernel import draw_dent, draw_glow, draw_leaf
from .dye_kernel import draw_dye
from .fin_kernel import draw_eye, draw_fin
from .loft_kernel import draw_loft
from .pad_kernel import draw_pad
from .rounded_shape_kernel import draw_shape
from .shade_kernel import COLUMNS, copy_row, pixel_range, vector_range
from .shell_kernel import draw_shell
from .sky_mask_kernel import leave_sky
from .tiny_plates_kernel import SMALL, SMALL_RING, draw_small

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Four
    from .frame import Bins, Sky

FIRST_I, LAST_I, FIRST_J, LAST_J = range(4)  # columns of the tile boxes of primitives
CONTACT_REACH = f32(1.4)  # of the radius: as far as the dark touch of a body on the ground spreads
SPREAD = f32(2.0)  # px; a pixel mixes the half-res shadow pixels around it
BRIGHTEST_GROUND = f32(1.5)  # linear light of a background byte of 255
BYTE_SQUARED = f32(BRIGHTEST_GROUND / (255.0 * 255.0))


@kernel(refcount=False)
def shadow_segment(prims: Array, k: int, light: Array) -> tuple[float, ...]:
    """Return the ends and radii, in pixels, of the capsule whose shape primitive k throws on the ground."""
    p = prims[k]
    kind = int(p[KIND])
    if kind == CAPSULE or kind == LINE or kind == LEAF or kind == CONTACT:
        ax, ay, bx, by, ra, rb = p[X0], p[Y0], p[X1], p[Y1], p[R0], p[R1]
        if kind == LEAF:
            rb = ra
    else:
        wide, half = math.sqrt(p[R0] * p[R0] + p[R1] * p[R1]), f32(0.5)
        long = math.sqrt(p[X1] * p[X1] + p[Y1] * p[Y1])
        half = max(f32(1.0) - wide / max(long, f32(1e-3)), f32(0.12)) if long > wide else f32(0.12)
        ax, ay = p[X0] - p[X1] * half, p[Y0] - p[Y1] * half
        bx, by = p[X0] + p[X1] * half, p[Y0] + p[Y1] * half
        ra = rb = min(wide, max(long, wide * f32(0.8)))
    ha = p[H0]
    hb = p[H1] if kind == CAPSULE or kind == LINE else ha
    ax, ay = ax + ha * light[SHADOW_X], ay + ha * light[SHADOW_Y]
    return ax, ay, bx + hb * light[SHADOW_X], by + hb * light[SHADOW_Y], ra, rb, ha, hb


@kernel(refcount=False)
def bounds(prims: Array, k: int, light: Array, shadow: bool) -> Four:
    """Return the pixel box of primitive k or of its shadow; an empty box when there is nothing to draw."""
    p = prims[k]
    kind = int(p[KIND])
    if shadow:
        if p[SHADOW] <= f32(0.0):
            return f32(1.0), f32(1.0), f32(0.0), f32(0.0)
        if kind == BOX:
            x, y, reach_x, reach_y = box_reach(p, light)
            soft = f32(2.0) * (SOFT_EDGE + SOFT_EDGE_PER_PIXEL * p[H1]) + SPREAD
            return x - reach_x - soft, y - reach_y - soft, x + reach_x + soft, y + reach_y + soft
        ax, ay, bx, by, ra, rb, ha, hb = shadow_segment(prims, k, light)
        reach = CONTACT_REACH * max(ra, rb)
        if kind != CONTACT:
            reach = max(ra + SOFT_EDGE_PER_PIXEL * ha, rb + SOFT_EDGE_PER_PIXEL * hb) + SOFT_EDGE
        reach += SPREAD
        return min(ax, bx) - reach, min(ay, by) - reach, max(ax, bx) + reach, max(ay, by) + reach
    if kind == CONTACT or p[ALPHA] <= f32(0.0):
        return f32(1.0), f32(1.0), f32(0.0), f32(0.0)
    if kind == CAPSULE or kind == LINE:
        reach = max(p[R0], p[R1]) + f32(1.0)
        return min(p[X0], p[X1]) - reach, min(p[Y0], p[Y1]) - reach, max(p[X0], p[X1]) + reach, max(p[Y0], p[Y1]) + reach
    if kind == LEAF:
        dx, dy = p[X1] - p[X0], p[Y1] - p[Y0]
        reach = p[R0] + abs(p[R1]) * math.sqrt(dx * dx + dy * dy) + f32(1.0)
        return min(p[X0], p[X1]) - reach, min(p[Y0], p[Y1]) - reach, max(p[X0], p[X1]) + reach, max(p[Y0], p[Y1]) + reach
    if kind == LOFT or kind == DYE:
        return p[X0], p[Y0], p[X1], p[Y1]
    if kind == FIN:
        left, right = min(p[X0], p[X1], p[P0], p[R0]), max(p[X0], p[X1], p[P0], p[R0])
        upper, lower = min(p[Y0], p[Y1], p[P1], p[R1]), max(p[Y0], p[Y1], p[P1], p[R1])
        bow_x, bow_y = abs(p[H0]) + f32(1.0), abs(p[H1]) + f32(1.0)
        return left - bow_x, upper - bow_y, right + bow_x, lower + bow_y
    if kind == GLOW:
        return p[X0] - p[X1], p[Y0] - p[X1], p[X0] + p[X1], p[Y0] + p[X1]
    grow = f32(1.6) if kind == DENT else f32(1.0)
    reach_x, reach_y = grow * (abs(p[X1]) + abs(p[R0])) + f32(1.0), grow * (abs(p[Y1]) + abs(p[R1])) + f32(1.0)
    return p[X0] - reach_x, p[Y0] - reach_y, p[X0] + reach_x, p[Y0] + reach_y


@kernel()
def sort_layers(layers: Array, n: int, counts: Array, order: Array) -> None:
    """Update order with the rows 0..n-1 sorted by layer; rows of one layer keep their order."""
    counts[:] = 0
    for k in range(n):
        counts[layers[k] + 1] += 1
    for layer in range(LAYERS):
        counts[layer + 1] += counts[layer]
    for k in range(n):
        order[counts[layers[k]]] = k
        counts[layers[k]] += 1


@kernel(refcount=False)
def count_plane(bins: Bins, n: int, light: Array, plane: int) -> None:
    """Update the tile box of every primitive and the list starts of every tile, for colour (0) or shadow (1)."""
    tiles_x, tiles_y, starts, ranges = bins.tiles_x, bins.tiles_y, bins.starts[plane], bins.ranges[plane]
    starts[:] = 0
    for k in range(n):
        x0, y0, x1, y1 = bounds(bins.prims, k, light, plane == 1)
        i0, i1 = max(int(math.floor(x0)) // TILE_W, 0), min(int(math.ceil(x1)) // TILE_W, tiles_x - 1)
        j0, j1 = max(int(math.floor(y0)) // TILE_H, 0), min(int(math.ceil(y1)) // TILE_H, tiles_y - 1)
        if x1 < x0:
            i1 = i0 - 1
        ranges[k, FIRST_I], ranges[k, LAST_I], ranges[k, FIRST_J], ranges[k, LAST_J] = i0, i1, j0, j1
        for j in range(j0, j1 + 1):
            for i in range(i0, i1 + 1):
                starts[j * tiles_x + i + 1] += 1
    for t in range(tiles_x * tiles_y):
        starts[t + 1] += starts[t]


@kernel(refcount=False)
def fill_plane(bins: Bins, n: int, plane: int) -> None:
    """Update items with the primitives of every tile, in drawing order."""
    ranges, cursor, items, tiles_x = bins.ranges[plane], bins.cursor[plane], bins.items[plane], bins.tiles_x
    copy_row(bins.starts[plane], cursor)
    for q in range(n):
        k = bins.order[q]
        for j in range(ranges[k, FIRST_J], ranges[k, LAST_J] + 1):
            for i in range(ranges[k, FIRST_I], ranges[k, LAST_I] + 1):
                t = j * tiles_x + i
                items[cursor[t]] = k
                cursor[t] += 1


@kernel()
def count_tiles(bins: Bins, n: int, light: Array, _seat: int, taken: Array) -> None:
    """Update ranges and starts for colour and shadow."""
    plane = take_next(taken)
    while plane < 2:
        count_plane(bins, n, light, plane)
        plane = take_next(taken)


@kernel()
def fill_tiles(bins: Bins, n: int, _seat: int, taken: Array) -> None:
    """Update items for colour and shadow."""
    plane = take_next(taken)
    while plane < 2:
        fill_plane(bins, n, plane)
        plane = take_next(taken)


@kernel(refcount=False)
def draw_shadow(prims: Array, k: int, light: Array, shadow: Array, left: int, top: int, right: int, bottom: int,
                step: int) -> None:  # fmt: skip
    """Update every step-th row of the half-res shadow box with the soft shadow of primitive k, combined by maximum."""
    ax, ay, bx, by, ra, rb, ha, hb = shadow_segment(prims, k, light)
    half = f32(0.5)
    ax, ay, bx, by, ra, rb = ax * half, ay * half, bx * half, by * half, ra * half, rb * half
    strength = prims[k, SHADOW]
    contact = int(prims[k, KIND]) == CONTACT
    dx, dy = bx - ax, by - ay
    inverse = f32(1.0) / max(dx * dx + dy * dy, f32(1e-6))
    reach = CONTACT_REACH * max(ra, rb)
    if not contact:
        reach = max(ra + SOFT_EDGE_PER_PIXEL * half * ha, rb + SOFT_EDGE_PER_PIXEL * half * hb) + SOFT_EDGE * half
    y_first, y_last = pixel_range(min(ay, by) - reach, max(ay, by) + reach, top, bottom - top)
    low, high = min(ax, bx) - reach, max(ax, bx) + reach
    slant, width = strip_slope(dx, dy, reach)
    for y in range(top + -(-y_first // step) * step, y_last + top, step):
        qy = f32(y) + half - ay
        middle = ax + qy * slant
        x_first, x_last = pixel_range(max(low, middle - width), min(high, middle + width), left, right - left)
        if x_first >= x_last:
            continue
        x_first, x_last = vector_range(x_first, x_last, right - left)
        row = shadow[y + 1, left + x_first + 1 : left + x_last + 1]
        start = f32(left + x_first) + half - ax
        for i in range(row.size):
            qx = COLUMNS[i] + start
            t = min(max((qx * dx + qy * dy) * inverse, f32(0.0)), f32(1.0))
            ex, ey = qx - t * dx, qy - t * dy
            r, ee = ra + (rb - ra) * t, ex * ex + ey * ey
            if contact:
                s = max(f32(1.0) - ee / (CONTACT_REACH * CONTACT_REACH * r * r), f32(0.0))
                s = s * s * strength
            else:
                edge = f32(1.0) / (SOFT_EDGE + SOFT_EDGE_PER_PIXEL * (ha + (hb - ha) * t))
                s = min((r - math.sqrt(ee)) * edge + half, f32(1.0)) * min(f32(2.0) * r * edge, f32(1.0)) * strength
            row[i] = max(row[i], s)


@kernel(refcount=False)
def shadow_tile(t: int, bins: Bins, light: Array, shadow: Array, sky: Sky, step: int) -> None:
    """Update one tile of the half-res shadow image, which has one pixel of padding; only every step-th row is drawn."""
    prims, starts, items = bins.prims, bins.starts, bins.items
    left, top = (t % bins.tiles_x) * (TILE_W // 2), (t // bins.tiles_x) * (TILE_H // 2)
    right, bottom = min(left + TILE_W // 2, shadow.shape[1] - 2), min(top + TILE_H // 2, shadow.shape[0] - 2)
    shadow[top + 1 : bottom + 1, left + 1 : right + 1] = f32(0.0)
    for q in range(starts[1, t], starts[1, t + 1]):
        k = items[1, q]
        if int(prims[k, KIND]) == BOX:
            draw_box_shadow(prims, k, light, shadow, left, top, right, bottom, step)
        else:
            draw_shadow(prims, k, light, shadow, left, top, right, bottom, step)
    if step > 1 and starts[1, t + 1] > starts[1, t]:
        for y in range(top, bottom):
            drawn = top + (y - top) // step * step
            copy_row(shadow[drawn + 1, left + 1 :], shadow[y + 1, left + 1 : right + 1])
    leave_sky(sky, shadow, left, top, right, bottom)


@kernel(refcount=False, inline=True)
def decode_row(packed: Array, out_r: Array, out_g: Array, out_b: Array) -> None:
    """Update three rows of linear light from packed background pixels."""
    for x in range(packed.size):
        v = packed[x]
        r = f32(int32((v >> uint32(16)) & uint32(255)))
        g = f32(int32((v >> uint32(8)) & uint32(255)))
        b = f32(int32(v & uint32(255)))
        out_r[x], out_g[x], out_b[x] = r * r * BYTE_SQUARED, g * g * BYTE_SQUARED, b * b * BYTE_SQUARED


@kernel(refcount=False, inline=True)
def shade_row(near: Array, far: Array, b: float, light: Array, out_r: Array, out_g: Array, out_b: Array) -> None:
    """Update three rows of linear light by two half-res shadow rows, mixed by b; the first pixel has an even column."""
    bits = int32(0)
    for i in range(out_r.size // 2 + 2):  # as whole numbers, which run as vectors
        bits = int32(bits | int32(np.float32(near[i]).view(np.int32) | np.float32(far[i]).view(np.int32)))
    if bits == 0:
        return  # no shadow in this row
    dr, dg, db = light[SHADOW_DEPTH], light[SHADOW_DEPTH + 1], light[SHADOW_DEPTH + 2]
    a = f32(1.0) - b
    one, quarter, most = f32(1.0), f32(0.25), f32(0.75)
    if out_r.size % 2 == 1:  # the last column of a picture of odd width
        x = out_r.size - 1
        last = near[x // 2 + 1] * a + far[x // 2 + 1] * b
        out_r[x] *= one - last * dr
        out_g[x] *= one - last * dg
        out_b[x] *= one - last * db
    for i in range(out_r.size // 2):
        s0, s1, s2 = near[i] * a + far[i] * b, near[i + 1] * a + far[i + 1] * b, near[i + 2] * a + far[i + 2] * b
        even, odd = s0 * quarter + s1 * most, s1 * most + s2 * quarter
        x = 2 * i
        out_r[x] *= one - even * dr
        out_g[x] *= one - even * dg
        out_b[x] *= one - even * db
        out_r[x + 1] *= one - odd * dr
        out_g[x + 1] *= one - odd * dg
        out_b[x + 1] *= one - odd * db


@kernel(refcount=False)
def is_small(prims: Array, k: int) -> bool:
    """Return whether plate or ring k is only a few pixels large."""
    p = prims[k]
    size = SMALL_RING if int(p[KIND]) == RING else SMALL
    return p[X1] * p[X1] + p[Y1] * p[Y1] + p[R0] * p[R0] + p[R1] * p[R1] < size * size


@kernel(refcount=False)
def draw_item(prims: Array, k: int, light: Array, depth_table: Array, tile: Array, surface: Array, left: int,
              top: int) -> None:  # fmt: skip
    """Update the tile with primitive k, which needs no skin."""
    kind = int(prims[k, KIND])
    if kind == LINE and is_hair(prims[k]):
        draw_hair(prims, k, light, tile, left, top)
    elif kind == LINE:
        draw_line(prims, k, light, depth_table, tile, surface, left, top)
    elif kind == CAPSULE:
        draw_capsule(prims, k, light, depth_table, tile, surface, left, top)
    elif kind == GLOW:
        draw_glow(prims, k, light, tile, left, top)
    elif kind == DENT:
        draw_dent(prims, k, light, tile, left, top)
    elif kind == LEAF:
        draw_leaf(prims, k, light, depth_table, tile, surface, left, top)
    elif (kind == PLATE or kind == RING) and is_small(prims, k):
        draw_small(prims, k, light, depth_table, tile, surface, left, top)
    else:
        draw_shape(prims, k, light, depth_table, tile, surface, left, top)


@kernel(refcount=False)
def draw_items(prims: Array, items: Array, start: int, stop: int, light: Array, depth_table: Array, tile: Array,
               surface: Array, left: int, top: int) -> None:  # fmt: skip
    """Update the tile with its primitives in order; none of them has a skin."""
    for q in range(start, stop):
        draw_item(prims, items[0, q], light, depth_table, tile, surface, left, top)


@kernel(refcount=False)
def draw_bins(bins: Bins, t: int, light: Array, depth_table: Array, tile: Array, surface: Array, left: int,
              top: int) -> None:  # fmt: skip
    """Update tile t with its primitives in order."""
    prims, items = bins.prims, bins.items
    for q in range(bins.starts[0, t], bins.starts[0, t + 1]):
        k = items[0, q]
        kind = int(prims[k, KIND])
        if kind == LOFT:
            draw_loft(prims, k, bins.skins, light, depth_table, tile, surface, left, top)
        elif kind == FIN:
            draw_fin(prims, k, light, depth_table, tile, surface, left, top)
        elif kind == PAD:
            draw_pad(prims, k, light, tile, left, top)
        elif kind == EYE:
            draw_eye(prims, k, light, depth_table, tile, surface, left, top)
        elif kind == DYE:
            draw_dye(prims, k, light, tile, left, top)
        elif kind == SHELL:
            draw_shell(prims, k, light, depth_table, tile, surface, left, top)
        else:
            draw_item(prims, k, light, depth_table, tile, surface, left, top)
