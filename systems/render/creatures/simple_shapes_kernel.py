"""Balls, ellipsoids and capsules as primitives."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from .emit_kernel import ground_at, layer_of, mark_creature, put_contact, put_link, put_shape, quaternion_axes
from .primitive_fields import CAPSULE, ELLIPSOID, HIGH, Z0
from .sheet import Skin

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from .sheet import Sheet, View
    from .simple_shapes import Shapes

BALL, ELLIPSOID_SHAPE, CAPSULE_SHAPE = range(3)
RIM = f32(0.10)  # light around the edge of all of them
SPOT = 0.32  # radius of a spot, of the ball's
SPOT_PLACE = math.sqrt(1.0 - SPOT * SPOT)  # of the radius: where a spot's plane cuts the ball
SMALLEST_SPOTTED = 3.0  # px; smaller balls have no spots
LOWEST_SPOT = 0.12  # of the radius: spots that lie lower on the ball cannot be seen from above
SPOT_SHADE = 0.55  # brightness of a spot at the edge of the ball, which is turned away from the sky
TALLEST = 1.2  # of the width: taller ellipsoids look the same from above
CONTACT_SCALE = 6.0  # px per unit below which the touch on the ground cannot be seen
UNDER_BALL = 0.75  # of the radius: the touch of something round is narrower than itself


@kernel(refcount=False)
def put_spots(sheet: Sheet, n: int, view: View, layer: int, ground: float, middle: Vector, radius: float, axes: Array,
              colour: Vector) -> int:  # fmt: skip
    """Update the sheet with the spots of a ball that can be seen from above; return the next free row.

    There are six, where the axes (3, 3) of the ball meet its surface.
    """
    for k in range(6):
        axis, side = axes[k // 2], 1.0 - 2.0 * (k % 2)
        x, y, z = side * axis[0], side * axis[1], side * axis[2]
        if not z > LOWEST_SPOT:
            continue
        flat = math.sqrt(x * x + y * y)
        fx, fy = (x / flat, y / flat) if flat > 1e-6 else (1.0, 0.0)
        place, size, shade = SPOT_PLACE * radius, SPOT * radius, f32(SPOT_SHADE + (1.0 - SPOT_SHADE) * z)
        at = (middle[0] + place * x, middle[1] + place * y, middle[2] + place * z)
        skin = Skin(colour[0] * shade, colour[1] * shade, colour[2] * shade, f32(0.2), f32(0.0), f32(0.0))
        forward, left = (fx * size * z, fy * size * z), (-fy * size, fx * size)
        n = put_shape(sheet, n, view, ELLIPSOID, layer, ground, at, forward, left, skin, (0.0, SPOT, 0.0))
    return n


@kernel(refcount=False)
def put_ellipsoid(sheet: Sheet, n: int, view: View, layer: int, ground: float, middle: Vector, size: tuple[int, int, int],
                  axes: Array, skin: Skin) -> int:  # fmt: skip
    """Update the sheet with an ellipsoid of half axes `size` along axes (3, 3) as seen from above; return the next row.

    Its outline is the ellipse of the matrix sum(size^2 axis axis^T) in plan, given by the half axes of that.
    """
    xx = xy = yy = zz = 0.0
    for k in range(3):
        square = size[k] * size[k]
        xx += square * axes[k, 0] * axes[k, 0]
        xy += square * axes[k, 0] * axes[k, 1]
        yy += square * axes[k, 1] * axes[k, 1]
        zz += square * axes[k, 2] * axes[k, 2]
    mean, turn = 0.5 * (xx + yy), 0.5 * math.atan2(2.0 * xy, xx - yy)
    spread = math.sqrt(0.25 * (xx - yy) * (xx - yy) + xy * xy)
    long, wide, tall = math.sqrt(mean + spread), math.sqrt(max(mean - spread, 0.0)), math.sqrt(zz)
    c, s, before = math.cos(turn), math.sin(turn), n
    form = (0.0, min(tall / max(math.sqrt(long * wide), 1e-9), TALLEST), 0.0)
    forward, left = (c * long, s * long), (-s * wide, c * wide)
    n = put_shape(sheet, n, view, ELLIPSOID, layer, ground, middle, forward, left, skin, form)
    if n > before and sheet.prims[before, Z0] < HIGH:
        sheet.prims[before, Z0] += f32(tall * view.scale)  # what can be wet is its top
    return n


@kernel()
def put_shapes(sheet: Sheet, n: int, view: View, shapes: Shapes) -> int:
    """Update the sheet with all shapes; return the next free row."""
    axes = np.empty((3, 3))
    for k in range(shapes.kind.shape[0]):
        a, b = shapes.start[k], shapes.end[k]
        start, end = (a[0], a[1], a[2]), (b[0], b[1], b[2])
        size, colour, kind = shapes.size[k], shapes.albedo[k], shapes.kind[k]
        x, y, z = 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])
        ground = ground_at(view, x, y)
        layer = layer_of(view, x, y, z, ground)
        if view.limb_scale >= CONTACT_SCALE:
            gap, width = min(a[2], b[2]) - size[2] - ground, UNDER_BALL * size[1]
            n = put_contact(sheet, n, view, ground, start, end, width, gap)
        first = n
        skin = Skin(colour[0], colour[1], colour[2], shapes.gloss[k], RIM, f32(1.0))
        quaternion_axes(shapes.orientation, k, axes)
        if kind == ELLIPSOID_SHAPE:
            n = put_ellipsoid(sheet, n, view, layer, ground, start, size, axes, skin)
        else:
            n = put_link(sheet, n, view, CAPSULE, layer, ground, start, end, (size[0], size[1]), skin)
        spots = shapes.spots[k]
        if n > first and kind == BALL and spots[0] >= f32(0.0) and size[0] * view.scale > SMALLEST_SPOTTED:
            n = put_spots(sheet, n, view, layer, ground, start, size[0], axes, spots)
        mark_creature(sheet, first, n, shapes.creature[k])
    return n
