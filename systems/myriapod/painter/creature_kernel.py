"""Turn pool columns into the primitive array: one pass over all creatures, order kept within a creature."""

from __future__ import annotations

import numpy as np
from numpy import float32 as f32

from ....engine.kernel import kernel
from ...render.creatures.emit_kernel import (
    CENTER_X,
    CENTER_Y,
    HEIGHT,
    LIMB_SCALE,
    SCALE,
    SHADOW_REACH,
    add_emission,
    broad_side,
    ground_at,
    layer_of,
    quaternion_axes,
)
from ...render.creatures.emit_kernel import WIDTH as VIEW_WIDTH
from ...render.creatures.primitive_fields import BOX, ELLIPSOID, LAYERS
from ...render.creatures.primitive_fields import PLATE as PLATE_KIND
from .colour_row import EYES, FORCIPULES, TAIL_LEGS, WIDTH
from .limb_kernel import put_antennae, put_between_legs, put_eyes, put_jaws, put_legs, put_tail_legs
from .trunk_kernel import put_contacts, put_head_shape, put_plates, put_rings, put_smooth, put_tissue

CENTIPEDE, MILLIPEDE, ROBOT, SMOOTH = 0, 1, 2, 3  # the values of scene.STYLE_*
DETAIL_SCALE = 6.0  # px per unit; below it legs and antennae have two links and small parts are left out [look study 7]
COARSE_SCALE = 4.5  # px per unit; below it a leg is one link
LIMB_REACH = 7.0  # units around the trunk that legs and antennae may cover
HIGHLIGHT = (f32(0.16), f32(0.15), f32(0.07))  # linear light added to a selected creature


@kernel()
def is_visible(view, position, first, count):
    """Return whether the box around a creature's trunk, widened by its limbs, touches the screen."""
    half_w = 0.5 * view[VIEW_WIDTH] / view[SCALE] + LIMB_REACH * (1.0 + 0.3 * view[SHADOW_REACH])
    half_h = 0.5 * view[HEIGHT] / view[SCALE] + LIMB_REACH * (1.0 + 0.3 * view[SHADOW_REACH])
    left, right, low, high = np.inf, -np.inf, np.inf, -np.inf
    for row in range(first, first + count):
        x, y = position[row, 0] - view[CENTER_X], position[row, 1] - view[CENTER_Y]
        left, right, low, high = min(left, x), max(right, x), min(low, y), max(high, y)
    return left < half_w and right > -half_w and low < half_h and high > -half_h


@kernel()
def leg_links(scale):
    """Return into how many links a leg is drawn at a scale (px per unit): three, two or one."""
    if scale >= DETAIL_SCALE:
        return 3
    return 2 if scale >= COARSE_SCALE else 1


@kernel()
def place_segments(view, elevation, position, first, count, grounds, places):
    """Update the ground height below and the draw layer of every segment of one creature."""
    for row in range(first, first + count):
        grounds[row] = ground_at(elevation, view, position[row, 0], position[row, 1])
        places[row] = layer_of(view, position[row, 0], position[row, 1], position[row, 2], grounds[row])


@kernel()
def put_front(
    prims, layers, n, view, elevation, ground, layer, position, orientation, half_extents, first, points, antenna, look,
    style, axes, links,
):  # fmt: skip
    """Update prims with jaws, antennae, head and eyes of one creature; return the next free row."""
    quaternion_axes(orientation, first, axes)
    broad_side(axes, 0.45)
    width = half_extents[first, 1] * look[WIDTH]
    if look[FORCIPULES] > 0.0 and links == 3:
        n = put_jaws(prims, layers, n, layer, view, ground, position, first, axes, width, look)
    n = put_antennae(prims, layers, n, view, elevation, points, antenna[0], antenna[1], layer, width, look, links)
    n = put_head_shape(
        prims, layers, n, layer, view, ground, position, first, axes, width, BOX if style == ROBOT else ELLIPSOID, look
    )
    if look[EYES] > 0.0 and links == 3:
        n = put_eyes(prims, layers, n, layer, view, ground, position, first, axes, width, look)
    return n


