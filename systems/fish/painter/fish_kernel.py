"""Turn the columns of fishes into primitives: one pass over all of them, order kept within a fish."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ...render.creatures.emit_kernel import ground_at, layer_of
from ...render.creatures.loft_rows_kernel import caustics_at, fade_in, length_of, put_shadow_link, shadow_below
from ...render.creatures.primitive_fields import KIND
from ...render.water.pond_kernel import level_at
from .body_kernel import put_body
from .fins_kernel import put_face, put_pair, put_ridge, put_tail
from .looks import DORSAL, PECTORALS
from .school import CENTRE, KNOTS, LAST_RING, WIDE
from .spine_kernel import lay_spine, spine_length

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from ...render.creatures.sheet import Sheet, View
    from .school import School

SMALL, MEDIUM, LARGE = 16.0, 34.0, 70.0  # px, lengths from which on there are fins on the breast, on the back, all others
SHADOW_WIDTH = 1.25  # of the body: fins throw some, too
BEYOND = 0.35  # lengths that fins reach beyond the body


@kernel(refcount=False)
def put_shadow(sheet: Sheet, n: int, view: View, spine: Array, ground: float, shown: float) -> int:
    """Update the sheet with the shadow on the bed: displaced along the sun, softer and fainter with height."""
    middle = spine[CENTRE, 2]
    strength, below = shadow_below(view, middle[0], middle[1], middle[2], ground)
    if not strength > f32(0.0):
        return n
    knots = (0, 2, 4, 6) if shown > MEDIUM else (0, 2, 6, 6)
    for i in range(3):
        a, b = knots[i], knots[i + 1]
        if a == b:
            continue
        here, there = (spine[CENTRE, a, 0], spine[CENTRE, a, 1], spine[CENTRE, a, 2]), spine[CENTRE, b]
        least = 0.25 * length_of(spine[WIDE, 2])
        radii = (SHADOW_WIDTH * max(length_of(spine[WIDE, a]), least), SHADOW_WIDTH * length_of(spine[WIDE, b]))
        n = put_shadow_link(sheet, n, view, strength, below, here, (there[0], there[1], there[2]), radii)
    return n


@kernel(refcount=False)
def put_fish(sheet: Sheet, n: int, view: View, school: School, k: int, spine: Array, scratch: Array) -> int:
    """Update the sheet with one fish; return the next free row."""
    look, fins = school.looks[k], school.fins[k]
    lay_spine(school.nodes[k], look, spine)
    length = spine_length(spine)
    shown = length * view.scale
    x, y, z = spine[CENTRE, 2, 0], spine[CENTRE, 2, 1], spine[CENTRE, 2, 2]
    if not (length < 1e4 and abs(x) < 1e7 and abs(y) < 1e7 and abs(z) < 1e5):
        return n
    ground = ground_at(view, x, y)
    n = put_shadow(sheet, n, view, spine, ground, shown)
    reach = (0.5 + BEYOND) * length
    if abs(x - view.center_x) > 0.5 * view.width / view.scale + reach:
        return n
    if abs(y - view.center_y) > 0.5 * view.height / view.scale + reach:
        return n
    level = level_at(view.ponds, x, y)
    wet = level > ground
    place = (layer_of(view, x, y, z, ground), level if wet else -1e4)
    caustics = caustics_at(view, level - z, level - ground) if wet else 0.0
    hx, hy = spine[CENTRE, 1, 0] - spine[CENTRE, LAST_RING, 0], spine[CENTRE, 1, 1] - spine[CENTRE, LAST_RING, 1]
    far = max(math.sqrt(hx * hx + hy * hy), 1e-9)
    heading = (hx / far, hy / far)
    tail = school.tail_velocity[k]
    detail = length * view.limb_scale
    large, medium, small = fade_in(detail, LARGE), fade_in(detail, MEDIUM), fade_in(detail, SMALL)
    if large > 0.0:
        n = put_ridge(sheet, n, view, spine, look, place, length, caustics, scratch, (-1.0, 3.2, 4.5, 0.07, 1, large))
        n = put_pair(sheet, n, view, spine, look, fins, place, length, caustics, scratch, (1, large))
    if small > 0.0 and look[PECTORALS] > 0.0:
        n = put_pair(sheet, n, view, spine, look, fins, place, length, caustics, scratch, (0, small))
    n = put_tail(sheet, n, view, spine, look, tail, place, length, caustics, scratch)
    n = put_body(sheet, n, view, spine, look, heading, length, place, caustics, scratch)
    if medium > 0.0 and look[DORSAL] > 0.0:
        form = (1.0, 1.7, 3.8, 0.075 * look[DORSAL], 3 if detail >= LARGE else 1, medium)
        n = put_ridge(sheet, n, view, spine, look, place, length, caustics, scratch, form)
    return put_face(sheet, n, view, spine, look, fins, place, length, caustics, scratch)


@kernel()
def build_fishes(sheet: Sheet, n: int, view: View, school: School) -> int:
    """Update the sheet from all fishes of a school; return the next free row."""
    spine, scratch = np.zeros((3, KNOTS, 3)), np.zeros((3, 3, 3))
    for k in range(school.nodes.shape[0]):
        start = n
        n = put_fish(sheet, n, view, school, k, spine, scratch)
        for row in range(start, n):
            if sheet.prims[row, KIND] > f32(0.0):  # stations are no primitives
                sheet.creature[row] = school.creature[k]
    return n
