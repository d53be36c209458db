"""Append single primitives in screen space: projection, culling, thin parts, wetness."""

from __future__ import annotations

import math

from numpy import float32 as f32

from ....engine.kernel import kernel
from ..water.pond_kernel import level_at
from .primitive_fields import (
    ALPHA,
    CAPSULE,
    CB,
    CG,
    CONTACT,
    CR,
    EB,
    EG,
    ER,
    GLOSS,
    H0,
    H1,
    HIGH,
    KIND,
    LAYERS,
    LINE,
    P0,
    P1,
    P2,
    R0,
    R1,
    RIM,
    SHADOW,
    SMALLEST_RADIUS,
    X0,
    X1,
    Y0,
    Y1,
    Z0,
    Z1,
)

# The view vector (float64): where world points land on the screen, and at its end the ponds.
CENTER_X, CENTER_Y, SCALE, WIDTH, HEIGHT, GRID_X, GRID_Y, GRID_CELL, SHADOW_REACH, LIMB_SCALE = range(10)
VIEW_FIELDS = 10

LAYER_HEIGHT = 1.2  # units; a body that climbs over another is at least this far above the ground
LAYER_OFFSET = 0.1  # units; keeps a walking body in the middle of its layer
SWIMMING_DEPTH = 0.6  # units; a floating body's middle is about this far above its layer's floor
THIN = f32(4.0)  # px; below this radius three lit places across cannot be told from a lit cylinder
FARTHEST = 1.0e5  # px; anything farther off screen (or NaN) is dropped before it is turned into an integer


@kernel(refcount=False)
def ground_at(elevation, view, x, y):
    """Return the terrain height at (x, y): bilinear, clamped at the edge of the grid."""
    ny, nx = elevation.shape
    u, v = (x - view[GRID_X]) / view[GRID_CELL], (y - view[GRID_Y]) / view[GRID_CELL]
    if not (abs(u) < FARTHEST and abs(v) < FARTHEST):
        return 0.0
    u, v = max(min(u, nx - 1.001), 0.0), max(min(v, ny - 1.001), 0.0)
    i, j = int(u), int(v)
    i1, j1 = min(i + 1, nx - 1), min(j + 1, ny - 1)
    a, b = u - i, v - j
    low = elevation[j, i] * (1.0 - a) + elevation[j, i1] * a
    high = elevation[j1, i] * (1.0 - a) + elevation[j1, i1] * a
    return low * (1.0 - b) + high * b


@kernel(refcount=False)
def layer_of(view, x, y, z, ground):
    """Return the draw layer of a body part at (x, y, z): higher parts are drawn later.

    Over water heights count from just below the surface, so that the unevenness of a deep bed changes no order.
    """
    level = level_at(view, VIEW_FIELDS, x, y)
    base = level - SWIMMING_DEPTH if level - SWIMMING_DEPTH > ground else ground
    if not (abs(z - base) < FARTHEST):
        return 1
    return min(max(int((z - base + LAYER_OFFSET) / LAYER_HEIGHT), 0) + 1, LAYERS - 3)


@kernel(refcount=False)
def height_above_water(view, x, y, z, ground):
    """Return pixels above the water line, or HIGH where the ground is dry."""
    level = level_at(view, VIEW_FIELDS, x, y)
    if ground < level:
        return f32((z - level) * view[SCALE])
    return HIGH


@kernel(refcount=False)
def put_link(
    prims, layers, n, layer, view, kind, ax, ay, az, bx, by, bz, ra, rb, ground, cr, cg, cb, gloss, rim, shadow,
):  # fmt: skip
    """Update row n of prims with a tapered link between two world points; return the next free row."""
    if n >= prims.shape[0]:
        return n
    s = view[SCALE]
    x0 = (ax - view[CENTER_X]) * s + 0.5 * view[WIDTH]
    y0 = 0.5 * view[HEIGHT] - (ay - view[CENTER_Y]) * s
    x1 = (bx - view[CENTER_X]) * s + 0.5 * view[WIDTH]
    y1 = 0.5 * view[HEIGHT] - (by - view[CENTER_Y]) * s
    margin = max(ra, rb) * s + 2.0
    h0, h1 = max((az - ground) * s, 0.0), max((bz - ground) * s, 0.0)
    reach = margin + view[SHADOW_REACH] * max(h0, h1)
    if not (abs(x0) < FARTHEST and abs(y0) < FARTHEST and abs(x1) < FARTHEST and abs(y1) < FARTHEST and reach < FARTHEST):
        return n
    if min(x0, x1) > view[WIDTH] + reach or max(x0, x1) < -reach:
        return n
    if min(y0, y1) > view[HEIGHT] + reach or max(y0, y1) < -reach:
        return n
    r0, r1 = f32(ra * s), f32(rb * s)
    widest = max(r0, r1)
    alpha = f32(1.0)
    if widest < SMALLEST_RADIUS and kind != CONTACT:
        alpha = max(widest / SMALLEST_RADIUS, f32(0.15))
    row = prims[n]
    row[KIND] = kind if kind != CAPSULE or widest >= THIN else LINE
    row[X0], row[Y0], row[X1], row[Y1] = f32(x0), f32(y0), f32(x1), f32(y1)
    row[R0], row[R1] = max(r0, SMALLEST_RADIUS), max(r1, SMALLEST_RADIUS)
    row[Z0], row[Z1] = height_above_water(view, ax, ay, az, ground), height_above_water(view, bx, by, bz, ground)
    row[H0], row[H1] = f32(h0), f32(h1)
    row[CR], row[CG], row[CB], row[ALPHA] = cr, cg, cb, alpha
    row[GLOSS], row[RIM], row[SHADOW] = gloss, rim, shadow
    row[ER] = row[EG] = row[EB] = row[P0] = row[P1] = row[P2] = f32(0.0)
    layers[n] = layer
    return n + 1