@kernel()
def put_trunk(
    prims, layers, n, view, elevation, grounds, places, position, orientation, half_extents, first, count, look, style,
    axes, scratch, links,
):  # fmt: skip
    """Update prims with the body of one creature in its style; return the next free row."""
    if style == MILLIPEDE:
        return put_rings(prims, layers, n, view, elevation, position, half_extents, first, count, look, scratch[1].ravel())
    if style == SMOOTH:
        return put_smooth(prims, layers, n, view, grounds, places, position, half_extents, first, count, look)
    n = put_tissue(
        prims, layers, n, view, grounds, places, position, half_extents, first, count, look, 1 if links == 3 else 2
    )
    return put_plates(
        prims, layers, n, view, grounds, places, position, orientation, half_extents, first, count, look,
        BOX if style == ROBOT else PLATE_KIND, axes, f32(1.0) if links == 3 else f32(0.0),
    )  # fmt: skip


@kernel()
def put_creature(
    prims, layers, n, view, elevation, grounds, places, position, orientation, half_extents, first, count, segment, joints,
    state, legs, points, antenna, look, style, show, axes, scratch,
):  # fmt: skip
    """Update prims with one whole creature, lowest parts first; return the next free row."""
    links = leg_links(view[LIMB_SCALE])
    place_segments(view, elevation, position, first, count, grounds, places)
    if links == 3:
        n = put_contacts(prims, layers, n, view, grounds, position, half_extents, first, count, look)
    if style == MILLIPEDE and links > 1:
        n = put_between_legs(
            prims, layers, n, view, elevation, grounds, places, half_extents, segment, joints, legs[0], legs[1], look, links,
            scratch,
        )  # fmt: skip
    n = put_legs(
        prims, layers, n, view, elevation, grounds, places, half_extents, segment, joints, state, legs[0], legs[1], look,
        show, links,
    )  # fmt: skip
    tail = first + count - 1
    if look[TAIL_LEGS] > 0.0 and links == 3:
        quaternion_axes(orientation, tail, axes)
        broad_side(axes, 0.45)
        n = put_tail_legs(
            prims, layers, n, places[tail], view, grounds[tail], position, tail, axes, half_extents[tail, 1] * look[WIDTH],
            look,
        )  # fmt: skip
    n = put_trunk(
        prims, layers, n, view, elevation, grounds, places, position, orientation, half_extents, first, count, look, style,
        axes, scratch, links,
    )  # fmt: skip
    return put_front(
        prims, layers, n, view, elevation, grounds[first], places[first], position, orientation, half_extents, first,
        points, antenna, look, style, axes, links,
    )  # fmt: skip


@kernel()
def build_creatures(
    prims, layers, n, view, elevation, spans, highlight, position, orientation, half_extents, segment, joints, state,
    points, table, show,
):  # fmt: skip
    """Update prims and layers from all creatures; return the next free row.

    spans rows: first segment, count, first leg, count, first antenna, count, style, appearance row.
    """
    axes = np.zeros((2, 3))
    scratch = np.zeros((2, 4, 3))
    grounds, places = np.zeros(position.shape[0]), np.zeros(position.shape[0], dtype=np.int64)
    for c in range(spans.shape[0]):
        first, count = spans[c, 0], spans[c, 1]
        if count <= 0 or not is_visible(view, position, first, count):
            continue
        start = n
        look = table[min(max(spans[c, 7], 0), table.shape[0] - 1)]
        n = put_creature(
            prims, layers, n, view, elevation, grounds, places, position, orientation, half_extents, first, count, segment,
            joints, state, (spans[c, 2], spans[c, 3]), points, (spans[c, 4], spans[c, 5]), look, spans[c, 6], show, axes,
            scratch,
        )  # fmt: skip
        if highlight[c] > 0.0:
            k = f32(highlight[c])
            add_emission(prims, start, n, HIGHLIGHT[0] * k, HIGHLIGHT[1] * k, HIGHLIGHT[2] * k)
    return n


@kernel()
def sort_layers(layers, n, counts, order):
    """Update order with the rows 0..n-1 sorted by layer; rows of one layer keep their order."""
    counts[:] = 0
    for k in range(n):
        counts[layers[k] + 1] += 1
    for layer in range(LAYERS):
        counts[layer + 1] += counts[layer]
    for k in range(n):
        order[counts[layers[k]]] = k
        counts[layers[k]] += 1
