"""Turn swimmers into primitives: one pass over all of them and their parts, in the order in which these are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ...render.creatures.emit_kernel import fill_row, ground_at, layer_of, put_link, quaternion_axes, to_screen
from ...render.creatures.loft_rows_kernel import (
    caustics_at,
    fade_in,
    put_disc,
    put_fin,
    put_shadow_link,
    shadow_below,
)
from ...render.creatures.primitive_fields import ALPHA as ALPHA_FIELD
from ...render.creatures.primitive_fields import CAPSULE, EB, EG, ER, GLOW, P2, X0, X1, Y0
from ...render.creatures.primitive_fields import KIND as KIND_FIELD
from ...render.creatures.sheet import Skin
from ...render.water.pond_kernel import level_at
from .part_fields import (
    ALPHA,
    BLUE,
    EYE,
    FIRST,
    GLOSS,
    GREEN,
    HIGH,
    KIND,
    LEAST,
    LIGHT,
    LINK,
    LINK_FORWARD,
    LINK_JOINT,
    LINK_LEFT,
    LINK_ROWS,
    MOST_GUIDES,
    RED,
    ROD,
    SHADOW,
    SHINE,
    TUBE,
    WIDE,
    A,
    B,
    C,
)
from .tube_kernel import guide_point, put_tube

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from ...render.creatures.sheet import Sheet, View
    from .part_fields import Shoal

REACH = 0.6  # body lengths that parts and shadows reach beyond the middles of links
MOST_SEGMENTS = 32
SMALLEST_EYE = 0.4  # px, radius
DRY = -1.0e4  # level of the water where there is none


@kernel(refcount=False)
def lay_frames(shoal: Shoal, k: int, frames: Array) -> None:
    """Update frames (segments, 4, 3) with the joint and the axes of every link of swimmer k."""
    for i in range(shoal.size[k]):
        row = shoal.first[k] + i
        frame, half = frames[i], shoal.half_length[row]
        quaternion_axes(shoal.orientation, row, frame[LINK_FORWARD:])
        for c in range(3):
            frame[LINK_JOINT, c] = shoal.position[row, c] + half * frame[LINK_FORWARD, c]


@kernel(refcount=False)
def put_small_part(sheet: Sheet, n: int, view: View, part: Array, guides: Array, frames: Array, own: Vector,
                   place: tuple[int, float, float], shadow: tuple[float, float]) -> int:  # fmt: skip
    """Update the sheet with a part that is no tube; return the next free row."""
    (length, steer, seen), (layer, level, caustics), (strength, below) = own, place, shadow
    kind, first = int(part[KIND]), int(part[FIRST])
    guide, before = guides[first], n
    a = guide_point(guide, frames, length, steer)
    colour = (f32(part[RED]), f32(part[GREEN]), f32(part[BLUE]))
    forward, left = frames[int(guide[LINK]), LINK_FORWARD], frames[int(guide[LINK]), LINK_LEFT]
    if kind == EYE:
        wide, high = length * guide[WIDE], length * guide[HIGH]
        clear = min(max(min(wide, high) * view.scale - SMALLEST_EYE, 0.0) / SMALLEST_EYE, 1.0)
        along, across = (wide * forward[0], wide * forward[1]), (high * left[0], high * left[1])
        if clear > 0.0:
            n = put_disc(sheet, n, view, (layer, level), a, along, across, colour, part[A], part[B], caustics)
        if n > before:
            sheet.prims[before, ALPHA_FIELD] = f32(clear * part[ALPHA] * seen)
    elif kind == SHINE:
        if n < sheet.prims.shape[0]:
            nothing = f32(0.0)
            x, y = to_screen(view, a[0], a[1])
            fill_row(sheet, n, GLOW, layer, Skin(colour[0], colour[1], colour[2], nothing, nothing, nothing))
            row = sheet.prims[n]
            row[X0], row[Y0], row[X1] = f32(x), f32(y), f32(max(length * guide[WIDE] * view.scale, 1.0))
            row[ALPHA_FIELD], row[P2] = f32(part[ALPHA] * seen), f32(part[A])
            n += 1
        return n
    else:
        b = guide_point(guides[first + 1], frames, length, steer)
        radii = (length * guide[WIDE], length * guides[first + 1, WIDE])
        if kind == SHADOW:
            if strength > f32(0.0):
                n = put_shadow_link(sheet, n, view, strength * f32(part[ALPHA]), below, a, b, radii)
            return n
        if kind == ROD:
            skin = Skin(colour[0], colour[1], colour[2], f32(part[GLOSS]), f32(0.05), f32(0.0))
            n = put_link(sheet, n, view, CAPSULE, layer, ground_at(view, a[0], a[1]), a, b, radii, skin)
            if n > before:
                sheet.prims[before, ALPHA_FIELD] *= f32(part[ALPHA] * seen)
        else:
            c = guide_point(guides[first + 2], frames, length, steer)
            d = guide_point(guides[first + 3], frames, length, steer)
            bow = (length * part[C] * forward[0], length * part[C] * forward[1])
            form = (part[A], part[B], part[ALPHA] * seen)
            n = put_fin(sheet, n, view, (layer, level), (a, b), (c, d), bow, colour, form, caustics)
    if n > before and part[LIGHT] > 0.0:
        row, glow = sheet.prims[before], f32(part[LIGHT])
        row[ER], row[EG], row[EB] = colour[0] * glow, colour[1] * glow, colour[2] * glow
    return n


@kernel(refcount=False)
def in_view(view: View, shoal: Shoal, k: int, margin: float) -> bool:
    """Return whether any link of swimmer k is within the picture, or so near that its parts or shadow may be."""
    right, upper = 0.5 * view.width / view.scale + margin, 0.5 * view.height / view.scale + margin
    for i in range(shoal.size[k]):
        at = shoal.position[shoal.first[k] + i]
        if abs(at[0] - view.center_x) < right and abs(at[1] - view.center_y) < upper and abs(at[2]) < 1e5:
            return True
    return False


@kernel(refcount=False)
def put_swimmer(sheet: Sheet, n: int, view: View, shoal: Shoal, k: int, frames: Array, bent: Array, scratch: Array) -> int:
    """Update the sheet with one swimmer; return the next free row."""
    length, root = shoal.length[k], shoal.position[shoal.first[k]]
    x, y, z = root[0], root[1], root[2]
    ground = ground_at(view, x, y)
    shadow = shadow_below(view, x, y, z, ground)
    if not in_view(view, shoal, k, REACH * length + view.shadow_reach * max(z - shadow[1], 0.0)):
        return n
    level = level_at(view.ponds, x, y)
    wet = level > ground
    caustics = caustics_at(view, level - z, level - ground) if wet else 0.0
    place = (layer_of(view, x, y, z, ground), level if wet else DRY, caustics)
    lay_frames(shoal, k, frames)
    detail = length * view.limb_scale
    for p in range(shoal.first_part[k], shoal.first_part[k] + shoal.part_count[k]):
        part = shoal.parts[p]
        seen = fade_in(detail, part[LEAST]) if part[LEAST] > 0.0 else 1.0
        if seen <= 0.0:
            continue
        own = (length, shoal.steer[k], seen)
        if int(part[KIND]) == TUBE:
            n = put_tube(sheet, n, view, part, shoal.guides, frames, own, place, bent, scratch)
        else:
            n = put_small_part(sheet, n, view, part, shoal.guides, frames, own, place, shadow)
    return n


@kernel()
def build_swimmers(sheet: Sheet, n: int, view: View, shoal: Shoal) -> int:
    """Update the sheet from all swimmers of a shoal; return the next free row."""
    frames, bent, scratch = np.zeros((MOST_SEGMENTS, LINK_ROWS, 3)), np.zeros((3, MOST_GUIDES, 3)), np.zeros((2, 3, 3))
    for k in range(shoal.first.shape[0]):
        start = n
        n = put_swimmer(sheet, n, view, shoal, k, frames, bent, scratch)
        for row in range(start, n):
            if sheet.prims[row, KIND_FIELD] > f32(0.0):  # stations are no primitives
                sheet.creature[row] = shoal.creature[k]
    return n