@kernel(refcount=False)
def put_shape(
    prims, layers, n, layer, view, kind, cx, cy, cz, fx, fy, lx, ly, ground, cr, cg, cb, gloss, rim, shadow, p0, p1, p2
):
    """Update row n of prims with a shape of half axes f (forward) and l (left) in world units; return the next row."""
    if n >= prims.shape[0]:
        return n
    s = view[SCALE]
    x = (cx - view[CENTER_X]) * s + 0.5 * view[WIDTH]
    y = 0.5 * view[HEIGHT] - (cy - view[CENTER_Y]) * s
    reach_x, reach_y = (abs(fx) + abs(lx)) * s + 2.0, (abs(fy) + abs(ly)) * s + 2.0
    h = max((cz - ground) * s, 0.0)
    longest = view[SHADOW_REACH] * h
    if not (abs(x) < FARTHEST and abs(y) < FARTHEST and reach_x < FARTHEST and reach_y < FARTHEST and h < FARTHEST):
        return n
    if x > view[WIDTH] + reach_x + longest or x < -reach_x - longest:
        return n
    if y > view[HEIGHT] + reach_y + longest or y < -reach_y - longest:
        return n
    row = prims[n]
    row[KIND] = kind
    row[X0], row[Y0], row[X1], row[Y1] = f32(x), f32(y), f32(fx * s), f32(-fy * s)
    row[R0], row[R1] = f32(lx * s), f32(-ly * s)
    row[Z0] = height_above_water(view, cx, cy, cz, ground)
    row[Z1] = row[Z0]
    row[H0] = row[H1] = f32(h)
    row[CR], row[CG], row[CB], row[ALPHA] = cr, cg, cb, f32(1.0)
    row[GLOSS], row[RIM], row[SHADOW] = gloss, rim, shadow
    row[ER] = row[EG] = row[EB] = f32(0.0)
    row[P0], row[P1], row[P2] = f32(p0), f32(p1), f32(p2)
    layers[n] = layer
    return n + 1


@kernel(refcount=False)
def add_emission(prims, start, stop, er, eg, eb):
    """Update the added light of rows start..stop-1."""
    for k in range(start, stop):
        prims[k, ER] += er
        prims[k, EG] += eg
        prims[k, EB] += eb


@kernel(refcount=False)
def quaternion_axes(orientation, row, axes):
    """Update axes (2, 3) with the forward and the left axis of one body frame."""
    w, x, y, z = orientation[row, 0], orientation[row, 1], orientation[row, 2], orientation[row, 3]
    axes[0, 0] = 1.0 - 2.0 * (y * y + z * z)
    axes[0, 1] = 2.0 * (x * y + w * z)
    axes[0, 2] = 2.0 * (x * z - w * y)
    axes[1, 0] = 2.0 * (x * y - w * z)
    axes[1, 1] = 1.0 - 2.0 * (x * x + z * z)
    axes[1, 2] = 2.0 * (y * z + w * x)


@kernel(refcount=False)
def long_side(axes, shortest):
    """Update axes[0] in plan so that a body part seen from its end still shows at least `shortest` of its length."""
    length = math.sqrt(axes[0, 0] ** 2 + axes[0, 1] ** 2)
    if length < shortest:
        if length > 1e-6:
            grow = shortest / length
            axes[0, 0], axes[0, 1] = axes[0, 0] * grow, axes[0, 1] * grow
        else:
            axes[0, 0], axes[0, 1] = axes[1, 1] * shortest, -axes[1, 0] * shortest


@kernel(refcount=False)
def broad_side(axes, shortest):
    """Update axes[1] in plan so that a body lying on its side still shows at least `shortest` of its width."""
    length = math.sqrt(axes[1, 0] ** 2 + axes[1, 1] ** 2)
    if length < shortest:
        fx, fy = axes[0, 0], axes[0, 1]
        norm = max(math.sqrt(fx * fx + fy * fy), 1e-9)
        axes[1, 0], axes[1, 1] = -fy / norm * shortest, fx / norm * shortest
