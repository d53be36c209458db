"""Trunks: plates and soft tissue of centipedes, rings of millipedes, hulls of robots, smooth bodies."""

from __future__ import annotations

import math

from numpy import float32 as f32

from ....engine.kernel import kernel
from ...render.creatures.emit_kernel import broad_side, ground_at, layer_of, long_side, put_link, put_shape, quaternion_axes
from ...render.creatures.primitive_fields import ALPHA, BOX, CAPSULE, CONTACT, ELLIPSOID, LINE
from ...render.creatures.primitive_fields import H1 as FLANK_FIELD
from ...render.creatures.primitive_fields import PLATE as PLATE_KIND
from ...render.creatures.primitive_fields import RING as RING_KIND
from ...render.creatures.primitive_fields import Z1 as SEED_FIELD
from .colour_row import FLANK, GLOSS, HEAD, PLATE, RIM_GAIN, RINGS, TAPER, TISSUE, WIDTH

TAPER_SEGMENTS = 6.0  # segments over which the tail narrows [look study 5]
LONG_PLATE, SHORT_PLATE = 1.03, 0.93  # of half the pitch: plates alternate and overlap slightly
TISSUE_WIDTH = 0.83  # of the plate width [look study 5]
REAR_FLARE = 0.07  # plates are 7 % wider at the rear [look study 5]
CONTACT_STRENGTH = f32(0.62)
RING_SHINE = f32(2.2)  # polished cylinders need more than flat plates
NECK_LENGTH, NECK_WIDTH = 0.62, 0.86  # of the head segment's half width: the collar behind the head
ON_ITS_END = 0.6  # of the length that stays visible when a body part stands upright
ON_ITS_SIDE = 0.45  # of the width that stays visible when a body has rolled over


@kernel(refcount=False)
def half_pitch(position, first, count, i):
    """Return half the mean distance in plan from segment i to its neighbours."""
    total, used = 0.0, 0
    for j in (i - 1, i + 1):
        if 0 <= j < count:
            dx = position[first + j, 0] - position[first + i, 0]
            dy = position[first + j, 1] - position[first + i, 1]
            dz = position[first + j, 2] - position[first + i, 2]
            total += math.sqrt(dx * dx + dy * dy + dz * dz)
            used += 1
    return 0.5 * total / used if used > 0 else 0.0


@kernel(refcount=False)
def body_width(half_extents, row, i, count, look):
    """Return the drawn half width of segment i: species scale and a narrowing tail."""
    tail = max(0.0, (i - (count - 1 - TAPER_SEGMENTS)) / TAPER_SEGMENTS)
    return half_extents[row, 1] * look[WIDTH] * (1.0 - look[TAPER] * min(tail, 1.0) ** 2)


@kernel(refcount=False)
def put_contacts(prims, layers, n, view, grounds, position, half_extents, first, count, look):
    """Update prims with the dark touch of the trunk on the ground below it; return the next free row."""
    for i in range(count - 1):
        a, b = first + i, first + i + 1
        ground = grounds[a]
        width = body_width(half_extents, a, i, count, look)
        gap = max(position[a, 2] - ground - half_extents[a, 2], 0.0)
        strength = CONTACT_STRENGTH * f32(max(0.0, 1.0 - gap / 1.6))
        if strength > f32(0.02):
            n = put_link(
                prims, layers, n, 0, view, CONTACT,
                position[a, 0], position[a, 1], ground, position[b, 0], position[b, 1], ground,
                width * 1.12, width * 1.12, ground, f32(0.0), f32(0.0), f32(0.0), f32(0.0), f32(0.0), strength,
            )  # fmt: skip
    return n


@kernel(refcount=False)
def put_tissue(prims, layers, n, view, grounds, places, position, half_extents, first, count, look, stride):
    """Update prims with the soft blocks between segments, or one band per `stride` of them; return the next free row."""
    hidden = 0.30 if stride == 1 else 0.0  # the ends lie below the plates
    for i in range(0, count - 1, stride):
        last = min(i + stride, count - 1)
        a, b = first + i, first + last
        ground = grounds[a]
        drop = 0.25 * half_extents[a, 2]
        layer = min(places[a], places[b])  # below both of its plates
        dx, dy, dz = position[b, 0] - position[a, 0], position[b, 1] - position[a, 1], position[b, 2] - position[a, 2]
        plan = math.sqrt(max(dx * dx + dy * dy, 1e-12) / max(dx * dx + dy * dy + dz * dz, 1e-12))
        thin = TISSUE_WIDTH * max(plan, ON_ITS_END) ** 2  # a steep joint hides behind the plate above it
        before = n
        n = put_link(
            prims, layers, n, layer, view, LINE,
            position[a, 0] + hidden * dx, position[a, 1] + hidden * dy, position[a, 2] + hidden * dz - drop,
            position[b, 0] - hidden * dx, position[b, 1] - hidden * dy, position[b, 2] - hidden * dz - drop,
            body_width(half_extents, a, i, count, look) * thin, body_width(half_extents, b, last, count, look) * thin,
            ground, look[TISSUE], look[TISSUE + 1], look[TISSUE + 2], f32(0.35), f32(0.05),
            f32(1.0) if stride > 1 else f32(0.0),
        )  # fmt: skip
        if stride > 1 and n > before:
            prims[before, ALPHA] = f32(0.0)  # far away the plates hide it; only its shadow is left
    return n


