"""Trunks: plates and soft tissue of centipedes, rings of millipedes, hulls of robots, smooth bodies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ...render.creatures.emit_kernel import (
    broad_side,
    ground_at,
    long_side,
    put_contact,
    put_link,
    put_shape,
    quaternion_axes,
)
from ...render.creatures.primitive_fields import ALPHA, CAPSULE, ELLIPSOID, LINE
from ...render.creatures.primitive_fields import H1 as FLANK_FIELD
from ...render.creatures.primitive_fields import PLATE as PLATE_KIND
from ...render.creatures.primitive_fields import RING as RING_KIND
from ...render.creatures.primitive_fields import Z1 as SEED_FIELD
from ...render.creatures.sheet import Skin
from .colour_row import FLANK, GLOSS, HEAD, PLATE, RIM_GAIN, RINGS, TAPER, TISSUE, WIDTH

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from ...render.creatures.sheet import Sheet, View
    from .herd import Joint, Trunk

TAPER_SEGMENTS = 6.0  # segments over which the tail narrows [look 5]
LONG_PLATE, SHORT_PLATE = 1.03, 0.93  # of half the pitch: plates alternate and overlap slightly
TISSUE_WIDTH = 0.83  # of the plate width [look 5]
REAR_FLARE = 0.07  # plates are 7 % wider at the rear [look 5]
CONTACT_WIDTH = 1.12  # of the body: how wide its touch on the ground is
RING_SHINE = f32(2.2)  # polished cylinders need more than flat plates
NECK_LENGTH, NECK_WIDTH = 0.62, 0.86  # of the head segment's half width: the collar behind the head
ON_ITS_END = 0.6  # of the length that stays visible when a body part stands upright
ON_ITS_SIDE = 0.45  # of the width that stays visible when a body has rolled over


@kernel(refcount=False)
def followed(trunk: Trunk, i: int) -> int:
    """Return which segment of a trunk segment i > 0 follows: the one before it, unless the body branches there."""
    return max(i - trunk.ahead[trunk.first + i], 0)


@kernel(refcount=False)
def half_pitch(trunk: Trunk, i: int) -> float:
    """Return half the mean distance from segment i to its neighbours."""
    position, first, total, used = trunk.position, trunk.first, 0.0, 0
    for j in (i - 1, i + 1):
        if 0 <= j < trunk.size:
            if followed(trunk, max(i, j)) != min(i, j):
                continue
            dx = position[first + j, 0] - position[first + i, 0]
            dy = position[first + j, 1] - position[first + i, 1]
            dz = position[first + j, 2] - position[first + i, 2]
            total += math.sqrt(dx * dx + dy * dy + dz * dz)
            used += 1
    return 0.5 * total / used if used > 0 else 0.0


@kernel(refcount=False)
def body_width(trunk: Trunk, i: int) -> float:
    """Return the drawn half width of segment i: species scale and a narrowing tail."""
    look = trunk.look
    tail = max(0.0, (i - (trunk.size - 1 - TAPER_SEGMENTS)) / TAPER_SEGMENTS)
    return trunk.half_extents[trunk.first + i, 1] * look[WIDTH] * (1.0 - look[TAPER] * min(tail, 1.0) ** 2)


@kernel(refcount=False)
def put_contacts(sheet: Sheet, n: int, view: View, trunk: Trunk) -> int:
    """Update the sheet with the dark touch of the trunk on the ground below it; return the next free row."""
    position = trunk.position
    for k in range(trunk.size - 1):
        i = followed(trunk, k + 1)
        a, b = trunk.first + i, trunk.first + k + 1
        here, there = (position[a, 0], position[a, 1], position[a, 2]), (position[b, 0], position[b, 1], position[b, 2])
        width, gap = body_width(trunk, i) * CONTACT_WIDTH, position[a, 2] - trunk.ground[a] - trunk.half_extents[a, 2]
        n = put_contact(sheet, n, view, trunk.ground[a], here, there, width, gap)
    return n


@kernel(refcount=False)
def put_tissue(sheet: Sheet, n: int, view: View, trunk: Trunk, stride: int) -> int:
    """Update the sheet with the soft blocks between segments, or one band per `stride` of them; return the next row."""
    position, look = trunk.position, trunk.look
    hidden = 0.30 if stride == 1 else 0.0  # the ends lie below the plates
    shadow = f32(1.0) if stride > 1 else f32(0.0)
    skin = Skin(look[TISSUE], look[TISSUE + 1], look[TISSUE + 2], f32(0.35), f32(0.05), shadow)
    for i in range(0, trunk.size - 1, stride):
        last = min(i + stride, trunk.size - 1)
        start = i if stride > 1 else followed(trunk, last)
        a, b = trunk.first + start, trunk.first + last
        drop = 0.25 * trunk.half_extents[a, 2]
        layer = min(trunk.layer[a], trunk.layer[b])  # below both of its plates
        dx, dy, dz = position[b, 0] - position[a, 0], position[b, 1] - position[a, 1], position[b, 2] - position[a, 2]
        plan = math.sqrt(max(dx * dx + dy * dy, 1e-12) / max(dx * dx + dy * dy + dz * dz, 1e-12))
        thin = TISSUE_WIDTH * max(plan, ON_ITS_END) ** 2  # a steep joint hides behind the plate above it
        here = (position[a, 0] + hidden * dx, position[a, 1] + hidden * dy, position[a, 2] + hidden * dz - drop)
        there = (position[b, 0] - hidden * dx, position[b, 1] - hidden * dy, position[b, 2] - hidden * dz - drop)
        radii, before = (body_width(trunk, start) * thin, body_width(trunk, last) * thin), n
        n = put_link(sheet, n, view, LINE, layer, trunk.ground[a], here, there, radii, skin)
        if stride > 1 and n > before:
            sheet.prims[before, ALPHA] = f32(0.0)  # far away the plates hide it; only its shadow is left
    return n


@kernel(refcount=False)
def put_plates(sheet: Sheet, n: int, view: View, trunk: Trunk, kind: int, shadow: float, axes: Array) -> int:
    """Update the sheet with the back plates (PLATE_KIND) or hulls (BOX), tail first; return the next free row."""
    position, look = trunk.position, trunk.look
    skin = Skin(look[PLATE], look[PLATE + 1], look[PLATE + 2], look[GLOSS], look[RIM_GAIN], shadow)
    for back in range(trunk.size):
        i = trunk.size - 1 - back
        row = trunk.first + i
        quaternion_axes(trunk.orientation, row, axes)
        fz, lz = axes[0, 2], axes[1, 2]
        broad_side(axes, ON_ITS_SIDE)
        long_side(axes, ON_ITS_END)
        length = half_pitch(trunk, i)
        length *= (LONG_PLATE if i % 2 == 0 or shadow == f32(0.0) else SHORT_PLATE) if kind == PLATE_KIND else 0.86
        width = body_width(trunk, i)
        behind = 0.0
        if i == 0:
            behind, length, width = 0.45 * width, NECK_LENGTH * width, NECK_WIDTH * width
        at = (
            position[row, 0] - behind * axes[0, 0],
            position[row, 1] - behind * axes[0, 1],
            position[row, 2] + 0.6 * trunk.half_extents[row, 2],
        )
        forward, left = (axes[0, 0] * length, axes[0, 1] * length), (axes[1, 0] * width, axes[1, 1] * width)
        form, before = (REAR_FLARE if kind == PLATE_KIND else 0.16, fz, lz), n
        n = put_shape(sheet, n, view, kind, trunk.layer[row], trunk.ground[row], at, forward, left, skin, form)
        if n > before and kind == PLATE_KIND:
            sheet.prims[before, SEED_FIELD] = f32(i * 7 + trunk.first % 13)
            sheet.prims[before, FLANK_FIELD] = look[FLANK]
    return n


@kernel(refcount=False)
def spline_point(position: Array, first: int, count: int, t: float, out: Array) -> None:
    """Update out (6) with the point and the direction at parameter t (in segments) of the Catmull-Rom body line."""
    i = min(max(int(t), 0), count - 2)
    u = t - i
    p, q = first + i, first + i + 1
    o, r = first + max(i - 1, 0), first + min(i + 2, count - 1)
    for k in range(3):
        a, b, c, d = position[o, k], position[p, k], position[q, k], position[r, k]
        m0, m1 = 0.5 * (c - a), 0.5 * (d - b)
        e, f = 2.0 * b - 2.0 * c + m0 + m1, -3.0 * b + 3.0 * c - 2.0 * m0 - m1
        out[k] = ((e * u + f) * u + m0) * u + b
        out[3 + k] = (3.0 * e * u + 2.0 * f) * u + m0


@kernel(refcount=False)
def put_rings(sheet: Sheet, n: int, view: View, trunk: Trunk, point: Array) -> int:
    """Update the sheet with overlapping cylinder rings along the body line, tail first; return the next free row.

    point (6 or more) is scratch.
    """
    look, half_extents = trunk.look, trunk.half_extents
    if trunk.size < 2:
        return n
    skin = Skin(look[PLATE], look[PLATE + 1], look[PLATE + 2], look[GLOSS] * RING_SHINE, look[RIM_GAIN], f32(1.0))
    per = max(int(look[RINGS]), 1)
    total = (trunk.size - 1) * per
    for back in range(total):
        i = total - back
        t = i / per
        spline_point(trunk.position, trunk.first, trunk.size, t, point)
        x, y, z, along_x, along_y = point[0], point[1], point[2], point[3], point[4]
        row = trunk.first + min(int(t), trunk.size - 1)
        ground = ground_at(view, x, y)
        flat = max(math.sqrt(along_x**2 + along_y**2), 1e-6)
        length = 0.80 * flat / per
        tail = max(0.0, 1.0 - back / (2.0 * per))
        width = half_extents[row, 1] * look[WIDTH] * math.sqrt(1.0 - look[TAPER] * min(tail, 1.0) ** 2)
        if i <= per:
            width *= 0.94
        fx, fy = -along_x / flat, -along_y / flat
        at = (x, y, z + 0.5 * half_extents[row, 2])
        forward, left = (fx * length, fy * length), (-fy * width, fx * width)
        n = put_shape(sheet, n, view, RING_KIND, trunk.layer[row], ground, at, forward, left, skin, (0.035, 1.0, 0.0))
    return n


@kernel(refcount=False)
def put_smooth(sheet: Sheet, n: int, view: View, trunk: Trunk) -> int:
    """Update the sheet with one tapered capsule per joint, tail first: eels, fishes, frogs; return the next free row."""
    position, look = trunk.position, trunk.look
    skin = Skin(look[PLATE], look[PLATE + 1], look[PLATE + 2], look[GLOSS], look[RIM_GAIN], f32(1.0))
    for back in range(trunk.size - 1):
        k = trunk.size - 1 - back
        i = followed(trunk, k)
        a, b = trunk.first + i, trunk.first + k
        here, there = (position[a, 0], position[a, 1], position[a, 2]), (position[b, 0], position[b, 1], position[b, 2])
        radii, layer = (body_width(trunk, i), body_width(trunk, k)), min(trunk.layer[a], trunk.layer[b])
        n = put_link(sheet, n, view, CAPSULE, layer, trunk.ground[a], here, there, radii, skin)
    return n


@kernel(refcount=False)
def put_head_shape(sheet: Sheet, n: int, view: View, head: Joint, kind: int, look: Array) -> int:
    """Update the sheet with the head capsule (ELLIPSOID) or block (BOX); return the next free row."""
    width = head.width
    long, wide = (0.80 * width, 0.82 * width) if kind == ELLIPSOID else (0.7 * width, 0.7 * width)
    (x, y, z), (fx, fy), (lx, ly) = head.at, head.forward, head.left
    at = (x + 0.1 * width * fx, y + 0.1 * width * fy, z + 0.3 * width)
    forward, left = (fx * long, fy * long), (lx * wide, ly * wide)
    skin = Skin(look[HEAD], look[HEAD + 1], look[HEAD + 2], f32(0.9), look[RIM_GAIN], f32(1.0))
    return put_shape(sheet, n, view, kind, head.layer, head.ground, at, forward, left, skin, (0.0, 0.85, 0.0))