@kernel(refcount=False)
def put_plates(
    prims, layers, n, view, grounds, places, position, orientation, half_extents, first, count, look, kind, axes, shadow
):
    """Update prims with the back plates (PLATE_KIND) or hulls (BOX), tail first; return the next free row."""
    for back in range(count):
        i = count - 1 - back
        row = first + i
        ground = grounds[row]
        quaternion_axes(orientation, row, axes)
        fz, lz = axes[0, 2], axes[1, 2]
        broad_side(axes, ON_ITS_SIDE)
        long_side(axes, ON_ITS_END)
        length = half_pitch(position, first, count, i)
        length *= (LONG_PLATE if i % 2 == 0 or shadow == f32(0.0) else SHORT_PLATE) if kind == PLATE_KIND else 0.86
        width = body_width(half_extents, row, i, count, look)
        behind = 0.0
        if i == 0:
            behind, length, width = 0.45 * width, NECK_LENGTH * width, NECK_WIDTH * width
        before = n
        n = put_shape(
            prims, layers, n, places[row], view, kind,
            position[row, 0] - behind * axes[0, 0], position[row, 1] - behind * axes[0, 1],
            position[row, 2] + 0.6 * half_extents[row, 2],
            axes[0, 0] * length, axes[0, 1] * length, axes[1, 0] * width, axes[1, 1] * width, ground,
            look[PLATE], look[PLATE + 1], look[PLATE + 2], look[GLOSS], look[RIM_GAIN], shadow,
            REAR_FLARE if kind == PLATE_KIND else 0.16, fz, lz,
        )  # fmt: skip
        if n > before and kind == PLATE_KIND:
            prims[before, SEED_FIELD] = f32(i * 7 + first % 13)
            prims[before, FLANK_FIELD] = look[FLANK]
    return n


@kernel(refcount=False)
def spline_point(position, first, count, t, out):
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
def put_rings(prims, layers, n, view, elevation, position, half_extents, first, count, look, point):
    """Update prims with overlapping cylinder rings along the body line, tail first; return the next free row."""
    if count < 2:
        return n
    per = max(int(look[RINGS]), 1)
    total = (count - 1) * per
    for back in range(total):
        i = total - back
        t = i / per
        spline_point(position, first, count, t, point)
        row = first + min(int(t), count - 1)
        ground = ground_at(elevation, view, point[0], point[1])
        flat = max(math.sqrt(point[3] ** 2 + point[4] ** 2), 1e-6)
        length = 0.80 * flat / per
        tail = max(0.0, 1.0 - back / (2.0 * per))
        width = half_extents[row, 1] * look[WIDTH] * math.sqrt(1.0 - look[TAPER] * min(tail, 1.0) ** 2)
        if i <= per:
            width *= 0.94
        fx, fy = -point[3] / flat, -point[4] / flat
        n = put_shape(
            prims, layers, n, layer_of(view, point[0], point[1], point[2], ground), view, RING_KIND,
            point[0], point[1], point[2] + 0.5 * half_extents[row, 2], fx * length, fy * length, -fy * width,
            fx * width,
            ground, look[PLATE], look[PLATE + 1], look[PLATE + 2], look[GLOSS] * RING_SHINE, look[RIM_GAIN],
            f32(1.0), 0.035, 1.0, 0.0,
        )  # fmt: skip
    return n


@kernel(refcount=False)
def put_smooth(prims, layers, n, view, grounds, places, position, half_extents, first, count, look):
    """Update prims with one tapered capsule per joint, tail first: eels, fishes, frogs; return the next free row."""
    for back in range(count - 1):
        i = count - 2 - back
        a, b = first + i, first + i + 1
        ground = grounds[a]
        n = put_link(
            prims, layers, n, min(places[a], places[b]), view, CAPSULE,
            position[a, 0], position[a, 1], position[a, 2], position[b, 0], position[b, 1], position[b, 2],
            body_width(half_extents, a, i, count, look), body_width(half_extents, b, i + 1, count, look), ground,
            look[PLATE], look[PLATE + 1], look[PLATE + 2], look[GLOSS], look[RIM_GAIN], f32(1.0),
        )  # fmt: skip
    return n


@kernel(refcount=False)
def put_head_shape(prims, layers, n, layer, view, ground, position, row, axes, width, kind, look):
    """Update prims with the head capsule (ELLIPSOID) or block (BOX); return the next free row."""
    long, wide = (0.80 * width, 0.82 * width) if kind == ELLIPSOID else (0.7 * width, 0.7 * width)
    return put_shape(
        prims, layers, n, layer, view, kind if kind == BOX else ELLIPSOID,
        position[row, 0] + 0.1 * width * axes[0, 0], position[row, 1] + 0.1 * width * axes[0, 1],
        position[row, 2] + 0.3 * width,
        axes[0, 0] * long, axes[0, 1] * long, axes[1, 0] * wide, axes[1, 1] * wide, ground,
        look[HEAD], look[HEAD + 1], look[HEAD + 2], f32(0.9), look[RIM_GAIN], f32(1.0), 0.0, 0.85, 0.0,
    )  # fmt: skip


